/** Deleting a table or a volume, which cannot be brought back: what uses it is listed. */
import { Button, Paper, ScrollArea, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { TypeTheName } from "../components/TypeTheName";
import { Guarded } from "../components/Why";
import { Dependents, useUsedBy } from "./UsedBy";

interface Props {
  thing: { type: "table" | "volume"; id: string; full_name: string; actions: readonly string[] };
  /** What goes with it, in a sentence. */
  lost: string;
  act: () => Promise<unknown>;
  onGone: () => Promise<void>;
}

export function DeleteByName({ thing, lost, act, onGone }: Props) {
  const [opened, setOpened] = useState(false);
  const cache = useQueryClient();
  const used = useUsedBy(thing, opened);
  const remove = useMutation({
    mutationFn: act,
    onSuccess: async () => {
      await onGone();
      cache.removeQueries({ queryKey: [`${thing.type}s`, thing.id] });
      await cache.invalidateQueries({ queryKey: [`${thing.type}s`] });
    },
  });
  const users = used.data?.items ?? [];
  return (
    <>
      <Guarded action="delete_the_resource" on={{ type: thing.type, id: thing.id }} actions={thing.actions}>
        {(allowed) => (
          <Button variant="default" disabled={!allowed} onClick={() => setOpened(true)}>
            Delete
          </Button>
        )}
      </Guarded>
      <TypeTheName
        opened={opened}
        onClose={() => setOpened(false)}
        title={`Delete ${thing.full_name}?`}
        name={thing.full_name}
        done={`Delete ${thing.full_name}`}
        act={() => remove.mutate()}
        pending={remove.isPending}
        error={used.error ?? remove.error}
        size="lg"
      >
        <Text size="sm">{lost} It cannot be brought back.</Text>
        {users.length > 0 && (
          <Paper withBorder>
            <Text fw={600} px="md" pt="sm">
              What uses it
            </Text>
            <ScrollArea.Autosize mah={240} type="auto">
              <Dependents items={users} />
            </ScrollArea.Autosize>
          </Paper>
        )}
      </TypeTheName>
    </>
  );
}

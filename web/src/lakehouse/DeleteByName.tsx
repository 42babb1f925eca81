/** Deleting what cannot be brought back: what depends on it is listed, and its name is typed. */
import { Button, Modal, Paper, ScrollArea, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Told } from "../components/Told";
import { Guarded } from "../components/Why";
import { Dependents, useUsedBy } from "./UsedBy";

interface Thing {
  type: "table" | "volume";
  id: string;
  name: string;
  full_name: string;
  actions: readonly string[];
}

interface Props {
  thing: Thing;
  /** What goes with it, in a sentence. */
  lost: string;
  act: () => Promise<unknown>;
  onGone: () => Promise<void>;
}

export function DeleteByName({ thing, lost, act, onGone }: Props) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Guarded action="delete_the_resource" on={{ type: thing.type, id: thing.id }} actions={thing.actions}>
        {(allowed) => (
          <Button variant="default" disabled={!allowed} onClick={() => setOpened(true)}>
            Delete
          </Button>
        )}
      </Guarded>
      <Modal opened={opened} onClose={() => setOpened(false)} title={`Delete ${thing.full_name}?`} size="lg">
        <Confirm thing={thing} lost={lost} act={act} onGone={onGone} />
      </Modal>
    </>
  );
}

function Confirm({ thing, lost, act, onGone }: Props) {
  const cache = useQueryClient();
  const used = useUsedBy(thing);
  const [typed, setTyped] = useState("");
  const remove = useMutation({
    mutationFn: act,
    onSuccess: async () => {
      await onGone();
      cache.removeQueries({ queryKey: [`${thing.type}s`, thing.id] });
      await cache.invalidateQueries({ queryKey: [`${thing.type}s`] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    remove.mutate();
  };
  const users = used.data?.items ?? [];
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{lost} It cannot be brought back.</Text>
        {users.length > 0 && (
          <Paper withBorder>
            <Text fw={600} px="md" pt="sm">
              This depends on it
            </Text>
            <ScrollArea.Autosize mah={240} type="auto">
              <Dependents items={users} />
            </ScrollArea.Autosize>
          </Paper>
        )}
        <TextInput
          label={`Type ${thing.full_name} to confirm`}
          autoComplete="off"
          data-autofocus
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Told error={used.error ?? remove.error} />
        <Button type="submit" color="#c92a2a" disabled={typed !== thing.full_name} loading={remove.isPending}>
          Delete {thing.full_name}
        </Button>
      </Stack>
    </form>
  );
}

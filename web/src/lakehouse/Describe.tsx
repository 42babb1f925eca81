/** Saying what a table or a volume holds, and what its fields mean. */
import { Button, Modal, ScrollArea, Stack, Textarea, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Told } from "../components/Told";
import { Guarded } from "../components/Why";

interface Thing {
  id: string;
  full_name: string;
  description: string;
  actions: readonly string[];
  fields?: readonly { name: string; description: string }[];
}

export interface Said {
  description: string;
  /** Those that were changed, by name. */
  fields: Record<string, string>;
}

interface Props<T extends Thing> {
  type: "table" | "volume";
  thing: T;
  /** Sends it; the thing as it is then. */
  save: (said: Said) => Promise<T>;
}

export function Describe<T extends Thing>({ type, thing, save }: Props<T>) {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <>
      <Guarded action="change_descriptions" on={{ type, id: thing.id }} actions={thing.actions}>
        {(allowed) => (
          <Button variant="default" disabled={!allowed} onClick={() => setOpened(true)}>
            Describe
          </Button>
        )}
      </Guarded>
      <Modal
        opened={opened}
        onClose={close}
        title={`Describe ${thing.full_name}`}
        size={thing.fields?.length ? "lg" : undefined}
      >
        <Form type={type} thing={thing} save={save} onDone={close} />
      </Modal>
    </>
  );
}

function Form<T extends Thing>({ type, thing, save, onDone }: Props<T> & { onDone: () => void }) {
  const cache = useQueryClient();
  const [description, setDescription] = useState(thing.description);
  const [fields, setFields] = useState<Record<string, string>>({});
  const saving = useMutation({
    mutationFn: () => save({ description, fields }),
    onSuccess: async (now) => {
      cache.setQueryData([`${type}s`, thing.id], now);
      await cache.invalidateQueries({ queryKey: [`${type}s`], refetchType: "none" });
      notifications.show({ message: "What it holds is saved." });
      onDone();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Textarea
          label={`The ${type}`}
          name="description"
          autosize
          minRows={2}
          maxLength={2000}
          data-autofocus
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        {thing.fields && (
          <ScrollArea.Autosize mah={320} type="auto">
            <Stack gap="xs">
              {thing.fields.map((field) => (
                <TextInput
                  key={field.name}
                  label={field.name}
                  name={`fields.${field.name}`}
                  maxLength={2000}
                  value={fields[field.name] ?? field.description}
                  onChange={(event) => setFields({ ...fields, [field.name]: event.currentTarget.value })}
                />
              ))}
            </Stack>
          </ScrollArea.Autosize>
        )}
        <Told error={saving.error} />
        <Button type="submit" loading={saving.isPending}>
          Save
        </Button>
      </Stack>
    </form>
  );
}

/** Saying what a table and its fields mean. */
import { Button, Modal, ScrollArea, Stack, Textarea, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, type Schemas, take } from "../../api/client";
import { Told } from "../../components/Told";
import { Guarded } from "../../components/Why";

type Table = Schemas["TableOut"];

export function Describe({ table }: { table: Table }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Guarded action="change_descriptions" on={{ type: "table", id: table.id }} actions={table.actions}>
        {(allowed) => (
          <Button variant="default" disabled={!allowed} onClick={() => setOpened(true)}>
            Describe
          </Button>
        )}
      </Guarded>
      <Modal opened={opened} onClose={() => setOpened(false)} title={`Describe ${table.full_name}`} size="lg">
        <Descriptions table={table} onDone={() => setOpened(false)} />
      </Modal>
    </>
  );
}

function Descriptions({ table, onDone }: { table: Table; onDone: () => void }) {
  const cache = useQueryClient();
  const [said, setSaid] = useState(table.description);
  const [fields, setFields] = useState<Record<string, string>>({});
  const save = useMutation({
    mutationFn: () =>
      take(
        api.PATCH("/api/v1/tables/{table_id}", {
          params: { path: { table_id: table.id }, header: { "If-Match": `"${table.version}"` } },
          body: { description: said, fields },
        }),
      ),
    onSuccess: async (now) => {
      cache.setQueryData(["tables", table.id], now);
      await cache.invalidateQueries({ queryKey: ["tables"], refetchType: "none" });
      notifications.show({ message: "The descriptions are saved." });
      onDone();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Textarea
          label="The table"
          autosize
          minRows={2}
          maxLength={2000}
          data-autofocus
          value={said}
          onChange={(event) => setSaid(event.currentTarget.value)}
        />
        <ScrollArea.Autosize mah={320} type="auto">
          <Stack gap="xs">
            {table.fields.map((field) => (
              <TextInput
                key={field.name}
                label={field.name}
                maxLength={2000}
                value={fields[field.name] ?? field.description}
                onChange={(event) => setFields({ ...fields, [field.name]: event.currentTarget.value })}
              />
            ))}
          </Stack>
        </ScrollArea.Autosize>
        <Told error={save.error} />
        <Button type="submit" loading={save.isPending}>
          Save
        </Button>
      </Stack>
    </form>
  );
}

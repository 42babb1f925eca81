/** Going back to an earlier version of a table, once that is confirmed. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas, take } from "../../api/client";
import { Told } from "../../components/Told";
import { Guarded } from "../../components/Why";
import { useOnce } from "../../runs/once";

interface Props {
  table: Schemas["TableOut"];
  version: number;
  onStarted: (runId: string) => void;
}

export function Restore({ table, version, onStarted }: Props) {
  const [opened, setOpened] = useState(false);
  const restore = useMutation({
    mutationFn: () =>
      take(
        api.POST("/api/v1/tables/{table_id}/restore", {
          params: { path: { table_id: table.id } },
          body: { version },
        }),
      ),
    onSuccess: (started) => {
      setOpened(false);
      onStarted(started.run_id);
    },
  });
  const restoreOnce = useOnce(restore);
  return (
    <>
      <Guarded action="change_descriptions" on={{ type: "table", id: table.id }} actions={table.actions}>
        {(allowed) => (
          <Button
            size="compact-sm"
            variant="default"
            disabled={!allowed}
            aria-label={`Restore version ${version}`}
            onClick={() => setOpened(true)}
          >
            Restore
          </Button>
        )}
      </Guarded>
      <Modal opened={opened} onClose={() => setOpened(false)} title={`Restore ${table.full_name}?`}>
        <Stack>
          <Text size="sm">
            All its rows become those of version {version}. That is a new version itself, so it can be taken back.
            Pipelines go on from where they are.
          </Text>
          <Told error={restore.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setOpened(false)}>
              Keep it
            </Button>
            <Button loading={restore.isPending} onClick={() => restoreOnce()}>
              Restore version {version}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

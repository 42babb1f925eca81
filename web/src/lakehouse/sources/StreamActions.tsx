/** What can be done with a stream: change it, switch it on and off, let it start over, delete it. */
import { ActionIcon, Menu, Modal } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconDots } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../../api/client";
import { confirmFirst } from "../../components/confirm";
import type { Source, Stream } from "./connection";
import { StreamForm } from "./StreamForm";

export function StreamActions({ source, stream }: { source: Source; stream: Stream }) {
  const [editing, setEditing] = useState(false);
  const cache = useQueryClient();
  const params = {
    path: { pipeline_id: source.id, stream_id: stream.id },
    header: { "If-Match": `"${stream.version}"` },
  };
  const after = {
    onSuccess: () => cache.invalidateQueries({ queryKey: ["sources", source.id] }),
    onError: (error: Error) => notifications.show({ message: error.message, color: "red" }),
  };
  const toggle = useMutation({
    mutationFn: () =>
      take(
        api.PATCH("/api/v1/sources/{pipeline_id}/streams/{stream_id}", { params, body: { enabled: !stream.enabled } }),
      ),
    ...after,
  });
  const startOver = useMutation({
    mutationFn: () => take(api.POST("/api/v1/sources/{pipeline_id}/streams/{stream_id}/start-over", { params })),
    ...after,
  });
  const remove = useMutation({
    mutationFn: () => take(api.DELETE("/api/v1/sources/{pipeline_id}/streams/{stream_id}", { params })),
    ...after,
  });
  if (!source.actions.includes("edit_pipelines")) return null;
  const table = `${stream.output_layer.name}.${stream.output_name}`;
  const confirmStartOver = () =>
    confirmFirst(
      `Let ${stream.name} start over?`,
      `The next run reads everything again and replaces ${table}, columns and all.`,
      "Start over",
      () => startOver.mutate(),
    );
  const confirmRemove = () =>
    confirmFirst(`Delete the stream ${stream.name}?`, `The table ${table} stays.`, "Delete the stream", () =>
      remove.mutate(),
    );
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Stream ${stream.name}: actions`}
            display="flex"
            ml="auto"
          >
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setEditing(true)}>Edit</Menu.Item>
          <Menu.Item onClick={() => toggle.mutate()}>{stream.enabled ? "Switch off" : "Switch on"}</Menu.Item>
          <Menu.Item onClick={confirmStartOver}>Start over</Menu.Item>
          <Menu.Item onClick={confirmRemove}>Delete</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={editing} onClose={() => setEditing(false)} title={`Edit the stream ${stream.name}`} size="lg">
        <StreamForm source={source} stream={stream} onDone={() => setEditing(false)} />
      </Modal>
    </>
  );
}

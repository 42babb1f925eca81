/** What can be done with a pipeline of any kind: run it, let it rest, let it act as another member, delete it. */
import { ActionIcon, Button, Group, Menu, Modal, Stack, Text } from "@mantine/core";
import { IconDots, IconPlayerPlay, IconTrash, IconUserShare } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { MemberPicker } from "../../components/Pickers";
import { Told } from "../../components/Told";
import { Guarded } from "../../components/Why";
import { useOnce } from "../../runs/once";
import { changed, changeOwner, type Pipeline, setActive, start } from "./common";
import { DeletePipeline } from "./DeletePipeline";
import { action, type Kind } from "./kinds";

interface Props {
  kind: Kind;
  pipeline: Pipeline;
  more?: ReactNode;
  /** What has to be done before it can run; nothing if it can. */
  first?: ReactNode;
}

export function Tools({ kind, pipeline, more, first }: Props) {
  const [opened, setOpened] = useState<"owner" | "delete" | null>(null);
  const close = () => setOpened(null);
  const mayDelete = pipeline.actions.includes(action(kind, "delete"));
  const mayChangeOwner = pipeline.actions.includes("change_owner");
  return (
    <>
      <Group gap="xs" justify="flex-end" align="flex-start">
        {more}
        <Activate kind={kind} pipeline={pipeline} />
        {kind.runs && <RunNow kind={kind} pipeline={pipeline} first={first} />}
        {(mayDelete || mayChangeOwner) && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="default" size="lg" aria-label="More">
                <IconDots size={18} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {mayChangeOwner && (
                <Menu.Item leftSection={<IconUserShare size={16} />} onClick={() => setOpened("owner")}>
                  Let it act as somebody else
                </Menu.Item>
              )}
              {mayDelete && (
                <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => setOpened("delete")}>
                  Delete
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      <Modal opened={opened === "owner"} onClose={close} title={`Whom ${pipeline.name} acts as`}>
        <Owner kind={kind} pipeline={pipeline} onDone={close} />
      </Modal>
      <DeletePipeline kind={kind} pipeline={pipeline} opened={opened === "delete"} onClose={close} />
    </>
  );
}

/** Goes to the new run, which is followed there. */
export function RunNow({ kind, pipeline, first, label = "Run now" }: Omit<Props, "more"> & { label?: string }) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const run = useMutation({
    mutationFn: () => start(kind, pipeline),
    onSuccess: async ({ run_id }) => {
      await cache.invalidateQueries({ queryKey: [kind.resource], refetchType: "none" });
      await navigate({ to: "/runs/$runId", params: { runId: run_id } });
    },
  });
  const runOnce = useOnce(run);
  const before = pipeline.active ? first : "It rests. Activate it first.";
  return (
    <Stack gap={4} align="flex-end">
      <Guarded action={action(kind, "trigger")} on={{ type: kind.type, id: pipeline.id }} actions={pipeline.actions}>
        {(allowed) => (
          <Button
            leftSection={<IconPlayerPlay size={16} />}
            disabled={!allowed || Boolean(before)}
            loading={run.isPending}
            onClick={() => runOnce()}
          >
            {label}
          </Button>
        )}
      </Guarded>
      {before && (
        <Text size="xs" c="dimmed">
          {before}
        </Text>
      )}
      <Told error={run.error} />
    </Stack>
  );
}

function Activate({ kind, pipeline }: Props) {
  const set = useMutation({
    mutationFn: () => setActive(kind, pipeline, !pipeline.active),
    onSuccess: (now) => changed(kind, now),
  });
  const what = action(kind, "activate_or_deactivate");
  if (!pipeline.actions.includes(what)) return null;
  return (
    <>
      <Button variant="default" loading={set.isPending} onClick={() => set.mutate()}>
        {pipeline.active ? "Let it rest" : "Activate"}
      </Button>
      <Told error={set.error} />
    </>
  );
}

export function Owner({ kind, pipeline, onDone }: Props & { onDone: () => void }) {
  const [owner, setOwner] = useState<string | null>(null);
  const change = useMutation({
    mutationFn: () => changeOwner(kind, pipeline, owner ?? ""),
    onSuccess: async (now) => {
      await changed(kind, now);
      onDone();
    },
  });
  return (
    <Stack>
      <Text size="sm">
        It acts as {pipeline.owner.name} now. Its runs have the rights of whom it acts as, and stop where these end.
      </Text>
      <MemberPicker label="Let it act as" value={owner} onChange={setOwner} takes={["active"]} required />
      <Told error={change.error} />
      <Button disabled={!owner} loading={change.isPending} onClick={() => change.mutate()}>
        Let it act so
      </Button>
    </Stack>
  );
}

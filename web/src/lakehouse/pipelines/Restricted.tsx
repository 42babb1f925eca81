/** A pipeline that could not run because whom it acts as lacks a level: on what, and what to do. */
import { Alert, Button, Group, List, Modal, Skeleton, Stack, Text } from "@mantine/core";
import { IconLockAccess } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Missing } from "../../runs/Missing";
import { runQuery } from "../../runs/watching";
import type { Pipeline } from "./common";
import type { Kind } from "./kinds";
import { Owner, RunNow } from "./Tools";

export function Restricted({ kind, pipeline }: { kind: Kind; pipeline: Pipeline }) {
  const [giving, setGiving] = useState(false);
  const runId = pipeline.last_run?.id ?? "";
  const found = useQuery({
    ...runQuery(runId),
    enabled: runId !== "",
  });
  if (!found.data) return <Skeleton height={96} />;
  const run = found.data;
  const changeable = pipeline.actions.includes("change_owner");
  return (
    <Alert
      color="orange"
      variant="light"
      styles={{ title: { color: "var(--mantine-color-text)" } }}
      icon={<IconLockAccess size={20} />}
      title={`It is restricted: ${run.acts_as.name}, whom it acts as, lacks a level`}
    >
      <Stack gap="sm">
        <Missing run={run} />
        <Text size="sm">What to do:</Text>
        <List size="sm">
          <List.Item>
            Give {run.acts_as.name} the level: a Manager there, or a tenant owner or admin, can do so. Then run it
            again.
          </List.Item>
          <List.Item>
            Or let it act as somebody who has it{changeable ? "" : ", which a tenant owner or admin can do"}.
          </List.Item>
        </List>
        <Group gap="xs">
          <RunNow kind={kind} pipeline={pipeline} label="Run again" />
          {changeable && (
            <Button variant="default" onClick={() => setGiving(true)}>
              Let it act as somebody else
            </Button>
          )}
        </Group>
      </Stack>
      <Modal opened={giving} onClose={() => setGiving(false)} title={`Whom ${pipeline.name} acts as`}>
        <Owner kind={kind} pipeline={pipeline} onDone={() => setGiving(false)} />
      </Modal>
    </Alert>
  );
}

/** What would change if: some changes, none of them made, and who would gain and lose what by all of them together. */
import { ActionIcon, Group, List, Paper, Stack, Text, Tooltip } from "@mantine/core";
import { IconArrowsExchange, IconX } from "@tabler/icons-react";
import { Empty } from "../../components/Empty";
import { type Change, GainAndLoss } from "../../components/GainAndLoss";
import type { Asked } from "../routes";
import { ChangeForm } from "./ChangeForm";
import { ChangeInWords } from "./ChangeInWords";

interface Props {
  asked: Asked;
  ask: (change: Partial<Asked>) => void;
}

export function WhatIf({ asked, ask }: Props) {
  const { changes = [] } = asked;
  const set = (now: Change[]) => ask({ changes: now.length > 0 ? now : undefined });
  return (
    <Stack gap="lg">
      <ChangeForm onAdd={(change) => set([...changes, change])} />
      {changes.length === 0 ? (
        <Group justify="center" py="lg">
          <Empty icon={IconArrowsExchange} title="What would change if?">
            Say what would be different. Nothing is changed: you see who would gain and lose what.
          </Empty>
        </Group>
      ) : (
        <>
          <Paper withBorder p="md" component="section" aria-label="The changes">
            <Text fw={600} pb="xs">
              If this were so
            </Text>
            <List listStyleType="none" spacing={4}>
              {changes.map((change, at) => (
                <List.Item key={JSON.stringify(change)}>
                  <Group gap="xs" wrap="nowrap">
                    <ChangeInWords change={change} />
                    <Tooltip label="Leave it out">
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        size="sm"
                        aria-label="Leave it out"
                        onClick={() => set(changes.filter((_, other) => other !== at))}
                      >
                        <IconX size={14} />
                      </ActionIcon>
                    </Tooltip>
                  </Group>
                </List.Item>
              ))}
            </List>
          </Paper>
          <GainAndLoss changes={changes} />
        </>
      )}
    </Stack>
  );
}

/** Whether the audit is what was written: each entry carries a hash of the one before it. */
import { Badge, List, Loader, Popover, Stack, Text, UnstyledButton } from "@mantine/core";
import { IconAlertTriangle, IconLink } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas, take } from "../api/client";
import { Moment } from "../components/Moment";
import { counted } from "../components/numbers";

export function ChainState() {
  const [opened, setOpened] = useState(false);
  const state = useQuery({ queryKey: ["audit", "chain"], queryFn: () => take(api.GET("/api/v1/audit/chain")) });
  if (state.error) return null;
  if (!state.data) return <Loader size="xs" aria-label="Looking whether the audit is whole" />;
  const { whole } = state.data;
  return (
    <Popover opened={opened} onChange={setOpened} width={380} position="bottom-end" withArrow trapFocus withinPortal>
      <Popover.Target>
        <UnstyledButton onClick={() => setOpened((before) => !before)} aria-expanded={opened}>
          <Badge
            size="lg"
            color={whole ? "petrol" : "#c92a2a"}
            variant="filled"
            tt="none"
            leftSection={whole ? <IconLink size={14} /> : <IconAlertTriangle size={14} />}
          >
            {whole ? "The chain is whole" : "The chain is broken"}
          </Badge>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label="The chain's state">
        <Details state={state.data} />
      </Popover.Dropdown>
    </Popover>
  );
}

function Details({ state }: { state: Schemas["ChainsOut"] }) {
  return (
    <Stack gap="xs">
      <Text size="sm">
        {counted(state.checked)} of {counted(state.entries)} entries were checked <Moment at={state.checked_at} />.{" "}
        {state.whole ? "Nothing was changed or left out." : "Somebody changed or removed what was written:"}
      </Text>
      {state.problems.length > 0 && (
        <List size="sm" c="red">
          {state.problems.map((problem) => (
            <List.Item key={problem}>{problem}</List.Item>
          ))}
        </List>
      )}
      {state.chains.map((chain) => (
        <Text key={chain.chain} size="sm" c="dimmed">
          Chain {chain.chain}: {counted(chain.entries)} entries, the latest <Moment at={chain.latest_at} />
          {chain.whole ? "" : ", broken"}
        </Text>
      ))}
      {state.checked < state.entries && (
        <Text size="sm" c="dimmed">
          The latest entries were checked. Every one of them is by `bailiwick audit verify`.
        </Text>
      )}
    </Stack>
  );
}

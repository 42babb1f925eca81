/** One entry of the audit: who did what to what, what was different before and after, and which row decided. */
import { Code, Drawer, Group, Paper, Stack, Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Fact } from "../components/Fact";
import { TextLink } from "../components/links";
import { Moment } from "../components/Moment";
import { useMe } from "../tenancy/session";
import { differences, type Entry, inWords, valueInWords, viewedAs, whatItWasDoneTo } from "./entries";
import { Outcome } from "./Outcome";

export function EntryDrawer({ entry, onClose }: { entry: Entry | undefined; onClose: () => void }) {
  return (
    <Drawer opened={entry !== undefined} onClose={onClose} position="right" size="lg" title="What happened">
      {entry && <Details entry={entry} />}
    </Drawer>
  );
}

function Details({ entry }: { entry: Entry }) {
  const viewed = viewedAs(entry);
  return (
    <Stack gap="lg">
      <Text size="lg">
        <b>{entry.actor?.name ?? "The platform"}</b>
        {viewed && ` while viewing as ${viewed}`} {entry.said}: {whatItWasDoneTo(entry)}
        {entry.about && entry.about.id !== entry.actor?.id && <> (concerns {entry.about.name})</>}
      </Text>
      <Group gap="xl">
        <Fact name="Outcome">
          <Outcome entry={entry} />
        </Fact>
        <Fact name="When">
          <Moment at={entry.at} />
        </Fact>
        {entry.token_id && <Fact name="Through">an API token</Fact>}
        <Fact name="Kept as">
          <Code>{entry.action}</Code>
        </Fact>
      </Group>
      <BeforeAndAfter entry={entry} />
      <DecidedBy entry={entry} />
      <Stack gap={4}>
        <Small name="Request">
          <TextLink to="/audit" search={{ request_id: entry.request_id }} size="sm">
            {entry.request_id}
          </TextLink>
        </Small>
        {entry.resource_id && (
          <Small name="Everything about it">
            <TextLink
              to="/audit"
              search={{ resource_type: entry.resource_type, resource_id: entry.resource_id }}
              size="sm"
            >
              {whatItWasDoneTo(entry)}
            </TextLink>
          </Small>
        )}
        {entry.hash !== null && (
          <>
            <Small name="Place in the chain">
              <Text size="sm">
                number {entry.number} of chain {entry.chain}
              </Text>
            </Small>
            <Small name="Hash">
              <Code style={{ wordBreak: "break-all" }}>{entry.hash}</Code>
            </Small>
          </>
        )}
      </Stack>
    </Stack>
  );
}

function BeforeAndAfter({ entry }: { entry: Entry }) {
  const { time_zone: zone } = useMe();
  const different = differences(entry);
  if (different.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nothing that is kept here was different afterwards.
      </Text>
    );
  }
  return (
    <Paper withBorder style={{ overflowX: "auto" }}>
      <Table verticalSpacing="xs" layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="28%">What</Table.Th>
            <Table.Th>Before</Table.Th>
            <Table.Th>After</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {different.map((one) => (
            <Table.Tr key={one.name}>
              <Table.Td fw={600} style={{ overflowWrap: "anywhere" }}>
                {inWords(one.name)}
              </Table.Td>
              <Value said={valueInWords(one.before, zone)} gone={entry.after !== null && entry.before !== null} />
              <Value said={valueInWords(one.after, zone)} />
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function Value({ said, gone = false }: { said: string; gone?: boolean }) {
  return (
    <Table.Td
      style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}
      td={gone && said !== "–" ? "line-through" : undefined}
      c={said === "–" || gone ? "dimmed" : undefined}
    >
      {said}
    </Table.Td>
  );
}

function DecidedBy({ entry: { decision } }: { entry: Entry }) {
  if (!decision) return null;
  return (
    <Small name="Decided by">
      <Text size="sm">
        document “{String(decision.document)}”, table “{String(decision.table)}”, row “{String(decision.row)}”
        {decision.column ? `, column “${String(decision.column)}”` : ""}
      </Text>
    </Small>
  );
}

function Small({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      {children}
    </div>
  );
}

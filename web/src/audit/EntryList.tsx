/** Entries of the audit, each to be opened. */
import { Anchor, Text } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Empty } from "../components/Empty";
import { Moment } from "../components/Moment";
import { useListed } from "../components/narrowing";
import { type Column, ResourceList } from "../components/ResourceList";
import { BY_AGE, type ByAge } from "../components/sorting";
import { useMe } from "../tenancy/session";
import { type Entry, inShort, readEntries, whatItWasDoneTo, whomItConcerns } from "./entries";
import { Outcome } from "./Outcome";
import type { Sought } from "./routes";

interface Props {
  sought: Sought;
  open: (entry: Entry) => void;
  filters?: ReactNode;
  unfilter?: () => void;
  /** Of one thing only: there is no need to say of which. */
  ofOne?: boolean;
}

export function EntryList({ sought, open, filters, unfilter, ofOne = false }: Props) {
  const { time_zone: zone } = useMe();
  const { entry: _, search: __, sort: ___, ...narrowed } = sought;
  const columns: Column<Entry, ByAge>[] = [
    {
      name: "When",
      sort: "-created",
      cell: (entry) => (
        <OneLine>
          <Moment at={entry.at} />
        </OneLine>
      ),
    },
    { name: "Who", cell: (entry) => <OneLine>{entry.actor?.name ?? "the platform"}</OneLine> },
    {
      name: "Did",
      cell: (entry) => (
        <Anchor
          component="button"
          type="button"
          fw={600}
          ta="left"
          size="sm"
          title={entry.action}
          onClick={() => open(entry)}
        >
          {entry.said}
        </Anchor>
      ),
    },
    ofOne
      ? { name: "Concerns", cell: (entry) => whomItConcerns(entry) }
      : { name: "To", cell: (entry) => <To entry={entry} /> },
    { name: "Change", from: "lg", cell: (entry) => <InShort entry={entry} zone={zone} wide={ofOne} /> },
    { name: "Outcome", cell: (entry) => <Outcome entry={entry} /> },
  ];
  return (
    <ResourceList
      of={["audit", narrowed, zone]}
      read={({ cursor, ...page }) => readEntries({ ...narrowed, ...page }, zone, { cursor })}
      columns={columns}
      {...useListed(BY_AGE, "Find a name")}
      filters={filters}
      unfilter={Object.values(narrowed).some((value) => value !== undefined) ? unfilter : undefined}
      empty={
        <Empty icon={IconHistory} title={ofOne ? "Nothing is on record yet" : "Nothing has happened"}>
          Every change and every refusal is kept here; you see those that concern you or what you look after.
          {ofOne && " What pipelines write stands in their runs, and in the versions of a table."}
        </Empty>
      }
    />
  );
}

function OneLine({ children }: { children: ReactNode }) {
  return (
    <Text span inherit style={{ whiteSpace: "nowrap" }}>
      {children}
    </Text>
  );
}

function To({ entry }: { entry: Entry }) {
  const whom = whomItConcerns(entry);
  return (
    <>
      {whatItWasDoneTo(entry)}
      {whom && (
        <Text size="sm" c="dimmed">
          concerns {whom}
        </Text>
      )}
    </>
  );
}

function InShort({ entry, zone, wide }: { entry: Entry; zone: string; wide: boolean }) {
  return (
    <Text size="sm" c="dimmed" lineClamp={1} maw={wide ? 520 : 260}>
      {inShort(entry, zone) || "–"}
    </Text>
  );
}

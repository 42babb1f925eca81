/** What narrows the audit: who, what, how it ended, where, when. */
import { Button, Paper, Select, SimpleGrid, TextInput } from "@mantine/core";
import { IconFilter } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { LISTS } from "../access/finding";
import { nameOf } from "../access/ResourcePicker";
import { FoundSelect } from "../components/FoundSelect";
import { MemberPicker } from "../components/Pickers";
import { mayInTenant, useMe } from "../tenancy/session";
import { type Entry, readEntries } from "./entries";
import { Narrowed } from "./Narrowed";
import type { Sought } from "./routes";
import { Typed } from "./Typed";

interface Props {
  sought: Sought;
  seek: (change: Partial<Sought>) => void;
}

export function Filters({ sought, seek }: Props) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Select
        aria-label="Outcome"
        placeholder="Done and refused"
        clearable
        data={["done", "refused"]}
        value={sought.outcome ?? null}
        onChange={(outcome) => seek({ outcome: (outcome ?? undefined) as Sought["outcome"] })}
        w={180}
      />
      <Button
        variant="default"
        leftSection={<IconFilter size={16} />}
        onClick={() => setOpened((before) => !before)}
        aria-expanded={opened}
      >
        {opened ? "Fewer filters" : "More filters"}
      </Button>
      {opened && <More sought={sought} seek={seek} />}
      <Narrowed sought={sought} seek={seek} />
    </>
  );
}

function More({ sought, seek }: Props) {
  const directory = mayInTenant(useMe(), "see_members");
  return (
    <Paper withBorder p="md" w="100%" component="section" aria-label="More filters">
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
        {directory && (
          <>
            <MemberPicker
              label="Who did it"
              value={sought.actor ?? null}
              onChange={(actor) => seek({ actor: actor ?? undefined })}
            />
            <MemberPicker
              label="Whom it concerns"
              value={sought.about ?? null}
              onChange={(about) => seek({ about: about ?? undefined })}
            />
          </>
        )}
        <WhatWasDone sought={sought} seek={seek} />
        <FoundSelect
          of={["access", "find", "project"]}
          find={LISTS.project ?? (async () => [])}
          called={(id) => nameOf("project", id)}
          label="In the project"
          value={sought.project ?? null}
          onChange={(project) => seek({ project: project ?? undefined })}
        />
        <Day label="From" value={sought.since} onChange={(since) => seek({ since })} />
        <Day label="Up to" value={sought.until} onChange={(until) => seek({ until })} />
        <Typed label="Request" value={sought.request_id} onChange={(request_id) => seek({ request_id })} />
      </SimpleGrid>
    </Paper>
  );
}

/** The words are those of what happened lately; others can be typed. */
function WhatWasDone({ sought, seek }: Props) {
  const { time_zone: zone } = useMe();
  const lately = useQuery({
    queryKey: ["audit", "words", zone],
    queryFn: async () => (await readEntries({}, zone, { limit: 200 })).items,
    staleTime: 60_000,
  });
  const entries = lately.data ?? [];
  const actions = new Map(entries.filter(isDone).map((entry) => [entry.said, entry.action]));
  const types = [...new Set(entries.map((entry) => entry.resource_type))].sort();
  return (
    <>
      <Typed
        label="What was done"
        of={[...actions.keys()].sort()}
        meant={actions}
        value={sought.action}
        onChange={(action) => seek({ action })}
      />
      <Typed
        label="To what kind of thing"
        of={types}
        value={sought.resource_type}
        onChange={(resource_type) => seek({ resource_type, resource_id: undefined })}
      />
    </>
  );
}

/** What was only tried is called by what it would have been: that is another word, for the outcome to narrow. */
const isDone = (entry: Entry) => entry.outcome === "done";

interface DayProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

function Day({ label, value, onChange }: DayProps) {
  return (
    <TextInput
      type="date"
      label={label}
      value={value ?? ""}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}

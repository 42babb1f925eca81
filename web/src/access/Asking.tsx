/** What the questions have in common: about whom, about what, and which action. */
import { Paper, Select, SimpleGrid, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { MemberPicker } from "../components/Pickers";
import { Told } from "../components/Told";
import { mayInTenant, useMe } from "../tenancy/session";
import { ONLY } from "./finding";
import { type ResourceType, typeInWords, typesQuery } from "./known";
import { ResourcePicker } from "./ResourcePicker";
import type { Asked } from "./routes";

interface Props {
  asked: Asked;
  ask: (change: Partial<Asked>) => void;
  /** What this question does not ask for. */
  without?: readonly ("member" | "id" | "action")[];
  optional?: readonly ("id" | "action")[];
}

export function Asking({ asked, ask, without = [], optional = [] }: Props) {
  const types = useQuery(typesQuery);
  const type = types.data?.find((one) => one.name === asked.type);
  return (
    <Paper withBorder p="md">
      <Told error={types.error} />
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
        {!without.includes("member") && <Subject value={asked.member} onChange={(member) => ask({ member })} />}
        <Select
          label="Kind of thing"
          placeholder="Choose one"
          searchable
          value={asked.type ?? null}
          onChange={(name) => ask({ type: name ?? undefined, id: undefined, properties: undefined, action: undefined })}
          data={byDocument(types.data ?? [])}
          nothingFoundMessage="There is no such kind"
        />
        {type && !without.includes("id") && <ResourcePicker type={type} asked={asked} ask={ask} />}
        {type && !without.includes("action") && (
          <Select
            key={type.name}
            label="Action"
            placeholder={optional.includes("action") ? "Every action" : "Choose one"}
            searchable
            clearable={optional.includes("action")}
            value={asked.action ?? null}
            onChange={(action) => ask({ action: action ?? undefined })}
            data={type.actions.map((action) => ({ value: action.slug, label: action.name }))}
            nothingFoundMessage="There is no such action"
          />
        )}
      </SimpleGrid>
    </Paper>
  );
}

/** Oneself, unless somebody is named; about whom one may ask is for the server to say. */
function Subject({ value, onChange }: { value: string | undefined; onChange: (value: string | undefined) => void }) {
  const me = useMe();
  if (mayInTenant(me, "see_members")) {
    return (
      <MemberPicker
        label="Who"
        placeholder={`${me.name} (you)`}
        value={value ?? null}
        onChange={(id) => onChange(id ?? undefined)}
      />
    );
  }
  return <Addressed value={value} onChange={onChange} />;
}

function Addressed({ value, onChange }: { value: string | undefined; onChange: (value: string | undefined) => void }) {
  const [typed, setTyped] = useState(value ?? "");
  const commit = () => onChange(typed.trim() || undefined);
  return (
    <TextInput
      label="Who"
      placeholder="You, or an e-mail address"
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === "Enter" && commit()}
    />
  );
}

function byDocument(types: readonly ResourceType[]) {
  return [...Map.groupBy(types, (type) => type.document)].map(([group, its]) => ({
    group: `Document “${group}”`,
    items: its.map((type) => ({ value: type.name, label: typeInWords(type.name) })),
  }));
}

/** What is asked about, if it is said already. */
export function resourceOf({ type, id, properties }: Asked) {
  if (type === undefined) return undefined;
  if (id === undefined && properties === undefined && !ONLY.has(type)) return undefined;
  return { type, id: id ?? null, properties: properties ?? null };
}

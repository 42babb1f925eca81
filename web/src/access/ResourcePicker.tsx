/** What is asked about: found by its name, or described where nothing like it is stored here. */
import { JsonInput, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { api, take } from "../api/client";
import { type Choice, FoundSelect } from "../components/FoundSelect";
import { TextLink } from "../components/links";
import { KINDS } from "../requests/words";
import { viewing } from "../tenancy/viewing";
import { LISTS, ONLY } from "./finding";
import { type ResourceType, typeInWords } from "./known";
import type { Asked } from "./routes";

interface Props {
  type: ResourceType;
  asked: Pick<Asked, "id" | "properties">;
  ask: (change: Pick<Asked, "id" | "properties">) => void;
}

export function ResourcePicker({ type, asked, ask }: Props) {
  if (ONLY.has(type.name)) return null;
  const find = LISTS[type.name];
  if (!find) return <Described key={type.name} type={type} value={asked.properties} onChange={ask} />;
  return <Found key={type.name} type={type} find={find} asked={asked} ask={ask} />;
}

function Found({ type, find, asked, ask }: Props & { find: (search: string) => Promise<Choice[]> }) {
  const [missed, setMissed] = useState<string>();
  const nothing = `You see no ${typeInWords(type.name)} that is called so`;
  const kind = KINDS.find((one) => one === type.name.replace("project_membership", "project"));
  return (
    <Stack gap={4}>
      <FoundSelect
        of={["access", "find", type.name]}
        find={find}
        called={(id) => nameOf(type.name, id)}
        label="Which one"
        placeholder="Type its name"
        value={asked.id ?? null}
        onChange={(id) => {
          setMissed(undefined);
          ask({ id: id ?? undefined, properties: undefined });
        }}
        onMissed={setMissed}
        // A list that says so would lie over what is said below it.
        nothingFoundMessage={kind ? undefined : nothing}
      />
      {missed && kind && (
        <Text size="sm" c="dimmed">
          {nothing}
          {!viewing() && (
            <>
              .{" "}
              <TextLink to="/requests" search={{ ask: missed, kind }} inherit underline="always">
                Ask for access to {missed}
              </TextLink>
            </>
          )}
        </Text>
      )}
    </Stack>
  );
}

/** The answer to a question names what it is about, of whatever type. */
export async function nameOf(type: string, id: string): Promise<string> {
  return (await take(api.POST("/api/v1/access/actions", { body: { resource: { type, id } } }))).resource.name;
}

interface DescribedProps {
  type: ResourceType;
  value: Record<string, unknown> | undefined;
  onChange: (change: Pick<Asked, "id" | "properties">) => void;
}

/** Nothing like it is stored here yet: what counts about it is said in the words of its document. */
export function Described({ type, value, onChange }: DescribedProps) {
  const [text, setText] = useState(value ? JSON.stringify(value, null, 2) : "");
  const say = (given: string) => {
    setText(given);
    const read = asObject(given);
    if (read) onChange({ id: undefined, properties: read });
  };
  return (
    <JsonInput
      label="Describe it"
      description={`A ${typeInWords(type.name)} has: ${propertiesOf(type).join(", ")}.`}
      placeholder={'{"project": "the id of a project"}'}
      validationError="This is not complete yet."
      autosize
      minRows={2}
      miw={280}
      style={{ gridColumn: "1 / -1", order: 1 }}
      value={text}
      onChange={say}
      formatOnBlur
    />
  );
}

function propertiesOf(type: ResourceType): string[] {
  return Object.keys((type.properties as { properties?: object } | null)?.properties ?? {});
}

export function asObject(text: string): Record<string, unknown> | undefined {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === "object" && read !== null ? (read as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** What narrows the list besides what is shown above it, each to be taken away. */
import { Pill } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { nameOf } from "../access/ResourcePicker";
import { inWords } from "./entries";
import type { Sought } from "./routes";

const SAID = {
  actor: "by",
  about: "concerns",
  action: "did",
  resource_type: "kind",
  resource_id: "of one",
  project: "in the project",
  request_id: "request",
  since: "from",
  until: "up to",
} as const;

const TYPES: Partial<Record<string, string>> = { actor: "member", about: "member", project: "project" };

type Narrowing = keyof typeof SAID;

interface Props {
  sought: Sought;
  seek: (change: Partial<Sought>) => void;
}

export function Narrowed({ sought, seek }: Props) {
  const set = (Object.keys(SAID) as Narrowing[]).filter((name) => sought[name] !== undefined);
  if (set.length === 0) return null;
  return (
    <Pill.Group>
      {set.map((name) => (
        <Pill
          key={name}
          size="md"
          withRemoveButton
          onRemove={() => seek({ [name]: undefined })}
          removeButtonProps={{ "aria-label": `Without: ${SAID[name]}`, tabIndex: 0, "aria-hidden": false }}
        >
          {SAID[name]} <Value name={name} sought={sought} />
        </Pill>
      ))}
    </Pill.Group>
  );
}

/** The address knows people and projects by their ids; their names are asked for. */
function Value({ name, sought }: { name: Narrowing; sought: Sought }) {
  const value = sought[name] ?? "";
  const type = TYPES[name];
  const named = useQuery({
    queryKey: ["access", "find", type, "called", value],
    queryFn: () => nameOf(type ?? "", value),
    enabled: type !== undefined,
    retry: false,
  });
  if (name === "resource_id") return <b>{inWords(sought.resource_type ?? "thing")}</b>;
  return <b>{type === undefined ? inWords(value) : (named.data ?? type)}</b>;
}

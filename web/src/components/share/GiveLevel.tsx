/** Giving a level to a person or a group: who gains what by it is seen before. */
import { Button, Group, Paper, SegmentedControl, Select, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { GainAndLoss } from "../GainAndLoss";
import { GroupPicker, MemberPicker } from "../Pickers";
import { Told } from "../Told";
import { asChange, type Holder, type Level, MANAGE_MANAGERS, type On, useGive } from "./grants";
import { Until } from "./Until";

// Whom a level can be given to: it counts once they can sign in.
const HOLDING = ["invited", "active", "suspended"] as const;

interface Props {
  on: On;
  actions: readonly string[];
}

export function GiveLevel({ on, actions }: Props) {
  const [kind, setKind] = useState<"member" | "group">("member");
  const [who, setWho] = useState<string | null>(null);
  const [level, setLevel] = useState<Level>("Viewer");
  const [until, setUntil] = useState<string | null | undefined>(null);
  const [times, setTimes] = useState(0);
  const give = useGive(on, () => {
    setWho(null);
    setUntil(null);
    setTimes(times + 1);
  });
  const holder = asHolder(kind, who);
  const [asked] = useDebouncedValue(who, 250);
  const askedHolder = asked === who ? holder : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (holder && until !== undefined) give.mutate({ ...holder, level, expires_at: until });
  };
  return (
    <Paper withBorder p="md" component="form" onSubmit={submit} aria-label="Give a level">
      <Stack gap="sm">
        <Group justify="space-between">
          <Text fw={600}>Give access</Text>
          <SegmentedControl
            size="xs"
            aria-label="To whom"
            value={kind}
            onChange={(value) => {
              setKind(value as "member" | "group");
              setWho(null);
            }}
            data={[
              { value: "member", label: "A person" },
              { value: "group", label: "A group" },
            ]}
          />
        </Group>
        {kind === "member" ? (
          <MemberPicker
            key={times}
            label="Person"
            name="member"
            value={who}
            onChange={setWho}
            takes={HOLDING}
            required
          />
        ) : (
          <GroupPicker key={times} label="Group" name="group" value={who} onChange={setWho} required />
        )}
        <Group align="flex-end" gap="sm">
          <LevelSelect value={level} onChange={setLevel} actions={actions} />
          <Until key={times} onChange={setUntil} />
        </Group>
        {askedHolder && <GainAndLoss changes={[asChange("give_level", on, askedHolder, level)]} />}
        <Told error={give.error} />
        <Button type="submit" disabled={!holder || until === undefined} loading={give.isPending} w="fit-content">
          Give {level}
        </Button>
      </Stack>
    </Paper>
  );
}

/** Somebody is named by id, or by a whole address. */
function asHolder(kind: "member" | "group", who: string | null): Holder | undefined {
  if (!who) return undefined;
  if (kind === "group") return { group: who };
  return !who.includes("@") && who.length < 32 ? undefined : { member: who };
}

interface LevelSelectProps {
  value: Level;
  onChange: (level: Level) => void;
  actions: readonly string[];
}

export function LevelSelect({ value, onChange, actions }: LevelSelectProps) {
  return (
    <Select
      label="Level"
      data={[
        { value: "Viewer", label: "Viewer: sees and reads it" },
        { value: "Editor", label: "Editor: also changes it" },
        {
          value: "Manager",
          label: "Manager: also deletes and shares it",
          disabled: !actions.includes(MANAGE_MANAGERS),
        },
      ]}
      value={value}
      onChange={(level) => onChange((level ?? value) as Level)}
      allowDeselect={false}
      w={270}
    />
  );
}

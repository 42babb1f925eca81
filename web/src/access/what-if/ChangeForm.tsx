/** Saying what would be different: the kind of change, and what that kind takes. */
import { Button, Group, Paper, Select, Stack } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import type { Change } from "../../components/GainAndLoss";
import { changeOf, type Draft, EMPTY, KINDS, type Kind } from "./kinds";
import { OneField } from "./OneField";

export function ChangeForm({ onAdd }: { onAdd: (change: Change) => void }) {
  const [kind, setKind] = useState<Kind>("give_level");
  const [draft, setDraft] = useState<Draft>(EMPTY);
  const change = changeOf(kind, draft);
  const fill = (more: Partial<Draft>) => setDraft({ ...draft, ...more });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change) onAdd(change);
    setDraft(EMPTY);
  };
  const choices = Object.entries(KINDS).map(([value, { label, about }]) => ({ value, label, about }));
  return (
    <Paper withBorder p="md" component="form" onSubmit={submit}>
      <Stack>
        <Group align="flex-start">
          <Select
            label="What would be different"
            value={kind}
            onChange={(value) => setKind((value ?? kind) as Kind)}
            allowDeselect={false}
            data={[...Map.groupBy(choices, (one) => one.about)].map(([group, items]) => ({ group, items }))}
            w={240}
          />
          {KINDS[kind].takes.map((field) => (
            <OneField key={field} field={field} draft={draft} fill={fill} />
          ))}
        </Group>
        <Button type="submit" variant="light" leftSection={<IconPlus size={16} />} disabled={!change} w="fit-content">
          Look at it
        </Button>
      </Stack>
    </Paper>
  );
}

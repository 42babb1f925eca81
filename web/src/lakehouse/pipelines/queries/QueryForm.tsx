/** Writing a pipeline query: the statement, the table it makes, what is expected, and a dry run before it is saved. */
import { Button, Group, Paper, Stack, Textarea, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Told } from "../../../components/Told";
import { useOnce } from "../../../runs/once";
import { changed } from "../common";
import { QUERY } from "../kinds";
import { OutputFields } from "../pickers";
import { DryRunOutlook } from "./DryRunOutlook";
import { Expectations } from "./Expectations";
import { ModeFields } from "./ModeFields";
import { SqlText } from "./SqlText";
import { type Draft, draftOf, dryRun, type Query, save, statementOf } from "./statement";

export function QueryForm({ query }: { query?: Query }) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState<Draft>(() => draftOf(query));
  const set = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const statement = JSON.stringify(statementOf(draft));
  const looked = useMutation({ mutationFn: async () => ({ of: statement, found: await dryRun(draft) }) });
  const look = useOnce(looked);
  const complete = draft.sql.trim() !== "" && draft.layer !== null && draft.table !== "";
  // A dry run of another statement says nothing about this one.
  const dry = looked.data?.of === statement ? looked.data.found : undefined;
  const saved = useMutation({
    mutationFn: () => save(query, draft, dry?.run_id),
    onSuccess: async (now) => {
      await changed(QUERY, now);
      await navigate({ to: "/pipeline-queries/$pipelineId", params: { pipelineId: now.id } });
    },
  });
  const saveOnce = useOnce(saved);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saveOnce();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="lg" maw={900}>
        <Paper withBorder p="lg">
          <Stack>
            <TextInput
              label="Name"
              name="name"
              placeholder="Orders by day"
              required
              maxLength={100}
              value={draft.name}
              onChange={(event) => set({ name: event.currentTarget.value })}
            />
            <Textarea
              label="Description"
              name="description"
              autosize
              value={draft.description}
              onChange={(event) => set({ description: event.currentTarget.value })}
            />
            <SqlText value={draft.sql} onChange={(sql) => set({ sql })} onRun={() => complete && look()} />
          </Stack>
        </Paper>
        <Paper withBorder p="lg">
          <Stack>
            <OutputFields
              layer={draft.layer}
              onLayer={(layer) => set({ layer })}
              name={draft.table}
              onName={(table) => set({ table })}
            />
            <ModeFields draft={draft} set={set} columns={dry?.columns.map((column) => column.name) ?? []} />
          </Stack>
        </Paper>
        <Expectations
          value={draft.expectations}
          onChange={(expectations) => set({ expectations })}
          columns={dry?.columns.map((column) => column.name) ?? []}
        />
        <Told error={looked.error} />
        {dry && <DryRunOutlook dry={dry} />}
        <Told error={saved.error} />
        <Group>
          <Button variant="default" disabled={!complete} loading={looked.isPending} onClick={() => look()}>
            Dry run
          </Button>
          <Button type="submit" disabled={!complete || dry?.allowed === false} loading={saved.isPending}>
            {query ? "Save" : "Add it"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

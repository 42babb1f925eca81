/** What a saved query is called, what it is for, and whether others see it. */
import { Button, Modal, Stack, Switch, Textarea, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Told } from "../../../components/Told";
import type { SavedQuery } from "../asking";
import type { Choice } from "../chart/choice";
import { saveChange, saveNew } from "./saving";

interface Props {
  /** The statement to be saved as a new query; without it, the query below is changed. */
  sql?: string;
  query?: SavedQuery;
  /** How it is drawn now, unless its rows are shown. */
  chart: Partial<Choice> | undefined;
  onClose: () => void;
  onSaved: (query: SavedQuery) => void;
}

export function SaveDialog({ sql, query, chart, onClose, onSaved }: Props) {
  const change = sql === undefined ? query : undefined;
  const [name, setName] = useState(change?.name ?? "");
  const [description, setDescription] = useState(change?.description ?? "");
  const [shared, setShared] = useState(change?.shared ?? false);
  const [drawn, setDrawn] = useState(change ? change.chart !== null : chart !== undefined);
  const save = useMutation({
    mutationFn: () => {
      const said = { name, description, shared, chart: drawn ? (chart ?? change?.chart ?? {}) : null };
      return change ? saveChange(change, said) : saveNew({ ...said, sql: sql ?? "" });
    },
    onSuccess: onSaved,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={change ? `Change “${change.name}”` : "Save this query"}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Name"
            name="name"
            placeholder="Orders of today"
            required
            maxLength={200}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Textarea
            label="What it is for"
            name="description"
            autosize
            maxLength={2000}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <Switch
            label="Share it"
            description="Others see and run it who have Viewer on everything it reads."
            checked={shared}
            onChange={(event) => setShared(event.currentTarget.checked)}
          />
          <Switch
            label="Show it as a chart"
            description="Whoever opens and runs it sees the chart first, as it is drawn now."
            checked={drawn}
            onChange={(event) => setDrawn(event.currentTarget.checked)}
          />
          <Told error={save.error} />
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}

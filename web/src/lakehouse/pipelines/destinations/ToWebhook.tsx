/** A web address that rows are sent to, and how it knows us. */
import { Group, NumberInput, Select, Textarea, TextInput } from "@mantine/core";
import { inLines, pairsOf } from "../pairs";
import type { Target } from "./target";

interface Props {
  target: Extract<Target, { type: "webhook" }>;
  onChange: (target: Target) => void;
}

export function ToWebhook({ target, onChange }: Props) {
  const set = (part: Partial<typeof target>) => onChange({ ...target, ...part });
  return (
    <>
      <TextInput
        label="Address"
        description="It takes rows as JSON, many in one request."
        placeholder="https://hooks.example.com/orders"
        type="url"
        required
        value={target.url}
        onChange={(event) => set({ url: event.currentTarget.value })}
      />
      <Group grow align="flex-start">
        <Select
          label="How it knows us"
          data={[
            { value: "none", label: "It does not ask" },
            { value: "bearer", label: "A token (Authorization: Bearer …)" },
            { value: "basic", label: "A user and a password" },
            { value: "header", label: "A secret in a header of its own" },
          ]}
          value={target.authentication}
          onChange={(value) => set({ authentication: (value ?? "none") as typeof target.authentication })}
          allowDeselect={false}
        />
        <NumberInput
          label="Rows in one request"
          min={1}
          max={10_000}
          allowDecimal={false}
          value={target.batch_rows}
          onChange={(value) => set({ batch_rows: Number(value) || 1000 })}
        />
      </Group>
      {target.authentication === "basic" && (
        <TextInput
          label="User"
          required
          autoComplete="off"
          value={target.user ?? ""}
          onChange={(event) => set({ user: event.currentTarget.value || null })}
        />
      )}
      {target.authentication === "header" && (
        <TextInput
          label="Header"
          placeholder="X-Api-Key"
          required
          value={target.header ?? ""}
          onChange={(event) => set({ header: event.currentTarget.value || null })}
        />
      )}
      <Textarea
        label="Other headers"
        description="One to a line. No secrets: whoever sees the destination sees these."
        autosize
        defaultValue={inLines(target.headers)}
        onChange={(event) => set({ headers: pairsOf(event.currentTarget.value) })}
      />
    </>
  );
}

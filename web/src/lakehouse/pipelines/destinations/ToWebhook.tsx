/** A web address that rows are sent to. */
import { NumberInput, TextInput } from "@mantine/core";
import { WebFields } from "../WebFields";
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
        name="url"
        description="It takes rows as JSON, many in one request."
        placeholder="https://hooks.example.com/orders"
        type="url"
        required
        value={target.url}
        onChange={(event) => set({ url: event.currentTarget.value })}
      />
      <WebFields web={target} set={set} />
      <NumberInput
        label="Rows in one request"
        min={1}
        max={10_000}
        allowDecimal={false}
        value={target.batch_rows}
        onChange={(value) => set({ batch_rows: Number(value) || 1000 })}
      />
    </>
  );
}

/** Choosing something that is stored, or one of a few words. */
import { Select } from "@mantine/core";
import { FoundSelect } from "../../components/FoundSelect";
import { LISTS } from "../finding";
import { nameOf } from "../ResourcePicker";
import type { Draft } from "./kinds";

interface StoredProps {
  type: "project" | Draft["targetType"];
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

export function Stored({ type, label, value, onChange }: StoredProps) {
  return (
    <FoundSelect
      of={["access", "find", type]}
      find={LISTS[type] ?? (async () => [])}
      called={(id) => nameOf(type, id)}
      label={label}
      value={value ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      nothingFoundMessage={`You see no ${type} that is called so`}
      w={240}
    />
  );
}

interface ChoiceProps<Word extends string> {
  label: string;
  of: readonly Word[];
  value: Word | null | undefined;
  onChange: (value: Word | undefined) => void;
}

export function Choice<Word extends string>({ label, of, value, onChange }: ChoiceProps<Word>) {
  return (
    <Select
      label={label}
      placeholder="Choose one"
      data={of}
      value={value ?? null}
      onChange={(chosen) => onChange(of.find((one) => one === chosen))}
      w={180}
    />
  );
}

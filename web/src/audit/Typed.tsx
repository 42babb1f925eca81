/** A word that narrows: chosen from those that are known, or typed. It counts on Enter, and once one leaves the field. */
import { Autocomplete } from "@mantine/core";
import { useEffect, useState } from "react";
import { inWords } from "./entries";

interface Props {
  label: string;
  of?: readonly string[];
  /** What is meant by words, where that is not what they read. */
  meant?: ReadonlyMap<string, string>;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

export function Typed({ label, of = [], meant = new Map(), value, onChange }: Props) {
  const said = [...meant].find(([, word]) => word === value)?.[0] ?? inWords(value ?? "");
  const [typed, setTyped] = useState(said);
  useEffect(() => setTyped(said), [said]);
  const known = of.map(inWords);
  /** What begins the only one that is offered means that one. */
  const onlyOne = (text: string) => {
    const offered = known.filter((one) => one.toLowerCase().includes(text.toLowerCase()));
    return text && !known.includes(text) && offered.length === 1 ? (offered[0] ?? text) : text;
  };
  const say = (given: string) => {
    const text = onlyOne(given.trim());
    const word = meant.get(text) ?? (text.replaceAll(" ", "_") || undefined);
    if (word !== value && text !== said) onChange(word);
  };
  return (
    <Autocomplete
      label={label}
      data={known}
      value={typed}
      onChange={setTyped}
      onOptionSubmit={say}
      onBlur={() => say(typed)}
      onKeyDown={(event) => event.key === "Enter" && say(typed)}
      limit={50}
      maxDropdownHeight={240}
    />
  );
}

/** The field of a search whose words stand in the address: it shows these, whoever changed them. */
import { TextInput, type TextInputProps } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";

export interface Search {
  /** As it stands in the address. */
  value: string | undefined;
  set: (value: string | undefined) => void;
  label: string;
}

type Props = Search & Pick<TextInputProps, "w" | "maw" | "size" | "placeholder" | "ref">;

export function SearchInput({ value, set, label, ...more }: Props) {
  const [typed, type] = useTyped(value ?? "", (text) => set(text || undefined));
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} />}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      {...more}
    />
  );
}

/** The address follows what is typed, a little later: what comes from there replaces it only if it was not typed here. */
function useTyped(value: string, set: (text: string) => void): [string, (text: string) => void] {
  const [typed, setTyped] = useState(value);
  const underway = useRef<string[]>([]);
  useEffect(() => {
    const at = underway.current.lastIndexOf(value);
    underway.current = at < 0 ? [] : underway.current.slice(at + 1);
    if (at < 0) setTyped((before) => (before.trim() === value ? before : value));
  }, [value]);
  const type = (text: string) => {
    setTyped(text);
    const sought = text.trim();
    if (sought === (underway.current.at(-1) ?? value)) return;
    underway.current.push(sought);
    set(sought);
  };
  return [typed, type];
}

/** Choosing one of very many: found on the server while one types, and shown by name where only its id is known. */
import { Select, type SelectProps } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { inTurn } from "../api/turns";

export interface Choice {
  value: string;
  label: string;
}

interface Props
  extends Omit<SelectProps, "name" | "data" | "value" | "onChange" | "searchable" | "filter" | "onSearchChange"> {
  /** What is chosen from; the choices are kept under it. */
  of: readonly unknown[];
  find: (search: string) => Promise<Choice[]>;
  /** What the chosen one is called, where it is not among those found. */
  name: (value: string) => Promise<string>;
  value: string | null;
  onChange: (value: string | null) => void;
  /** Told what was typed and found nowhere, and once something is found again, nothing. */
  onMissed?: (typed: string | undefined) => void;
}

export function FoundSelect({ of, find, name, value, onChange, onMissed, ...more }: Props) {
  const [search, setSearch] = useState("");
  const found = useQuery({
    queryKey: [...of, "choices", search],
    queryFn: ({ signal }) => inTurn(of.join(), signal, () => find(search)),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const choices = found.data ?? [];
  const isMissed = found.isSuccess && !found.isPlaceholderData && choices.length === 0;
  useEffect(() => {
    // What was typed is gone once one leaves the field; that nothing was found is worth knowing still.
    if (search !== "" && !found.isPlaceholderData) onMissed?.(isMissed ? search : undefined);
  }, [search, isMissed, found.isPlaceholderData, onMissed]);
  const [last, setLast] = useState<Choice>();
  const known = choices.find((one) => one.value === value) ?? (last?.value === value ? last : undefined);
  const called = useQuery({
    queryKey: [...of, "called", value],
    queryFn: () => name(value ?? ""),
    enabled: value !== null && found.isSuccess && known === undefined,
    retry: false,
  });
  const chosen = value === null ? undefined : (known ?? { value, label: called.data ?? value });
  const data =
    chosen && !choices.includes(chosen) ? [chosen, ...choices.filter((one) => one.value !== value)] : choices;
  return (
    <Select
      placeholder="Type a name"
      searchable
      clearable
      value={value}
      onChange={(picked) => {
        setLast(data.find((one) => one.value === picked));
        onChange(picked);
      }}
      // Once something is chosen its name stands there: that is not what is looked for.
      onSearchChange={(text) => setSearch(data.some((one) => one.label === text) ? "" : text)}
      filter={({ options }) => options}
      data={data}
      error={found.error?.message}
      {...more}
      nothingFoundMessage={search === "" ? "There is none yet that you may choose" : more.nothingFoundMessage}
    />
  );
}

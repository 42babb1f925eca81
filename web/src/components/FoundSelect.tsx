/** Choosing one of very many: found on the server while one types, and shown by name where only its id is known. */
import { Select, type SelectProps } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { inTurn } from "../api/turns";

export interface Choice {
  value: string;
  label: string;
  /** To be seen, not to be chosen; its label says why. */
  disabled?: boolean;
}

interface Props extends Omit<SelectProps, "data" | "value" | "onChange" | "searchable" | "filter" | "onSearchChange"> {
  /** What is chosen from; the choices are kept under it. */
  of: readonly unknown[];
  find: (search: string) => Promise<Choice[]>;
  /** What the chosen one is called, where it is not among those found. */
  called: (value: string) => Promise<string>;
  value: string | null;
  onChange: (value: string | null) => void;
  /** Told what was typed and found nowhere, and once something is found again, nothing. */
  onMissed?: (typed: string | undefined) => void;
}

export function FoundSelect({ of, find, called, value, onChange, onMissed, ...more }: Props) {
  const [search, setSearch] = useState("");
  const [isTouched, setIsTouched] = useState(false);
  const found = useQuery({
    queryKey: [...of, "choices", search],
    queryFn: ({ signal }) => inTurn(of.join(), signal, () => find(search)),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const choices = found.data ?? [];
  const isLooking = found.isPending || found.isPlaceholderData;
  const isMissed = found.isSuccess && !isLooking && choices.length === 0;
  useEffect(() => {
    // What was typed is gone once one leaves the field; that nothing was found is worth knowing still.
    if (search !== "" && !found.isPlaceholderData) onMissed?.(isMissed ? search : undefined);
  }, [search, isMissed, found.isPlaceholderData, onMissed]);
  const [names] = useState(() => new Map<string, string>());
  useEffect(() => {
    for (const one of found.data ?? []) names.set(one.value, one.label);
  }, [found.data, names]);
  const among = choices.find((one) => one.value === value);
  const known = among?.label ?? names.get(value ?? "");
  const asked = useQuery({
    queryKey: [...of, "called", value],
    queryFn: () => called(value ?? ""),
    enabled: value !== null && found.isSuccess && known === undefined,
    retry: false,
  });
  const chosen = value === null ? undefined : { value, label: known ?? asked.data ?? value };
  // What was found for something else is seen until the answer is there, and cannot be chosen.
  const offered = isLooking ? choices.map((one) => ({ ...one, disabled: true })) : choices;
  const data = chosen && !among ? [chosen, ...offered] : offered;
  return (
    <Select
      placeholder="Type a name"
      searchable
      clearable
      value={value}
      onChange={onChange}
      allowDeselect={false}
      // Once something is chosen its name stands there: that is not what is looked for.
      onSearchChange={(text) => {
        setSearch(text === chosen?.label ? "" : text);
        setIsTouched(text !== (chosen?.label ?? ""));
      }}
      onKeyDownCapture={(event) => {
        const isArrow = event.key === "ArrowDown" || event.key === "ArrowUp";
        if (!isArrow && !(event.key === "Enter" && isTouched)) return;
        event.preventDefault(); // no form is sent with the one chosen before, while something else stands there
        if (isLooking) event.stopPropagation();
      }}
      // The chosen one has to be known by its name, and is offered where it fits.
      filter={({ options }) => (chosen && !among && !fits(chosen, search) ? options.slice(1) : options)}
      data={data}
      error={found.error?.message}
      styles={{ option: { transition: "opacity 0s 150ms" } }} // nothing flickers between two keys
      {...more}
      nothingFoundMessage={found.isError ? undefined : saidOfNothing(search, isLooking, more.nothingFoundMessage)}
    />
  );
}

function fits(choice: Choice, search: string): boolean {
  return choice.label.toLowerCase().includes(search.trim().toLowerCase());
}

function saidOfNothing(search: string, isLooking: boolean, nothing: ReactNode): ReactNode {
  if (isLooking) return nothing && "Looking …";
  return search === "" ? "There is none yet that you may choose" : nothing;
}

/** For how long: for good, for some days, or up to a day. */
import { Group, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { daysFromNow } from "../../requests/words";
import { useMe } from "../../tenancy/session";
import { endOfDay } from "../days";

const FOR_GOOD = "for good";
const UP_TO = "up to a day";
const DAYS = [7, 30, 90, 365];

interface Props {
  /** What it ends at so far, where there is a level already. */
  now?: string | null;
  /** The new end; nothing: as it is. */
  onChange: (expiresAt: string | null | undefined) => void;
}

export function Until({ now, onChange }: Props) {
  const { time_zone: zone } = useMe();
  const asItIs = now === undefined ? FOR_GOOD : "as it is";
  const [choice, setChoice] = useState(asItIs);
  const choose = (chosen: string) => {
    setChoice(chosen);
    const days = DAYS.find((one) => inWords(one) === chosen);
    if (chosen === UP_TO || chosen === "as it is") onChange(undefined);
    else onChange(daysFromNow(days ?? ""));
  };
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <Select
        label="For how long"
        data={[...(now === undefined ? [] : ["as it is"]), FOR_GOOD, ...DAYS.map(inWords), UP_TO]}
        value={choice}
        onChange={(chosen) => choose(chosen ?? asItIs)}
        allowDeselect={false}
        w={150}
      />
      {choice === UP_TO && (
        <TextInput
          type="date"
          aria-label="Up to which day"
          required
          onChange={(event) =>
            onChange(event.currentTarget.value ? endOfDay(event.currentTarget.value, zone) : undefined)
          }
        />
      )}
    </Group>
  );
}

function inWords(days: number): string {
  return days === 365 ? "for a year" : `for ${days} days`;
}

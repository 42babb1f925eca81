/** For how long: for good, for some days, or until a date. */
import { Group, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { daysFromNow } from "../../requests/words";
import { useMe } from "../../tenancy/session";
import { endOfDay } from "../days";

const FOR_GOOD = "for good";
const UNTIL = "until a date";
const AS_IT_IS = "as it is";
const AS_ASKED = "as asked for";
const DAYS = [7, 30, 90, 365];

interface Props {
  /** What it ends at so far, where there is a level already. */
  now?: string | null;
  /** The end that somebody asked for: chosen at first. */
  asked?: string;
  /** How many days are chosen at first; none: for good, or as it is. */
  days?: number;
  /** The new end; nothing: as it is. */
  onChange: (expiresAt: string | null | undefined) => void;
}

export function Until({ now, asked, days, onChange }: Props) {
  const { time_zone: zone } = useMe();
  const own = [...(asked === undefined ? [] : [AS_ASKED]), ...(now === undefined ? [] : [AS_IT_IS])];
  const first = days ? inWords(days) : (own[0] ?? FOR_GOOD);
  const [choice, setChoice] = useState(first);
  const choose = (chosen: string) => {
    setChoice(chosen);
    const days = DAYS.find((one) => inWords(one) === chosen);
    if (chosen === UNTIL || chosen === AS_IT_IS) onChange(undefined);
    else if (chosen === AS_ASKED) onChange(asked);
    else onChange(daysFromNow(days ?? ""));
  };
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <Select
        label="For how long"
        name="expires_at"
        data={[...own, FOR_GOOD, ...DAYS.map(inWords), UNTIL]}
        value={choice}
        onChange={(chosen) => choose(chosen ?? first)}
        allowDeselect={false}
        w={150}
      />
      {choice === UNTIL && (
        <TextInput
          type="date"
          aria-label="Until which day"
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

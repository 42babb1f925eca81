/** Choosing when: how often, at what time and whose clock, or as cron for those who speak it. */
import { Group, NumberInput, Select, Stack, TextInput } from "@mantine/core";
import { type Plan, type Rhythm, toCron, WEEKDAYS } from "./cron";
import { Firings } from "./Firings";

const OFTEN: { value: Rhythm; label: string }[] = [
  { value: "hour", label: "Every hour" },
  { value: "day", label: "Every day" },
  { value: "weekday", label: "Every weekday, Monday to Friday" },
  { value: "week", label: "Every week" },
  { value: "month", label: "Every month" },
  { value: "own", label: "As cron" },
];
const DAYS = [
  ...Array.from({ length: 28 }, (_, index) => ({ value: `${index + 1}`, label: `${index + 1}` })),
  { value: "L", label: "the last day" },
];
const ZONES = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];

interface Props {
  plan: Plan;
  onPlan: (plan: Plan) => void;
  zone: string;
  onZone: (zone: string) => void;
}

export function CronField({ plan, onPlan, zone, onZone }: Props) {
  const set = (part: Partial<Plan>) => onPlan({ ...plan, ...part });
  // Who goes over to writing it finds what was chosen so far.
  const choose = (rhythm: Rhythm) => set(rhythm === "own" ? { rhythm, cron: toCron(plan) } : { rhythm });
  return (
    <Stack>
      <Select
        label="How often"
        data={OFTEN}
        value={plan.rhythm}
        onChange={(value) => choose((value ?? "day") as Rhythm)}
        allowDeselect={false}
      />
      <Group grow align="flex-start">
        {plan.rhythm === "hour" && (
          <NumberInput
            label="Minute"
            description="After each full hour."
            min={0}
            max={59}
            allowDecimal={false}
            value={plan.minute}
            onChange={(value) => set({ minute: Number(value) || 0 })}
          />
        )}
        {plan.rhythm === "week" && (
          <Select
            label="On"
            data={WEEKDAYS}
            value={plan.weekday}
            onChange={(weekday) => set({ weekday: weekday ?? "MON" })}
            allowDeselect={false}
          />
        )}
        {plan.rhythm === "month" && (
          <Select
            label="Day of the month"
            data={DAYS}
            value={plan.day}
            onChange={(day) => set({ day: day ?? "1" })}
            allowDeselect={false}
          />
        )}
        {plan.rhythm !== "hour" && plan.rhythm !== "own" && (
          <TextInput
            label="At"
            type="time"
            required
            value={plan.time}
            onChange={(event) => set({ time: event.currentTarget.value || "00:00" })}
          />
        )}
        {plan.rhythm === "own" && (
          <TextInput
            label="Cron"
            name="cron"
            description="Minute, hour, day of the month, month, day of the week."
            placeholder="30 6 * * MON-FRI"
            required
            ff="monospace"
            value={plan.cron}
            onChange={(event) => set({ cron: event.currentTarget.value })}
          />
        )}
      </Group>
      <Select
        label="Time zone"
        description="Whose clock counts, through summer and winter."
        searchable
        data={ZONES}
        value={zone}
        onChange={(value) => onZone(value ?? zone)}
        allowDeselect={false}
        nothingFoundMessage="No zone is called so"
      />
      <Firings cron={toCron(plan)} zone={zone} />
    </Stack>
  );
}

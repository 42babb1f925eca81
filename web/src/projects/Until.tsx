/** Until when a role holds: for good, or for so many days from now. */
import { Select } from "@mantine/core";
import { daysFromNow } from "../requests/words";

export type End = "as it is" | "for good" | `${number}`;

const DAYS = [
  { value: "7", label: "for a week" },
  { value: "30", label: "for 30 days" },
  { value: "90", label: "for 90 days" },
  { value: "365", label: "for a year" },
];

interface Props {
  value: End;
  onChange: (value: End) => void;
  /** Where there is an end already that may stay. */
  kept?: boolean;
}

export function Until({ value, onChange, kept = false }: Props) {
  return (
    <Select
      label="Until"
      description="A role that has an end falls away by itself at that moment."
      data={[...(kept ? ["as it is"] : []), "for good", ...DAYS]}
      value={value}
      onChange={(chosen) => onChange((chosen ?? value) as End)}
      allowDeselect={false}
    />
  );
}

/** What is sent: nothing where the end stays as it is. */
export function endOf(value: End): { expires_at?: string | null } {
  if (value === "as it is") return {};
  return { expires_at: daysFromNow(value === "for good" ? "" : Number(value)) };
}

/** A password or token: kept encrypted, and shown to nobody. */
import { PasswordInput } from "@mantine/core";

interface Props {
  label: string;
  value: string;
  onChange: (secret: string) => void;
  /** Whether one is kept already. */
  kept: boolean;
}

export function SecretField({ label, value, onChange, kept }: Props) {
  return (
    <PasswordInput
      label={label}
      name="secret"
      description={
        kept
          ? "One is kept, encrypted, and shown to nobody. Leave this empty to keep it."
          : "Kept encrypted, and shown to nobody, not even to you."
      }
      autoComplete="new-password"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

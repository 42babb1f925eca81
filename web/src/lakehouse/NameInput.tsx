/** The name of something that statements speak of: a layer, a table, a volume. */
import { TextInput, type TextInputProps } from "@mantine/core";
import { fittingName, isName } from "./names";

interface Props extends Pick<TextInputProps, "label" | "name" | "description" | "required" | "readOnly"> {
  value: string;
  onChange: (name: string) => void;
  example: string;
  "data-autofocus"?: boolean;
}

export function NameInput({ value, onChange, example, description, ...props }: Props) {
  const rule = `Small letters, digits and underscores, beginning with a letter, such as ${example}.`;
  const wrong = value !== "" && !isName(value);
  return (
    <TextInput
      label="Name"
      name="name"
      description={description ?? rule}
      placeholder={example}
      required
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={wrong && `${rule} Here ${fittingName(value)} would do.`}
      {...props}
    />
  );
}

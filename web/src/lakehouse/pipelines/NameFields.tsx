/** What a pipeline of any kind is called, and what for. */
import { Textarea, TextInput } from "@mantine/core";

interface Props {
  name: string;
  description: string;
  onChange: (part: { name?: string; description?: string }) => void;
  placeholder: string;
}

export function NameFields({ name, description, onChange, placeholder }: Props) {
  return (
    <>
      <TextInput
        label="Name"
        name="name"
        description="What people here call it."
        placeholder={placeholder}
        required
        maxLength={100}
        value={name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <Textarea
        label="Description"
        name="description"
        autosize
        maxLength={2000}
        value={description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
    </>
  );
}

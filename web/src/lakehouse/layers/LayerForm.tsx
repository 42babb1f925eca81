/** What is said of a layer: its name, which statements write, and what it is for. */
import { Button, Stack, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Told } from "../../components/Told";

export interface Said {
  name: string;
  description: string;
}

interface Props {
  said: Said;
  mayRename: boolean;
  done: string;
  saving: boolean;
  error: Error | null;
  onSave: (said: Said) => void;
}

export function LayerForm({ said, mayRename, done, saving, error, onSave }: Props) {
  const [name, setName] = useState(said.name);
  const [description, setDescription] = useState(said.description);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave({ name, description });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          description={
            mayRename
              ? "As statements write it: small letters, digits and underscores."
              : "Statements write it, so only owners and admins of the tenant change it."
          }
          placeholder="finance"
          required
          readOnly={!mayRename}
          pattern="[a-z][a-z0-9_]{0,62}"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label="What lies in it"
          autosize
          minRows={2}
          maxLength={2000}
          data-autofocus
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <Told error={error} />
        <Button type="submit" loading={saving}>
          {done}
        </Button>
      </Stack>
    </form>
  );
}

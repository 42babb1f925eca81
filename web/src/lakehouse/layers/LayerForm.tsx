/** What is said of a layer: its name, which statements write, and what it is for. */
import { Button, Stack, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Told } from "../../components/Told";
import { NameInput } from "../NameInput";

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
        <NameInput
          description={
            mayRename ? undefined : "Statements write it, so only owners and admins of the tenant change it."
          }
          example="finance"
          readOnly={!mayRename}
          value={name}
          onChange={setName}
        />
        <Textarea
          label="What lies in it"
          name="description"
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

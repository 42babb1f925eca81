/** The name of something and what it is for: the form for making it, and for saying it anew. */
import { Button, Stack, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Told } from "../components/Told";

export interface Said {
  name: string;
  description: string;
}

interface Props {
  said?: Said;
  done: string;
  onDone: (said: Said) => void;
  pending: boolean;
  error: Error | null;
}

export function NameAndDescription({ said, done, onDone, pending, error }: Props) {
  const [name, setName] = useState(said?.name ?? "");
  const [description, setDescription] = useState(said?.description ?? "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onDone({ name, description });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          name="name"
          required
          maxLength={200}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label="What it is for"
          name="description"
          autosize
          minRows={2}
          maxLength={2000}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <Told error={error} />
        <Button type="submit" loading={pending}>
          {done}
        </Button>
      </Stack>
    </form>
  );
}

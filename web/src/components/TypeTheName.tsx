/** Before something is lost for good: what goes with it, and its name typed by whoever means it. */
import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { Told } from "./Told";

interface Props {
  opened: boolean;
  onClose: () => void;
  title: string;
  name: string;
  /** What is lost. */
  children: ReactNode;
  done: string;
  act: () => void;
  pending: boolean;
  error: Error | null;
  size?: "lg";
}

export function TypeTheName(props: Props) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={props.title} size={props.size}>
      <Typed {...props} />
    </Modal>
  );
}

function Typed({ onClose, name, children, done, act, pending, error }: Props) {
  const [typed, setTyped] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    act();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        <TextInput
          label={
            <>
              To be sure, type <b>{name}</b>
            </>
          }
          data-autofocus
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Told error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Keep it
          </Button>
          <Button type="submit" color="#c92a2a" disabled={typed.trim() !== name} loading={pending}>
            {done}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** What is lost, a line each. */
export function Lost({ lines }: { lines: readonly string[] }) {
  return (
    <Stack gap={4}>
      {lines.map((line) => (
        <Text key={line} size="sm">
          {line}
        </Text>
      ))}
    </Stack>
  );
}

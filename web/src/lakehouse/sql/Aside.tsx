/** That something was put aside, and how it comes back. */
import { Alert, Anchor, Text } from "@mantine/core";

export function Aside({ text, onBringBack }: { text: string; onBringBack: () => void }) {
  return (
    <Alert color="gray" variant="light" py="xs" role="status">
      <Text size="sm">
        What you had written ({text.trim().slice(0, 40)}
        {text.trim().length > 40 ? "…" : ""}) is kept aside.{" "}
        <Anchor component="button" size="sm" td="underline" onClick={onBringBack}>
          Bring it back
        </Anchor>
      </Text>
    </Alert>
  );
}

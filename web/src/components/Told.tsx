/** A problem where it happened: what is wrong, and what to do. */
import { Alert, List, Text } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { Problem } from "../api/client";

export function Told({ error }: { error: Error | null }) {
  if (error === null) return null;
  const fields = error instanceof Problem ? error.fields : [];
  return (
    <Alert color="red" variant="light" icon={<IconAlertCircle size={18} />} role="alert">
      <Text size="sm">{error.message}</Text>
      {fields.some((field) => field.fix) && (
        <List size="sm">
          {fields.map((field) => (
            <List.Item key={field.field}>{field.fix}</List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}

/** A problem where it happened: what is wrong, and what to do. */
import { Alert, List, Text } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { Problem } from "../api/client";

export function Told({ error }: { error: Error | null }) {
  if (error === null) return null;
  const fields = error instanceof Problem ? error.fields : [];
  const more = fields.filter((field) => field.fix && !error.message.includes(field.fix));
  return (
    <Alert color="red" variant="light" icon={<IconAlertCircle size={18} />} role="alert">
      <Text size="sm">{error.message}</Text>
      {more.length > 0 && (
        <List size="sm">
          {more.map((field) => (
            <List.Item key={`${field.field} ${field.fix}`}>{field.fix}</List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}

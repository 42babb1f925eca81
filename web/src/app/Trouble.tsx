/** When a page cannot be shown: what went wrong, in the server's words, and where to go from here. */
import { Button, Code, Container, Stack, Text, Title } from "@mantine/core";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { Problem } from "../api/client";

export function NotFound() {
  return (
    <Said title="There is no such page" text="The address is wrong, or what was there is gone or not for you to see." />
  );
}

export function Trouble({ error }: ErrorComponentProps) {
  if (error instanceof Problem && error.status === 404) return <NotFound />;
  const asked = error instanceof Problem ? error.requestId : "";
  const title =
    error instanceof Problem && error.status === 403 ? "This is not for you to see" : "Something went wrong";
  return <Said title={title} text={error instanceof Error ? error.message : "The page broke."} requestId={asked} />;
}

function Said({ title, text, requestId = "" }: { title: string; text: string; requestId?: string }) {
  return (
    <Container size="xs" py={96}>
      <Stack align="flex-start">
        <Title order={2}>{title}</Title>
        <Text>{text}</Text>
        {requestId && (
          <Text size="sm" c="dimmed">
            The log has more under <Code>{requestId}</Code>
          </Text>
        )}
        <Button component="a" href="/" variant="light">
          Go home
        </Button>
      </Stack>
    </Container>
  );
}

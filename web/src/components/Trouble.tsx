/** When a page cannot be shown: what went wrong, in the server's words, and where to go from here. */
import { Button, Code, Container, Stack, Text, Title } from "@mantine/core";
import { Problem } from "../api/client";

export function NotFound() {
  return (
    <Said title="There is no such page" text="The address is wrong, or what was there is gone or not for you to see." />
  );
}

/** An address with what is no id at all, one of what is not there, and one of what is hidden all lead here. */
export function Trouble({ error }: { error: unknown }) {
  if (error instanceof Problem && [404, 422].includes(error.status)) return <NotFound />;
  const asked = error instanceof Problem ? error.requestId : "";
  const title =
    error instanceof Problem && error.status === 403 ? "This is not for you to see" : "Something went wrong";
  return <Said title={title} text={error instanceof Error ? error.message : "The page broke."} requestId={asked} />;
}

function Said({ title, text, requestId = "" }: { title: string; text: string; requestId?: string }) {
  return (
    <Container size="xs" py={96} role="alert">
      <Stack align="flex-start">
        <Title order={1} size="h2">
          {title}
        </Title>
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

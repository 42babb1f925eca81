/** A secret that is shown this once: to be copied now. */
import { Alert, Button, Code, CopyButton, Group } from "@mantine/core";

export function OnceShown({
  secret,
  title = "Copy it now: it is not shown again",
}: {
  secret: string;
  title?: string;
}) {
  return (
    <Alert variant="light" title={title} role="status">
      <Group wrap="nowrap" align="flex-start">
        <Code style={{ wordBreak: "break-all" }}>{secret}</Code>
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button data-autofocus size="compact-sm" variant="default" onClick={copy} style={{ flexShrink: 0 }}>
              {copied ? "Copied" : "Copy"}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Alert>
  );
}

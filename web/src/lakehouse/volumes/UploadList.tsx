/** Files on their way into a volume: how far each is, and what can be done about it. */
import { Button, Group, Paper, Progress, Stack, Text } from "@mantine/core";
import { sized } from "../../components/numbers";
import { StateBadge, type Tone } from "../../components/StateBadge";
import { howFar, isUnderWay, type Upload } from "./uploads";
import type { Uploads } from "./useUploads";

const TONES: Record<Upload["state"], Tone> = {
  waiting: "quiet",
  sending: "busy",
  arrived: "good",
  stopped: "quiet",
  failed: "bad",
};

export function UploadList({ uploads, stop, retry, tidy }: Uploads) {
  if (uploads.length === 0) return null;
  const over = uploads.filter((one) => !isUnderWay(one)).length;
  return (
    <Paper withBorder p="md" component="section" aria-label="Uploads">
      <Stack gap="sm">
        <Group justify="space-between">
          <Text fw={600} role="status">
            {uploads.filter((one) => one.state === "arrived").length} of {uploads.length} arrived
          </Text>
          {over > 0 && (
            <Button size="compact-sm" variant="subtle" onClick={tidy}>
              Clear what is over
            </Button>
          )}
        </Group>
        {uploads.map((upload) => (
          <Stack key={upload.id} gap={4}>
            <Group justify="space-between" wrap="nowrap">
              <Group gap="sm" wrap="nowrap" miw={0}>
                <StateBadge state={upload.state} tone={TONES[upload.state]} />
                <Text size="sm" truncate>
                  {upload.path}
                </Text>
                <Text size="sm" c="dimmed">
                  {sized(upload.file.size)}
                </Text>
              </Group>
              <Group gap="xs" wrap="nowrap">
                {isUnderWay(upload) && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Stop ${upload.path}`}
                    onClick={() => stop(upload.id)}
                  >
                    Stop
                  </Button>
                )}
                {upload.state === "stopped" && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Send ${upload.path} again`}
                    onClick={() => retry(upload.id, upload.overwrite)}
                  >
                    Send again
                  </Button>
                )}
                {upload.state === "failed" && <AfterFailure upload={upload} retry={retry} />}
              </Group>
            </Group>
            {upload.state === "sending" && (
              <Progress
                value={howFar(upload)}
                size="sm"
                aria-label={`${upload.path}: ${Math.floor(howFar(upload))} %`}
              />
            )}
            {upload.problem && (
              <Text size="sm" c="var(--mantine-color-error)">
                {said(upload.problem)}
              </Text>
            )}
          </Stack>
        ))}
      </Stack>
    </Paper>
  );
}

/** What is wrong with its name is not said to be wrong with a “path”, as the API calls it. */
function said({ fields, message }: NonNullable<Upload["problem"]>): string {
  return fields.map(({ problem, fix }) => `${problem} ${fix}`.trim()).join(" ") || message;
}

/** Where somebody else was quicker with a file of this name, replacing it is a choice of its own. */
function AfterFailure({ upload, retry }: { upload: Upload; retry: Uploads["retry"] }) {
  const taken = upload.problem?.status === 409 && !upload.overwrite;
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={taken ? `Replace ${upload.path}` : `Send ${upload.path} again`}
      onClick={() => retry(upload.id, taken || upload.overwrite)}
    >
      {taken ? "Replace it" : "Send again"}
    </Button>
  );
}

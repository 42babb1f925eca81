/** What a run or a trigger belongs to, with its page where it has one. */
import { Text } from "@mantine/core";
import { TextLink } from "../components/links";
import { kindCalled } from "../lakehouse/pipelines/kinds";

interface Props {
  /** Of the pipeline, or of its run. */
  kind: string | null | undefined;
  subject: { type: string; id: string; name: string };
}

export function SubjectLink({ kind, subject }: Props) {
  const found = subject.type === "pipeline" ? kindCalled(kind) : undefined;
  if (!found || !subject.name) {
    return (
      <Text span inherit lineClamp={1} maw={280}>
        {subject.name || "–"}
      </Text>
    );
  }
  return (
    <TextLink to={found.page} params={{ pipelineId: subject.id }} fw={600}>
      {subject.name}
    </TextLink>
  );
}

/** The frame of a form that adds or changes a pipeline: it saves, tells what went wrong, and goes to the pipeline. */
import { Button, Group, Paper, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { FormEvent, ReactNode } from "react";
import { Page } from "../../components/Page";
import { Told } from "../../components/Told";
import { useOnce } from "../../runs/once";
import { changed, type Pipeline } from "./common";
import { type Kind, withArticle } from "./kinds";

interface Props {
  kind: Kind;
  /** The one that is changed; none: a new one. */
  pipeline: Pipeline | undefined;
  complete: boolean;
  save: () => Promise<Pipeline>;
  children: ReactNode;
}

export function FormFrame({ kind, pipeline, complete, save, children }: Props) {
  const navigate = useNavigate();
  const saved = useMutation({
    mutationFn: save,
    onSuccess: async (now) => {
      await changed(kind, now);
      await navigate({ to: kind.page, params: { pipelineId: now.id } });
    },
  });
  const saveOnce = useOnce(saved);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saveOnce();
  };
  return (
    <Page title={pipeline ? `Edit ${pipeline.name}` : `Add ${withArticle(kind.one)}`} about={kind.about}>
      <form onSubmit={submit}>
        <Stack gap="lg" maw={760}>
          <Paper withBorder p="lg">
            <Stack>{children}</Stack>
          </Paper>
          <Told error={saved.error} />
          <Group>
            <Button type="submit" disabled={!complete} loading={saved.isPending}>
              {pipeline ? "Save" : "Add it"}
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  );
}

/** The way to where a pipeline is changed, for who may. */
import { Button } from "@mantine/core";
import { ButtonLink } from "../../components/links";
import { Guarded } from "../../components/Why";
import type { Pipeline } from "./common";
import { action, type Kind } from "./kinds";

export function EditLink({ kind, pipeline }: { kind: Exclude<Kind, { name: "source" }>; pipeline: Pipeline }) {
  return (
    <Guarded action={action(kind, "edit")} on={{ type: kind.type, id: pipeline.id }} actions={pipeline.actions}>
      {(allowed) =>
        allowed ? (
          <ButtonLink variant="default" to={`${kind.page}/edit`} params={{ pipelineId: pipeline.id }}>
            Edit
          </ButtonLink>
        ) : (
          <Button variant="default" disabled>
            Edit
          </Button>
        )
      }
    </Guarded>
  );
}

/** Naming and describing a project anew, and deleting it with everything in it. */
import { Button, Group, Modal } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, take } from "../api/client";
import { Lost, TypeTheName } from "../components/TypeTheName";
import { Guarded } from "../components/Why";
import { useChanging } from "../tenancy/changing";
import { NameAndDescription, type Said } from "../tenancy/NameAndDescription";
import type { Project } from "./words";

interface Opened {
  project: Project;
  opened: boolean;
  onClose: () => void;
}

export function EditOrDelete({ project }: { project: Project }) {
  const [doing, setDoing] = useState<"edit" | "delete">();
  const close = () => setDoing(undefined);
  const { actions } = project;
  const on = { type: "project", id: project.id };
  return (
    <Group gap="xs" wrap="nowrap">
      <Guarded action="edit_project_metadata" on={on} actions={actions}>
        {(allowed) => (
          <Button variant="default" disabled={!allowed} onClick={() => setDoing("edit")}>
            Edit
          </Button>
        )}
      </Guarded>
      <Guarded action="delete_project" on={on} actions={actions}>
        {(allowed) => (
          <Button variant="default" disabled={!allowed} onClick={() => setDoing("delete")}>
            Delete
          </Button>
        )}
      </Guarded>
      <Edit key={project.version} project={project} opened={doing === "edit"} onClose={close} />
      <Delete project={project} opened={doing === "delete"} onClose={close} />
    </Group>
  );
}

function Edit({ project, opened, onClose }: Opened) {
  const save = useChanging(
    (body: Said) =>
      take(
        api.PATCH("/api/v1/projects/{project_id}", {
          params: { path: { project_id: project.id }, header: { "If-Match": `"${project.version}"` } },
          body,
        }),
      ),
    () => "The project is saved.",
    { onDone: onClose },
  );
  return (
    <Modal opened={opened} onClose={onClose} title={`Edit ${project.name}`}>
      <NameAndDescription said={project} done="Save" onDone={save.mutate} pending={save.isPending} error={save.error} />
    </Modal>
  );
}

function Delete({ project, opened, onClose }: Opened) {
  const navigate = useNavigate();
  const remove = useChanging<void, unknown>(
    () =>
      api.DELETE("/api/v1/projects/{project_id}", {
        params: {
          path: { project_id: project.id },
          query: { confirm: project.name },
          header: { "If-Match": `"${project.version}"` },
        },
      }),
    () => `The project ${project.name} is deleted.`,
    { onDone: () => navigate({ to: "/projects" }) },
  );
  return (
    <TypeTheName
      opened={opened}
      onClose={onClose}
      title={`Delete ${project.name}?`}
      name={project.name}
      done={`Delete ${project.name}`}
      act={() => remove.mutate()}
      pending={remove.isPending}
      error={remove.error}
    >
      <Lost
        lines={[
          "Everything in it goes with it, for good: the roles of its members and groups, its settings and who receives its news.",
          "Nobody is removed from the tenant.",
        ]}
      />
    </TypeTheName>
  );
}

/** The projects one has a role in. */
import { Button, Modal } from "@mantine/core";
import { IconBriefcase, IconPlus } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, take } from "../api/client";
import { Empty } from "../components/Empty";
import { ButtonLink, TextLink } from "../components/links";
import { Moment } from "../components/Moment";
import { useListed } from "../components/narrowing";
import { Page } from "../components/Page";
import { type Column, ResourceList } from "../components/ResourceList";
import { BY_NAME, type ByName } from "../components/sorting";
import { useChanging } from "../tenancy/changing";
import { NameAndDescription, type Said } from "../tenancy/NameAndDescription";
import { mayInTenant, useMe } from "../tenancy/session";
import { RoleBadge } from "./Origins";
import type { Project } from "./words";

const COLUMNS: Column<Project, ByName>[] = [
  {
    name: "Project",
    sort: "name",
    cell: (project) => (
      <TextLink to="/projects/$projectId" params={{ projectId: project.id }} fw={600}>
        {project.name}
      </TextLink>
    ),
  },
  { name: "Description", cell: (project) => project.description },
  { name: "Your role", cell: (project) => <RoleBadge role={project.role} /> },
  { name: "Made", cell: (project) => <Moment at={project.created_at} /> },
];

export function Projects() {
  const may = mayInTenant(useMe(), "create_projects");
  const [making, setMaking] = useState(false);
  return (
    <Page
      title="Projects"
      about="Where people work together: who is in one, with which role, and who hears of its runs."
      actions={
        may && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setMaking(true)}>
            New project
          </Button>
        )
      }
    >
      <ResourceList
        of={["projects"]}
        read={(page) => take(api.GET("/api/v1/projects", { params: { query: page } }))}
        columns={COLUMNS}
        {...useListed(BY_NAME, "Find a project")}
        empty={
          <Empty icon={IconBriefcase} title={may ? "There is no project yet" : "You are in no project yet"}>
            {may ? (
              "Make one, and invite those who work in it."
            ) : (
              <>
                An Admin of a project can invite you, or give a role to a group you are in. Do you know its name?
                <br />
                <ButtonLink
                  to="/requests"
                  search={{ ask: "", kind: "project" }}
                  variant="light"
                  size="compact-sm"
                  mt="xs"
                >
                  Ask for access
                </ButtonLink>
              </>
            )}
          </Empty>
        }
      />
      <NewProject opened={making} onClose={() => setMaking(false)} />
    </Page>
  );
}

function NewProject({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const make = useChanging(
    (body: Said) => take(api.POST("/api/v1/projects", { body })),
    (project) => `The project ${project.name} is made.`,
    {
      onDone: async (project) => {
        onClose();
        await navigate({ to: "/projects/$projectId", params: { projectId: project.id } });
      },
    },
  );
  return (
    <Modal opened={opened} onClose={onClose} title="New project">
      <NameAndDescription done="Make it" onDone={make.mutate} pending={make.isPending} error={make.error} />
    </Modal>
  );
}

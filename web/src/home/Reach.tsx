/** What one is in: projects with one's role, layers with one's level, groups. */
import { Badge, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api, take } from "../api/client";
import { TextLink } from "../components/links";
import { Level } from "../lakehouse/Level";
import type { Kind } from "../requests/words";
import { mayInTenant, useMe } from "../tenancy/session";
import { Section } from "./Section";

const SHOWN = 6;

export function Reach() {
  return (
    <>
      <Projects />
      <Layers />
      <Groups />
    </>
  );
}

function Projects() {
  const me = useMe();
  const projects = useQuery({
    queryKey: ["projects", "home"],
    queryFn: () => take(api.GET("/api/v1/projects", { params: { query: { limit: SHOWN } } })),
  });
  return (
    <Section
      title="Your projects"
      of={projects}
      isEmpty={(found) => found.items.length === 0}
      empty={
        mayInTenant(me, "create_projects") ? (
          "There is no project yet: make the first one where all projects are listed."
        ) : (
          <>
            You are in no project. Somebody who runs one can invite you, or you <Ask kind="project">ask for a role</Ask>{" "}
            in one by its name.
          </>
        )
      }
      all={<TextLink to="/projects">All projects</TextLink>}
    >
      {(found) => (
        <Stack gap="xs">
          {found.items.map((project) => (
            <Group key={project.id} justify="space-between" wrap="nowrap">
              <TextLink to="/projects/$projectId" params={{ projectId: project.id }} truncate>
                {project.name}
              </TextLink>
              <Text size="sm" c="dimmed" style={{ whiteSpace: "nowrap" }}>
                {project.role ?? "no role"}
              </Text>
            </Group>
          ))}
        </Stack>
      )}
    </Section>
  );
}

function Layers() {
  const layers = useQuery({
    queryKey: ["layers", "home"],
    queryFn: () => take(api.GET("/api/v1/layers", { params: { query: { limit: SHOWN } } })),
  });
  return (
    <Section
      title="Your data"
      of={layers}
      isEmpty={(found) => found.items.length === 0}
      empty={
        <>
          No data is open to you yet. If you know what you need, <Ask kind="table">ask for it</Ask> by its name; whoever
          manages it decides.
        </>
      }
      all={<TextLink to="/tables">All tables</TextLink>}
    >
      {(found) => (
        <Stack gap="xs">
          {found.items.map((layer) => (
            <Group key={layer.id} justify="space-between" wrap="nowrap">
              <TextLink to="/tables" search={{ layer: layer.id }} truncate>
                {layer.name}
              </TextLink>
              <Level on={layer} />
            </Group>
          ))}
        </Stack>
      )}
    </Section>
  );
}

function Ask({ kind, children }: { kind: Kind; children: string }) {
  return (
    <TextLink to="/requests" search={{ ask: "", kind }} inherit underline="always">
      {children}
    </TextLink>
  );
}

function Groups() {
  const { groups } = useMe();
  if (groups.length === 0) return null;
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed">
        Your groups
      </Text>
      {groups.map((group) => (
        <Badge key={group.id} variant="light" tt="none">
          {group.name}
        </Badge>
      ))}
    </Group>
  );
}

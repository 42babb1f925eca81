/** The list of pipelines of one kind. */
import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Empty } from "../../components/Empty";
import { ButtonLink, TextLink } from "../../components/links";
import { useListed } from "../../components/narrowing";
import { Page } from "../../components/Page";
import { type Column, type PageOf, ResourceList } from "../../components/ResourceList";
import { BY_NAME, type ByName } from "../../components/sorting";
import { Guarded } from "../../components/Why";
import { useLayers } from "../allowed";
import type { Pipeline } from "./common";
import { type Kind, withArticle } from "./kinds";
import { LastRun, PipelineState } from "./PipelineState";

interface Props<P extends Pipeline> {
  kind: Kind;
  read: (page: { cursor?: string; search?: string; sort?: ByName }) => Promise<PageOf<P>>;
  /** What is worth a column about this kind alone. */
  columns: readonly Column<P>[];
  /** What to know where there is none yet. */
  teach: ReactNode;
}

export function PipelineList<P extends Pipeline>({ kind, read, columns, teach }: Props<P>) {
  const common: Column<P, ByName>[] = [
    {
      name: "Name",
      sort: "name",
      cell: (one) => (
        <>
          <TextLink to={kind.page} params={{ pipelineId: one.id }} fw={600}>
            {one.name}
          </TextLink>
          {one.description && (
            <Text size="xs" c="dimmed" lineClamp={1} maw={320}>
              {one.description}
            </Text>
          )}
        </>
      ),
    },
    { name: "State", cell: (one) => <PipelineState pipeline={one} /> },
  ];
  const after: Column<P>[] = [
    ...(kind.runs ? [{ name: "Last run", cell: (one: P) => <LastRun pipeline={one} /> }] : []),
    { name: "Acts as", from: "md", cell: (one) => one.owner.name },
  ];
  return (
    <Page title={kind.many} about={kind.about} actions={<Add kind={kind} />}>
      <ResourceList
        of={[kind.resource]}
        read={read}
        columns={[...common, ...columns, ...after]}
        {...useListed(BY_NAME, `Find ${withArticle(kind.one)}`)}
        empty={
          <Empty icon={kind.icon} title={`No ${kind.one} to see yet`}>
            {teach}
          </Empty>
        }
      />
    </Page>
  );
}

/** For who has a layer to add one to; who only sees layers is told why not, and who sees none has nothing to add. */
function Add({ kind }: { kind: Kind }) {
  const layers = useLayers();
  const layer = layers.find((one) => one.actions.includes("add_pipelines")) ?? layers[0];
  if (!layer) return null;
  return (
    <Guarded action="add_pipelines" on={{ type: "layer", id: layer.id }} actions={layer.actions}>
      {(allowed) => (
        <ButtonLink to={kind.add} disabled={!allowed} data-disabled={!allowed || undefined}>
          Add {withArticle(kind.one)}
        </ButtonLink>
      )}
    </Guarded>
  );
}

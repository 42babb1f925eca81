/** The page of a pipeline of any kind: what it is, what can be done with it, and its parts. */
import { Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { History } from "../../audit/History";
import { Fact } from "../../components/Fact";
import { TextLink } from "../../components/links";
import { Page } from "../../components/Page";
import { type Part, Parts } from "../../components/Parts";
import { Facts } from "../../components/ResourcePage";
import { RunsOf } from "../../runs/RunsOf";
import { TriggersOf } from "../../runs/triggers/TriggersOf";
import type { Pipeline } from "./common";
import { action, type Kind } from "./kinds";
import { OnePipeline } from "./OnePipeline";
import { LastRun, PipelineState } from "./PipelineState";
import type { PartName } from "./parted";
import { Restricted } from "./Restricted";
import { Rights } from "./Rights";
import { Tools } from "./Tools";

interface Props<P extends Pipeline> {
  kind: Kind;
  id: string;
  read: (id: string) => Promise<P>;
  shown: PartName | undefined;
  onShow: (part: PartName) => void;
  /** What only this kind has. */
  parts: (pipeline: P) => Part<PartName>[];
  facts: (pipeline: P) => ReactNode;
  tools?: (pipeline: P) => ReactNode;
  /** What has to be done before it can run; nothing if it can. */
  first?: ReactNode;
}

export function PipelineFrame<P extends Pipeline>(props: Props<P>) {
  const { kind, id, read } = props;
  return (
    <OnePipeline kind={kind} id={id} read={read}>
      {(pipeline) => <Shown {...props} pipeline={pipeline} />}
    </OnePipeline>
  );
}

function Shown<P extends Pipeline>(props: Props<P> & { pipeline: P }) {
  const { kind, pipeline, shown, onShow, parts, facts, tools, first } = props;
  const subject = { type: "pipeline", id: pipeline.id, name: pipeline.name };
  const all: Part<PartName>[] = [
    ...parts(pipeline),
    ...(kind.runs
      ? [
          { name: "runs", label: "Runs", show: () => <RunsOf subject={subject} /> } as const,
          {
            name: "triggers",
            label: "Triggers",
            show: () => <TriggersOf subject={subject} edit={action(kind, "edit")} actions={pipeline.actions} />,
          } as const,
        ]
      : []),
    { name: "access", label: "Access", show: () => <Rights kind={kind} pipeline={pipeline} /> },
    { name: "history", label: "History", show: () => <History type={kind.type} id={pipeline.id} /> },
  ];
  return (
    <Page
      title={pipeline.name}
      about={pipeline.description}
      actions={<Tools kind={kind} pipeline={pipeline} more={tools?.(pipeline)} first={first} />}
    >
      {pipeline.last_run?.state === "restricted" && <Restricted kind={kind} pipeline={pipeline} />}
      <Facts>
        <Fact name="State">
          <PipelineState pipeline={pipeline} />
        </Fact>
        {kind.runs && (
          <Fact name="Last run">
            <LastRun pipeline={pipeline} />
          </Fact>
        )}
        <Fact name="Acts as">{pipeline.owner.name}</Fact>
        {facts(pipeline)}
      </Facts>
      <Parts parts={all} shown={shown} onShow={onShow} />
    </Page>
  );
}

/** The table that it writes, once there is one. */
export function Output({ pipeline }: { pipeline: Pipeline }) {
  if (!pipeline.output_layer) return <Text span>–</Text>;
  const name = `${pipeline.output_layer.name}.${pipeline.output_name ?? ""}`;
  if (!pipeline.output_table_id) return <Text span>{name} (made by its first run)</Text>;
  return (
    <TextLink to="/tables/$tableId" params={{ tableId: pipeline.output_table_id }} fw={600}>
      {name}
    </TextLink>
  );
}

/** The tables that it reads. */
export function Inputs({ tables }: { tables: readonly { id: string; name: string }[] }) {
  if (tables.length === 0) return <Text span>–</Text>;
  return (
    <Group gap="sm">
      {tables.map((table) => (
        <TextLink key={table.id} to="/tables/$tableId" params={{ tableId: table.id }} fw={600}>
          {table.name}
        </TextLink>
      ))}
    </Group>
  );
}

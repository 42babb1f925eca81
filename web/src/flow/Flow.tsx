/** Everything that flows, from sources through tables to destinations, with what each last run came to. */
import { Alert, Button, Center, Group, Skeleton, Text } from "@mantine/core";
import { IconRoute } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { api, type Schemas, take } from "../api/client";
import { inTurn } from "../api/turns";
import { Empty } from "../components/Empty";
import { Graph } from "../components/Graph";
import { counted } from "../components/numbers";
import { Page } from "../components/Page";
import { SearchInput } from "../components/SearchInput";
import { Told } from "../components/Told";
import { LayerFilter } from "../lakehouse/LayerFilter";
import { FlowCard, sizeOf } from "./FlowCard";

const route = getRouteApi("/inside/flow");
const MOST = 300;
const SOON = 3_000; // milliseconds, while something runs
const LATER = 30_000;

export function Flow() {
  const { search, layer, around } = route.useSearch();
  const navigate = route.useNavigate();
  const found = useQuery({
    queryKey: ["flow", search, layer, around],
    queryFn: ({ signal }) =>
      inTurn("flow", signal, () =>
        take(api.GET("/api/v1/flow", { params: { query: { search, layer, around, limit: MOST } } })),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (isMoving(state.data) ? SOON : LATER),
  });
  const middle = found.data?.nodes.find((node) => node.id === around);
  return (
    <Page title="Flow" about="Where data comes from, what is made of it, and where it goes, as far as you may see.">
      <Group>
        <SearchInput
          label="Find in the flow"
          value={search}
          set={(value) => navigate({ search: { layer, around, search: value }, replace: true })}
          w={280}
        />
        <LayerFilter
          value={layer}
          onChange={(value) => navigate({ search: { search, around, layer: value }, replace: true })}
        />
        {around && (
          <Button variant="light" onClick={() => navigate({ search: { search, layer } })}>
            {middle ? `Not only around ${middle.name}` : "Show all of it"}
          </Button>
        )}
      </Group>
      <Told error={found.error} />
      {found.isPending && <Skeleton height={420} />}
      {found.data?.truncated && (
        <Alert variant="light" color="orange">
          There is more than the {counted(found.data.nodes.length)} that are drawn. Search, or choose a layer.
        </Alert>
      )}
      {found.data && (
        <Drawn
          flow={found.data}
          around={around}
          narrowed={Boolean(search || layer)}
          isBeforehand={found.isPlaceholderData}
        />
      )}
    </Page>
  );
}

interface Props {
  flow: Schemas["WholeFlowOut"];
  around: string | undefined;
  narrowed: boolean;
  /** What was asked for before, while the answer is on its way. */
  isBeforehand: boolean;
}

function Drawn({ flow, around, narrowed, isBeforehand }: Props) {
  const navigate = route.useNavigate();
  if (flow.nodes.length === 0 && isBeforehand) {
    return (
      <Center py="xl">
        <Text c="dimmed">Looking …</Text>
      </Center>
    );
  }
  if (flow.nodes.length === 0) {
    return (
      <Center py="xl">
        <Empty icon={IconRoute} title={narrowed ? "Nothing here fits that" : "Nothing flows yet that you may see"}>
          {!narrowed &&
            "A source brings data in; queries make tables of it; destinations send them on. They are drawn here."}
        </Empty>
      </Center>
    );
  }
  return (
    <Graph
      label="The whole flow"
      height={640}
      minimap={flow.nodes.length > 40}
      nodes={flow.nodes.map((node) => ({
        id: node.id,
        ...sizeOf(node),
        chosen: node.id === around,
        faint: node.state === "inactive",
        content: (
          <FlowCard node={node} onAround={() => navigate({ search: (before) => ({ ...before, around: node.id }) })} />
        ),
      }))}
      edges={flow.edges.map(({ from, to }) => ({ id: `${from} ${to}`, from, to }))}
    />
  );
}

function isMoving(flow: Schemas["WholeFlowOut"] | undefined): boolean {
  return flow?.nodes.some(({ last_run: run }) => run?.state === "queued" || run?.state === "running") ?? false;
}

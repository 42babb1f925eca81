/** One destination: what it sends, where, and whether that answers. */
import { Alert, Button, Group, Stack } from "@mantine/core";
import { IconPlugConnected } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { api, take } from "../../../api/client";
import { Fact } from "../../../components/Fact";
import { Told } from "../../../components/Told";
import { useOnce } from "../../../runs/once";
import { says } from "../../../runs/outcomes";
import { EditLink } from "../EditLink";
import { DESTINATION } from "../kinds";
import { Inputs, PipelineFrame } from "../PipelineFrame";
import { secretOf } from "../secrets";
import { untilEnded } from "../waiting";
import { type Destination, LABELS, sendsTo, type Target } from "./target";

const route = getRouteApi("/inside/destinations/$pipelineId");

export const readDestination = (pipeline_id: string) =>
  take(api.GET("/api/v1/lakehouse-destinations/{pipeline_id}", { params: { path: { pipeline_id } } }));

export function DestinationPage() {
  const { pipelineId } = route.useParams();
  const { part } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <PipelineFrame
      kind={DESTINATION}
      id={pipelineId}
      read={readDestination}
      shown={part}
      onShow={(name) => navigate({ search: { part: name } })}
      tools={(destination) => <EditLink kind={DESTINATION} pipeline={destination} />}
      facts={(destination) => (
        <Fact name="Sends">{destination.table ? <Inputs tables={[destination.table]} /> : "a table that is gone"}</Fact>
      )}
      parts={(destination) => [{ name: "what", label: "Where to", show: () => <Where destination={destination} /> }]}
    />
  );
}

function Where({ destination }: { destination: Destination }) {
  const target = destination.target as unknown as Target;
  const secret = secretOf(target);
  return (
    <Stack>
      <Group gap="xl">
        <Fact name="To">{LABELS[target.type]}</Fact>
        <Fact name="Where">{sendsTo(target)}</Fact>
        <Fact name="Columns">{destination.columns?.join(", ") ?? "all"}</Fact>
        {target.type === "postgresql" && <Fact name="How">{target.mode}</Fact>}
        {secret && <Fact name={secret}>{destination.has_secret ? "kept, shown to nobody" : "missing"}</Fact>}
      </Group>
      {destination.actions.includes("edit_pipelines") && <Try id={destination.id} />}
    </Stack>
  );
}

function Try({ id }: { id: string }) {
  const attempt = useMutation({
    mutationFn: async () => {
      const params = { path: { pipeline_id: id }, query: { wait: 30 } };
      const tried = await take(api.POST("/api/v1/lakehouse-destinations/{pipeline_id}/test", { params }));
      if (tried.ok !== null) return tried;
      const run = await untilEnded(tried.run_id);
      const ok = run.state === "succeeded";
      return { ...tried, state: run.state, ok, says: ok ? says(run.result) : (run.problem?.message ?? run.state) };
    },
  });
  const tryOnce = useOnce(attempt);
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        variant="default"
        leftSection={<IconPlugConnected size={16} />}
        loading={attempt.isPending}
        onClick={() => tryOnce()}
      >
        Test whether it answers
      </Button>
      <Told error={attempt.error} />
      {attempt.data && (
        <Alert
          color={attempt.data.ok ? "petrol" : "red"}
          variant="light"
          role="status"
          title={attempt.data.ok ? "It answers" : "It does not answer"}
        >
          {attempt.data.says}
        </Alert>
      )}
    </Stack>
  );
}

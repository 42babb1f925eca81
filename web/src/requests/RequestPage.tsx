/** One request: what is asked for and why; decided by those who can give it, withdrawn by who asked. */
import { Button, Group, Paper, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { api, take } from "../api/client";
import { pageAbout } from "../app/pageAbout";
import { Fact } from "../components/Fact";
import { TextLink } from "../components/links";
import { Moment } from "../components/Moment";
import { Page } from "../components/Page";
import { Facts, ResourcePage } from "../components/ResourcePage";
import { Told } from "../components/Told";
import { Decide, useDeciding } from "./Decide";
import { RequestState } from "./RequestState";
import { WhoAsks } from "./WhoAsks";
import { type AccessRequest, inWords } from "./words";

const route = getRouteApi("/inside/requests/$requestId");

export function RequestPage() {
  const { requestId } = route.useParams();
  return (
    <ResourcePage
      query={{
        queryKey: ["access-requests", requestId],
        queryFn: () =>
          take(api.GET("/api/v1/access-requests/{request_id}", { params: { path: { request_id: requestId } } })),
      }}
    >
      {(request) => <Shown request={request} />}
    </ResourcePage>
  );
}

function Shown({ request }: { request: AccessRequest }) {
  const decides = request.actions.includes("decline");
  return (
    <Page title={inWords(request)}>
      <Facts>
        <Fact name="State">
          <RequestState request={request} />
        </Fact>
        <Fact name={request.resource.type === "project" ? "In" : "On"}>
          <About resource={request.resource} />
        </Fact>
        {!decides && <Fact name="Asked by">{request.requester.name}</Fact>}
        <Fact name="Asked">
          <Moment at={request.asked_at} />
        </Fact>
        <Ends request={request} />
      </Facts>
      {decides && <WhoAsks request={request} />}
      <Paper withBorder p="md">
        <Text size="xs" c="dimmed">
          Why
        </Text>
        <Text style={{ whiteSpace: "pre-wrap" }}>{request.reason}</Text>
      </Paper>
      {request.outcome && <Outcome outcome={request.outcome} />}
      {decides && <Decide key={request.version} request={request} />}
      {request.actions.includes("withdraw") && <Withdraw request={request} />}
    </Page>
  );
}

/** What it is about, with the way to it for who sees it. */
function About({ resource }: { resource: AccessRequest["resource"] }) {
  if (resource.id === null) return resource.name;
  return <TextLink {...pageAbout({ type: resource.type, id: resource.id })}>{resource.name}</TextLink>;
}

/** Until when: as it is wanted, and once it is given, as it was given; where the two differ, both. */
function Ends({ request: { state, expires_at: wanted, outcome } }: { request: AccessRequest }) {
  const until = state === "granted" && outcome ? outcome.expires_at : wanted;
  return (
    <>
      <Fact name="Until">
        <End at={until} />
      </Fact>
      {until !== wanted && (
        <Fact name="Asked until">
          <End at={wanted} />
        </Fact>
      )}
    </>
  );
}

function End({ at }: { at: string | null }) {
  return at ? <Moment at={at} exact /> : "for good";
}

function Outcome({ outcome }: { outcome: NonNullable<AccessRequest["outcome"]> }) {
  const given = outcome.level ?? outcome.role;
  return (
    <Paper withBorder p="md">
      <Text>
        <b>{outcome.by}</b> {given ? `gave ${given}` : "declined"}
        {given && (outcome.expires_at ? " until " : " ")}
        {given && <End at={outcome.expires_at} />}
        <Text span size="sm" c="dimmed">
          {" "}
          · <Moment at={outcome.at} />
        </Text>
      </Text>
      {outcome.reason && <Text style={{ whiteSpace: "pre-wrap" }}>{outcome.reason}</Text>}
    </Paper>
  );
}

function Withdraw({ request }: { request: AccessRequest }) {
  const withdraw = useDeciding(request, () =>
    take(
      api.POST("/api/v1/access-requests/{request_id}/withdraw", {
        params: { path: { request_id: request.id }, header: { "If-Match": `"${request.version}"` } },
      }),
    ),
  );
  return (
    <Group>
      <Button variant="default" loading={withdraw.isPending} onClick={() => withdraw.mutate(undefined)}>
        Withdraw it
      </Button>
      <Told error={withdraw.error} />
    </Group>
  );
}

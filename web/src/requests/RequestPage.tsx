/** One request: what is asked for and why; decided by those who can give it, withdrawn by who asked. */
import { Button, Group, NumberInput, Paper, Select, Skeleton, Stack, Text, Textarea } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api, take } from "../api/client";
import { Fact } from "../components/Fact";
import { Moment } from "../components/Moment";
import { Page } from "../components/Page";
import { Told } from "../components/Told";
import { Trouble } from "../components/Trouble";
import { RequestState } from "./RequestState";
import { type AccessRequest, daysFromNow, inWords, LEVELS, type Level, ROLES, type Role } from "./words";

const route = getRouteApi("/inside/requests/$requestId");

export function RequestPage() {
  const { requestId } = route.useParams();
  const found = useQuery({
    queryKey: ["access-requests", requestId],
    queryFn: () =>
      take(api.GET("/api/v1/access-requests/{request_id}", { params: { path: { request_id: requestId } } })),
  });
  if (found.error) return <Trouble error={found.error} />;
  if (!found.data) return <Skeleton height={220} />;
  const request = found.data;
  return (
    <Page title={inWords(request)}>
      <Group gap="xl">
        <Fact name="State">
          <RequestState state={request.state} />
        </Fact>
        <Fact name="Asked by">{request.requester.name}</Fact>
        <Fact name="Asked">
          <Moment at={request.asked_at} />
        </Fact>
        <Fact name="Until">{request.expires_at ? <Moment at={request.expires_at} /> : "for good"}</Fact>
      </Group>
      <Paper withBorder p="md">
        <Text size="xs" c="dimmed">
          Why
        </Text>
        <Text style={{ whiteSpace: "pre-wrap" }}>{request.reason}</Text>
      </Paper>
      {request.outcome && <Outcome outcome={request.outcome} />}
      {request.actions.includes("grant") && <Decide key={request.version} request={request} />}
      {request.actions.includes("withdraw") && <Withdraw request={request} />}
    </Page>
  );
}

function Outcome({ outcome }: { outcome: NonNullable<AccessRequest["outcome"]> }) {
  const given = outcome.level ?? outcome.role;
  return (
    <Paper withBorder p="md">
      <Text>
        <b>{outcome.by}</b> {given ? `gave ${given}` : "declined"}
        {given && (outcome.expires_at ? ", for a time" : ", for good")}, <Moment at={outcome.at} />.
      </Text>
      {outcome.reason && <Text style={{ whiteSpace: "pre-wrap" }}>{outcome.reason}</Text>}
    </Paper>
  );
}

/** What every decision about a request does to what the app knows. */
function useDeciding<Sent>(request: AccessRequest, decide: (sent: Sent) => Promise<AccessRequest>) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: decide,
    onSuccess: async (now) => {
      cache.setQueryData(["access-requests", request.id], now);
      await cache.invalidateQueries({ queryKey: ["access-requests"], refetchType: "none" });
    },
  });
}

function Decide({ request }: { request: AccessRequest }) {
  const [level, setLevel] = useState(request.level);
  const [role, setRole] = useState(request.role);
  const [days, setDays] = useState<number | "" | undefined>(undefined);
  const [reason, setReason] = useState("");
  const path = { request_id: request.id };
  const header = { "If-Match": `"${request.version}"` };
  const grant = useDeciding(request, () =>
    take(
      api.POST("/api/v1/access-requests/{request_id}/grant", {
        params: { path, header },
        body: {
          ...(request.level ? { level } : { role }),
          ...(days === undefined ? {} : { expires_at: daysFromNow(days) }),
        },
      }),
    ),
  );
  const decline = useDeciding(request, () =>
    take(api.POST("/api/v1/access-requests/{request_id}/decline", { params: { path, header }, body: { reason } })),
  );
  return (
    <Paper withBorder p="md">
      <Stack>
        <Group align="flex-end">
          {request.level ? (
            <Select
              label="Level"
              data={LEVELS}
              value={level}
              onChange={(value) => setLevel(value as Level)}
              allowDeselect={false}
            />
          ) : (
            <Select
              label="Role"
              data={ROLES}
              value={role}
              onChange={(value) => setRole(value as Role)}
              allowDeselect={false}
            />
          )}
          <NumberInput
            label="For how many days"
            placeholder="as asked for"
            min={1}
            max={3650}
            allowDecimal={false}
            value={days ?? ""}
            onChange={(value) => setDays(typeof value === "number" ? value : undefined)}
          />
          <Button loading={grant.isPending} onClick={() => grant.mutate(undefined)}>
            Give it
          </Button>
        </Group>
        <Group align="flex-end">
          <Textarea
            label="Or decline, and say why"
            autosize
            maxLength={1000}
            w={420}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Button
            variant="default"
            disabled={reason.trim() === ""}
            loading={decline.isPending}
            onClick={() => decline.mutate(undefined)}
          >
            Decline
          </Button>
        </Group>
        <Told error={grant.error ?? decline.error} />
      </Stack>
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

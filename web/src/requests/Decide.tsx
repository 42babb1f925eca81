/** Deciding a request: what is given and for how long, who gains what by it, or a reasoned no. */
import { Alert, Button, Group, Paper, Select, Stack, Text, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { GainAndLoss } from "../components/GainAndLoss";
import { Until } from "../components/share/Until";
import { Told } from "../components/Told";
import { asChanges, DAYS, firstEnd, lastsLonger } from "./deciding";
import { waitingForMeQuery } from "./waiting";
import { type AccessRequest, daysFromNow, LEVELS, ROLES } from "./words";

export function Decide({ request }: { request: AccessRequest }) {
  return (
    <Paper withBorder p="md" component="section" aria-label="Decide">
      <Stack gap="lg">
        {request.actions.includes("grant") && <Give request={request} />}
        <Decline request={request} />
      </Stack>
    </Paper>
  );
}

/** What every decision about a request does to what the app knows. */
export function useDeciding<Sent>(request: AccessRequest, decide: (sent: Sent) => Promise<AccessRequest>) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: decide,
    onSuccess: async (now) => {
      cache.setQueryData(["access-requests", request.id], now);
      await cache.invalidateQueries({ queryKey: ["access-requests"], refetchType: "none" });
      // On every page stands how many wait.
      await cache.invalidateQueries({ queryKey: waitingForMeQuery.queryKey });
    },
  });
}

function Give({ request }: { request: AccessRequest }) {
  const asked = request.level ?? request.role;
  const first = firstEnd(request);
  const [wanted, setWanted] = useState<string>(asked ?? "");
  const [until, setUntil] = useState<string | null | undefined>(startOf(request, first));
  const grant = useDeciding(request, () =>
    take(
      api.POST("/api/v1/access-requests/{request_id}/grant", {
        params: { path: { request_id: request.id }, header: { "If-Match": `"${request.version}"` } },
        body: {
          resource_id: request.resource.id,
          ...(request.level ? { level: LEVELS.find((one) => one === wanted) } : {}),
          ...(request.role ? { role: ROLES.find((one) => one === wanted) } : {}),
          // Left out, it is as it was asked for, and the server looks whether anything is cut short by it.
          ...(until === request.expires_at ? {} : { expires_at: until }),
        },
      }),
    ),
  );
  const changes = asChanges(request, wanted);
  const cutShort = until !== undefined && lastsLonger(request, until);
  const has = request.standing?.granted;
  return (
    <Stack gap="sm">
      <Group align="flex-end">
        <Select
          label={request.level ? "Level" : "Role"}
          data={request.level ? LEVELS : ROLES}
          value={wanted}
          onChange={(chosen) => setWanted(chosen ?? wanted)}
          allowDeselect={false}
          w={180}
        />
        <Until
          asked={first === "as asked for" ? (request.expires_at ?? undefined) : undefined}
          days={first === "for days" ? DAYS : undefined}
          onChange={setUntil}
        />
      </Group>
      {changes.length > 0 && <GainAndLoss changes={changes} />}
      {changes.length === 0 && <Otherwise request={request} wanted={wanted} />}
      {cutShort && !grant.error && (
        <Alert color="orange" variant="light">
          {request.requester.name} has {has} for longer. {wanted} takes its place, and at its end nothing is left.
        </Alert>
      )}
      <Told error={grant.error} />
      <Button
        disabled={until === undefined}
        loading={grant.isPending}
        onClick={() => grant.mutate(undefined)}
        w="fit-content"
      >
        Give it
      </Button>
    </Stack>
  );
}

function startOf(request: AccessRequest, first: ReturnType<typeof firstEnd>): string | null {
  if (first === "for days") return daysFromNow(DAYS);
  return first === "for good" ? null : request.expires_at;
}

/** Where there is no difference to work out, or nobody to work it out for. */
function Otherwise({ request, wanted }: { request: AccessRequest; wanted: string }) {
  if (request.standing?.granted === wanted) {
    return (
      <Text size="sm">
        {request.requester.name} has {wanted} already; only its end would change.
      </Text>
    );
  }
  if (request.resource.type !== "project") return null;
  return (
    <Text size="sm">
      {request.requester.name} would join the project, and gain all that {wanted} brings there.
    </Text>
  );
}

function Decline({ request }: { request: AccessRequest }) {
  const [reason, setReason] = useState("");
  const decline = useDeciding(request, () =>
    take(
      api.POST("/api/v1/access-requests/{request_id}/decline", {
        params: { path: { request_id: request.id }, header: { "If-Match": `"${request.version}"` } },
        body: { reason },
      }),
    ),
  );
  const label = request.actions.includes("grant") ? "Or decline, and say why" : "Decline, and say why";
  return (
    <Stack gap="sm">
      <Group align="flex-end">
        <Textarea
          label={label}
          autosize
          maxLength={1000}
          w={420}
          maw="100%"
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
      <Told error={decline.error} />
    </Stack>
  );
}

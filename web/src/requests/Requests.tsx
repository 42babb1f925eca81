/** Requests for access: one's own, and those that wait for one's decision. */
import { Button, SegmentedControl, Select } from "@mantine/core";
import { IconMailQuestion } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api, take } from "../api/client";
import { Empty } from "../components/Empty";
import { TextLink } from "../components/links";
import { Moment } from "../components/Moment";
import { useListed } from "../components/narrowing";
import { Page } from "../components/Page";
import { type Column, ResourceList } from "../components/ResourceList";
import { BY_AGE, type ByAge } from "../components/sorting";
import { AskForAccess } from "./AskForAccess";
import { RequestState } from "./RequestState";
import { waitingForMeQuery } from "./waiting";
import { type AccessRequest, inWords, STATES, type State } from "./words";

const route = getRouteApi("/inside/requests");

const COLUMNS: Column<AccessRequest, ByAge>[] = [
  {
    name: "Asked for",
    cell: (request) => (
      <TextLink to="/requests/$requestId" params={{ requestId: request.id }} fw={600}>
        {inWords(request)}
      </TextLink>
    ),
  },
  { name: "State", cell: (request) => <RequestState request={request} /> },
  { name: "By", cell: (request) => request.requester.name },
  { name: "Asked", sort: "-created", cell: (request) => <Moment at={request.asked_at} /> },
];

export function Requests() {
  const { ask, kind, ...looked } = route.useSearch();
  const { which = "mine", state } = looked;
  const navigate = route.useNavigate();
  const look = (by: typeof looked) => navigate({ search: { ...looked, ...by }, replace: true });
  const [asking, setAsking] = useState(false);
  const waiting = useQuery(waitingForMeQuery).data?.count;
  const close = () => {
    setAsking(false);
    if (ask !== undefined) void look({});
  };
  const narrowed = which === "mine" ? { mine: true, state } : { waiting_for_me: true };
  return (
    <Page
      title="Requests"
      about="Ask for what you need; those who can give it decide."
      actions={<Button onClick={() => setAsking(true)}>Ask for access</Button>}
    >
      <ResourceList
        of={["access-requests", which, state]}
        read={(page) => take(api.GET("/api/v1/access-requests", { params: { query: { ...page, ...narrowed } } }))}
        columns={COLUMNS}
        {...useListed(BY_AGE, "Find a request")}
        unfilter={state && (() => navigate({ search: {}, replace: true }))}
        filters={
          <>
            <SegmentedControl
              value={which}
              onChange={(value) => navigate({ search: value === "waiting" ? { which: value } : {}, replace: true })}
              data={[
                { value: "mine", label: "My requests" },
                { value: "waiting", label: waiting ? `Waiting for me (${waiting})` : "Waiting for me" },
              ]}
            />
            {which === "mine" && (
              <Select
                aria-label="State"
                placeholder="Any state"
                clearable
                data={STATES}
                value={state ?? null}
                onChange={(value) => look({ state: (value as State | null) ?? undefined })}
              />
            )}
          </>
        }
        empty={
          which === "mine" ? (
            <Empty icon={IconMailQuestion} title="You have asked for nothing">
              When a table or a project is closed to you, ask for it here by its name.
            </Empty>
          ) : (
            <Empty icon={IconMailQuestion} title="Nothing waits for you" />
          )
        }
      />
      <AskForAccess key={ask} opened={asking || ask !== undefined} onClose={close} named={ask} kind={kind} />
    </Page>
  );
}

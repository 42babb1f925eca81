/** The runs of one thing, as they go. */
import { IconPlayerPlay } from "@tabler/icons-react";
import { api, take } from "../api/client";
import { Empty } from "../components/Empty";
import { useListed } from "../components/narrowing";
import { ResourceList } from "../components/ResourceList";
import { COMMON, NAME } from "./columns";
import { useRunsAsTheyGo } from "./live";
import { RUN_ORDERS } from "./orders";

export function RunsOf({ subject }: { subject: { type: string; id: string } }) {
  useRunsAsTheyGo();
  const query = { subject_type: subject.type, subject_id: subject.id };
  return (
    <ResourceList
      of={["runs", "of", subject.id]}
      read={(page) => take(api.GET("/api/v1/runs", { params: { query: { ...page, ...query } } }))}
      columns={[NAME, ...COMMON]}
      {...useListed(RUN_ORDERS, "Find a run")}
      empty={
        <Empty icon={IconPlayerPlay} title="It has not run yet">
          Run it now, or give it a trigger that does.
        </Empty>
      }
    />
  );
}

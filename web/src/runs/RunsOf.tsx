/** The runs of one thing, as they go. */
import { IconPlayerPlay } from "@tabler/icons-react";
import { api, take } from "../api/client";
import { Empty } from "../components/Empty";
import { ResourceList } from "../components/ResourceList";
import { COMMON, NAME } from "./columns";
import { useRunsAsTheyGo } from "./live";

export function RunsOf({ subject }: { subject: { type: string; id: string } }) {
  useRunsAsTheyGo();
  const query = { subject_type: subject.type, subject_id: subject.id };
  return (
    <ResourceList
      of={["runs", "of", subject.id]}
      read={({ cursor }) => take(api.GET("/api/v1/runs", { params: { query: { ...query, cursor } } }))}
      columns={[NAME, ...COMMON]}
      empty={
        <Empty icon={IconPlayerPlay} title="It has not run yet">
          Run it now, or give it a trigger that does.
        </Empty>
      }
    />
  );
}

/** The audit: everything that was changed, tried and refused, to search and to read; and whether it is whole. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Page } from "../components/Page";
import { mayInTenant, useMe } from "../tenancy/session";
import { ChainState } from "./ChainState";
import { EntryDrawer } from "./EntryDrawer";
import { EntryList } from "./EntryList";
import { type Entry, readEntries } from "./entries";
import { Filters } from "./Filters";
import type { Sought } from "./routes";

const route = getRouteApi("/inside/audit");

export function Audit() {
  const me = useMe();
  const sought = route.useSearch();
  const navigate = route.useNavigate();
  const cache = useQueryClient();
  const seek = (change: Partial<Sought>) => navigate({ search: { ...sought, ...change }, replace: true });
  // Opened from the list it is known already; from an address it is looked up among what that finds.
  const opened = useQuery({
    queryKey: ["audit", "entry", sought.entry],
    queryFn: async () => {
      const { items } = await readEntries(sought, me.time_zone, { limit: 200 });
      return items.find((entry) => entry.id === sought.entry) ?? null;
    },
    enabled: sought.entry !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const open = (entry: Entry) => {
    cache.setQueryData(["audit", "entry", entry.id], entry);
    void navigate({ search: { ...sought, entry: entry.id } }); // a step of its own: Back closes it
  };
  const everything = mayInTenant(me, "see_every_audit_entry");
  return (
    <Page
      title="Audit"
      about={
        everything
          ? "Every change, and everything that was refused."
          : "What you did, what was done to you, and what happened in the projects you look after."
      }
      actions={everything && <ChainState />}
    >
      <EntryList
        sought={sought}
        open={open}
        filters={<Filters sought={sought} seek={seek} />}
        unfilter={() => navigate({ search: {}, replace: true })}
      />
      <EntryDrawer
        entry={sought.entry === undefined ? undefined : (opened.data ?? undefined)}
        onClose={() => seek({ entry: undefined })}
      />
    </Page>
  );
}

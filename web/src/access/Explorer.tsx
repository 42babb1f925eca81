/** The access explorer: the documents' tables, and every question about access with the reason for its answer. */
import { getRouteApi } from "@tanstack/react-router";
import { Page } from "../components/Page";
import { Parts } from "../components/Parts";
import { Check } from "./Check";
import { type Asked, ofItself } from "./routes";
import { Tables } from "./tables/Tables";
import { What } from "./What";
import { Who } from "./Who";
import { WhatIf } from "./what-if/WhatIf";

const route = getRouteApi("/inside/access");

export function Explorer() {
  const asked = route.useSearch();
  const navigate = route.useNavigate();
  const ask = (change: Partial<Asked>) => navigate({ search: { ...asked, ...change }, replace: true });
  const parts = [
    { name: "tables", label: "The tables", show: () => <Tables asked={asked} ask={ask} /> },
    { name: "check", label: "May they, and why", show: () => <Check asked={asked} ask={ask} /> },
    { name: "who", label: "Who can", show: () => <Who asked={asked} ask={ask} /> },
    { name: "what", label: "What can they", show: () => <What asked={asked} ask={ask} /> },
    { name: "what-if", label: "What if", show: () => <WhatIf asked={asked} ask={ask} /> },
  ] as const;
  return (
    <Page title="Access" about="Who may do what, and the row of the permission tables that says so.">
      <Parts parts={parts} shown={asked.part} onShow={(part) => navigate({ search: { ...ofItself(asked), part } })} />
    </Page>
  );
}

/** The palette: from anywhere to any page, and to whatever one may see, by its name. */
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from "@mantine/spotlight";
import {
  IconBriefcase,
  IconDatabase,
  IconFileTypeSql,
  IconFolders,
  IconMailQuestion,
  IconSearch,
  IconStack2,
  IconUser,
  IconUsersGroup,
} from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Schemas, take } from "../api/client";
import { inTurn } from "../api/turns";
import { KINDS } from "../lakehouse/pipelines/kinds";
import { likelyKind } from "../requests/words";
import { viewing } from "../tenancy/viewing";
import { pageAbout } from "./pageAbout";
import type { Place } from "./places";

type Found = Schemas["FoundOut"];

const ICONS: Partial<Record<Found["type"], typeof IconSearch>> = {
  table: IconDatabase,
  layer: IconStack2,
  volume: IconFolders,
  saved_query: IconFileTypeSql,
  project: IconBriefcase,
  member: IconUser,
  group: IconUsersGroup,
};

export function Palette({ places }: { places: readonly Place[] }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const sought = typed.trim();
  const found = useQuery({
    queryKey: ["search", sought],
    queryFn: ({ signal }) =>
      inTurn("search", signal, () => take(api.GET("/api/v1/search", { params: { query: { q: sought, limit: 12 } } }))),
    enabled: sought !== "",
    placeholderData: keepPreviousData,
  });
  const pages: SpotlightActionData[] = places
    .filter((place) => `${place.name} ${place.under}`.toLowerCase().includes(sought.toLowerCase()))
    .map((place) => ({
      id: place.to,
      label: place.name,
      description: place.under,
      leftSection: <place.icon size={18} stroke={1.6} />,
      onClick: () => void navigate({ to: place.to }),
    }));
  const things: SpotlightActionData[] = (sought === "" ? [] : (found.data?.items ?? [])).map((thing) => {
    const Icon = ICONS[thing.type] ?? KINDS.find((kind) => kind.name === thing.type)?.icon ?? IconSearch;
    return {
      id: `${thing.type} ${thing.id}`,
      label: thing.name,
      description: [thing.type.replaceAll("_", " "), thing.about].filter(Boolean).join(" · "),
      leftSection: <Icon size={18} stroke={1.6} />,
      onClick: () => void navigate(pageAbout(thing)),
    };
  });
  const nowhere = sought !== "" && found.isSuccess && !found.isFetching && things.length + pages.length === 0;
  const asking: SpotlightActionData = {
    id: "ask for access",
    label: `Ask for access to ${sought}`,
    description: "Nothing that you may see is called so. Those who can give it decide.",
    leftSection: <IconMailQuestion size={18} stroke={1.6} />,
    onClick: () => void navigate({ to: "/requests", search: { ask: sought, kind: likelyKind(sought) } }),
  };
  const groups: SpotlightActionGroupData[] = [
    { group: "Found", actions: things },
    { group: "Not found", actions: nowhere && !viewing() ? [asking] : [] },
    { group: "Pages", actions: pages },
  ].filter((group) => group.actions.length > 0);
  return (
    <Spotlight
      actions={groups}
      query={typed}
      onQueryChange={setTyped}
      filter={(_, actions) => actions}
      shortcut={["mod + K", "/"]}
      nothingFound={found.isFetching ? "Looking …" : "Nothing that you may see is called so"}
      searchProps={{
        placeholder: "A page, a table, a person, a project …",
        leftSection: <IconSearch size={18} />,
        "aria-label": "Go to",
      }}
      scrollable
      maxHeight={460}
      highlightQuery
    />
  );
}

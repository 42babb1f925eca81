/** The palette: from anywhere to any page, and to whatever one may see, by its name. */
import { Box } from "@mantine/core";
import { Spotlight } from "@mantine/spotlight";
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
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Told } from "../components/Told";
import { KINDS } from "../lakehouse/pipelines/kinds";
import { likelyKind } from "../requests/words";
import { mayInTenant, useMe } from "../tenancy/session";
import { viewing } from "../tenancy/viewing";
import type { Found } from "./narrowing";
import { type Action, PaletteGroup } from "./PaletteGroup";
import { pageAbout } from "./pageAbout";
import { paletteStore } from "./paletteStore";
import type { Place } from "./places";
import { useFound } from "./useFound";
import { usePaletteKeys } from "./usePaletteKeys";

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
  const me = useMe();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const sought = typed.trim();
  const { items, isLooking, isAnswered, error } = useFound(sought);
  const pages = places
    .filter((place) => `${place.name} ${place.under}`.toLowerCase().includes(sought.toLowerCase()))
    .map((place) => ({
      id: place.to,
      label: place.name,
      description: place.under,
      icon: place.icon,
      go: () => void navigate({ to: place.to }),
    }));
  // These stand first whatever is found, so that nobody has to wait for that.
  const meant = pages.filter((page) => page.label.toLowerCase().startsWith(sought.toLowerCase()));
  const things = items.map((thing) => ({
    id: `${thing.type} ${thing.id}`,
    label: thing.name,
    description: [thing.type.replaceAll("_", " "), thing.about].filter(Boolean).join(" · "),
    icon: ICONS[thing.type] ?? KINDS.find((kind) => kind.name === thing.type)?.icon ?? IconSearch,
    go: () => void navigate(pageAbout(thing)),
  }));
  const nowhere = isAnswered && things.length + pages.length === 0;
  const asking: Action = {
    id: "ask for access",
    label: `Ask for access to ${sought}`,
    description: "Nothing that you may see is called so. Those who can give it decide.",
    icon: IconMailQuestion,
    go: () => void navigate({ to: "/requests", search: { ask: sought, kind: likelyKind(sought) } }),
  };
  // Who reads everything sees everything: there is nothing to ask for.
  const asks = nowhere && !viewing() && !mayInTenant(me, "see_every_audit_entry");
  const rest = pages.filter((page) => !meant.includes(page));
  const [first] = [...meant, ...(isLooking ? [] : [...things, ...(asks ? [asking] : []), ...rest])];
  const keys = usePaletteKeys({ sought, isLooking, first: first?.id, isFound: things.length + pages.length > 0 });
  return (
    <Spotlight.Root
      store={paletteStore}
      query={typed}
      onQueryChange={(text) => {
        keys.forget();
        setTyped(text);
      }}
      shortcut="/"
      scrollable
      maxHeight={460}
      attributes={{ content: { "aria-label": "Find anything" } }}
    >
      <Spotlight.Search
        placeholder="A page, a table, a person, a project …"
        leftSection={<IconSearch size={18} />}
        aria-label="Go to"
        onKeyDown={keys.note}
      />
      {error && (
        <Box p="sm">
          <Told error={error} />
        </Box>
      )}
      {things.length + pages.length > 0 || asks ? (
        <Spotlight.ActionsList>
          <PaletteGroup name="Pages" actions={meant} />
          <PaletteGroup name="Found" actions={things} state={isLooking ? "past" : undefined} />
          <PaletteGroup name="Not found" actions={asks ? [asking] : []} />
          <PaletteGroup
            name={meant.length > 0 ? "More pages" : "Pages"}
            actions={rest}
            state={isLooking ? "later" : undefined}
          />
        </Spotlight.ActionsList>
      ) : (
        !error && (
          <Spotlight.Empty>{isAnswered ? "Nothing that you may see is called so" : "Looking …"}</Spotlight.Empty>
        )
      )}
    </Spotlight.Root>
  );
}

/** What happened to one thing, as far as the reader may see it: for its own page. */
import { Group, Stack } from "@mantine/core";
import { useState } from "react";
import { TextLink } from "../components/links";
import { EntryDrawer } from "./EntryDrawer";
import { EntryList } from "./EntryList";
import type { Entry } from "./entries";

export function History({ type, id }: { type: string; id: string }) {
  const [opened, setOpened] = useState<Entry>();
  const sought = { resource_type: type, resource_id: id };
  return (
    <Stack gap="xs">
      <EntryList sought={sought} open={setOpened} ofOne />
      <Group>
        <TextLink to="/audit" search={sought} size="sm">
          See it in the audit
        </TextLink>
      </Group>
      <EntryDrawer entry={opened} onClose={() => setOpened(undefined)} />
    </Stack>
  );
}

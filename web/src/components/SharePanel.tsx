/** Sharing a layer, table or volume: who was given which level, where one's own comes from, giving and taking. */
import { Alert, Button, Drawer, Group, Skeleton, Stack, Text } from "@mantine/core";
import { IconInfoCircle, IconShare } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { inTurn } from "../api/turns";
import { Access } from "../lakehouse/Access";
import { useMe } from "../tenancy/session";
import { viewing } from "../tenancy/viewing";
import { Empty } from "./Empty";
import { SearchInput } from "./SearchInput";
import { GiveLevel } from "./share/GiveLevel";
import { GrantRow } from "./share/GrantRow";
import { type Grant, listGrants, MANAGE, type On } from "./share/grants";
import type { Sharing } from "./share/sharing";
import { Told } from "./Told";
import { Guarded } from "./Why";

const FEW = 5; // grants are looked over, more are searched

interface Props {
  on: On;
  /** What the API says the caller may do with it. */
  actions: readonly string[];
}

export function SharePanel({ on, actions }: Props) {
  const navigate = useNavigate();
  const opened = useSearch({ strict: false, select: ({ share }: Sharing) => share === true });
  const show = (share?: true) =>
    navigate({ to: ".", search: (before) => ({ ...before, share, holder: undefined }), replace: !share });
  const close = () => show();
  return (
    <>
      <Button variant="default" leftSection={<IconShare size={16} />} onClick={() => show(true)}>
        Share
      </Button>
      <Drawer opened={opened} onClose={close} position="right" size="lg" title={`Who reaches ${on.name}`}>
        {opened && (
          <Stack gap="lg" pb="xl">
            <Access on={on} />
            {actions.includes(MANAGE) ? <Levels on={on} actions={actions} /> : <NotTheirs on={on} actions={actions} />}
          </Stack>
        )}
      </Drawer>
    </>
  );
}

/** Who may not hand out levels sees their own, and why not. */
function NotTheirs({ on, actions }: Props) {
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        Who else reaches this {on.type} is for those to see who may share it.
      </Text>
      <Guarded action={MANAGE} on={on} actions={actions}>
        {(allowed) => (
          <Button disabled={!allowed} variant="default">
            Give access
          </Button>
        )}
      </Guarded>
    </Stack>
  );
}

function Levels({ on, actions }: Props) {
  const me = useMe();
  const navigate = useNavigate();
  const sought = useSearch({ strict: false, select: ({ holder }: Sharing) => holder });
  const seek = (holder?: string) => navigate({ to: ".", search: (before) => ({ ...before, holder }), replace: true });
  const list = useInfiniteQuery({
    queryKey: [`${on.type}s`, on.id, "grants", sought ?? ""],
    queryFn: ({ pageParam, signal }) =>
      inTurn(`grants on ${on.id}`, signal, () => listGrants(on, { cursor: pageParam, search: sought })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  if (list.error) return <Told error={list.error} />;
  if (!list.data) return <Skeleton height={180} />;
  const grants = list.data.pages.flatMap((page) => page.items);
  const note = list.data.pages[0]?.note;
  const own = grants.filter((grant) => grant.on === on.type);
  const above = grants.filter((grant) => grant.on !== on.type);
  const asleep = me.tenant.plan === "starter";
  return (
    <>
      {asleep ? (
        <Alert
          variant="light"
          color="gray"
          icon={<IconInfoCircle size={18} />}
          title="Levels sleep on the plan starter"
        >
          {note}
        </Alert>
      ) : (
        !viewing() && <GiveLevel on={on} actions={actions} />
      )}
      {(sought || list.hasNextPage || grants.length > FEW) && (
        <SearchInput value={sought} set={seek} label="Find who was given a level" />
      )}
      <Listed title={`Given on this ${on.type}`} grants={own} on={on} actions={actions} />
      {above.length > 0 && (
        <Listed title="Given on its layer, and so here too" grants={above} on={on} actions={actions} />
      )}
      {grants.length === 0 && sought && (
        <Group>
          <Text c="dimmed">Nobody is called so.</Text>
          <Button variant="default" size="compact-sm" onClick={() => seek(undefined)}>
            Clear the search
          </Button>
        </Group>
      )}
      {grants.length === 0 && !sought && !asleep && (
        <Group justify="center">
          <Empty icon={IconShare} title="Nobody was given a level yet">
            Give one to a person, or to a group if several people do the same work.
          </Empty>
        </Group>
      )}
      {list.hasNextPage && (
        <Button
          variant="default"
          loading={list.isFetchingNextPage}
          onClick={() => list.fetchNextPage()}
          w="fit-content"
        >
          Show more
        </Button>
      )}
      {!asleep && note && (
        <Text size="sm" c="dimmed">
          {note}
        </Text>
      )}
    </>
  );
}

function Listed({ title, grants, on, actions }: Props & { title: string; grants: readonly Grant[] }) {
  if (grants.length === 0) return null;
  return (
    <section aria-label={title}>
      <Text fw={600} pb="xs">
        {title}
      </Text>
      <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
        {grants.map((grant) => (
          <GrantRow key={grant.id} grant={grant} on={on} actions={actions} />
        ))}
      </Stack>
    </section>
  );
}

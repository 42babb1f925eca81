/** A level that somebody was given: changed or taken here, and who loses what by it is seen before. */
import { Avatar, Badge, Button, Group, Paper, Stack, Text } from "@mantine/core";
import { IconUsersGroup } from "@tabler/icons-react";
import { useState } from "react";
import { viewing } from "../../tenancy/viewing";
import { GainAndLoss } from "../GainAndLoss";
import { Moment } from "../Moment";
import { Told } from "../Told";
import { LevelSelect } from "./GiveLevel";
import { asChange, type Grant, holderOf, type Level, type On, useChange, useTake } from "./grants";
import { Until } from "./Until";

interface Props {
  grant: Grant;
  on: On;
  actions: readonly string[];
}

export function GrantRow({ grant, on, actions }: Props) {
  const [doing, setDoing] = useState<"change" | "take">();
  const { holder } = grant;
  const done = () => setDoing(undefined);
  return (
    <Paper withBorder p="sm" component="li" aria-label={holder.name}>
      <Group wrap="nowrap" gap="sm" align="flex-start">
        <Avatar name={holder.kind === "member" ? holder.name : undefined} color="petrol" size={34} aria-hidden>
          {holder.kind === "group" && <IconUsersGroup size={18} />}
        </Avatar>
        <Stack gap={2} flex={1} miw={0}>
          <Group gap="xs">
            <Text fw={600}>{holder.name}</Text>
            <Badge variant="light" tt="none" color={grant.level === "Viewer" ? "gray" : "petrol"}>
              {grant.level}
            </Badge>
          </Group>
          <Text size="sm" c="dimmed" component="div">
            {holder.kind === "group" ? "group · " : holder.email && `${holder.email} · `}
            {grant.expires_at ? (
              <>
                ends <Moment at={grant.expires_at} />
              </>
            ) : (
              "for good"
            )}
            {grant.granted_by && ` · by ${grant.granted_by}`}
          </Text>
        </Stack>
        {grant.actions.length > 0 && doing === undefined && !viewing() && (
          <Group gap={4} wrap="nowrap">
            <Button size="compact-sm" variant="subtle" onClick={() => setDoing("change")}>
              Change
            </Button>
            <Button size="compact-sm" variant="subtle" color="red" onClick={() => setDoing("take")}>
              Take
            </Button>
          </Group>
        )}
      </Group>
      {doing === "change" && <ChangeIt grant={grant} on={on} actions={actions} done={done} />}
      {doing === "take" && <TakeIt grant={grant} on={on} done={done} />}
    </Paper>
  );
}

function ChangeIt({ grant, on, actions, done }: Props & { done: () => void }) {
  const [level, setLevel] = useState<Level>(grant.level);
  const [until, setUntil] = useState<string | null>();
  const change = useChange(on, grant, done);
  const other = level !== grant.level;
  return (
    <Stack gap="sm" pt="sm">
      <Group align="flex-end" gap="sm">
        <LevelSelect value={level} onChange={setLevel} actions={actions} />
        <Until now={grant.expires_at} onChange={setUntil} />
      </Group>
      {other && <GainAndLoss changes={[asChange("change_level", on, holderOf(grant), level)]} />}
      <Told error={change.error} />
      <Group gap="xs">
        <Button
          size="xs"
          disabled={!other && until === undefined}
          loading={change.isPending}
          onClick={() => change.mutate({ ...(other && { level }), ...(until !== undefined && { expires_at: until }) })}
        >
          Save
        </Button>
        <Button size="xs" variant="default" onClick={done}>
          Keep it
        </Button>
      </Group>
    </Stack>
  );
}

function TakeIt({ grant, on, done }: Omit<Props, "actions"> & { done: () => void }) {
  const take = useTake(on, grant, done);
  return (
    <Stack gap="sm" pt="sm">
      <GainAndLoss changes={[asChange("take_level", on, holderOf(grant))]} />
      <Told error={take.error} />
      <Group gap="xs">
        <Button size="xs" color="#c92a2a" loading={take.isPending} onClick={() => take.mutate(undefined)}>
          Take {grant.level} from {grant.holder.name}
        </Button>
        <Button size="xs" variant="default" onClick={done}>
          Keep it
        </Button>
      </Group>
    </Stack>
  );
}

/** Name and time zone, as others see the one and the app uses the other. */
import { Button, Select, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, take } from "../../api/client";
import { Told } from "../../components/Told";
import { meQuery, useMe } from "../session";

const ZONES = Intl.supportedValuesOf("timeZone");

export function Profile() {
  const me = useMe();
  const cache = useQueryClient();
  const [name, setName] = useState(me.name);
  const [zone, setZone] = useState(me.time_zone);
  const save = useMutation({
    mutationFn: () =>
      take(
        api.PATCH("/api/v1/me", {
          params: { header: { "If-Match": `"${me.version}"` } },
          body: { name, time_zone: zone },
        }),
      ),
    onSuccess: (now) => {
      cache.setQueryData(meQuery.queryKey, now);
      notifications.show({ message: "Your profile is saved." });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={420}>
        <TextInput
          label="Name"
          name="name"
          required
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label="Time zone"
          name="time_zone"
          description="Times are shown in it, and schedules begin with it."
          data={ZONES.includes(zone) ? ZONES : [zone, ...ZONES]}
          value={zone}
          onChange={(value) => setZone(value ?? zone)}
          searchable
          allowDeselect={false}
        />
        <Text size="sm" c="dimmed">
          {me.email} · tenant role: {me.tenant_role}
          {me.groups.length > 0 && ` · groups: ${me.groups.map((group) => group.name).join(", ")}`}
        </Text>
        <Told error={save.error} />
        <Button type="submit" loading={save.isPending} w="fit-content">
          Save
        </Button>
      </Stack>
    </form>
  );
}

/** Asking for a level or a role: on what, which, why, and for how long. */
import { Button, Modal, NumberInput, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api, type Schemas, take } from "../api/client";
import { Told } from "../components/Told";
import { daysFromNow, type Kind, LEVELS, type Level, ROLES, type Role } from "./words";

const TYPES: { value: Kind; label: string }[] = [
  { value: "table", label: "A table" },
  { value: "volume", label: "A volume" },
  { value: "layer", label: "A layer" },
  { value: "project", label: "A project" },
];
const NAMED: Record<Kind, string> = { table: "raw.orders", volume: "raw.uploads", layer: "raw", project: "Sales" };

interface Props {
  opened: boolean;
  onClose: () => void;
  /** What a refusal said could be asked for: a thing that is seen, and what is missing on it. */
  wanted?: Schemas["RequestableOut"];
  /** The name of something that is not seen, and so has none but its name; a table unless another kind is said. */
  named?: string;
  kind?: Kind;
  /** What happens once it is asked for; without it, one is shown the request. */
  onAsked?: (asked: Schemas["AccessRequestOut"]) => void;
}

export function AskForAccess({ opened, onClose, wanted, named, kind = "table", onAsked }: Props) {
  const [type, setType] = useState<Kind>((wanted?.resource.type as Kind | undefined) ?? kind);
  const [name, setName] = useState(wanted?.resource.name ?? named ?? "");
  const [level, setLevel] = useState<Level>(wanted?.level ?? "Viewer");
  const [role, setRole] = useState<Role>(wanted?.role ?? "Business User");
  const [reason, setReason] = useState("");
  const [days, setDays] = useState<number | "">(30);
  const cache = useQueryClient();
  const navigate = useNavigate();
  const ask = useMutation({
    mutationFn: () =>
      take(
        api.POST("/api/v1/access-requests", {
          body: {
            resource: wanted ? { type, id: wanted.resource.id } : { type, name },
            ...(type === "project" ? { role } : { level }),
            reason,
            expires_at: daysFromNow(days),
          },
        }),
      ),
    onSuccess: async (asked) => {
      await cache.invalidateQueries({ queryKey: ["access-requests"] });
      onClose();
      if (onAsked) onAsked(asked);
      else await navigate({ to: "/requests/$requestId", params: { requestId: asked.id } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask.mutate();
  };
  return (
    <Modal opened={opened} onClose={onClose} title="Ask for access">
      <form onSubmit={submit}>
        <Stack>
          <Select
            label="Of what"
            data={TYPES}
            value={type}
            onChange={(value) => setType((value ?? "table") as Kind)}
            allowDeselect={false}
            disabled={wanted !== undefined}
          />
          <TextInput
            label="Its name"
            name="resource"
            description={type === "table" || type === "volume" ? `With its layer, as in ${NAMED[type]}.` : undefined}
            placeholder={NAMED[type]}
            required
            data-autofocus
            disabled={wanted !== undefined}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {type === "project" ? (
            <Select
              label="Role"
              name="role"
              data={ROLES}
              value={role}
              onChange={(value) => setRole((value ?? "Business User") as Role)}
              allowDeselect={false}
            />
          ) : (
            <Select
              label="Level"
              name="level"
              data={LEVELS}
              value={level}
              onChange={(value) => setLevel((value ?? "Viewer") as Level)}
              allowDeselect={false}
            />
          )}
          <NumberInput
            label="For how many days"
            name="expires_at"
            description="Leave it empty if you need it for good."
            min={1}
            max={3650}
            allowDecimal={false}
            value={days}
            onChange={(value) => setDays(typeof value === "number" ? value : "")}
          />
          <Textarea
            label="Why"
            name="reason"
            description="For whoever decides."
            required
            autosize
            minRows={2}
            maxLength={1000}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Told error={ask.error} />
          <Button type="submit" loading={ask.isPending}>
            Ask
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}

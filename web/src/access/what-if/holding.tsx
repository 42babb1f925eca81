/** On what and by whom a level or a role is held, and which switch is turned. */
import { Select, Switch } from "@mantine/core";
import { GroupPicker, MemberPicker } from "../../components/Pickers";
import { Stored } from "./choosing";
import { type Draft, SWITCHES } from "./kinds";
import type { FieldProps } from "./OneField";

export function Target({ draft, fill }: FieldProps) {
  return (
    <>
      <Select
        label="On"
        data={["table", "layer", "volume"] satisfies Draft["targetType"][]}
        value={draft.targetType}
        onChange={(type) => fill({ targetType: (type ?? "table") as Draft["targetType"], target: undefined })}
        allowDeselect={false}
        w={110}
      />
      <Stored
        key={draft.targetType}
        type={draft.targetType}
        label="Which one"
        value={draft.target}
        onChange={(target) => fill({ target })}
      />
    </>
  );
}

export function Holder({ draft, fill }: FieldProps) {
  return (
    <>
      <Select
        label="Held by"
        data={[
          { value: "member", label: "a person" },
          { value: "group", label: "a group" },
        ]}
        value={draft.holderKind}
        onChange={(kind) => fill({ holderKind: (kind ?? "member") as Draft["holderKind"] })}
        allowDeselect={false}
        w={110}
      />
      {draft.holderKind === "member" ? <Member draft={draft} fill={fill} /> : <TheGroup draft={draft} fill={fill} />}
    </>
  );
}

export function Member({ draft, fill }: FieldProps) {
  const set = (member: string | null) => fill({ member: member ?? undefined });
  return <MemberPicker label="Who" value={draft.member ?? null} onChange={set} w={240} />;
}

export function TheGroup({ draft, fill }: FieldProps) {
  const set = (group: string | null) => fill({ group: group ?? undefined });
  return <GroupPicker label="Group" value={draft.group ?? null} onChange={set} w={240} />;
}

export function TheSwitch({ draft, fill }: FieldProps) {
  return (
    <>
      <Select
        label="Switch"
        placeholder="Choose one"
        data={SWITCHES}
        value={draft.switch ?? null}
        onChange={(value) => fill({ switch: (value ?? undefined) as Draft["switch"] })}
        w={300}
      />
      <Switch label="on" checked={draft.on} onChange={(event) => fill({ on: event.currentTarget.checked })} mt={32} />
    </>
  );
}

/** What a kind of change takes, each to be filled in by itself. */
import { MultiSelect } from "@mantine/core";
import { LEVELS, ROLES } from "../../requests/words";
import { Choice, Stored } from "./choosing";
import { DescribedChange } from "./DescribedChange";
import { Holder, Member, Target, TheGroup, TheSwitch } from "./holding";
import type { Draft, Field } from "./kinds";

const TENANT_ROLES = ["none", "viewer", "editor", "admin", "owner"] as const;
const SECURITY_ROLES = ["data admin", "data space creator"] as const;
const PLANS = ["starter", "growth", "custom"] as const;

export interface FieldProps {
  draft: Draft;
  fill: (more: Partial<Draft>) => void;
}

export function OneField({ field, draft, fill }: FieldProps & { field: Field }) {
  switch (field) {
    case "project":
      return <Stored type="project" label="Project" value={draft.project} onChange={(project) => fill({ project })} />;
    case "target":
      return <Target draft={draft} fill={fill} />;
    case "holder":
      return <Holder draft={draft} fill={fill} />;
    case "member":
      return <Member draft={draft} fill={fill} />;
    case "group":
      return <TheGroup draft={draft} fill={fill} />;
    case "role":
      return <Choice label="Role" of={ROLES} value={draft.role} onChange={(role) => fill({ role })} />;
    case "level":
      return <Choice label="Level" of={LEVELS} value={draft.level} onChange={(level) => fill({ level })} />;
    case "tenantRole":
      return (
        <Choice
          label="Role"
          of={TENANT_ROLES}
          value={draft.tenantRole}
          onChange={(tenantRole) => fill({ tenantRole })}
        />
      );
    case "plan":
      return <Choice label="Plan" of={PLANS} value={draft.plan} onChange={(plan) => fill({ plan })} />;
    case "securityRoles":
      return (
        <MultiSelect
          label="All they would have"
          placeholder={draft.securityRoles.length > 0 ? undefined : "none"}
          data={SECURITY_ROLES}
          value={draft.securityRoles}
          onChange={(securityRoles) => fill({ securityRoles: securityRoles as Draft["securityRoles"] })}
          w={260}
        />
      );
    case "switch":
      return <TheSwitch draft={draft} fill={fill} />;
    case "resource":
      return <DescribedChange draft={draft} fill={fill} />;
  }
}

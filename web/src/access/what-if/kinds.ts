/** The changes one can ask about: what each of them takes, and the question it becomes. */
import type { Schemas } from "../../api/client";
import type { Change } from "../../components/GainAndLoss";

export type Kind = Change["change"];
export type Field =
  | "project"
  | "target"
  | "holder"
  | "member"
  | "group"
  | "role"
  | "tenantRole"
  | "securityRoles"
  | "level"
  | "plan"
  | "switch"
  | "resource";

/** What was filled in so far, of whatever kind of change. */
export interface Draft {
  project?: string;
  targetType: "layer" | "table" | "volume";
  target?: string;
  holderKind: "member" | "group";
  member?: string;
  group?: string;
  role?: Schemas["IfProjectRole"]["role"];
  tenantRole?: Schemas["IfTenantRole"]["role"];
  securityRoles: Schemas["IfSecurityRoles"]["roles"];
  level?: Schemas["IfLevel"]["level"];
  plan?: Schemas["IfPlan"]["plan"];
  switch?: Schemas["IfSwitch"]["switch"];
  on: boolean;
  type?: string;
  properties?: Record<string, unknown>;
  different?: Record<string, unknown>;
}

export const EMPTY: Draft = { targetType: "table", holderKind: "member", securityRoles: [], on: true };

export const KINDS: Record<Kind, { label: string; about: string; takes: readonly Field[] }> = {
  give_level: { label: "Give a level", about: "Data", takes: ["target", "holder", "level"] },
  change_level: { label: "Change a level", about: "Data", takes: ["target", "holder", "level"] },
  take_level: { label: "Take a level", about: "Data", takes: ["target", "holder"] },
  grant_project_role: { label: "Give a role in a project", about: "Projects", takes: ["project", "holder", "role"] },
  change_project_role: { label: "Change a role in a project", about: "Projects", takes: ["project", "holder", "role"] },
  revoke_project_role: { label: "Take a role in a project", about: "Projects", takes: ["project", "holder"] },
  project_switch: { label: "Turn a project's switch", about: "Projects", takes: ["project", "switch"] },
  tenant_role: { label: "Another tenant role", about: "People", takes: ["member", "tenantRole"] },
  security_roles: { label: "Other security roles", about: "People", takes: ["member", "securityRoles"] },
  add_to_group: { label: "Put into a group", about: "People", takes: ["group", "member"] },
  remove_from_group: { label: "Take out of a group", about: "People", takes: ["group", "member"] },
  plan: { label: "Another plan", about: "People", takes: ["plan"] },
  resource: { label: "A described thing, different", about: "What is described", takes: ["resource"] },
};

export const SWITCHES: { value: Schemas["IfSwitch"]["switch"]; label: string }[] = [
  { value: "technical_users_control_all_reports", label: "Technical Users control all reports" },
  { value: "ownership_adds_to_availability", label: "Ownership adds to availability" },
];

/** The change, once everything that it takes is there. */
export function changeOf(kind: Kind, draft: Draft): Change | undefined {
  const holder = draft.holderKind === "member" ? draft.member && { member: draft.member } : asGroup(draft);
  switch (kind) {
    case "give_level":
    case "change_level":
    case "take_level": {
      const level = kind === "take_level" ? {} : draft.level && { level: draft.level };
      if (!draft.target || !holder || !level) return undefined;
      return { change: kind, [draft.targetType]: draft.target, ...holder, ...level };
    }
    case "grant_project_role":
    case "change_project_role":
    case "revoke_project_role": {
      const role = kind === "revoke_project_role" ? {} : draft.role && { role: draft.role };
      if (!draft.project || !holder || !role) return undefined;
      return { change: kind, project: draft.project, ...holder, ...role };
    }
    case "project_switch":
      if (!draft.project || !draft.switch) return undefined;
      return { change: kind, project: draft.project, switch: draft.switch, on: draft.on };
    case "tenant_role":
      return draft.member && draft.tenantRole
        ? { change: kind, member: draft.member, role: draft.tenantRole }
        : undefined;
    case "security_roles":
      return draft.member ? { change: kind, member: draft.member, roles: draft.securityRoles } : undefined;
    case "add_to_group":
    case "remove_from_group":
      return draft.group && draft.member ? { change: kind, group: draft.group, member: draft.member } : undefined;
    case "plan":
      return draft.plan && { change: kind, plan: draft.plan };
    case "resource": {
      const { type, properties, different } = draft;
      if (!type || !properties || !different) return undefined;
      return { change: kind, resource: { type, properties }, properties: different };
    }
  }
}

function asGroup({ group }: Draft) {
  return group && { group };
}

/** A change that is asked about, as a sentence; the address knows ids only. */
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../api/client";
import type { Change } from "../../components/GainAndLoss";
import { typeInWords } from "../known";
import { nameOf } from "../ResourcePicker";
import { KINDS, SWITCHES } from "./kinds";

export function ChangeInWords({ change }: { change: Change }) {
  return (
    <Text size="sm" component="div">
      {KINDS[change.change]?.label ?? change.change}: <Details change={change} />
    </Text>
  );
}

function Details({ change }: { change: Change }) {
  switch (change.change) {
    case "plan":
      return <b>{change.plan}</b>;
    case "tenant_role":
      return (
        <>
          <Called type="member" id={change.member} /> would be <b>{change.role}</b>
        </>
      );
    case "security_roles":
      return (
        <>
          <Called type="member" id={change.member} /> would have <b>{change.roles.join(" and ") || "none"}</b>
        </>
      );
    case "add_to_group":
    case "remove_from_group":
      return (
        <>
          <Called type="member" id={change.member} />, <Called type="group" id={change.group} />
        </>
      );
    case "project_switch":
      return (
        <>
          <Called type="project" id={change.project} />,{" "}
          {SWITCHES.find((one) => one.value === change.switch)?.label ?? change.switch}:{" "}
          <b>{change.on ? "on" : "off"}</b>
        </>
      );
    case "resource":
      return (
        <>
          {typeInWords(change.resource.type)}, {JSON.stringify(change.properties)}
        </>
      );
    default:
      return <Held change={change} />;
  }
}

/** A level or a role that somebody would have, or no longer have. */
function Held({ change }: { change: Schemas["IfProjectRole"] | Schemas["IfLevel"] }) {
  const given = "level" in change ? change.level : "role" in change ? change.role : undefined;
  return (
    <>
      {given && <b>{given} </b>}
      {"project" in change && <Called type="project" id={change.project} />}
      {(["layer", "table", "volume"] as const).map((type) => {
        const id = type in change ? (change as Partial<Record<typeof type, string | null>>)[type] : undefined;
        return id && <Called key={type} type={type} id={id} />;
      })}
      , {change.member && <Called type="member" id={change.member} />}
      {change.group && <Called type="group" id={change.group} />}
    </>
  );
}

/** What it is called; its id, or the address somebody was named by, until that is known. */
function Called({ type, id }: { type: string; id: string }) {
  const named = useQuery({
    queryKey: ["access", "find", type, "called", id],
    queryFn: () => nameOf(type, id),
    enabled: !id.includes("@"),
    retry: false,
  });
  return (
    <span>
      {typeInWords(type)} <b>{named.data ?? id}</b>
    </span>
  );
}

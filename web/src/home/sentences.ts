/** What somebody did to one's own access, as a sentence to oneself. */
import type { Schemas } from "../api/client";

type Entry = Schemas["EntryOut"];

export function inASentence(entry: Entry): string {
  const who = entry.actor?.name ?? "The platform itself";
  const what = entry.resource_name;
  const now = (name: string) => String(entry.after?.[name] ?? "");
  const before = (name: string) => String(entry.before?.[name] ?? "");
  const forATime = entry.after?.expires_at ? ", for a time" : "";
  const [kind, where] = entry.after?.level ? ["level", "on"] : ["role", "in"];
  const asked = before(kind);
  const asAsked = !asked || asked === now(kind) ? "as you had asked" : `where you had asked for ${asked}`;
  const sentences: Record<string, string> = {
    add_member: entry.actor ? `${who} added you to the platform` : "You were the first to be here",
    confirm_member: `${who} confirmed you`,
    give_level: `${who} gave you ${now("level")} on ${what}${forATime}`,
    change_level: `${who} changed your level on ${what} to ${now("level")}`,
    take_level: `${who} took your level on ${what}`,
    end_level: `The time of your level ${before("level")} on ${what} is over`,
    end_project_role: `The time of your role ${before("role")} in ${what} is over`,
    invite_to_project: `${who} invited you to ${what} as ${now("role")}`,
    change_project_role: `${who} changed your role in ${what} to ${now("role")}`,
    add_to_group: `${who} added you to the group ${what}`,
    remove_from_group: `${who} took you out of the group ${what}`,
    change_tenant_role: `${who} changed your tenant role to ${now("tenant_role")}`,
    remove_project_member: `${who} took you out of ${what}`,
    grant_access_request: `${who} gave you ${now(kind)} ${where} ${what}, ${asAsked}${forATime}`,
    decline_access_request: `${who} declined your request for ${what}: ${now("answer")}`,
    view_as: `${who} looked at the platform as you see it`,
    end_view_as: `${who} stopped looking at the platform as you see it`,
    make_magic_link: `${who} made a sign-in link for you`,
    reset_password: `${who} reset your password`,
    add_notification_receiver: `${who} chose you to be told of runs in ${what}`,
    remove_notification_receiver: `${who} chose that you are no longer told of runs in ${what}`,
    change_security_roles: `${who} changed your security roles`,
    grant_security_roles: `${who} changed your security roles`,
    suspend_member: `${who} suspended you`,
    reactivate_member: `${who} let you in again`,
  };
  return sentences[entry.action] ?? `${who} ${entry.said}: ${what}`;
}

/** What a group that one is in was given, as a sentence to oneself; All is everybody. */
export function givenToGroup(given: Schemas["GivenOut"]): string {
  const to = given.group.name === "All" ? "everybody" : `your group ${given.group.name}`;
  const where = given.resource_type === "project" ? "in" : "on";
  const forATime = given.expires_at ? ", for a time" : "";
  return `${given.by?.name ?? "The platform itself"} gave ${to} ${given.given} ${where} ${given.resource_name}${forATime}`;
}

/** What was given by granting a request is told once, as the answer that it is. */
export function toldOnce(entries: readonly Entry[]): Entry[] {
  const answers = entries.filter((entry) => entry.action === "grant_access_request");
  return entries.filter((entry) => !answers.some((one) => one !== entry && one.request_id === entry.request_id));
}

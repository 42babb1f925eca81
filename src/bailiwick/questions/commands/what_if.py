"""`bailiwick access what-if`: who would gain and lose what if something were changed."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from bailiwick.cli import find
from bailiwick.cli.command import Here, command
from bailiwick.cli.output import Item, print_json
from bailiwick.cli.roles import role_named
from bailiwick.cli.text import words
from bailiwick.questions.commands.asking import app
from bailiwick.questions.commands.resources import json_typed, resource_typed

THEN = {"restricted": "would end restricted", "works again": "would work again"}


@command(
    app,
    "what-if",
    routes=["POST /api/v1/access/what-if"],
    examples=[
        "bailiwick access what-if --tenant-role bo@example.com=admin",
        "bailiwick access what-if --grant 'Sales:group:Finance=Business User' --take Finance:bo@example.com",
        "bailiwick access what-if --plan starter --on project:Sales",
        "bailiwick access what-if --give raw.orders:group:Finance=Editor --take-level raw:bo@example.com",
        "bailiwick access what-if --change @change.json --json",
    ],
)
def what_if(
    here: Here,
    tenant_role: Annotated[list[str] | None, typer.Option(metavar="MEMBER=ROLE", help="Another tenant role.")] = None,
    security_roles: Annotated[
        list[str] | None, typer.Option(metavar="MEMBER=ROLE,ROLE", help="Exactly these security roles.")
    ] = None,
    grant: Annotated[
        list[str] | None, typer.Option(metavar="PROJECT:WHO=ROLE", help="A new role; WHO is a member or group:NAME.")
    ] = None,
    change_role: Annotated[
        list[str] | None, typer.Option(metavar="PROJECT:WHO=ROLE", help="Another role in place of the granted one.")
    ] = None,
    revoke: Annotated[list[str] | None, typer.Option(metavar="PROJECT:WHO", help="The granted role taken.")] = None,
    put: Annotated[list[str] | None, typer.Option(metavar="GROUP:MEMBER", help="A member put into a group.")] = None,
    take: Annotated[list[str] | None, typer.Option(metavar="GROUP:MEMBER", help="A member out of a group.")] = None,
    plan: Annotated[Literal["starter", "growth", "custom"] | None, typer.Option(help="Another plan.")] = None,
    switch: Annotated[
        list[str] | None, typer.Option(metavar="PROJECT:SWITCH=on", help="A project's switch set on or off.")
    ] = None,
    give: Annotated[
        list[str] | None,
        typer.Option(metavar="WHERE:WHO=LEVEL", help="A level given; WHERE is raw, raw.orders or volume:raw.files."),
    ] = None,
    change_level: Annotated[
        list[str] | None, typer.Option(metavar="WHERE:WHO=LEVEL", help="Another level in place of the given one.")
    ] = None,
    take_level: Annotated[list[str] | None, typer.Option(metavar="WHERE:WHO", help="The given level taken.")] = None,
    change: Annotated[
        list[str] | None, typer.Option(metavar="JSON", help="Any change as the API takes it: JSON, or @ and a file.")
    ] = None,
    on: Annotated[list[str] | None, typer.Option(metavar="RESOURCE", help="Compare on this as well.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=1000, help="How many differences at most.")] = 200,
) -> None:
    """Ask who would gain and lose what if something were changed. Nothing is.

    Every option can be given several times; all changes count together."""
    changes: list[dict[str, Any]] = [
        *({"change": "tenant_role", "member": find.member(here, a), "role": b} for a, b in _pairs(tenant_role, "=")),
        *(
            {
                "change": "security_roles",
                "member": find.member(here, a),
                "roles": [r.strip() for r in b.split(",") if r],
            }
            for a, b in _pairs(security_roles, "=")
        ),
        *(_grant(here, "grant_project_role", a, b) for a, b in _pairs(grant, "=")),
        *(_grant(here, "change_project_role", a, b) for a, b in _pairs(change_role, "=")),
        *(_grant(here, "revoke_project_role", text) for text in revoke or []),
        *(_in_group(here, "add_to_group", a, b) for a, b in _pairs(put, ":")),
        *(_in_group(here, "remove_from_group", a, b) for a, b in _pairs(take, ":")),
        *([{"change": "plan", "plan": plan}] if plan else []),
        *(_switch(here, a, b) for a, b in _pairs(switch, "=")),
        *(_level(here, "give_level", a, b) for a, b in _pairs(give, "=")),
        *(_level(here, "change_level", a, b) for a, b in _pairs(change_level, "=")),
        *(_level(here, "take_level", text) for text in take_level or []),
        *(json_typed(text) for text in change or []),
    ]
    if not changes:
        raise typer.BadParameter("Say what would be changed, for instance --tenant-role bo@example.com=admin")
    body = {"changes": changes, "resources": [resource_typed(here, text, None) for text in on or []], "limit": limit}
    answer = here.client.post("/access/what-if", body)
    if here.as_json:
        print_json(answer)
        return
    here.rows(
        answer["items"],
        {
            "Who": lambda difference: difference["member"]["name"],
            "On": lambda difference: _named(difference["resource"]),
            "Gains": lambda difference: ", ".join(map(words, difference["gained"])),
            "Loses": lambda difference: ", ".join(map(words, difference["lost"])),
        },
        "Nobody would gain or lose anything. (Who is not active, such as invited, can do nothing in any case.)",
    )
    if answer["count"] > len(answer["items"]):
        here.say(f"These are {len(answer['items'])} of {answer['count']}: raise --limit, or ask about less.")
    if answer["hidden_members"]:
        here.say("What the members of the group gain and lose is not shown to you: you do not see who is in it.")
    for one in answer["pipelines"]:
        here.say(f"The {one['kind']} {one['resource']['name']} {THEN[one['then']]}: {one['because']}")
    if answer["more_pipelines"]:
        here.say("There are more such pipelines: raise --limit.")


def _pairs(texts: list[str] | None, sign: str) -> list[tuple[str, str]]:
    pairs = []
    for text in texts or []:
        left, found, right = text.rpartition(sign)
        if not found:
            raise typer.BadParameter(f"“{text}” needs a {sign} in the middle.")
        pairs.append((left, right))
    return pairs


def _grant(here: Here, change: str, where: str, role: str | None = None) -> dict[str, Any]:
    project, found, holder = where.partition(":")
    if not found:
        raise typer.BadParameter(f"“{where}” has to be PROJECT:MEMBER or PROJECT:group:GROUP.")
    project_id = find.project(here, project)
    asked: dict[str, Any] = {"change": change, "project": project_id}
    kind, _, name = holder.partition(":")
    if kind == "group" and name:
        asked["group"] = find.group(here, name)
    else:
        asked["member"] = holder if "@" in holder else find.member(here, holder, project_id)
    return asked if role is None else {**asked, "role": role_named(role)}


def _level(here: Here, change: str, text: str, level: str | None = None) -> dict[str, Any]:
    kind, _, rest = text.partition(":") if text.startswith(("layer:", "table:", "volume:")) else ("", "", text)
    where, found, who = rest.partition(":")
    if not found:
        raise typer.BadParameter(f"“{text}” has to be WHERE:MEMBER or WHERE:group:GROUP.")
    kind = kind or ("table" if "." in where else "layer")
    asked: dict[str, Any] = {"change": change, kind: resource_typed(here, f"{kind}:{where}", None)["id"]}
    holder, _, name = who.partition(":")
    if holder == "group" and name:
        asked["group"] = find.group(here, name)
    else:
        asked["member"] = who if "@" in who else find.member(here, who)
    return asked if level is None else {**asked, "level": level.capitalize()}


def _in_group(here: Here, change: str, group: str, member: str) -> dict[str, Any]:
    return {"change": change, "group": find.group(here, group), "member": find.member(here, member)}


def _switch(here: Here, where: str, state: str) -> dict[str, Any]:
    project, _, switch = where.rpartition(":")
    if state not in ("on", "off"):
        raise typer.BadParameter(f"A switch is on or off, not “{state}”.")
    return {
        "change": "project_switch",
        "project": find.project(here, project),
        "switch": switch.replace("-", "_"),
        "on": state == "on",
    }


def _named(resource: Item) -> str:
    return f"{words(resource['type'])} {resource['name'] or resource['id']}".strip()

"""`bailiwick access`: who may do what and why, who could give it, and what would change if."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from bailiwick.cli import find
from bailiwick.cli.command import All, Cursor, Here, Limit, area, command
from bailiwick.cli.failures import Failure, Problem, cell, refusal
from bailiwick.cli.output import Columns, Item, print_json
from bailiwick.cli.roles import role_named
from bailiwick.cli.text import words

app = area(
    "access",
    "Ask who may do what, and why.\n\n"
    "A resource is written TYPE:NAME, like project:Sales, member:ada@example.com or group:Finance; tenant stands "
    "alone. What is not stored yet (a data mart, a table, a data space) is described: give its TYPE and --describe "
    "with JSON, or @ and a file, with names, e-mail addresses and group:NAME in place of ids. See bailiwick access "
    "types.",
)

Action = Annotated[str, typer.Argument(help="Like delete_project, or in the document's words: 'Delete project'.")]
Resource = Annotated[str, typer.Argument(help="TYPE:NAME, or TYPE with --describe.")]
Describe = Annotated[
    str | None, typer.Option("--describe", metavar="JSON", help="The resource's properties: JSON, or @ and a file.")
]
Member = Annotated[
    str | None, typer.Option("--member", "-m", metavar="MEMBER", help="About whom; without it, yourself.")
]
BY_NAME = {
    "project": find.project,
    "project_membership": find.project,
    "member": find.member,
    "group": find.group,
}


@command(
    app,
    "check",
    routes=["POST /api/v1/access/check"],
    examples=[
        "bailiwick access check delete_project project:Sales",
        "bailiwick access check 'Change tenant role' member:bo@example.com --member ada@example.com",
        """bailiwick access check edit data_mart --describe '{"project": "Sales", "technical_owners": ["me"]}'""",
    ],
)
def check(here: Here, action: Action, resource: Resource, describe: Describe = None, member: Member = None) -> None:
    """Ask whether a member may do something, why, and if not: what is missing and who can give it.

    The answer is yes or no in words; the command ends with code 0 either way."""
    answer = here.client.post("/access/check", _question(here, resource, describe, member, action=action))
    if here.as_json:
        print_json(answer)
        return
    decision = answer["decision"]
    who, what = answer["subject"]["name"], _on(answer["resource"], resource, describe)
    if decision["allowed"]:
        here.say(f"Yes: {who} may “{decision['action_name']}” on {what}.\n  Decided by  {cell(decision)}")
    else:
        here.say(f"No: {who} may not “{decision['action_name']}” on {what}.")
        for line in refusal(decision)[1:]:
            here.say(line)
        if answer["could_give"]:
            here.say(f"  Ask         {', '.join(giver['name'] for giver in answer['could_give'])}")


@command(
    app,
    "actions",
    routes=["POST /api/v1/access/actions"],
    examples=["bailiwick access actions project:Sales", "bailiwick access actions tenant --member ada@example.com"],
)
def actions(here: Here, resource: Resource, describe: Describe = None, member: Member = None) -> None:
    """Every action of a resource: whether a member may do it, and the cell that decides."""
    answer = here.client.post("/access/actions", _question(here, resource, describe, member))
    if here.as_json:
        print_json(answer)
        return
    here.say(f"{answer['subject']['name']} on {_on(answer['resource'], resource, describe)}:")
    here.rows(answer["decisions"], {"May": "allowed", "Action": "action_name", "Decided by": cell})


@command(
    app,
    "who",
    routes=["POST /api/v1/access/who"],
    examples=["bailiwick access who delete_project project:Sales", "bailiwick access who 'Manage billing' tenant"],
)
def who(
    here: Here,
    action: Action,
    resource: Resource,
    describe: Describe = None,
    limit: Limit = 50,
    everything: All = False,
    cursor: Cursor = None,
) -> None:
    """List who can do something. For whoever manages the resource."""
    here.listing(
        "/access/who",
        {"Name": "name", "E-mail": "email"},
        empty="Nobody can.",
        limit=limit,
        everything=everything,
        cursor=cursor,
        body={"action": action, "resource": _resource(here, resource, describe)},
    )


@command(
    app,
    "what",
    routes=["POST /api/v1/access/what"],
    examples=[
        "bailiwick access what delete_project project",
        "bailiwick access what 'See who is in it' group --member ada@example.com",
    ],
)
def what(
    here: Here,
    action: Action,
    resource_type: Annotated[str, typer.Argument(metavar="TYPE", help="project, group, member, …")],
    member: Member = None,
    limit: Limit = 50,
    everything: All = False,
    cursor: Cursor = None,
) -> None:
    """List what a member can do something on."""
    here.listing(
        "/access/what",
        {"Type": lambda found: words(found["type"]), "Name": "name", "Id": "id"},
        empty="Nothing that you may see.",
        limit=limit,
        everything=everything,
        cursor=cursor,
        body={"action": action, "resource_type": resource_type, **_subject(here, member)},
    )


@command(
    app,
    "what-if",
    routes=["POST /api/v1/access/what-if"],
    examples=[
        "bailiwick access what-if --tenant-role bo@example.com=admin",
        "bailiwick access what-if --grant 'Sales:group:Finance=Business User' --take Finance:bo@example.com",
        "bailiwick access what-if --plan starter --on project:Sales",
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
        *(_json(text) for text in change or []),
    ]
    if not changes:
        raise typer.BadParameter("Say what would be changed, for instance --tenant-role bo@example.com=admin")
    body = {"changes": changes, "resources": [_resource(here, text, None) for text in on or []], "limit": limit}
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


@command(
    app,
    "tables",
    routes=["GET /api/v1/access/tables", "GET /api/v1/access/tables/{page}"],
    examples=["bailiwick access tables", "bailiwick access tables tenant", "bailiwick access tables tenant/members"],
)
def tables(
    here: Here,
    page: Annotated[
        str | None, typer.Argument(help="A page, like tenant, or a heading of it, like tenant/members.")
    ] = None,
) -> None:
    """Show the tables that decide: without a page their names, with one every cell."""
    try:
        answer = here.client.get("/access/tables" if page is None else f"/access/tables/{page.replace('#', '/')}")
    except Problem as problem:
        if problem.status != 404:
            raise
        raise Failure(f"There is no page “{page}”.", "List them with: bailiwick access tables", "Not found") from None
    if here.as_json:
        print_json(answer)
    elif page is None:
        columns: Columns = {
            "Page": lambda table: table["page"].replace("#", "/"),
            "Table": "name",
            "Governs": "governs",
        }
        here.rows(answer["items"], columns)
    else:
        for table in answer["items"]:
            _show_table(here, table)


@command(
    app,
    "types",
    routes=["GET /api/v1/access/types"],
    examples=["bailiwick access types", "bailiwick access types data_mart", "bailiwick access types data_mart --json"],
)
def types(
    here: Here, name: Annotated[str | None, typer.Argument(metavar="TYPE", help="Only this one.")] = None
) -> None:
    """Show what can be asked about: actions, deciding facts, and how to describe what is not stored yet."""
    answer = here.client.get("/access/types")
    found = [it for it in answer["items"] if name in (None, it["name"])]
    if not found:
        raise Failure(f"There is no type “{name}”.", "List them with: bailiwick access types", "Not found")
    if here.as_json:
        print_json({"items": found})
    elif name is None:
        columns: Columns = {
            "Type": "name",
            "Document": "document",
            "By": "by",
            "Actions": lambda it: len(it["actions"]),
        }
        here.rows(found, columns)
    else:
        _show_type(here, found[0])


def _question(here: Here, resource: str, describe: str | None, member: str | None, **more: Any) -> dict[str, Any]:
    return {"resource": _resource(here, resource, describe), **_subject(here, member), **more}


def _subject(here: Here, member: str | None) -> dict[str, str]:
    # The server finds members by address itself, also for those who may not read the directory.
    if member is None or member == find.ME:
        return {}
    return {"subject": member if "@" in member else find.member(here, member)}


def _resource(here: Here, text: str, describe: str | None) -> dict[str, Any]:
    kind, _, name = text.partition(":")
    kind = kind.strip().replace(" ", "_").replace("-", "_")
    asked: dict[str, Any] = {"type": kind}
    if name:
        asked["id"] = BY_NAME[kind](here, name) if kind in BY_NAME else name
    elif kind == "tenant":
        asked["id"] = "tenant"
    if describe is not None:
        asked["properties"] = _with_ids(here, _json(describe))
    return asked


def _with_ids(here: Here, described: Any, name: str = "") -> Any:
    """A description with ids in place of a project's name, an e-mail address, `me` and group:NAME."""
    if isinstance(described, dict):
        return {_with_ids(here, key): _with_ids(here, value, key) for key, value in described.items()}
    if isinstance(described, list):
        return [_with_ids(here, value) for value in described]
    if not isinstance(described, str):
        return described
    if name == "project":
        return find.project(here, described)
    kind, _, group = described.partition(":")
    if kind == "group" and group:
        return find.group(here, group)
    return find.member(here, described) if "@" in described or described == find.ME else described


def _json(text: str) -> dict[str, Any]:
    """JSON typed into the command, or from the file after the @."""
    try:
        found = json.loads(Path(text[1:]).read_text() if text.startswith("@") else text)
    except (OSError, ValueError) as error:
        raise typer.BadParameter(f"This is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise typer.BadParameter("This has to be a JSON object, like {…}.")
    return found


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


def _show_table(here: Here, table: Item) -> None:
    here.say(f"{table['name']} (document {table['document']}, page {table['page']})")
    headings = [column["name"] for column in table["columns"]]
    first = "Who" if table["rows_are"] == "who" else "Action"
    rows = [
        {
            first: line["name"],
            **{heading: _cell(table, got) for heading, got in zip(headings, line["cells"], strict=True)},
        }
        for line in table["rows"]
    ]
    here.rows(rows, {heading: heading for heading in (first, *headings)})


def _cell(table: Item, got: Item) -> str:
    limits = "; ".join(f"{fact}: {' or '.join(values)}" for fact, values in got["only_if"].items())
    only = f" (if {limits})" if limits else ""
    if table["rows_are"] == "actions":
        return f"✓{only}" if got["allowed"] else "–"
    return f"{', '.join(map(words, got['actions']))}{only}" if got["actions"] else "–"


def _show_type(here: Here, found: Item) -> None:
    here.say(f"{found['name']} (document {found['document']}), asked about by {found['by']}")
    here.rows(found["actions"], {"Action": "slug", "In the document": "name"})
    here.rows(found["facts"], {"Fact": "name", "Values": "values", "Given by": "given_by"})
    if found["properties"]:
        here.say("Properties of a description:")
        required = found["properties"].get("required", [])
        rows = [
            {"name": name, "required": name in required, "what": _what(schema)}
            for name, schema in found["properties"].get("properties", {}).items()
        ]
        here.rows(rows, {"Property": "name", "Required": "required", "What": "what"})


def _what(schema: Item) -> str:
    """What a property holds, as its schema tells it."""
    inner = str(schema.get("$ref", "")).rpartition("/")[2]
    kind = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in inner).lstrip("_")
    said = schema.get("description") or (f"A {kind}, described in its turn." if kind else schema.get("type"))
    return "true or false" if said == "boolean" else str(said or "")


def _on(found: Item, typed: str, describe: str | None) -> str:
    """What was asked about; what is only described has no name."""
    return f"this {words(typed)}" if describe is not None else str(found["name"] or found["id"] or typed)


def _named(resource: Item) -> str:
    return f"{words(resource['type'])} {resource['name'] or resource['id']}".strip()

"""`bailiwick access`: whether, why, who and what."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from bailiwick.cli import find
from bailiwick.cli.command import All, Cursor, Here, Limit, Search, SearchPeople, Sort, area, command
from bailiwick.cli.failures import cell, refusal
from bailiwick.cli.output import Item, print_json
from bailiwick.cli.text import words
from bailiwick.questions.commands.resources import resource_typed

app = area(
    "access",
    "Ask who may do what, and why.\n\n"
    "A resource is written TYPE:NAME, like project:Sales, member:ada@example.com, group:Finance or table:raw.orders; "
    "tenant stands alone. What is not stored yet (a data mart, a report, a data space) is described: give its TYPE "
    "and --describe with JSON, or @ and a file, with names, e-mail addresses and group:NAME in place of ids. See "
    "bailiwick access types.",
)

Action = Annotated[str, typer.Argument(help="Like delete_project, or in the document's words: 'Delete project'.")]
Resource = Annotated[str, typer.Argument(help="TYPE:NAME, or TYPE with --describe.")]
Describe = Annotated[
    str | None, typer.Option("--describe", metavar="JSON", help="The resource's properties: JSON, or @ and a file.")
]
Member = Annotated[
    str | None, typer.Option("--member", "-m", metavar="MEMBER", help="About whom; without it, yourself.")
]


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
    search: SearchPeople = None,
    sort: Sort = None,
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
        body={"action": action, "resource": resource_typed(here, resource, describe), **_part(search, sort)},
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
    search: Search = None,
    sort: Sort = None,
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
        body={"action": action, "resource_type": resource_type, **_subject(here, member), **_part(search, sort)},
    )


def _question(here: Here, resource: str, describe: str | None, member: str | None, **more: Any) -> dict[str, Any]:
    return {"resource": resource_typed(here, resource, describe), **_subject(here, member), **more}


def _part(search: str | None, sort: str | None) -> dict[str, str]:
    return {name: value for name, value in (("search", search), ("sort", sort)) if value is not None}


def _subject(here: Here, member: str | None) -> dict[str, str]:
    # The server finds members by address itself, also for those who may not read the directory.
    if member is None or member == find.ME:
        return {}
    return {"subject": member if "@" in member else find.member(here, member)}


def _on(found: Item, typed: str, describe: str | None) -> str:
    """What was asked about; what is only described has no name."""
    return f"this {words(typed)}" if describe is not None else str(found["name"] or found["id"] or typed)

"""`bailiwick audit`: read what happened, and prove that nothing of it was changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from bailiwick.cli import find
from bailiwick.cli.command import All, Cursor, Here, Limit, SortByAge, area, command
from bailiwick.cli.failures import Failure, cell
from bailiwick.cli.output import Item, print_json, progress, value_of
from bailiwick.cli.text import words

app = area("audit", "Read what happened, and prove that nothing of it was changed.")


@command(
    app,
    "list",
    routes=["GET /api/v1/audit"],
    examples=[
        "bailiwick audit list",
        "bailiwick audit list --outcome refused --since 2026-01-31",
        "bailiwick audit list --actor ada@example.com --project Sales --all --json",
        "bailiwick audit list --search orders",
    ],
)
def list_entries(
    here: Here,
    actor: Annotated[str | None, typer.Option(metavar="MEMBER", help="Who did it.")] = None,
    about: Annotated[str | None, typer.Option(metavar="MEMBER", help="The member it happened to.")] = None,
    project: Annotated[str | None, typer.Option(help="The project it happened in.")] = None,
    action: Annotated[str | None, typer.Option(help="What was done, like add_member.")] = None,
    outcome: Annotated[Literal["done", "refused"] | None, typer.Option(help="Only these.")] = None,
    resource_type: Annotated[str | None, typer.Option("--type", help="What it was done to, like project.")] = None,
    resource_id: Annotated[str | None, typer.Option("--id", help="The id of what it was done to.")] = None,
    request_id: Annotated[str | None, typer.Option("--request", help="The id of the request.")] = None,
    since: Annotated[datetime | None, typer.Option(help="From this moment on, in your time zone.")] = None,
    until: Annotated[datetime | None, typer.Option(help="Before this moment, in your time zone.")] = None,
    search: Annotated[str | None, typer.Option(help="Part of the name of a thing or of a member.")] = None,
    sort: SortByAge = None,
    limit: Limit = 50,
    everything: All = False,
    cursor: Cursor = None,
) -> None:
    """List changes and refusals, newest first: those that you may see."""
    here.listing(
        "/audit",
        {
            "When": "at",
            "Who": lambda entry: entry["actor"] or "the platform",
            "Did": "said",
            "To": lambda entry: f"{words(entry['resource_type'])} {entry['resource_name'] or entry['resource_id']}",
            "Change": lambda entry: changes(entry, lambda: here.zone),
            "Outcome": "outcome",
        },
        empty="Nothing has happened that fits, or nothing that you may see.",
        limit=limit,
        everything=everything,
        cursor=cursor,
        actor=find.member(here, actor) if actor else None,
        about=find.member(here, about) if about else None,
        project=find.project(here, project) if project else None,
        action=action,
        outcome=outcome,
        resource_type=resource_type,
        resource_id=resource_id,
        request_id=request_id,
        since=_in_zone(here, since),
        until=_in_zone(here, until),
        search=search,
        sort=sort,
    )


@command(app, "chain", routes=["GET /api/v1/audit/chain"], examples=["bailiwick audit chain"])
def show_chain(here: Here) -> None:
    """See whether the audit is whole, as far as its latest entries tell. Ends with code 1 if it is not.

    Whoever runs the platform checks every entry with: bailiwick audit verify"""
    state = here.client.get("/audit/chain")
    here.show(
        state,
        {
            "Whole": "whole",
            "Entries": "entries",
            "Checked": "checked",
            "Since": lambda state: value_of({"at": state["since"]}, "at", lambda: here.zone),
            "Checked at": "checked_at",
            "Problems": "problems",
        },
    )
    if not state["whole"]:
        raise typer.Exit(1)


@command(
    app,
    "verify",
    local=True,
    examples=["bailiwick audit verify", "bailiwick audit verify --checkpoint audit-2026-01-31.json"],
)
def verify_audit(
    here: Here,
    checkpoint: Annotated[
        Path | None, typer.Option(help="A checkpoint kept elsewhere: it shows whether the end was cut off.")
    ] = None,
) -> None:
    """Read the whole audit again and find any entry that was changed, deleted, added or moved.

    It reads the database in the home folder directly. Ends with code 1 if the audit is not what was written."""
    from bailiwick.audit.verify import verify

    kept = None if checkpoint is None else _read_checkpoint(checkpoint)
    with _local_database() as database, database.read() as session, progress("Reading the audit …") as told:
        report = verify(session, kept, told)
    if here.as_json:
        print_json(
            {
                "whole": report.is_whole,
                "entries": report.entries,
                "chains": report.chains,
                "problems": report.problems,
            }
        )
    elif report.is_whole:
        against = " and continues the checkpoint" if kept else ""
        entries = _counted(report.entries, "entry", "entries")
        here.say(f"The audit is whole{against}: {entries} in {_counted(report.chains, 'chain', 'chains')}.")
    else:
        here.say("The audit is not what was written:")
        for problem in report.problems:
            here.say(f"  {problem}")
    if not report.is_whole:
        raise typer.Exit(1)


@command(
    app,
    "checkpoint",
    local=True,
    examples=["bailiwick audit checkpoint > audit-2026-01-31.json", "bailiwick audit checkpoint --to audit.json"],
)
def make_checkpoint(
    here: Here,
    to: Annotated[Path | None, typer.Option(help="The file to write, in place of printing it.")] = None,
) -> None:
    """Print where the audit ends now. Keep it where nobody who can write the database can write.

    It reads the database in the home folder directly. The output is JSON in any case."""
    from bailiwick.audit.verify import checkpoint

    with _local_database() as database, database.read() as session:
        made = checkpoint(session)
    if to is None:
        print_json(made)
    else:
        to.write_text(json.dumps(made, indent=2) + "\n")
        here.done(made, f"The checkpoint is in {to}. Keep it where nobody who can write the database can write.")


def changes(entry: Item, zone: Callable[[], tzinfo | None]) -> str:
    """What became of what, without ids, which nobody reads; for a refusal, the cell that decided."""
    before, after = entry["before"] or {}, entry["after"] or {}
    if entry["outcome"] == "refused" and entry["decision"]:
        viewing = f"; viewing as {value_of(after, 'viewing_as', zone)}" if "viewing_as" in after else ""
        return cell(entry["decision"]) + viewing
    changed = [
        name
        for name in {**before, **after}
        if before.get(name) != after.get(name) and not find.is_id(str(after.get(name) or before.get(name)))
    ]
    told = (
        f"{words(name)}: {value_of(before, name, zone)} → {value_of(after, name, zone)}"
        if name in before
        else f"{words(name)}: {value_of(after, name, zone)}"
        for name in changed
    )
    return "; ".join(told)


def _counted(number: int, one: str, several: str) -> str:
    return f"{number:,} {one if number == 1 else several}"


def _in_zone(here: Here, moment: datetime | None) -> str | None:
    return None if moment is None else moment.replace(tzinfo=here.zone).astimezone(here.zone).isoformat()


def _read_checkpoint(file: Path) -> dict[str, Any]:
    try:
        kept: dict[str, Any] = json.loads(file.read_text())
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise Failure(f"{file} cannot be read: {why}.", "Give a file that bailiwick audit checkpoint wrote.") from None
    return kept


def _local_database() -> Any:
    from bailiwick.cli.home import existing_database
    from bailiwick.settings import load_settings

    return existing_database(load_settings())

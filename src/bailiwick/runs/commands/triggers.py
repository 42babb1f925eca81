"""`bailiwick triggers`: what runs by itself, at times or after others."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import typer

from bailiwick.cli.command import All, Cursor, Here, Limit, Yes, area, command
from bailiwick.cli.failures import Failure
from bailiwick.cli.find import is_id, one_of, sought
from bailiwick.cli.output import Columns, print_json
from bailiwick.cli.text import moment

app = area("triggers", "Triggers let pipelines run by themselves: at times, or after others have succeeded.")

# The lists in which pipelines are found by name.
KINDS = {
    "source": "/sources",
    "query": "/pipeline-queries",
    "history": "/histories",
    "destination": "/lakehouse-destinations",
}
Which = Annotated[str, typer.Argument(metavar="TRIGGER", help="The trigger's id.")]
OF_WHAT = "A pipeline: its id, or its kind and name, such as source:Orders (source, query, history, destination)."
Subject = Annotated[str, typer.Argument(metavar="PIPELINE", help=OF_WHAT)]
After = Annotated[list[str] | None, typer.Option(metavar="PIPELINE", help=f"What it waits for. {OF_WHAT}")]
FIELDS = "Minute, hour, day of the month, month, day of the week."
Times = Annotated[str | None, typer.Option(metavar="TIMES", help=FIELDS)]
Zone = Annotated[str | None, typer.Option("--time-zone", help="Such as Europe/Berlin; else that of your profile.")]
NeedsAll = Annotated[
    bool | None, typer.Option("--needs-all/--needs-any", help="All of what it waits for, or any of it.")
]
SortTriggers = Annotated[
    Literal["created", "-created", "name", "-name", "next", "-next", "fired", "-fired"] | None,
    typer.Option("--sort", help="next begins with what fires first, -fired with what fired last, name with A."),
]

LISTED: Columns = {
    "Starts": lambda it: it["subject"]["name"],
    "When": "words",
    "Next": lambda it: datetime.fromisoformat(it["next_firings"][0]) if it["next_firings"] else None,
    "Fired last": "last_fired_at",
    "Paused": "paused",
    "Id": "id",
}
SHOWN: Columns = {
    **LISTED,
    "Cron": "cron",
    "Note": "note",
    "Saved by": "saved_by",
}


@command(
    app,
    "list",
    routes=["GET /api/v1/triggers"],
    examples=[
        "bailiwick triggers list --of source:Orders",
        "bailiwick triggers list --search Deliveries --sort next",
        "bailiwick triggers list --paused",
    ],
)
def list_triggers(
    here: Here,
    of: Annotated[str | None, typer.Option(metavar="PIPELINE", help=OF_WHAT)] = None,
    after: Annotated[str | None, typer.Option(metavar="PIPELINE", help="Only those that wait for this one.")] = None,
    kind: Annotated[Literal["cron", "after"] | None, typer.Option(help="Only at times, or only after others.")] = None,
    paused: Annotated[bool | None, typer.Option("--paused/--active", help="Only those that rest, or do not.")] = None,
    search: Annotated[str | None, typer.Option(metavar="TEXT", help="Part of the name of what they start.")] = None,
    sort: SortTriggers = None,
    limit: Limit = 50,
    everything: All = False,
    cursor: Cursor = None,
) -> None:
    """List triggers, newest first unless sorted otherwise."""
    here.listing(
        "/triggers",
        LISTED,
        empty="Nothing that you may see runs by itself. Add a trigger with: bailiwick triggers add",
        limit=limit,
        everything=everything,
        cursor=cursor,
        subject_id=subject(here, of)["id"] if of else None,
        after_id=subject(here, after)["id"] if after else None,
        kind=kind,
        paused=paused,
        search=search,
        sort=sort,
    )


@command(
    app,
    "show",
    routes=["GET /api/v1/triggers/{trigger_id}"],
    examples=["bailiwick triggers show 01980000-0000-7000-8000-000000000001"],
)
def show_trigger(here: Here, trigger: Which) -> None:
    """Look at a trigger, and at its next five firings."""
    if not is_id(trigger):
        raise Failure(f"“{trigger}” is no trigger's id.", "Take one from: bailiwick triggers list", "Not found")
    _show(here, here.client.get(f"/triggers/{trigger}"))


@command(
    app,
    "preview",
    routes=["GET /api/v1/triggers/preview"],
    examples=["bailiwick triggers preview '30 6 * * MON-FRI' --time-zone Europe/Berlin"],
)
def preview(
    here: Here,
    cron: Annotated[
        str, typer.Argument(metavar="TIMES", help="Minute, hour, day of the month, month, day of the week.")
    ],
    time_zone: Zone = None,
) -> None:
    """Read times in words, with the next five."""
    answer = here.client.get("/triggers/preview", cron=cron, time_zone=time_zone)
    if here.as_json:
        print_json(answer)
        return
    here.say(answer["words"])
    _say_firings(here, answer)


@command(
    app,
    "add",
    routes=["POST /api/v1/triggers"],
    examples=[
        "bailiwick triggers add source:Orders --cron '30 6 * * MON-FRI' --time-zone Europe/Berlin",
        "bailiwick triggers add query:Revenue --after source:Orders --after source:Returns --needs-all",
    ],
)
def add_trigger(
    here: Here,
    pipeline: Subject,
    cron: Times = None,
    time_zone: Zone = None,
    after: After = None,
    needs_all: NeedsAll = None,
) -> None:
    """Let a pipeline run by itself: at times, or after others have succeeded."""
    if (cron is None) == (not after):
        raise typer.BadParameter("Give --cron or --after, and not both.")
    body: dict[str, Any] = {"subject": subject(here, pipeline), **_given(here, cron, time_zone, after, needs_all)}
    _show(here, here.client.post("/triggers", body))


@command(
    app,
    "edit",
    routes=["PATCH /api/v1/triggers/{trigger_id}"],
    examples=["bailiwick triggers edit 01980000-0000-7000-8000-000000000001 --cron '0 7 * * *'"],
)
def edit_trigger(
    here: Here,
    trigger: Which,
    cron: Times = None,
    time_zone: Zone = None,
    after: After = None,
    needs_all: NeedsAll = None,
) -> None:
    """Change a trigger's times, or what it waits for."""
    _show(here, here.client.patch(f"/triggers/{trigger}", _given(here, cron, time_zone, after, needs_all)))


@command(
    app,
    "pause",
    routes=["POST /api/v1/triggers/{trigger_id}/pause"],
    examples=["bailiwick triggers pause 01980000-0000-7000-8000-000000000001"],
)
def pause_trigger(here: Here, trigger: Which) -> None:
    """Let a trigger rest."""
    answer = here.client.post(f"/triggers/{trigger}/pause")
    here.done(answer, f"The trigger of {answer['subject']['name']} is paused.")


@command(
    app,
    "resume",
    routes=["POST /api/v1/triggers/{trigger_id}/resume"],
    examples=["bailiwick triggers resume 01980000-0000-7000-8000-000000000001"],
)
def resume_trigger(here: Here, trigger: Which) -> None:
    """Go on from now; what would have fired meanwhile does not come."""
    _show(here, here.client.post(f"/triggers/{trigger}/resume"))


@command(
    app,
    "remove",
    routes=["DELETE /api/v1/triggers/{trigger_id}"],
    examples=["bailiwick triggers remove 01980000-0000-7000-8000-000000000001 --yes"],
)
def remove_trigger(here: Here, trigger: Which, yes: Yes = False) -> None:
    """Remove a trigger."""
    seen = here.client.get(f"/triggers/{trigger}")
    here.confirm(f"Remove the trigger of {seen['subject']['name']}: {seen['words']}?", yes)
    here.done(here.client.delete(f"/triggers/{trigger}", version=seen["version"]), "The trigger is removed.")


def subject(here: Here, text: str) -> dict[str, str]:
    """A pipeline as the API wants it."""
    if is_id(text):
        return {"type": "pipeline", "id": text}
    kind, _, name = text.partition(":")
    if kind not in KINDS or not name:
        raise Failure(f"“{text}” names no pipeline.", OF_WHAT, "Not found")
    return {
        "type": "pipeline",
        "id": str(one_of(sought(here, KINDS[kind], name), name, kind, lambda it: [it["name"]])["id"]),
    }


def _given(
    here: Here, cron: str | None, time_zone: str | None, after: list[str] | None, needs_all: bool | None
) -> dict[str, Any]:
    waits_for = [subject(here, one) for one in after] if after else None
    given = {"cron": cron, "time_zone": time_zone, "after": waits_for, "needs_all": needs_all}
    return {field: value for field, value in given.items() if value is not None}


def _show(here: Here, answer: dict[str, Any]) -> None:
    here.show(answer, SHOWN)
    if not here.as_json:
        _say_firings(here, answer)


def _say_firings(here: Here, answer: dict[str, Any]) -> None:
    if answer["next_firings"]:
        here.say(f"Next, in your time zone ({here.zone}):")
    for firing in answer["next_firings"]:
        here.say(f"  {moment(firing, here.zone)}")

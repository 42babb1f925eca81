"""`bailiwick runs`: what ran, runs and waits to run."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from bailiwick.cli.command import All, Cursor, Here, Limit, Yes, area, command
from bailiwick.cli.failures import Failure
from bailiwick.cli.find import is_id
from bailiwick.cli.output import Columns, print_json
from bailiwick.cli.text import moment, printable, rejected, words
from bailiwick.runs.commands.watching import watch_mine, watch_one

app = area("runs", "Runs: what was done, is being done and waits to be done, and as whom.")

LAST = "last"
Which = Annotated[str, typer.Argument(metavar="RUN", help=f"The run's id, or “{LAST}” for the last one you started.")]
SortRuns = Annotated[
    Literal["created", "-created", "name", "-name"] | None,
    typer.Option("--sort", help="created begins with the oldest, -name at the end."),
]


def number(run: Any) -> str:
    return f"{run['subject']['name'] or run['kind']} #{run['number']}"


def state(run: Any) -> str:
    """What was not begun because it may not be done is no failure of ours."""
    return "refused" if (run["problem"] or {}).get("refused") else str(run["state"])


def _met(one: dict[str, Any]) -> str:
    how = {True: "met", False: "not met", None: "not known"}[one["met"]]
    return f"{one['kind']}{'(' + one['column'] + ')' if one.get('column') else ''}: {how} {one['found'] or ''}".strip()


LISTED: Columns = {
    "Run": number,
    "What": lambda run: words(run["kind"]),
    "State": state,
    "Created": "created_at",
    "Ended": "ended_at",
    "Started by": lambda run: run["started_by"] or ("a trigger" if run["trigger_id"] else None),
    "Rows written": "rows_written",
    "Id": "id",
}
SHOWN: Columns = {
    **{"Run": number, "State": state, "Kind": "kind"},
    "Why": lambda run: run["problem"] and f"{run['problem']['message']} {run['problem']['fix']}".strip(),
    "Missing": lambda run: [f"{lack['needs']} on {lack['name']} (has {lack['has']})" for lack in run["missing"]],
    "Missing, and not yours to see": lambda run: run["hidden"] or None,
    **{"Created": "created_at", "Started": "started_at", "Ended": "ended_at"},
    "Started by": lambda run: run["started_by"] or ("a trigger" if run["trigger_id"] else None),
    "Acts as": "acts_as",
    "Attempt": lambda run: f"{run['attempt']} of {run['most_attempts']}",
    **{"Rows read": "rows_read", "Rows written": "rows_written"},
    "Rows rejected": lambda run: rejected(run) or None,
    "Streams that are gone, or not yours to see": lambda run: (run["result"] or {}).get("hidden") or None,
    "Expectations": lambda run: [_met(one) for one in (run["result"] or {}).get("expectations", [])],
    **{"SQL": "executed_sql", "Id": "id"},
}


@command(
    app,
    "list",
    routes=["GET /api/v1/runs"],
    examples=["bailiwick runs list --mine", "bailiwick runs list --search Deliveries --state failed --json"],
)
def list_runs(
    here: Here,
    state: Annotated[
        list[str] | None,
        typer.Option(help="queued, running, succeeded, failed, cancelled or restricted; can be repeated."),
    ] = None,
    mine: Annotated[bool, typer.Option("--mine", help="Only those you started.")] = False,
    of: Annotated[str | None, typer.Option(metavar="ID", help="Only of this pipeline.")] = None,
    kind: Annotated[str | None, typer.Option(help="Only of this kind: sync, pipeline_query, …")] = None,
    looks: Annotated[
        bool, typer.Option("--looks", help="Also samples, lists of versions, tests and dry runs.")
    ] = False,
    trigger: Annotated[str | None, typer.Option(metavar="ID", help="Only what this trigger started.")] = None,
    project: Annotated[str | None, typer.Option(metavar="ID", help="Only of this project.")] = None,
    search: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Part of the name of what ran, such as Deliveries or Orders #3.")
    ] = None,
    sort: SortRuns = None,
    limit: Limit = 50,
    everything: All = False,
    cursor: Cursor = None,
) -> None:
    """List runs, newest first unless sorted otherwise."""
    here.listing(
        "/runs",
        LISTED,
        empty="No run fits.",
        limit=limit,
        everything=everything,
        cursor=cursor,
        state=state or None,
        mine=mine or None,
        looks=looks or None,
        subject_id=of,
        kind=kind,
        trigger_id=trigger,
        project_id=project,
        search=search,
        sort=sort,
    )


@command(
    app,
    "show",
    routes=["GET /api/v1/runs/{run_id}"],
    examples=["bailiwick runs show last", "bailiwick runs show 01980000-0000-7000-8000-000000000001 --json"],
)
def show_run(here: Here, run: Which) -> None:
    """Look at a run: how it went, why it failed, as whom it ran."""
    here.show(here.client.get(f"/runs/{_id(here, run)}"), SHOWN)


@command(
    app,
    "watch",
    routes=["GET /api/v1/runs/{run_id}/events", "GET /api/v1/runs/events"],
    examples=["bailiwick runs watch", "bailiwick runs watch last", "bailiwick runs watch last --json"],
)
def watch_run(
    here: Here,
    run: Annotated[
        str | None, typer.Argument(metavar="RUN", help="The run's id, or “last”; else all of yours.")
    ] = None,
) -> None:
    """Watch a run, or all of yours, until they have ended. One that does not succeed ends this with code 1."""
    ended = watch_mine(here) if run is None else watch_one(here, _id(here, run))
    if any(one["state"] != "succeeded" for one in ended):
        raise typer.Exit(1)


@command(app, "log", routes=["GET /api/v1/runs/{run_id}/log"], examples=["bailiwick runs log last"])
def read_log(here: Here, run: Which) -> None:
    """Read a run's log."""
    answer = here.client.pages(f"/runs/{_id(here, run)}/log", None)
    if here.as_json:
        print_json(answer)
        return
    for line in answer["items"]:
        level = "" if line["level"] == "info" else f"{line['level']}: "
        here.say(printable(f"{moment(line['at'], here.zone)}  {level}{line['text']}"))
    if not answer["items"]:
        here.say("It has said nothing.")


@command(app, "lineage", routes=["GET /api/v1/runs/{run_id}/lineage"], examples=["bailiwick runs lineage last --json"])
def show_lineage(here: Here, run: Which) -> None:
    """See which columns went where, of tables you may see."""
    answer = here.client.get(f"/runs/{_id(here, run)}/lineage")
    if here.as_json:
        print_json(answer)
        return
    columns: Columns = {
        **{"From table": "from_table_id", "Column": "from_column"},
        **{"To table": "to_table_id", "To column": "to_column"},
    }
    here.rows(answer["items"], columns, "It tells of none; the latest run of its pipeline does.")


@command(app, "cancel", routes=["POST /api/v1/runs/{run_id}/cancel"], examples=["bailiwick runs cancel last"])
def cancel_run(here: Here, run: Which) -> None:
    """Cancel a run that waits or runs."""
    answer = here.client.post(f"/runs/{_id(here, run)}/cancel")
    done = "is cancelled" if answer["state"] == "cancelled" else "stops in a moment"
    here.done(answer, f"{number(answer)} {done}.")


@command(app, "retry", routes=["POST /api/v1/runs/{run_id}/again"], examples=["bailiwick runs retry last"])
def run_again(here: Here, run: Which) -> None:
    """Run it again, as a new run."""
    answer = here.client.post(f"/runs/{_id(here, run)}/again")
    here.done(answer, f"{number(answer)} waits for its turn. Watch it with: bailiwick runs watch {answer['id']}")


@command(app, "delete", routes=["DELETE /api/v1/runs/{run_id}"], examples=["bailiwick runs delete last --yes"])
def delete_run(here: Here, run: Which, yes: Yes = False) -> None:
    """Delete a run that has ended, with its log and result. For tenant owners and admins; the audit stays."""
    id_ = _id(here, run)
    here.confirm(f"Delete the run {id_}, its log and its result?", yes)
    here.done(here.client.delete(f"/runs/{id_}"), "The run is deleted.")


@command(app, "spark", routes=["GET /api/v1/spark"], examples=["bailiwick runs spark"])
def show_spark(here: Here) -> None:
    """Say whether Spark is ready, still starting, or could not start."""
    columns: Columns = {"State": "state", "Workers": "workers", "": "detail", "Problem": "problem"}
    here.show(here.client.get("/spark"), columns)


def _id(here: Here, text: str) -> str:
    if text == LAST:
        found = here.client.get("/runs", mine=True, looks=True, limit=1)["items"]
        if not found:
            raise Failure("You have started nothing yet.", "List what you may see with: bailiwick runs list")
        return str(found[0]["id"])
    if not is_id(text):
        raise Failure(f"“{text}” is no run's id.", "Take one from: bailiwick runs list", "Not found")
    return text

"""`bailiwick sources`: where data comes in from."""

from __future__ import annotations

import shlex
import time
from typing import Annotated, Any

import typer

from bailiwick.cli.command import All, Cursor, Here, Limit, Search, Sort, Yes, area, command
from bailiwick.cli.failures import Failure, Problem
from bailiwick.cli.find import member, one_of
from bailiwick.cli.output import Columns, print_json
from bailiwick.cli.text import printable, rejected
from bailiwick.lakehouse.commands import find
from bailiwick.lakehouse.commands.source_flags import (
    Authentication,
    Delimiter,
    Folder,
    Format,
    Growing,
    HttpAt,
    Keys,
    Layer,
    OnlyNew,
    Postgresql,
    Secret,
    Volume,
    Which,
    connection_of,
    read_of,
    settings_of,
    source_id,
)
from bailiwick.lakehouse.commands.sql import cell
from bailiwick.spark.words import how_many

app = area("sources", "Sources bring data into tables: files, databases, APIs, other tables.")

LISTED: Columns = {
    "Name": "name",
    "Reads": lambda it: it["connection"]["type"],
    "Layer": lambda it: (it["output_layer"] or {}).get("name"),
    "Active": "active",
    "Owner": lambda it: it["owner"]["name"],
}
SHOWN: Columns = {
    **LISTED,
    "Points to": lambda it: _points_to(it["connection"]),
    "Has secret": "has_secret",
    "Id": "id",
}
FOUND: Columns = {
    "Stream": "name",
    "Added": lambda it: it["id"] is not None,
    "Key": lambda it: ", ".join(it["primary_key"]),
    "Columns": lambda it: ", ".join(f"{column['name']} {column['type']}" for column in it["columns"]),
    "About": lambda it: it["problem"] or it["about"],
}


@command(
    app,
    "list",
    routes=["GET /api/v1/sources"],
    examples=["bailiwick sources list", "bailiwick sources list --search shop --json"],
)
def list_sources(
    here: Here,
    search: Search = None,
    sort: Sort = None,
    limit: Limit = 50,
    everything: All = False,
    cursor: Cursor = None,
) -> None:
    """List sources, by name."""
    empty = "No source fits. Add one with: bailiwick sources add"
    here.listing(
        "/sources", LISTED, empty=empty, limit=limit, everything=everything, cursor=cursor, search=search, sort=sort
    )


@command(app, "show", routes=["GET /api/v1/sources/{pipeline_id}"], examples=["bailiwick sources show shop"])
def show_source(here: Here, source: Which) -> None:
    """Look at a source, and at what you may do with it."""
    here.show(here.client.get(f"/sources/{source_id(here, source)}"), SHOWN)


@command(
    app,
    "add",
    routes=["POST /api/v1/sources"],
    examples=[
        "bailiwick sources add shop --postgresql 'host=db.example.com dbname=shop user=reader' --layer raw --secret",
        "bailiwick sources add orders --volume raw.landing --format csv --layer raw --stream 'orders=orders/*.csv'",
        "bailiwick sources add weather --http https://api.example.com --authentication bearer --secret --layer raw",
        "bailiwick sources add copies --tables --layer trusted --stream raw.orders",
    ],
)
def add_source(
    here: Here,
    name: Annotated[str, typer.Argument(help="The new source's name.")],
    layer: Annotated[str, typer.Option("--layer", help="The layer its tables land in.")],
    postgresql: Postgresql = None,
    http: HttpAt = None,
    authentication: Authentication = "none",
    volume: Volume = None,
    folder: Folder = None,
    format_: Format = "csv",
    delimiter: Delimiter = ",",
    tables: Annotated[bool, typer.Option("--tables", help="Other tables of the lakehouse.")] = False,
    secret: Secret = False,
    description: Annotated[str, typer.Option(help="What it is for.")] = "",
    streams: Annotated[
        list[str] | None,
        typer.Option("--stream", metavar="STREAM", help="NAME=PATTERN, NAME=PATH or a table's name; repeat it."),
    ] = None,
    incremental: Growing = None,
    new_files: OnlyNew = False,
    keys: Keys = None,
) -> None:
    """Add a source. Say where it points, and which streams it has; or discover these afterwards."""
    connection = connection_of(here, postgresql, http, authentication, volume, folder, format_, delimiter, tables)
    if connection is None:
        raise Failure("Say where it points.", "Give one of --postgresql, --http, --volume, --folder and --tables.")
    body: dict[str, Any] = {
        "name": name,
        "description": description,
        "connection": connection,
        "output_layer_id": find.layer(here, layer),
        "streams": [
            {
                "name": text.partition("=")[0],
                "settings": settings_of(read_of(here, connection["type"], text), incremental, new_files, keys, None),
            }
            for text in streams or []
        ],
    }
    if secret:
        body["secret"] = here.secret("Password or token")
    answer = here.client.post("/sources", body)
    then = "Read it with: bailiwick sources sync" if streams else "See what it has with: bailiwick sources discover"
    here.done(answer, f"The source {answer['name']} is added. {then} {shlex.quote(answer['name'])}")


@command(
    app,
    "edit",
    routes=["PATCH /api/v1/sources/{pipeline_id}"],
    examples=[
        "bailiwick sources edit shop --name 'The shop'",
        "bailiwick sources edit shop --postgresql 'host=new.example.com dbname=shop user=reader' --secret",
    ],
)
def edit_source(
    here: Here,
    source: Which,
    name: Annotated[str | None, typer.Option(help="The new name.")] = None,
    description: Annotated[str | None, typer.Option(help="The new description.")] = None,
    layer: Layer = None,
    postgresql: Postgresql = None,
    http: HttpAt = None,
    authentication: Authentication = "none",
    volume: Volume = None,
    folder: Folder = None,
    format_: Format = "csv",
    delimiter: Delimiter = ",",
    secret: Secret = False,
) -> None:
    """Edit a source. Pointed to another server, it needs its secret again."""
    given = {
        "name": name,
        "description": description,
        "output_layer_id": find.layer(here, layer) if layer else None,
        "connection": connection_of(here, postgresql, http, authentication, volume, folder, format_, delimiter, False),
        "secret": here.secret("Password or token") if secret else None,
    }
    changes = {key: value for key, value in given.items() if value is not None}
    answer = here.client.patch(f"/sources/{source_id(here, source)}", changes)
    here.done(answer, f"The source {answer['name']} is changed.")


@command(
    app,
    "delete",
    routes=["DELETE /api/v1/sources/{pipeline_id}"],
    examples=["bailiwick sources delete shop"],
)
def delete_source(here: Here, source: Which, yes: Yes = False) -> None:
    """Delete a source, once you have seen what hangs on it. Its tables stay."""
    seen = find.pipeline(here, "/sources", source, "source")
    path = f"/sources/{seen['id']}"
    if not yes:
        try:
            here.client.delete(path, version=seen["version"])
        except Problem as problem:
            if problem.status != 409:
                raise
            typer.echo(printable(str(problem)), err=True)
    here.confirm(f"Delete the source {seen['name']}?", yes)
    answer = here.client.delete(path, query={"confirm": seen["name"]}, version=seen["version"])
    here.done(answer, f"The source {seen['name']} is deleted.")


@command(
    app,
    "activate",
    routes=["POST /api/v1/sources/{pipeline_id}/activate"],
    examples=["bailiwick sources activate shop"],
)
def activate_source(here: Here, source: Which) -> None:
    """Let a source run again."""
    answer = here.client.post(f"/sources/{source_id(here, source)}/activate")
    here.done(answer, f"The source {answer['name']} is active.")


@command(
    app,
    "deactivate",
    routes=["POST /api/v1/sources/{pipeline_id}/deactivate"],
    examples=["bailiwick sources deactivate shop"],
)
def deactivate_source(here: Here, source: Which) -> None:
    """Let a source rest: neither people nor triggers start it."""
    answer = here.client.post(f"/sources/{source_id(here, source)}/deactivate")
    here.done(answer, f"The source {answer['name']} rests.")


@command(
    app,
    "owner",
    routes=["PUT /api/v1/sources/{pipeline_id}/owner"],
    examples=["bailiwick sources owner shop ada@example.com"],
)
def change_owner(
    here: Here,
    source: Which,
    owner: Annotated[str, typer.Argument(metavar="MEMBER", help="An e-mail address, name or id.")],
) -> None:
    """Let a source act as another member. For tenant owners and admins."""
    answer = here.client.put(f"/sources/{source_id(here, source)}/owner", {"owner_id": member(here, owner)})
    here.done(answer, f"The source {answer['name']} acts as {answer['owner']['name']}.")


@command(
    app,
    "sync",
    routes=["POST /api/v1/sources/{pipeline_id}/runs"],
    examples=["bailiwick sources sync shop", "bailiwick sources sync shop --wait --json"],
)
def sync_source(
    here: Here,
    source: Which,
    wait: Annotated[bool, typer.Option("--wait", help="Until it has ended; a failed run is a failure.")] = False,
) -> None:
    """Read a source into its tables, now."""
    started = here.client.post(f"/sources/{source_id(here, source)}/runs")
    if not wait:
        watch = f"bailiwick runs watch {started['run_id']}"
        here.done(started, f"Run {started['number']} is {started['state']}. Watch it with: {watch}")
        return
    run = _ended(here, started["run_id"])
    if run["state"] != "succeeded":
        problem = run.get("problem") or {}
        raise Failure(f"It {run['state']}: {problem.get('message', '')}".strip(), problem.get("fix", ""))
    aside = f", and {rejected(run)} were rejected" if rejected(run) else ""
    here.done(run, f"Run {run['number']} has written {how_many(run['rows_written'] or 0, 'row')}{aside}.")


# Looking before reading ----------------------------------------------------------------------------------------------


@command(
    app,
    "test",
    routes=["POST /api/v1/sources/{pipeline_id}/test"],
    examples=["bailiwick sources test shop"],
)
def try_connection(here: Here, source: Which) -> None:
    """Test whether a source answers and lets us in."""
    answer = _looked(here, f"/sources/{source_id(here, source)}/test")
    here.done(answer, answer["says"])


@command(
    app,
    "discover",
    routes=["POST /api/v1/sources/{pipeline_id}/discover"],
    examples=["bailiwick sources discover shop", "bailiwick sources discover shop --add orders --add customers"],
)
def discover(
    here: Here,
    source: Which,
    add: Annotated[
        list[str] | None, typer.Option("--add", metavar="STREAM", help="Add what was found under this name; repeat it.")
    ] = None,
    rows: Annotated[bool, typer.Option("--rows", help="Show a few rows of each, too.")] = False,
) -> None:
    """Discover which streams a source has, with their columns, and add those you want."""
    id_ = source_id(here, source)
    answer = _looked(here, f"/sources/{id_}/discover")
    for name in add or []:
        found = one_of(
            [{**stream, "id": stream["name"]} for stream in answer["streams"]], name, "stream", lambda it: [it["name"]]
        )
        settings = {"read": found["read"], "primary_key": found["primary_key"]}
        here.client.post(f"/sources/{id_}/streams", {"name": found["name"], "settings": settings})
    if here.as_json:
        print_json(answer)
        return
    here.rows(answer["streams"], FOUND, "There is nothing to read yet.")
    for stream in answer["streams"] if rows else []:
        here.say(f"\n{printable(stream['name'])}")
        columns: Columns = {column["name"]: cell(column["name"]) for column in stream["columns"]}
        here.rows(stream["sample"], columns, "It has no rows.")
    if add:
        here.say(f"Added: {', '.join(add)}. Read them with: bailiwick sources sync {shlex.quote(source)}")


# Shared --------------------------------------------------------------------------------------------------------------


def _looked(here: Here, path: str) -> dict[str, Any]:
    answer: dict[str, Any] = here.client.post(path, query={"wait": 60})
    if answer["problem"]:
        raise Failure(answer["problem"]["message"], answer["problem"]["fix"])
    if answer["state"] != "succeeded":
        watch = f"bailiwick runs watch {answer['run_id']}"
        raise Failure(f"It is {answer['state']} still.", f"Is a worker running? Watch it with: {watch}")
    return answer


def _ended(here: Here, run_id: str) -> dict[str, Any]:
    while True:
        run: dict[str, Any] = here.client.get(f"/runs/{run_id}")
        if run["ended_at"]:
            return run
        time.sleep(1)


def _points_to(connection: dict[str, Any]) -> str:
    if connection["type"] == "postgresql":
        return f"{connection['user']}@{connection['host']}:{connection['port']}/{connection['database']}"
    return str(connection.get("url") or connection.get("folder") or connection.get("volume_id") or "tables")

"""`bailiwick sources …`: the streams of a source."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from bailiwick.cli.command import All, Cursor, Here, Limit, Search, Sort, Yes, command
from bailiwick.cli.find import is_id, one_of
from bailiwick.cli.output import Columns
from bailiwick.lakehouse.commands import find
from bailiwick.lakehouse.commands.source_flags import (
    Growing,
    Keys,
    Layer,
    OnlyNew,
    Output,
    Types,
    Which,
    WhichStream,
    read_of,
    settings_of,
    source_id,
    types_of,
)
from bailiwick.lakehouse.commands.sources import app as app

STREAM: Columns = {
    "Stream": "name",
    "Lands in": lambda it: f"{it['output_layer']['name']}.{it['output_name']}",
    "Enabled": "enabled",
    "Reads": lambda it: it["settings"]["mode"],
    "Key": lambda it: ", ".join(it["settings"]["primary_key"]),
    "Columns": lambda it: len(it["columns"]) if it["columns"] is not None else None,
    "Up to": "cursor",
}


@command(
    app,
    "streams",
    routes=["GET /api/v1/sources/{pipeline_id}/streams"],
    examples=["bailiwick sources streams shop", "bailiwick sources streams shop --off"],
)
def list_streams(
    here: Here,
    source: Which,
    enabled: Annotated[
        bool | None, typer.Option("--on/--off", help="Only those that are read, or those that rest.")
    ] = None,
    search: Search = None,
    sort: Sort = None,
    limit: Limit = 50,
    everything: All = False,
    cursor: Cursor = None,
) -> None:
    """List a source's streams and the tables they land in."""
    empty = "It has no stream yet. Add one with: bailiwick sources add-stream"
    here.listing(
        f"/sources/{source_id(here, source)}/streams",
        STREAM,
        empty=empty if enabled is None else "There is none.",
        limit=limit,
        everything=everything,
        cursor=cursor,
        enabled=enabled,
        search=search,
        sort=sort,
    )


@command(
    app,
    "stream",
    routes=["GET /api/v1/sources/{pipeline_id}/streams/{stream_id}"],
    examples=["bailiwick sources stream shop orders"],
)
def show_stream(here: Here, source: Which, stream: WhichStream) -> None:
    """Look at one stream, with the columns that were discovered."""
    answer = here.client.get(_stream(here, source, stream))
    columns = {"Has": lambda it: ", ".join(f"{one['name']} {one['type']}" for one in it["columns"] or [])}
    here.show(answer, {**STREAM, **columns, "Id": "id"})


@command(
    app,
    "add-stream",
    routes=["POST /api/v1/sources/{pipeline_id}/streams"],
    examples=[
        "bailiwick sources add-stream shop orders --incremental updated_at --key id",
        "bailiwick sources add-stream landing 'orders=orders/*.csv' --new-files --type amount=double",
    ],
)
def add_stream(
    here: Here,
    source: Which,
    stream: Annotated[str, typer.Argument(metavar="STREAM", help="NAME=PATTERN, NAME=PATH or a table's name.")],
    layer: Layer = None,
    output: Output = None,
    incremental: Growing = None,
    new_files: OnlyNew = False,
    keys: Keys = None,
    types: Types = None,
    disabled: Annotated[bool, typer.Option("--disabled", help="Add it without reading it yet.")] = False,
) -> None:
    """Add a stream to a source."""
    seen = find.pipeline(here, "/sources", source, "source")
    body: dict[str, Any] = {
        "name": stream.partition("=")[0],
        "enabled": not disabled,
        "settings": settings_of(read_of(here, seen["connection"]["type"], stream), incremental, new_files, keys, types),
    }
    if layer:
        body["output_layer_id"] = find.layer(here, layer)
    if output:
        body["output_name"] = output
    answer = here.client.post(f"/sources/{seen['id']}/streams", body)
    here.done(answer, f"The stream {answer['name']} lands in {answer['output_layer']['name']}.{answer['output_name']}.")


@command(
    app,
    "edit-stream",
    routes=["PATCH /api/v1/sources/{pipeline_id}/streams/{stream_id}"],
    examples=[
        "bailiwick sources edit-stream shop orders --disable",
        "bailiwick sources edit-stream shop orders --type amount='decimal(10,2)'",
    ],
)
def edit_stream(
    here: Here,
    source: Which,
    stream: WhichStream,
    enable: Annotated[bool | None, typer.Option("--enable/--disable", help="Whether it is read.")] = None,
    layer: Layer = None,
    output: Output = None,
    incremental: Growing = None,
    full: Annotated[bool, typer.Option("--full", help="Read everything each time.")] = False,
    keys: Keys = None,
    types: Types = None,
) -> None:
    """Edit, enable or disable a stream."""
    settings: dict[str, Any] = {}
    if full or incremental:
        settings |= {"mode": "full" if full else "incremental", "cursor_column": incremental}
    if keys:
        settings["primary_key"] = keys
    if types:
        settings["types"] = types_of(types)
    given = {
        "enabled": enable,
        "output_layer_id": find.layer(here, layer) if layer else None,
        "output_name": output,
        "settings": settings or None,
    }
    changes = {key: value for key, value in given.items() if value is not None}
    answer = here.client.patch(_stream(here, source, stream), changes)
    here.done(answer, f"The stream {answer['name']} is changed.")


@command(
    app,
    "start-over",
    routes=["POST /api/v1/sources/{pipeline_id}/streams/{stream_id}/start-over"],
    examples=["bailiwick sources start-over shop orders --yes"],
)
def start_over(here: Here, source: Which, stream: WhichStream, yes: Yes = False) -> None:
    """Let a stream read everything again and replace its table, columns and all."""
    path = _stream(here, source, stream)
    here.confirm(f"Replace the table of {stream} at the next run?", yes)
    answer = here.client.post(f"{path}/start-over")
    here.done(answer, f"The next run of the source replaces the table {answer['output_name']}.")


@command(
    app,
    "delete-stream",
    routes=["DELETE /api/v1/sources/{pipeline_id}/streams/{stream_id}"],
    examples=["bailiwick sources delete-stream shop orders"],
)
def delete_stream(here: Here, source: Which, stream: WhichStream, yes: Yes = False) -> None:
    """Delete a stream. Its table stays."""
    path = _stream(here, source, stream)
    here.confirm(f"Delete the stream {stream}?", yes)
    here.client.delete(path)
    here.done(None, f"The stream {stream} is deleted; its table stays.")


def _stream(here: Here, source: str, stream: str) -> str:
    path = f"/sources/{source_id(here, source)}/streams"
    if is_id(stream):
        return f"{path}/{stream}"
    listed = here.client.get(path, search=stream, limit=200)["items"]
    return f"{path}/{one_of(listed, stream, 'stream', lambda it: [it['name']])['id']}"

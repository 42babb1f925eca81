"""What is typed about sources and streams, as the API wants it."""

from __future__ import annotations

import shlex
from typing import Annotated, Any
from urllib.parse import urlsplit

import typer

from bailiwick.cli.command import Here
from bailiwick.cli.failures import Failure
from bailiwick.cli.find import is_id
from bailiwick.lakehouse.commands import find

Which = Annotated[str, typer.Argument(metavar="SOURCE", help="The source's name or id.")]
WhichStream = Annotated[str, typer.Argument(metavar="STREAM", help="The stream's name or id.")]
Postgresql = Annotated[
    str | None,
    typer.Option("--postgresql", metavar="WHERE", help="A database: 'host=… dbname=… user=…' or postgresql://…"),
]
HttpAt = Annotated[str | None, typer.Option("--http", metavar="URL", help="An API that answers with JSON.")]
Authentication = Annotated[
    str, typer.Option(help="How the API wants the secret: none, bearer, basic:USER or header:NAME.")
]
Volume = Annotated[str | None, typer.Option("--volume", help="Files in this volume: layer.volume.")]
Folder = Annotated[str | None, typer.Option("--folder", help="Files in this folder of the server.")]
Format = Annotated[str, typer.Option("--format", help="Of files: csv, json_lines, parquet or excel.")]
Delimiter = Annotated[str, typer.Option(help="Between the values of CSV.")]
Secret = Annotated[bool, typer.Option("--secret", help="Ask for the password or token, or read it from a pipe.")]
Layer = Annotated[str | None, typer.Option("--layer", help="The layer its tables land in.")]
Growing = Annotated[
    str | None, typer.Option("--incremental", metavar="COLUMN", help="Read only what has grown in this column.")
]
OnlyNew = Annotated[bool, typer.Option("--new-files", help="Read only files that were not read yet.")]
Keys = Annotated[list[str] | None, typer.Option("--key", metavar="COLUMN", help="Part of the primary key; repeat it.")]
Types = Annotated[list[str] | None, typer.Option("--type", metavar="COLUMN=TYPE", help="A column's type; repeat it.")]
Output = Annotated[str | None, typer.Option("--output", metavar="TABLE", help="The table's name in the layer.")]


def source_id(here: Here, source: str) -> str:
    return source if is_id(source) else str(find.pipeline(here, "/sources", source, "source")["id"])


def connection_of(
    here: Here,
    postgresql: str | None,
    http: str | None,
    authentication: str,
    volume: str | None,
    folder: str | None,
    format_: str,
    delimiter: str,
    tables: bool,
) -> dict[str, Any] | None:
    if sum(map(bool, (postgresql, http, volume, folder, tables))) > 1:
        raise Failure(
            "A source points to one place.", "Give one of --postgresql, --http, --volume, --folder, --tables."
        )
    if postgresql:
        return {"type": "postgresql", **_database(postgresql)}
    if http:
        kind, _, who = authentication.partition(":")
        more = {"user": who} if kind == "basic" else {"header": who} if kind == "header" else {}
        return {"type": "http", "url": http, "authentication": kind, **more}
    if volume or folder:
        place = {"volume_id": find.volume(here, volume)} if volume else {"folder": folder}
        return {"type": "files", "format": format_, "delimiter": delimiter, **place}
    return {"type": "table"} if tables else None


def _database(text: str) -> dict[str, Any]:
    """What psql takes, in either form."""
    if "://" in text:
        url = urlsplit(text)
        if url.password:
            raise Failure("A password is not typed into a command.", "Leave it out and add --secret.")
        found: dict[str, Any] = {"host": url.hostname, "port": url.port, "user": url.username}
        found["database"] = url.path.lstrip("/")
        return {key: value for key, value in found.items() if value}
    parts = dict(part.partition("=")[::2] for part in shlex.split(text))
    if "password" in parts:
        raise Failure("A password is not typed into a command.", "Leave it out and add --secret.")
    names = {"host": "host", "port": "port", "dbname": "database", "user": "user", "sslmode": "encryption"}
    if unknown := sorted(set(parts) - set(names)):
        raise Failure(f"There is no {unknown[0]} here.", f"It takes {', '.join(names)}.")
    return {names[key]: int(value) if key == "port" and value.isdigit() else value for key, value in parts.items()}


def read_of(here: Here, kind: str, text: str) -> dict[str, Any]:
    """What a stream reads, from NAME=WHAT or the name alone."""
    name, equals, what = text.partition("=")
    if kind == "files":
        return {"type": kind, "pattern": what if equals else name}
    if kind == "http":
        return {"type": kind, "path": what if equals else name}
    if kind == "table":
        return {"type": kind, "table_id": find.table(here, what if equals else name)}
    schema, _, table = (what if equals else name).rpartition(".")
    return {"type": kind, "schema": schema or "public", "table": table}


def settings_of(
    read: dict[str, Any], incremental: str | None, new_files: bool, keys: list[str] | None, types: list[str] | None
) -> dict[str, Any]:
    return {
        "read": read,
        "mode": "incremental" if incremental or new_files else "full",
        "cursor_column": incremental,
        "primary_key": keys or [],
        "types": types_of(types or []),
    }


def types_of(texts: list[str]) -> dict[str, str]:
    return {name: type_ for name, _, type_ in (text.partition("=") for text in texts)}

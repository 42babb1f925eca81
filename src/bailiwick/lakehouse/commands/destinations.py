"""`bailiwick destinations`: where the rows of tables go."""

from __future__ import annotations

import shlex
from typing import Annotated, Any

import typer

from bailiwick.cli.command import Here, command
from bailiwick.cli.failures import Failure
from bailiwick.lakehouse.commands import find
from bailiwick.lakehouse.commands.pipelines import (
    NewDescription,
    NewName,
    SayDescription,
    Secret,
    Which,
    add_common,
    changed,
    noun,
)
from bailiwick.lakehouse.commands.waiting import LIVING, require_success, until_ended

DESTINATIONS = noun(
    "destinations",
    "Lakehouse destinations: the rows of a table to a database, a file or a web address.",
    "/lakehouse-destinations",
    "lakehouse destination",
    {"Of": lambda it: (it["table"] or {}).get("name"), "To": lambda it: _to(it["target"])},
    {"Columns": "columns", "Has secret": "has_secret"},
    "'Totals to the shop'",
)
app = DESTINATIONS.area

Postgresql = Annotated[
    str | None,
    typer.Option(
        "--postgresql", metavar="DSN", help="'host=… dbname=… user=… table=schema.table', and port, encryption."
    ),
]
Mode = Annotated[str, typer.Option("--mode", help="Of a database: append, upsert or overwrite.")]
Keys = Annotated[list[str] | None, typer.Option("--key", help="A column to upsert by; repeat it.")]
File = Annotated[
    str | None,
    typer.Option(
        "--file", metavar="VOLUME:PATH", help="raw.exports:orders-{date}.csv; ends with .csv, .parquet, .xlsx."
    ),
]
Webhook = Annotated[str | None, typer.Option("--webhook", metavar="ADDRESS", help="A web address that takes JSON.")]
Authentication = Annotated[str, typer.Option("--authentication", help="Of a web address: none, bearer, basic, header.")]
User = Annotated[str | None, typer.Option("--user", help="For basic authentication.")]
Header = Annotated[str | None, typer.Option("--header", help="The header that holds the secret.")]
Rows = Annotated[int, typer.Option("--batch-rows", min=1, help="Rows in one request.")]
Columns = Annotated[list[str] | None, typer.Option("--column", help="Only this one; repeat it.")]


@command(
    app,
    "add",
    routes=["POST /api/v1/lakehouse-destinations"],
    examples=[
        "bailiwick destinations add 'Totals to the shop' --of trusted.totals --mode upsert --key day --secret "
        "--postgresql 'host=db.example.com dbname=shop user=writer table=public.totals'",
        "bailiwick destinations add Export --of trusted.totals --file 'service.exports:totals-{date}.xlsx'",
        "bailiwick destinations add Hook --of trusted.totals --webhook https://example.com/rows "
        "--authentication bearer --secret",
    ],
)
def add_destination(
    here: Here,
    name: Annotated[str, typer.Argument(help="Its name.")],
    of: Annotated[str, typer.Option("--of", metavar="TABLE", help="The table whose rows go out.")],
    postgresql: Postgresql = None,
    mode: Mode = "append",
    keys: Keys = None,
    file: File = None,
    webhook: Webhook = None,
    authentication: Authentication = "none",
    user: User = None,
    header: Header = None,
    batch_rows: Rows = 1000,
    columns: Columns = None,
    secret: Secret = False,
    description: SayDescription = "",
) -> None:
    """Add a lakehouse destination. Say where the rows go: a database, a file in a volume, or a web address."""
    target = _target(here, postgresql, mode, keys, file, webhook, authentication, user, header, batch_rows)
    if target is None:
        raise Failure("Say where the rows go.", "Give one of --postgresql, --file and --webhook.")
    body = {
        "name": name,
        "description": description,
        "table_id": find.table(here, of),
        "columns": columns,
        "target": target,
        "secret": here.secret("Password or token") if secret else None,
    }
    answer = here.client.post("/lakehouse-destinations", body)
    here.done(answer, f"{answer['name']} is added. Try it with: bailiwick destinations test '{answer['name']}'")


@command(
    app,
    "edit",
    routes=["PATCH /api/v1/lakehouse-destinations/{pipeline_id}"],
    examples=["bailiwick destinations edit Hook --webhook https://example.com/new --authentication bearer --secret"],
)
def edit_destination(
    here: Here,
    which: Which,
    name: NewName = None,
    description: NewDescription = None,
    of: Annotated[str | None, typer.Option("--of", metavar="TABLE", help="Another table.")] = None,
    postgresql: Postgresql = None,
    mode: Mode = "append",
    keys: Keys = None,
    file: File = None,
    webhook: Webhook = None,
    authentication: Authentication = "none",
    user: User = None,
    header: Header = None,
    batch_rows: Rows = 1000,
    columns: Columns = None,
    secret: Secret = False,
) -> None:
    """Edit a lakehouse destination. Where it leads elsewhere, it needs its secret again."""
    seen = DESTINATIONS.find(here, which)
    body = changed(
        {
            "name": name,
            "description": description,
            "table_id": find.table(here, of) if of else None,
            "columns": columns,
            "target": _target(here, postgresql, mode, keys, file, webhook, authentication, user, header, batch_rows),
            "secret": here.secret("Password or token") if secret else None,
        }
    )
    answer = here.client.patch(f"/lakehouse-destinations/{seen['id']}", body, version=seen["version"])
    here.done(answer, f"{answer['name']} is changed.")


@command(
    app,
    "test",
    routes=["POST /api/v1/lakehouse-destinations/{pipeline_id}/test"],
    examples=["bailiwick destinations test Hook"],
)
def try_destination(here: Here, which: Which) -> None:
    """Try whether a destination answers and lets us in; nothing is sent."""
    seen = DESTINATIONS.find(here, which)
    answer = here.client.post(f"/lakehouse-destinations/{seen['id']}/test", query={"wait": 10})
    if answer["state"] in LIVING:
        run = until_ended(here, answer["run_id"], "Trying")
        require_success(run)
        answer = {**answer, "state": run["state"], "ok": True, "says": (run["result"] or {}).get("says", "")}
    if not answer["ok"]:
        raise Failure(answer["says"], title="No answer")
    here.done(answer, answer["says"])


def _target(
    here: Here,
    postgresql: str | None,
    mode: str,
    keys: list[str] | None,
    file: str | None,
    webhook: str | None,
    authentication: str,
    user: str | None,
    header: str | None,
    batch_rows: int,
) -> dict[str, Any] | None:
    given = [one for one in (postgresql, file, webhook) if one]
    if len(given) > 1:
        raise Failure("It goes to one place.", "Give one of --postgresql, --file and --webhook.")
    if postgresql:
        return _database(postgresql, mode, keys)
    if file:
        volume, colon, path = file.partition(":")
        if not colon:
            raise Failure(f"{file} names no volume.", "Write VOLUME:PATH, such as raw.exports:orders-{date}.csv")
        kind = path.rpartition(".")[2].lower()
        return {"type": "file", "volume_id": find.volume(here, volume), "path": path, "format": kind}
    if webhook:
        more = changed({"user": user, "header": header})
        return {
            "type": "webhook",
            "url": webhook,
            "authentication": authentication,
            "batch_rows": batch_rows,
            **more,
        }
    return None


def _database(text: str, mode: str, keys: list[str] | None) -> dict[str, Any]:
    try:
        said = dict(part.split("=", 1) for part in shlex.split(text))
    except ValueError:
        raise Failure(f"“{text}” cannot be read.", "Write 'host=… dbname=… user=… table=schema.table'.") from None
    schema, dot, table = said.pop("table", "").rpartition(".")
    names = {"dbname": "database", "host": "host", "user": "user", "port": "port", "encryption": "encryption"}
    unknown = [key for key in said if key not in names]
    if unknown or not table:
        raise Failure(f"“{text}” cannot be read.", "Write 'host=… dbname=… user=… table=schema.table'.")
    return {
        "type": "postgresql",
        **{names[key]: value for key, value in said.items()},
        "schema": schema if dot else "public",
        "table": table,
        "mode": mode,
        "keys": keys or [],
    }


def _to(target: dict[str, Any]) -> str:
    if target["type"] == "postgresql":
        return f"{target['host']}: {target['schema']}.{target['table']} ({target['mode']})"
    return str(target["path"] if target["type"] == "file" else target["url"])


add_common(DESTINATIONS)

"""`bailiwick tables sample`, `versions` and `restore`; `bailiwick layers maintenance` and `maintain`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from bailiwick.cli.command import Here, Yes, command
from bailiwick.cli.failures import Failure
from bailiwick.cli.output import Columns, print_json
from bailiwick.lakehouse.commands import find
from bailiwick.lakehouse.commands.pipelines import changed
from bailiwick.lakehouse.commands.sql import show
from bailiwick.lakehouse.commands.waiting import LIVING, require_success, until_ended

Table = Annotated[str, typer.Argument(metavar="LAYER.TABLE", help="The table's name or id.")]
Layer = Annotated[str, typer.Argument(metavar="LAYER", help="The layer's name or id.")]
VERSIONS: Columns = {
    "Version": "version",
    "At": "at",
    "What": "operation",
    "Rows": "rows",
    "By": lambda it: ", ".join(name for name in ((it["pipeline"] or {}).get("name"), it.get("started_by")) if name),
    "Run": "run_id",
}
MAINTENANCE: Columns = {
    "Layer": lambda it: it["layer"]["name"],
    "Active": "active",
    "Compact": "compact",
    "Days to keep": "keep_days",
    "Acts as": lambda it: (it["owner"] or {}).get("name"),
}


def add_to(tables: typer.Typer, layers: typer.Typer) -> None:
    @command(
        tables,
        "sample",
        routes=["GET /api/v1/tables/{table_id}/sample"],
        examples=["bailiwick tables sample raw.orders", "bailiwick tables sample raw.orders --version 3 --rows 5"],
    )
    def sample(
        here: Here,
        table: Table,
        rows: Annotated[int, typer.Option("--rows", "-n", min=1, max=1000, help="How many at most.")] = 20,
        version: Annotated[int | None, typer.Option("--version", min=0, help="As it was in this version.")] = None,
    ) -> None:
        """See some rows of a table, as it is or was."""
        path = f"/tables/{find.table(here, table)}/sample"
        query = here.client.get(path, rows=rows, version=version, wait=1)
        if query["state"] in LIVING:
            until_ended(here, query["id"], "Reading")
            query = here.client.get(f"/queries/{query['id']}")
        show(here, query)

    @command(
        tables,
        "versions",
        routes=["GET /api/v1/tables/{table_id}/versions"],
        examples=["bailiwick tables versions raw.orders"],
    )
    def versions(
        here: Here,
        table: Table,
        before: Annotated[int | None, typer.Option(min=0, help="Only versions before this one.")] = None,
        limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=200)] = 20,
    ) -> None:
        """List the versions of a table, the latest first."""
        answer = here.client.get(f"/tables/{find.table(here, table)}/versions", before=before, limit=limit, wait=1)
        items, more = answer["items"], answer["more"]
        if answer["state"] in LIVING:
            run = until_ended(here, answer["run_id"], "Reading")
            require_success(run)
            items, more = run["result"]["versions"], run["result"]["more"]
        if items is None:
            raise Failure("The versions could not be read.", f"See: bailiwick runs show {answer['run_id']}")
        if here.as_json:
            print_json({"items": items, "more": more})
        else:
            here.rows(items, VERSIONS, "There is none yet." if before is None else "There is none before it.")
            if more:
                here.say(f"There are earlier ones: go on with --before {items[-1]['version']}")

    @command(
        tables,
        "restore",
        routes=["POST /api/v1/tables/{table_id}/restore"],
        examples=["bailiwick tables restore raw.orders 3"],
    )
    def restore(
        here: Here,
        table: Table,
        version: Annotated[int, typer.Argument(min=0, help="One of its versions.")],
        yes: Yes = False,
    ) -> None:
        """Let a table be what it was in an earlier version. For Editors; it can be taken back the same way."""
        id_ = find.table(here, table)
        here.confirm(f"Replace what is in {table} by what was in version {version}?", yes)
        started = here.client.post(f"/tables/{id_}/restore", {"version": version})
        run = until_ended(here, started["run_id"], "Restoring")
        require_success(run)
        here.done(run, f"{table} is what it was in version {version}.")

    @command(
        layers,
        "maintenance",
        routes=["GET /api/v1/layers/{layer_id}/maintenance", "PUT /api/v1/layers/{layer_id}/maintenance"],
        examples=["bailiwick layers maintenance raw", "bailiwick layers maintenance raw --on --keep-days 60"],
    )
    def maintenance(
        here: Here,
        layer: Layer,
        active: Annotated[bool | None, typer.Option("--on/--off", help="Whether triggers start it.")] = None,
        compact: Annotated[bool | None, typer.Option("--compact/--no-compact", help="Join small files.")] = None,
        keep_days: Annotated[
            int | None, typer.Option("--keep-days", min=7, max=365, help="Versions to keep that can be restored.")
        ] = None,
    ) -> None:
        """See or set how a layer's tables are maintained. Setting is for Managers."""
        path = f"/layers/{find.layer(here, layer)}/maintenance"
        now: dict[str, Any] = here.client.get(path)
        given = changed({"active": active, "compact": compact, "keep_days": keep_days})
        if given:
            kept = {key: now[key] for key in ("active", "compact", "keep_days")}
            now = here.client.put(path, {**kept, **given})
        here.show(now, MAINTENANCE)

    @command(
        layers,
        "maintain",
        routes=["POST /api/v1/layers/{layer_id}/maintenance/runs"],
        examples=["bailiwick layers maintain raw", "bailiwick layers maintain raw --wait"],
    )
    def maintain(
        here: Here,
        layer: Layer,
        wait: Annotated[bool, typer.Option("--wait", help="Until it has ended.")] = False,
    ) -> None:
        """Maintain a layer's tables now: join small files, remove what only old versions need."""
        started = here.client.post(f"/layers/{find.layer(here, layer)}/maintenance/runs")
        if wait:
            require_success(until_ended(here, started["run_id"], f"Maintaining {layer}"))
        here.done(started, f"Run {started['number']} is {'done' if wait else started['state']}.")

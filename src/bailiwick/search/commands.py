"""`bailiwick search`: whatever one may see, by its name."""

from __future__ import annotations

from typing import Annotated

import typer

from bailiwick.cli.command import Here, command
from bailiwick.cli.output import Columns, print_json
from bailiwick.cli.text import words

COLUMNS: Columns = {"What": lambda it: words(it["type"]), "Name": "name", "About": "about", "Id": "id"}


def add_to(app: typer.Typer, panel: str) -> None:
    @command(
        app,
        "search",
        panel=panel,
        routes=["GET /api/v1/search"],
        examples=["bailiwick search orders", "bailiwick search raw.ord --json"],
    )
    def search(
        here: Here,
        text: Annotated[str, typer.Argument(help="Part of a name, of a layer.table, or of an e-mail address.")],
        limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=50, help="How many at most.")] = 20,
    ) -> None:
        """Find whatever you may see by its name: tables, pipelines, projects, people and more."""
        answer = here.client.get("/search", q=text, limit=limit)
        if here.as_json:
            print_json(answer)
        else:
            here.rows(answer["items"], COLUMNS, "Nothing that you may see is called so.")

"""The command `bailiwick`: every area's commands, and those that start and keep the platform."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from bailiwick import __version__
from bailiwick.audit import commands as audit
from bailiwick.cli import doctor, settings, start
from bailiwick.cli.failures import Failure, tell
from bailiwick.cli.text import printable
from bailiwick.demo import commands as demo
from bailiwick.lakehouse.commands import (
    destinations,
    flow,
    grants,
    histories,
    layers,
    notebooks,
    queries,
    saved,
    sql,
    streams,
    tables,
    versions,
    volumes,
)
from bailiwick.projects import commands as projects
from bailiwick.questions import commands as access
from bailiwick.requests import commands as requests
from bailiwick.runs.commands import notifications, runs, triggers
from bailiwick.search import commands as search
from bailiwick.tenancy.commands import groups, members, sessions, sign_in, tenant
from bailiwick.worker import commands as worker

YOURSELF, PEOPLE, WORK, LAKEHOUSE, ACCESS, RUNNING = (
    "Yourself",
    "People",
    "Work",
    "Lakehouse",
    "Who may do what, and who did",
    "Running the platform",
)

NO_MOMENT = ("This is no day and no moment.", "Write it like 2027-01-31 or 2027-01-31T18:30.")


class Root(TyperGroup):
    """The outermost command: with `--json`, mistakes in what was typed are told as JSON too."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.meta["as_json"] = "--json" in args
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.TyperException as error:
            if isinstance(error, typer.BadParameter) and isinstance(error.__cause__, ValueError):
                error.message = _in_our_words(error.__cause__) or error.message
            if not ctx.meta["as_json"]:
                raise
            tell(Failure(error.format_message(), title="Usage"), as_json=True)
            raise typer.Exit(error.exit_code) from None


def _in_our_words(error: ValueError) -> str:
    """What is wrong with what was typed, where a library said so."""
    from pydantic import ValidationError

    from bailiwick.wrong_input import said_of

    if not isinstance(error, ValidationError):
        return ""
    first = error.errors()[0]
    said = NO_MOMENT if first["type"].startswith("date") else said_of(first)
    return printable(" ".join(said).rstrip())


app = typer.Typer(
    cls=Root,
    help="""Bailiwick, the governed data platform: everyone sees and does exactly what they may, and can ask why.

    Start with [bold]bailiwick init[/bold] and [bold]bailiwick up[/bold], then [bold]bailiwick login[/bold].
    Every command takes [bold]--help[/bold], with examples, and [bold]--json[/bold].""",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"bailiwick {__version__}")
        raise typer.Exit


@app.callback()
def bailiwick(
    ctx: typer.Context,
    view_as: Annotated[
        str | None,
        typer.Option("--as", metavar="MEMBER", help="See what this member sees: for owners and admins, on record."),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    ctx.obj = view_as  # for every command that asks the server


start.add_to(app, RUNNING)
worker.add_to(app, RUNNING)
demo.add_to(app, RUNNING)
doctor.add_to(app, RUNNING)
settings.add_to(app, RUNNING)
sign_in.add_to(app, YOURSELF)
search.add_to(app, YOURSELF)
sql.add_to(app, LAKEHOUSE)
flow.add_to(app, LAKEHOUSE)
versions.add_to(tables.app, layers.app)
for area, panel in (
    (sessions.sessions, YOURSELF),
    (sessions.tokens, YOURSELF),
    (members.app, PEOPLE),
    (groups.app, PEOPLE),
    (tenant.app, PEOPLE),
    (projects.app, WORK),
    (runs.app, WORK),
    (triggers.app, WORK),
    (notifications.app, WORK),
    (layers.app, LAKEHOUSE),
    (tables.app, LAKEHOUSE),
    (volumes.app, LAKEHOUSE),
    (grants.app, LAKEHOUSE),
    (streams.app, LAKEHOUSE),  # sources, and their streams
    (saved.app, LAKEHOUSE),
    (queries.app, LAKEHOUSE),
    (histories.app, LAKEHOUSE),
    (destinations.app, LAKEHOUSE),
    (notebooks.NOTEBOOKS.area, LAKEHOUSE),
    (notebooks.INTEGRATIONS.area, LAKEHOUSE),
    (requests.app, ACCESS),
    (access.app, ACCESS),
    (audit.app, ACCESS),
):
    app.add_typer(area, rich_help_panel=panel)


def run() -> None:
    """What the installed command calls."""
    app(prog_name="bailiwick")

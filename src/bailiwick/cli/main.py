"""The command `bailiwick`: every area's commands, and those that start and keep the platform."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from bailiwick import __version__
from bailiwick.cli import doctor, settings, start
from bailiwick.cli.failures import Failure, tell

PEOPLE, PROJECTS, ACCESS, RUNNING = "People", "Projects", "Who may do what", "Running the platform"


class Root(TyperGroup):
    """The outermost command: with `--json`, mistakes in what was typed are told as JSON too."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.meta["as_json"] = "--json" in args
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.TyperException as error:
            if not ctx.meta["as_json"]:
                raise
            tell(Failure(error.format_message(), title="Usage"), as_json=True)
            raise typer.Exit(error.exit_code) from None


app = typer.Typer(
    name="bailiwick",
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
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


start.add_to(app, RUNNING)
doctor.add_to(app, RUNNING)
settings.add_to(app, RUNNING)


def run() -> None:
    """What the installed command calls."""
    app()

"""Links that let somebody in, as the commands that make one show them."""

from __future__ import annotations

from typing import Annotated, Any

import typer

Show = Annotated[bool, typer.Option("--show", help="Print the link too, to hand it over: for owners and admins.")]


def with_link(answer: dict[str, Any], said: str) -> str:
    """What is said of a link, and the link itself where it was asked for."""
    return f"{said}\n\n  {answer['link']}\n" if answer["link"] else said

"""Project roles as people type them."""

from __future__ import annotations

import typer

ROLES = ("Admin", "Technical User", "Business User")


def role_named(text: str) -> str:
    """A role as the documents write it; `technical-user` and `technical` will do."""
    wanted = text.casefold().replace("-", " ").replace("_", " ")
    for role in ROLES:
        if wanted in (role.casefold(), role.casefold().removesuffix(" user")):
            return role
    raise typer.BadParameter(f"“{text}” is no role here. Choose Admin, Technical User or Business User.")


def complete_role(incomplete: str) -> list[str]:
    return [role for role in ROLES if role.casefold().startswith(incomplete.casefold())]

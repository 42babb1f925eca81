"""`bailiwick settings`: every setting as it holds now, and where it comes from."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import typer

from bailiwick.cli.command import Here, command
from bailiwick.cli.output import print_json

if TYPE_CHECKING:
    from bailiwick.settings import Settings

HIDDEN = "(hidden)"


def add_to(app: typer.Typer, panel: str) -> None:
    @command(app, "settings", examples=["bailiwick settings", "bailiwick settings --json"], panel=panel, local=True)
    def show_settings(here: Here) -> None:
        """Show every setting, and whether the environment, the file or the default gives it.

        Passwords and keys are not shown. All settings are explained in docs/operate/settings.md."""
        from bailiwick.settings import load_settings, settings_file

        effective = load_settings()
        found = [
            {"setting": name, "value": value_of(effective, name), "from": origin_of(effective, name)}
            for name in type(effective).model_fields
        ]
        if here.as_json:
            print_json({"file": str(settings_file()), "items": found})
            return
        here.rows(found, {"Setting": "setting", "Value": "value", "From": "from"})
        here.say(f"To change one, set its variable in the environment or write it into {settings_file()}")


def value_of(settings: Settings, name: str) -> Any:
    """The setting's value, without what must not be seen over somebody's shoulder."""
    from pydantic import SecretStr

    value = getattr(settings, name)
    if isinstance(value, SecretStr):
        return HIDDEN
    if name == "database_url":
        from sqlalchemy import make_url

        return make_url(value).render_as_string(hide_password=True)
    if isinstance(value, tuple):
        return [str(part) for part in value]
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def origin_of(settings: Settings, name: str) -> str:
    from bailiwick.settings import PREFIX

    variable = PREFIX + name.upper()
    # An empty variable counts as not set, as it does when the settings are read.
    if any(key.upper() == variable and value for key, value in os.environ.items()):
        return "environment"
    return "file" if name in settings.model_fields_set else "default"

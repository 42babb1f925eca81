"""What holds for every command: a route a command, help that teaches, and a quick start."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from bailiwick import __version__
from bailiwick.cli.command import COMMANDS
from bailiwick.cli.main import app
from tests.cli.terminal import Terminal, as_click

HEAVY = ("sqlalchemy", "pydantic", "fastapi", "httpx", "uvicorn", "alembic", "cryptography")
# Other programs speak these, not people: the standard's way to ask, and what a monitor reads.
FOR_PROGRAMS = ("/access/v1/", "/.well-known/", "/healthz", "/readyz", "/metrics")

paths = pytest.mark.parametrize("path", sorted(COMMANDS))


def command_at(words: list[str]) -> tuple[Any, list[str]]:
    """The command these words lead to, and the words that are left for it."""
    found: Any = as_click(app)
    while words and hasattr(found, "commands"):
        assert words[0] in found.commands, words
        found, words = found.commands[words[0]], words[1:]
    return found, words


def test_every_route_has_a_command(create_app_only: FastAPI) -> None:
    routes = {
        f"{method.upper()} {path}"
        for path, operations in create_app_only.openapi()["paths"].items()
        for method in operations
        if not path.startswith(FOR_PROGRAMS)
    }
    opened = {route for command in COMMANDS.values() for route in command.routes}
    assert routes - opened == set()


@paths
def test_help_explains_and_shows_an_example(path: str, terminal: Terminal) -> None:
    shown = terminal(*path.split(), "--help")
    assert "Usage: bailiwick" in shown
    assert "Examples" in shown
    assert "bailiwick" in shown.split("Examples")[1]
    assert "--json" in shown


@paths
def test_examples_are_commands_that_can_be_typed(path: str) -> None:
    for example in COMMANDS[path].examples:
        words = shlex.split(example.partition(" | ")[0].replace("$(", "").split(" > ")[0])
        typed = words[
            next(number for number, word in enumerate(words) if word == "bailiwick" or word.endswith("=bailiwick"))
            + 1 :
        ]
        command, arguments = command_at(typed)
        assert typed[: len(path.split())] == path.split()
        options = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
        assert {word.partition("=")[0] for word in arguments if word.startswith("--")} <= options


@pytest.mark.parametrize("path", sorted({path.split()[0] for path in COMMANDS if " " in path}))
def test_a_group_alone_says_what_it_holds(path: str, terminal: Terminal) -> None:
    shown = terminal.run(path).output
    assert f"Usage: bailiwick {path}" in shown
    assert "list" in shown or "show" in shown or "check" in shown


def test_the_page_about_the_command_line_names_every_command() -> None:
    page = (Path(__file__).parents[2] / "docs" / "use" / "cli.md").read_text()
    named = set()
    for quoted in re.findall(r"`([^`]+)`", "".join(line for line in page.splitlines() if line.startswith("|"))):
        area, _, commands = quoted.partition(" ")
        named |= {f"{area} {command}" for command in commands.split(", ")} if commands else {area}
    assert named == set(COMMANDS)


def test_help_starts_without_loading_what_only_the_platform_needs() -> None:
    code = (
        "import sys\nfrom bailiwick.cli.main import app\n"
        "try:\n    app(['--help'], prog_name='bailiwick')\nexcept SystemExit:\n    pass\n"
        f"print('loaded:', [name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded: []"
    assert "Running the platform" in done.stdout


def test_the_version_is_printed(terminal: Terminal) -> None:
    assert terminal("--version") == f"bailiwick {__version__}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_commands(shell: str) -> None:
    environment = {"_BAILIWICK_COMPLETE": f"complete_{shell}", "COMP_WORDS": "bailiwick mem", "COMP_CWORD": "1"}
    environment |= {"_TYPER_COMPLETE_ARGS": "bailiwick mem", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    done = subprocess.run(
        [sys.executable, "-m", "bailiwick.cli"], env=environment, capture_output=True, text=True, check=False
    )
    assert "members" in done.stdout


def test_a_mistyped_command_is_a_usage_error(terminal: Terminal) -> None:
    assert "No such command" in terminal.refused("membres", code=2)
    assert "No such option" in terminal.refused("members", "list", "--everybody", code=2)
    problem = terminal.problem("members", "list", "--everybody", code=2)
    assert problem["title"] == "Usage"
    assert "--everybody" in problem["detail"]

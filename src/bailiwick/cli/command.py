"""How a command is made: with `--json`, examples in its help, and failures told without a traceback."""

from __future__ import annotations

import errno
import functools
import inspect
import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import tzinfo
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import typer

from bailiwick.cli import logins, output
from bailiwick.cli.client import Client
from bailiwick.cli.failures import Failure, Problem, as_failure, tell
from bailiwick.cli.output import Columns
from bailiwick.cli.text import printable

NAME = "bailiwick"
TOKEN_VARIABLE = "BAILIWICK_TOKEN"  # noqa: S105 - the name of a variable
SERVER_VARIABLE = "BAILIWICK_SERVER"
DEBUG_VARIABLE = "BAILIWICK_DEBUG"

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs; errors too, on standard error.")]
Server = Annotated[
    str | None,
    typer.Option(
        "--server", metavar="ADDRESS", envvar=SERVER_VARIABLE, help="The server; else where you signed in last."
    ),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do it without asking.")]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, help="How many at most.")]
All = Annotated[bool, typer.Option("--all", help="All of them, however many.")]
Search = Annotated[str | None, typer.Option("--search", metavar="TEXT", help="Part of a name.")]
SearchPeople = Annotated[
    str | None, typer.Option("--search", metavar="TEXT", help="Part of a name or an e-mail address.")
]
Sort = Annotated[Literal["name", "-name"] | None, typer.Option("--sort", help="With - it begins at the other end.")]
SortByAge = Annotated[
    Literal["created", "-created"] | None, typer.Option("--sort", help="created begins with the oldest.")
]
Cursor = Annotated[str | None, typer.Option("--cursor", help="Go on where a list ended (its next_cursor).")]

# What gives the field of a request that no option is called after.
GIVES = {"expires_at": ("until", "days"), "expires_in_days": ("days",)}

Function = TypeVar("Function", bound=Callable[..., None])


@dataclass(frozen=True)
class Registered:
    """A command as tests and the documentation see it."""

    path: str
    routes: tuple[str, ...]
    examples: tuple[str, ...]


COMMANDS: dict[str, Registered] = {}


class Here:
    """What a command works with: the server it calls, and whoever reads what it prints."""

    def __init__(self, as_json: bool, server: str | None = None, view_as: str | None = None) -> None:
        self.as_json = as_json
        self._server = server
        self._view_as = view_as
        self._open = ExitStack()

    @cached_property
    def logins(self) -> logins.Logins:
        return logins.read()

    @cached_property
    def server(self) -> str:
        """The address to call: named, signed in to last, or this computer's own."""
        address = self._server or self.logins.current or _own_address()
        return (address if "://" in address else f"http://{address}").rstrip("/")

    @property
    def named(self) -> str | None:
        """The server that was named, if any was."""
        return self._server.rstrip("/") if self._server else None

    @property
    def login(self) -> Mapping[str, Any]:
        return self.logins.servers.get(self.server, {})

    @cached_property
    def client(self) -> Client:
        secret = os.environ.get(TOKEN_VARIABLE) or self.login.get("secret")
        if not secret:
            raise Failure(f"You are not signed in to {self.server}.", "Sign in with: bailiwick login", "Not signed in")
        if self._view_as is None:
            return self.connect(self.server, secret)
        return self._opened(Client(self.server, secret, view_as=self._begin_viewing(self._view_as)))

    def connect(self, server: str, secret: str | None = None) -> Client:
        """A server that is called in this command, as oneself."""
        if self._view_as is not None:
            raise Failure("--as only looks: this command is for yourself.", "Leave it out.", "Viewing as somebody")
        return self._opened(Client(server, secret))

    def _begin_viewing(self, whom: str) -> str:
        """Begin as oneself; the id of the member to view as. Each command begins anew, and so goes on record."""
        from bailiwick.cli import find

        oneself = Here(self.as_json, self._server)
        try:
            begun = oneself.client.post("/view-as", {"member_id": find.member(oneself, whom)})
        finally:
            oneself.close()
        if not self.as_json:  # beside JSON, standard error is for a problem
            member = begun["member"]
            typer.echo(printable(f"Viewing as {member['name']} ({member['email']}); nothing can be changed."), err=True)
        return str(begun["header"]["value"])

    def _opened(self, client: Client) -> Client:
        self._open.callback(client.close)
        return client

    def close(self) -> None:
        self._open.close()

    @cached_property
    def me(self) -> dict[str, Any]:
        """The caller's own profile."""
        profile: dict[str, Any] = self.client.get("/me")
        return profile

    @cached_property
    def zone(self) -> tzinfo | None:
        """The member's time zone; where it is not known, this computer's."""
        from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

        by_token = TOKEN_VARIABLE in os.environ
        try:
            return ZoneInfo(str(self.me["time_zone"] if by_token else self.login["time_zone"]))
        except (KeyError, ValueError, ZoneInfoNotFoundError, Failure):
            return None

    def show(self, answer: Mapping[str, Any], columns: Columns) -> None:
        """One thing, with what the caller may do with it."""
        if self.as_json:
            output.print_json(answer)
        else:
            output.print_fields(answer, columns, lambda: self.zone)

    def rows(self, items: Sequence[Mapping[str, Any]], columns: Columns, empty: str = "") -> None:
        """A table for people; for programs the command prints its whole answer itself."""
        if items:
            output.print_table(items, columns, lambda: self.zone)
        else:
            self.say(empty)

    def listing(
        self,
        path: str,
        columns: Columns,
        *,
        empty: str,
        limit: int = 50,
        everything: bool = False,
        cursor: str | None = None,
        body: Mapping[str, Any] | None = None,
        rest: str = "add --all, or go on with --cursor {cursor}",
        **query: Any,
    ) -> None:
        """A list of the API: one page or more, and how to see the rest."""
        page = self.client.pages(path, None if everything else limit, cursor, body, **query)
        if self.as_json:
            output.print_json(page)
            return
        searched = query.get("search") or (body or {}).get("search")
        self.rows(page["items"], columns, "Nothing fits." if searched else empty)
        if page["next_cursor"]:
            self.say(f"There are more: {rest.format(cursor=page['next_cursor'])}")

    def done(self, answer: object, sentence: str) -> None:
        """What was done: a sentence for people, the server's answer for programs."""
        if self.as_json:
            output.print_json({} if answer is None else answer)
        else:
            self.say(sentence)

    def say(self, sentence: str) -> None:
        """A sentence for people."""
        if not self.as_json:
            output.console().print(printable(sentence), markup=False, soft_wrap=True)

    def secret(self, question: str, *, twice: bool = False) -> str:
        """Something nobody should read over a shoulder or in a list of processes: asked for, or a line of a pipe."""
        if not sys.stdin.isatty():
            return sys.stdin.readline().rstrip("\n")
        return str(typer.prompt(question, hide_input=True, confirmation_prompt=twice, err=True))

    def confirm(self, question: str, yes: bool) -> None:
        """Ask before something that cannot be taken back."""
        if yes:
            return
        try:
            sure = not self.as_json and typer.confirm(printable(question), err=True)
        except typer.Abort:
            typer.echo(err=True)  # The question stands on a line without an end.
            sure = False
        if not sure:
            raise Failure("Nothing was changed.", "To answer yes, add --yes.", "Not confirmed")


def area(name: str, help_: str) -> typer.Typer:
    """A group of commands about one noun."""
    return typer.Typer(name=name, help=help_, no_args_is_help=True)


def command(
    app: typer.Typer,
    name: str,
    *,
    examples: Sequence[str],
    routes: Sequence[str] = (),
    panel: str | None = None,
    local: bool = False,
) -> Callable[[Function], Function]:
    """Add a command. Its function gets `here` first and then what was typed; `routes` are the API's it opens."""

    def register(function: Function) -> Function:
        group = app.info.name if isinstance(app.info.name, str) else ""
        path = f"{group} {name}".strip()
        COMMANDS[path] = Registered(path, tuple(routes), tuple(examples))
        shown = ["[bold]Examples[/bold]", *("  " + example.replace("[", r"\[") for example in examples)]
        app.command(name, epilog="\n".join(shown), rich_help_panel=panel)(_runner(function, local))
        return function

    return register


def _runner(function: Callable[..., None], local: bool) -> Callable[..., None]:
    """The function as typer calls it: `here` taken out of its parameters, the shared options put in."""
    signature = inspect.signature(function, eval_str=True)
    own = list(signature.parameters.values())[1:]
    shared = [
        inspect.Parameter("as_json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=AsJson),
        inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context),
    ]
    if not local:
        shared.append(inspect.Parameter("server", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Server))

    @functools.wraps(function)
    def run(*, ctx: typer.Context, as_json: bool = False, server: str | None = None, **typed: Any) -> None:
        here = Here(as_json, server, ctx.obj)
        try:
            if local and ctx.obj is not None:
                raise Failure("--as is for what the server is asked; this command works here.", "Leave it out.")
            function(here, **typed)
        except (typer.Exit, typer.Abort, typer.TyperException):
            raise
        except Exception as error:
            if isinstance(error, OSError) and error.errno == errno.EPIPE:
                raise  # Whoever read our output has seen enough.
            if os.environ.get(DEBUG_VARIABLE):
                raise
            if isinstance(error, Problem):
                error.called = functools.partial(_as_typed, ctx)
            tell(error if isinstance(error, Failure) else as_failure(error), as_json)
            raise typer.Exit(1) from None
        finally:
            here.close()

    run.__signature__ = signature.replace(parameters=[*own, *shared])  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in [*own, *shared]}
    return run


def _as_typed(ctx: typer.Context, field: str) -> str:
    """The option or argument that gives a field of the request; where none does, the field."""
    first, *more = field.split(".")
    names = [*GIVES.get(first, ()), first, first.removesuffix("s"), *([] if any(map(str.isdigit, more)) else more[-1:])]
    found = [param for name in names for param in ctx.command.params if param.name == name]
    # Of several that could have given it, the one that was typed.
    found.sort(key=lambda param: ctx.params.get(param.name or "") is None)
    return max(found[0].opts, key=len) if found else field


def called_as() -> str:
    """What to type for this very command: its name, or its path where the shell would not find it by name."""
    path = Path(sys.argv[0])
    return str(path) if path.name == NAME and shutil.which(NAME) is None else NAME


def _own_address() -> str:
    from bailiwick.settings import load_settings

    settings = load_settings()
    host = settings.host if settings.host not in ("0.0.0.0", "::") else "127.0.0.1"  # noqa: S104 - compared, not bound
    return f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"

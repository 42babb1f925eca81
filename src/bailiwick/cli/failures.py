"""What a command ends with when it cannot do what was asked, told to people or as problem+json to programs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

from bailiwick.cli import text
from bailiwick.cli.text import printable, words


class Failure(Exception):
    """A command cannot go on; the message says why, the hint what to do about it."""

    def __init__(self, detail: str, hint: str = "", title: str = "Failed") -> None:
        super().__init__(detail)
        self.hint = hint
        self.title = title

    def to_dict(self) -> dict[str, Any]:
        body = {"type": "about:blank", "title": self.title, "detail": str(self)}
        return {**body, "hint": self.hint} if self.hint else body

    def lines(self) -> list[str]:
        return [str(self), *([self.hint] if self.hint else [])]


class Problem(Failure):
    """The server's own answer, in the form of RFC 9457."""

    def __init__(self, body: Mapping[str, Any], hint: str = "") -> None:
        super().__init__(str(body.get("detail") or body.get("title") or "The server refused."), hint)
        self.body = dict(body)
        self.called: Callable[[str], str] = str  # a field, as it was typed
        self.status = int(body.get("status") or 0)

    def to_dict(self) -> dict[str, Any]:
        return self.body

    def lines(self) -> list[str]:
        if "decision" in self.body:
            told = refusal(self.body["decision"])
        elif self.body.get("errors"):
            told = ["That cannot be taken:", *(self._wrong(error) for error in self.body["errors"])]
        else:
            told = [str(self)]
        if self.hint:
            told.append(self.hint)
        if self.status >= 500 and self.body.get("request_id"):
            told.append(f"The request id, for whoever reads the server's log: {self.body['request_id']}")
        return told

    def _wrong(self, error: Mapping[str, Any]) -> str:
        field = self.called(str(error.get("field")))
        return f"  {field}: {error.get('problem')} {error.get('fix') or ''}".rstrip()


def refusal(decision: Mapping[str, Any]) -> list[str]:
    """A decision against somebody: the cell that decided, what is missing, and who can give it."""
    action, kind = (words(str(decision[key])) for key in ("action", "resource_type"))
    told = [f"Not allowed: {action} ({kind}).", f"  Decided by  {cell(decision)}"]
    for number, way in enumerate(decision.get("missing") or []):
        label = "Missing" if number == 0 else "     or"
        changes = [f"{change['fact']}: it is “{change['has']}” and has to be “{change['needs']}”" for change in way]
        told.append(f"  {label}     {'; and '.join(changes)}")
        givers = list(dict.fromkeys(change["given_by"] for change in way if change.get("given_by")))
        if givers:
            told.append(f"  Given by    {', '.join(givers)}")
    return told


def cell(decision: Mapping[str, Any]) -> str:
    """Where in the documents a decision stands."""
    parts = [f"{name} “{decision[name]}”" for name in ("document", "table", "row", "column") if decision.get(name)]
    return ", ".join(parts)


def tell(failure: Failure, as_json: bool) -> None:
    """Write the failure to standard error."""
    if as_json:
        sys.stderr.write(text.as_json(failure.to_dict()) + "\n")
        return
    from rich.console import Console

    console = Console(stderr=True, highlight=False, soft_wrap=True)
    first, *more = failure.lines()
    console.print(printable(first), style="bold red", markup=False)
    for line in more:
        console.print(printable(line), markup=False)


def as_failure(error: Exception) -> Failure:
    """The words for an error of the platform's own, of the operating system's, or of ours (a bug)."""
    # Imported here: only a command that worked on the database or the settings can have raised these.
    from sqlalchemy.exc import DBAPIError

    from bailiwick.database.encryption import EncryptionError
    from bailiwick.database.engine import DatabaseUnavailable
    from bailiwick.database.migrate import MigrationError
    from bailiwick.errors import Conflict, Invalid, NotFound
    from bailiwick.settings import SettingsError

    if isinstance(error, SettingsError | EncryptionError | MigrationError | Conflict | Invalid | NotFound):
        return Failure(str(error))
    if isinstance(error, DatabaseUnavailable):
        return Failure(str(error), "Look at what is wrong with: bailiwick doctor")
    if isinstance(error, DBAPIError):
        return Failure(f"The database says: {error.orig}", "Look at what is wrong with: bailiwick doctor")
    if isinstance(error, UnicodeError):
        return Failure("What was typed holds something that is no text.", "Is the terminal set to UTF-8?")
    if isinstance(error, OSError):
        return Failure(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}.")
    return Failure(
        f"This is a mistake in Bailiwick, not yours: {type(error).__name__}: {error}",
        "Run the command again with BAILIWICK_DEBUG=1 to see where, and tell whoever looks after Bailiwick.",
    )

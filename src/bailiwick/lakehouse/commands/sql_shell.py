"""The shell of `bailiwick sql`: statements over several lines, names completed as you may see them, history kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bailiwick.cli.command import Here
from bailiwick.cli.failures import Failure, tell
from bailiwick.cli.logins import file as logins_file
from bailiwick.lakehouse.commands import sql

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

HELP = r"""Type a statement and end it with ; to run it. Names complete with the tab key.

  \d                tables and layers you may see        \d raw          the tables of a layer
  \d raw.orders     a table's columns                    \e FILE         write the last result to a file
  \h                what you asked before                \?              this help
  \q                leave (or Ctrl-D)                    Ctrl-C          stop a statement, or drop what you typed
"""
WORD = re.compile(r"[\w.`]*$")
NAMED = re.compile(r"\b(?:from|join)\s+([a-z_]\w*\.\w+)", re.IGNORECASE)
KEYWORDS = (
    *("SELECT", "FROM", "WHERE", "GROUP BY", "ORDER BY", "HAVING", "LIMIT", "JOIN", "LEFT JOIN", "ON", "AND", "OR"),
    *("AS", "DISTINCT", "UNION ALL", "WITH", "CASE", "WHEN", "THEN", "ELSE", "END", "IS NULL", "IS NOT NULL", "IN"),
    *("BETWEEN", "LIKE", "COUNT", "SUM", "AVG", "MIN", "MAX", "CAST", "SHOW TABLES", "DESCRIBE", "EXPLAIN"),
)


def run(here: Here) -> None:
    """Read statements until somebody has had enough."""
    here.client  # noqa: B018 - say at once if nobody is signed in
    session = _session(here)
    here.say(r"End a statement with ; to run it. \? helps, \q leaves.")
    last: dict[str, Any] | None = None
    while True:
        try:
            text = session.prompt("sql> ").strip()
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
        if text in (r"\q", "exit", "quit"):
            return
        try:
            last = done(here, text, last)
        except Failure as failure:
            tell(failure, False)


def done(here: Here, text: str, last: dict[str, Any] | None) -> dict[str, Any] | None:
    """Do what was typed; the query whose rows can be written to a file afterwards."""
    if not text:
        return last
    if not text.startswith("\\"):
        query = sql.ask(here, text)
        sql.show(here, query)
        return query
    word, _, argument = text.partition(" ")
    argument = argument.strip().rstrip(";")
    if word == r"\d":
        about = f"SHOW TABLES IN {argument}" if argument else "SHOW TABLES"
        statement = f"DESCRIBE {argument}" if "." in argument else about
        sql.show(here, sql.ask(here, statement))
    elif word == r"\h":
        here.listing("/queries", sql.HISTORY, empty="You asked nothing yet.", limit=20)
    elif word == r"\e":
        if last is None or not argument:
            raise Failure("There is no result yet, or no file.", r"Run a statement, then: \e result.csv")
        sql.save(here, last, Path(argument))
    else:
        here.say(HELP)
    return last


def offers(here: Here, before: str) -> Iterator[tuple[str, str]]:
    """What could stand at the end of this text: words of SQL, and names that the member may see."""
    match = WORD.search(before)
    word = match[0] if match else ""
    if not word:
        return
    try:
        named = NAMED.findall(before)
        answer = here.client.get("/completion", prefix=word, tables=named or None, limit=50)
    except Failure:
        answer = {"items": []}  # whoever types is not told about it at every letter
    for item in answer["items"]:
        yield item["text"], item["type"] or item["kind"]
    for keyword in KEYWORDS:
        if keyword.startswith(word.upper()):
            yield keyword, ""


def ends(text: str) -> bool:
    """Whether a line ends what is typed: a statement with its semicolon, or a word for the shell."""
    stripped = text.strip()
    return not stripped or stripped.startswith("\\") or stripped.endswith(";") or stripped in ("exit", "quit")


def _session(here: Here) -> PromptSession[str]:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion, ThreadedCompleter
    from prompt_toolkit.document import Document
    from prompt_toolkit.history import FileHistory, InMemoryHistory
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    class Names(Completer):
        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
            before = document.text_before_cursor
            match = WORD.search(before)
            start = -len(match[0]) if match else 0
            for text, about in offers(here, before):
                yield Completion(text, start, display_meta=about)

    keys = KeyBindings()

    @keys.add("enter")
    def enter(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if ends(buffer.text):
            buffer.validate_and_handle()
        else:
            buffer.insert_text("\n")

    try:
        place = logins_file().parent / "sql_history"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch(mode=0o600)
        kept: Any = FileHistory(str(place))
    except OSError:
        kept = InMemoryHistory()
    return PromptSession(
        history=kept,
        completer=ThreadedCompleter(Names()),
        complete_while_typing=False,
        auto_suggest=AutoSuggestFromHistory(),
        key_bindings=keys,
        multiline=True,
        prompt_continuation="...> ",
        enable_history_search=True,
    )

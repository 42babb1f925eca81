"""What is the same on the command line for pipelines of every kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from bailiwick.cli.command import All, Cursor, Function, Here, Limit, Search, Sort, Yes, area, command
from bailiwick.cli.failures import Problem
from bailiwick.cli.find import member
from bailiwick.cli.output import Columns, Item
from bailiwick.cli.text import printable
from bailiwick.lakehouse.commands import find
from bailiwick.lakehouse.commands.waiting import require_success, until_ended
from bailiwick.spark.words import how_many

Which = Annotated[str, typer.Argument(metavar="NAME", help="Its name or id.")]
NewName = Annotated[str | None, typer.Option("--name", help="The new name.")]
NewDescription = Annotated[str | None, typer.Option("--description", help="The new description.")]
SayDescription = Annotated[str, typer.Option("--description", help="What it is for.")]
Secret = Annotated[bool, typer.Option("--secret", help="Ask for the password or token, or read it from a pipe.")]


@dataclass(frozen=True)
class Noun:
    """A kind of pipeline on the command line: `bailiwick histories`, of the API's /histories."""

    area: typer.Typer
    path: str
    one: str  # "history"
    listed: Columns
    shown: Columns
    example: str  # a name that its examples use

    @property
    def words(self) -> str:
        return f"bailiwick {self.area.info.name}"

    @property
    def a(self) -> str:
        return f"{'an' if self.one[0] in 'aeiou' else 'a'} {self.one}"

    def find(self, here: Here, text: str) -> dict[str, Any]:
        return find.pipeline(here, self.path, text, self.one)

    def routes(self, method: str, more: str = "") -> list[str]:
        return [f"{method} /api/v1{self.path}{more}"]


def noun(name: str, about: str, path: str, one: str, more: Columns, details: Columns, example: str) -> Noun:
    listed: Columns = {"Name": "name", **more, "Writes": writes, "Active": "active", "Owner": _owner}
    shown: Columns = {**listed, "Description": "description", **details, "Saved": "saved_at", "Id": "id"}
    return Noun(area(name, about), path, one, listed, shown, example)


def writes(it: Item) -> object:
    layer, table = it.get("output_layer"), it.get("output_name")
    return f"{layer['name']}.{table}" if layer and table else (layer or {}).get("name")


def _owner(it: Item) -> object:
    return it["owner"]["name"]


def add_common(kind: Noun, *, runs: bool = True) -> None:
    """The commands that every kind of pipeline has."""
    words, example, a = kind.words, kind.example, kind.a

    @command(kind.area, "list", routes=kind.routes("GET"), examples=[f"{words} list", f"{words} list --json"])
    @saying(f"List {kind.area.info.name}, by name.")
    def list_(
        here: Here,
        search: Search = None,
        sort: Sort = None,
        limit: Limit = 50,
        everything: All = False,
        cursor: Cursor = None,
    ) -> None:
        here.listing(
            kind.path,
            kind.listed,
            empty=f"There is none that you may see. Add one with: {words} add",
            limit=limit,
            everything=everything,
            cursor=cursor,
            search=search,
            sort=sort,
        )

    @command(kind.area, "show", routes=kind.routes("GET", "/{pipeline_id}"), examples=[f"{words} show {example}"])
    @saying(f"Look at {a}, and at what you may do with it.")
    def show(here: Here, which: Which) -> None:
        here.show(here.client.get(f"{kind.path}/{kind.find(here, which)['id']}"), kind.shown)

    for name, sentence in {"activate": "is active", "deactivate": "rests"}.items():
        _switch(kind, name, sentence)

    @command(
        kind.area,
        "owner",
        routes=kind.routes("PUT", "/{pipeline_id}/owner"),
        examples=[f"{words} owner {example} ada@example.com"],
    )
    @saying(f"Let {a} act as another member. For tenant owners and admins.")
    def owner(
        here: Here,
        which: Which,
        owner: Annotated[str, typer.Argument(metavar="MEMBER", help="An e-mail address, name or id.")],
    ) -> None:
        seen = kind.find(here, which)
        answer = here.client.put(f"{kind.path}/{seen['id']}/owner", {"owner_id": member(here, owner)})
        here.done(answer, f"{answer['name']} acts as {answer['owner']['name']}.")

    @command(
        kind.area, "delete", routes=kind.routes("DELETE", "/{pipeline_id}"), examples=[f"{words} delete {example}"]
    )
    @saying(f"Delete {a}, once you have seen what hangs on it. Tables that it wrote stay.")
    def delete(here: Here, which: Which, yes: Yes = False) -> None:
        seen = kind.find(here, which)
        path = f"{kind.path}/{seen['id']}"
        if not yes:
            try:
                here.client.delete(path, version=seen["version"])
            except Problem as problem:
                if problem.status != 409:
                    raise
                typer.echo(printable(str(problem)), err=True)
        here.confirm(f"Delete {seen['name']}?", yes)
        answer = here.client.delete(path, query={"confirm": seen["name"]}, version=seen["version"])
        here.done(answer, f"{seen['name']} is deleted.")

    @command(
        kind.area,
        "run",
        routes=kind.routes("POST", "/{pipeline_id}/runs"),
        examples=[f"{words} run {example}", f"{words} run {example} --wait"],
    )
    @saying(f"Start {a} now." if runs else f"Start {a}: not possible yet.")
    def run(
        here: Here,
        which: Which,
        wait: Annotated[bool, typer.Option("--wait", help="Until it has ended; a failed run is a failure.")] = False,
    ) -> None:
        seen = kind.find(here, which)
        started = here.client.post(f"{kind.path}/{seen['id']}/runs")
        if not wait:
            watch = f"bailiwick runs watch {started['run_id']}"
            here.done(started, f"Run {started['number']} is {started['state']}. Watch it with: {watch}")
            return
        ended = until_ended(here, started["run_id"], seen["name"])
        require_success(ended)
        here.done(ended, f"Run {ended['number']} has written {how_many(ended['rows_written'] or 0, 'row')}.")


def _switch(kind: Noun, name: str, sentence: str) -> None:
    words = {"activate": f"Let {kind.a} run again.", "deactivate": f"Let {kind.a} rest: nobody starts it then."}

    @command(
        kind.area,
        name,
        routes=kind.routes("POST", f"/{{pipeline_id}}/{name}"),
        examples=[f"{kind.words} {name} {kind.example}"],
    )
    @saying(words[name])
    def switch(here: Here, which: Which) -> None:
        seen = kind.find(here, which)
        answer = here.client.post(f"{kind.path}/{seen['id']}/{name}")
        here.done(answer, f"{answer['name']} {sentence}.")


def saying(sentence: str) -> Callable[[Function], Function]:
    """The help of a command is its docstring, which here differs from kind to kind."""

    def say(function: Function) -> Function:
        function.__doc__ = sentence
        return function

    return say


def changed(given: Mapping[str, Any]) -> dict[str, Any]:
    """What was given, without what was not."""
    return {key: value for key, value in given.items() if value is not None}

"""From what people type to the id the API wants: a member by e-mail address or name, everything else by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any
from uuid import UUID

from bailiwick.cli.command import Here
from bailiwick.cli.failures import Failure, Problem

ME = "me"
FLOWING = "table or pipeline in the flow"
# The commands that list it, where they are not called like it, and an s.
LISTS = {
    FLOWING: "flow",
    "history": "histories list",
    "lakehouse destination": "destinations list",
    "pipeline": "flow",
    "pipeline query": "queries list",
    "query": "queries list",
    "saved query": "saved list",
    "stream": "sources streams SOURCE",
}
FEW = 5
MANY = 200


def member(here: Here, text: str, project_id: str | None = None) -> str:
    """The id of one member: by id, e-mail address or whole name; `me` is whoever is signed in."""
    return text if is_id(text) else str(member_named(here, text, project_id)["id"])


def member_named(here: Here, text: str, project_id: str | None = None) -> dict[str, Any]:
    """One member as the directory shows them; for those who may not read it, as their projects do."""
    if text == ME:
        return here.me
    try:
        found = sought(here, "/members", text)
    except Problem as problem:
        if problem.status != 403:
            raise
        found = list(_in_projects(here, text, project_id))
    return one_of(found, text, "member", lambda person: [person.get("email") or "", person["name"]])


def group(here: Here, text: str) -> str:
    return text if is_id(text) else str(group_named(here, text)["id"])


def group_named(here: Here, text: str) -> dict[str, Any]:
    if is_id(text):
        answer: dict[str, Any] = here.client.get(f"/groups/{text}")
        return answer
    return one_of(sought(here, "/groups", text), text, "group", lambda it: [it["name"]])


def project(here: Here, text: str) -> str:
    return text if is_id(text) else str(project_named(here, text)["id"])


def project_named(here: Here, text: str) -> dict[str, Any]:
    if is_id(text):
        answer: dict[str, Any] = here.client.get(f"/projects/{text}")
        return answer
    return one_of(sought(here, "/projects", text), text, "project", lambda it: [it["name"]])


def layer(here: Here, text: str) -> str:
    if is_id(text):
        return text
    return str(one_of(sought(here, "/layers", text), text, "layer", lambda it: [it["name"]])["id"])


def table(here: Here, text: str) -> str:
    """Written as in statements, raw.orders; the name alone does where it is the only one."""
    return text if is_id(text) else _in_layer(here, "/tables", text, "table")


def volume(here: Here, text: str) -> str:
    return text if is_id(text) else _in_layer(here, "/volumes", text, "volume")


def _in_layer(here: Here, path: str, text: str, what: str) -> str:
    layer_name, _, name = text.rpartition(".")
    within = None
    if layer_name:
        try:
            within = layer(here, layer_name)
        except Problem as problem:
            if problem.status != 403:  # a token for chosen tables sees no layer, and few tables
                raise
    return str(
        one_of(sought(here, path, name, layer=within), text, what, lambda it: [it["full_name"], it["name"]])["id"]
    )


def sought(here: Here, path: str, text: str, **query: Any) -> list[dict[str, Any]]:
    """What has this in its name; where nothing has, whatever there is, for what comes near may be in it."""
    for search in (text, None):
        found: list[dict[str, Any]] = here.client.pages(path, MANY, search=search, **query)["items"]
        if found:
            break
    return found


def one_of(found: Iterable[dict[str, Any]], text: str, what: str, names: Any) -> dict[str, Any]:
    """The one thing whose name is exactly this, whatever the case; several or none is said, with what is near."""
    listed = {item["id"]: item for item in found}
    wanted = text.casefold()
    exact = [item for item in listed.values() if wanted in (name.casefold() for name in names(item))]
    if len(exact) == 1:
        return exact[0]
    if exact:
        ids = ", ".join(f"{' '.join(filter(None, names(item)))} ({item['id']})" for item in exact[:FEW])
        raise Failure(f"“{text}” is the name of more than one {what}: {ids}.", "Give the id.", "Ambiguous")
    near = ", ".join(_near(wanted, [[name for name in names(item) if name] for item in listed.values()])[:FEW])
    raise Failure(
        f"There is no {what} “{text}”, or none that you may see.",
        f"Did you mean {near}?" if near else f"List them with: bailiwick {LISTS.get(what, f'{what}s list')}",
        "Not found",
    )


def _near(wanted: str, known: Iterable[Sequence[str]]) -> list[str]:
    """The first names of what is called almost so, the most alike first; else of what has it in one of its names."""
    firsts = {name.casefold(): names[0] for names in known for name in names}
    alike = get_close_matches(wanted, firsts, FEW) or [name for name in firsts if wanted in name]
    return list(dict.fromkeys(firsts[name] for name in alike))


def is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def _in_projects(here: Here, text: str, project_id: str | None) -> Iterable[dict[str, Any]]:
    """Fellow members of the caller's projects, or of one of them, and the caller."""
    yield here.me
    for id_ in [project_id] if project_id else [it["id"] for it in here.client.pages("/projects", None)["items"]]:
        for seen in here.client.pages(f"/projects/{id_}/members", 200, search=text)["items"]:
            yield seen.get("member", seen)

"""Errors as problem+json: not there, not allowed and why, stale, or wrong and how to mend it."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from uuid import UUID

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy import Select, select
from sqlalchemy.exc import DataError, IntegrityError
from sqlalchemy.orm import Session
from sqlalchemy.orm.exc import StaleDataError
from starlette.exceptions import HTTPException

from bailiwick.access.decision import Refused, slug
from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.tables.tenant.member import VIEW_AS
from bailiwick.database.base import Named
from bailiwick.database.engine import DatabaseUnavailable
from bailiwick.errors import (
    Conflict,
    Invalid,
    LinkGone,
    NotFound,
    NotSignedIn,
    NotThisWay,
    NotWhileViewing,
    Stale,
    TooManyAttempts,
)
from bailiwick.lakehouse.models import Layer, Pipeline, SavedQuery, Table, Volume
from bailiwick.projects.models import Project
from bailiwick.requests.models import AccessRequest
from bailiwick.runs.ending import name_on_record
from bailiwick.runs.errors import NotSeen
from bailiwick.runs.models import Run, Trigger
from bailiwick.runs.seeing_triggers import name_of as name_of_trigger
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import ApiToken, Group, Member
from bailiwick.tenancy.viewing import VIEW_AS_ANOTHER
from bailiwick.wrong_input import in_a_sentence, in_words, unread_in_words

# What a refusal names in the audit, by the id that the path begins with; never what the caller may not see.
NAMED: dict[str, type[Named]] = {
    "project": Project,
    "project_membership": Project,
    "member": Member,
    "group": Group,
    "layer": Layer,
    "table": Table,
    "volume": Volume,
    "pipeline": Pipeline,
    "integration": Pipeline,
    "saved_query": SavedQuery,
}

# What is decided by the document of what it belongs to, and goes on record as itself, by the id in its path.
OF_ITS_OWN = {"request_id": "access_request", "run_id": "run", "trigger_id": "trigger"}

LONGEST_PATH = 500
MOST_ERRORS = 50

UNREAD = "There was an error parsing the body"  # what FastAPI says of JSON too deep, and the like

log = structlog.get_logger(__name__)


def problem(
    request: Request, status: int, detail: str, headers: dict[str, str] | None = None, **more: Any
) -> JSONResponse:
    """One error, in the form of RFC 9457."""
    body = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "request_id": getattr(request.state, "request_id", ""),
        **more,
    }
    return JSONResponse(body, status, headers, media_type="application/problem+json")


def install(app: FastAPI) -> None:
    """Let every known error answer in its own way; anything else is a bug, see `bug`."""
    handlers: dict[type[Exception], Any] = {
        Refused: _refused,
        NotFound: lambda request, error: problem(request, 404, str(error)),
        Conflict: lambda request, error: problem(request, 409, str(error), **error.more),
        StaleDataError: lambda request, error: problem(request, 409, str(Stale("resource"))),
        IntegrityError: _not_alone,
        Invalid: lambda request, error: problem(
            request, 422, str(error), errors=[{"field": error.field, "problem": error.problem, "fix": error.fix}]
        ),
        RequestValidationError: _invalid_request,
        DataError: _not_text,
        UnicodeEncodeError: _not_text,
        LinkGone: lambda request, error: problem(request, 410, str(error)),
        NotThisWay: _not_this_way,
        NotSignedIn: lambda request, error: problem(request, 401, str(error), {"WWW-Authenticate": "Bearer"}),
        TooManyAttempts: lambda request, error: problem(
            request, 429, str(error), {"Retry-After": str(error.retry_after_seconds)}
        ),
        DatabaseUnavailable: lambda request, error: problem(
            request, 503, f"{error} Try again in a few seconds.", {"Retry-After": "5"}
        ),
        HTTPException: _as_it_says,
    }
    for kind, handler in handlers.items():
        app.add_exception_handler(kind, handler)


def _refused(request: Request, error: Exception) -> JSONResponse:
    """403 with the decision; 404 where the caller may not even see the thing. Either way it is on record."""
    assert isinstance(error, Refused)
    decision = error.decision

    is_seen = not isinstance(error, NotSeen) and RESOURCE_TYPES[decision.resource_type].see != decision.action

    def record(caller: Caller, session: Session, **where: Any) -> None:
        type_ = decision.resource_type
        if decision.action in (VIEW_AS, VIEW_AS_ANOTHER):
            where = _as_whom(request)
        elif type_ == "api_token" and caller.token_id is not None:
            # It is asked for before anybody has looked at what the path names.
            where = _of_token(session, caller.token_id, request)
        else:
            type_ = next((OF_ITS_OWN[name] for name in request.path_params if name in OF_ITS_OWN), type_)
        if is_seen and where["resource_id"] and "resource_name" not in where:
            where["resource_name"] = _name(session, type_, where["resource_id"])
        caller.record(session, slug(decision.action), type_, outcome="refused", decision=decision, **where)

    if unavailable := _put_on_record(request, record):
        return unavailable
    if not is_seen:
        what = error.what if isinstance(error, NotSeen) else decision.resource_type.replace("_", " ")
        return problem(request, 404, str(NotFound(what)))
    return problem(request, 403, decision.reason, decision=decision.to_dict())


def _not_this_way(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, NotThisWay)
    kind = error.resource_type

    def record(caller: Caller, session: Session, **where: Any) -> None:
        tried = f"{request.method} {request.scope['route'].path}"[:100]
        if isinstance(error, NotWhileViewing):
            where = {**_as_whom(request), "after": {"path": request.scope["path"][:LONGEST_PATH]}}
            if where["resource_id"]:
                where["resource_name"] = _name(session, kind, where["resource_id"])
        elif caller.token_id is not None:
            where = _of_token(session, caller.token_id, request)
        caller.record(session, tried, kind, outcome="refused", **where)

    return _put_on_record(request, record) or problem(request, 403, str(error))


def _put_on_record(request: Request, record: Callable[..., None]) -> JSONResponse | None:
    """A refusal that cannot be recorded is not answered as one. A project's Admins read what was tried in it."""
    request.state.refused = True
    caller: Caller | None = getattr(request.state, "caller", None)
    if caller is None:
        return None
    ids = {name: id_ for name, text in request.path_params.items() if (id_ := _as_id(text))}
    where: dict[str, Any] = {"resource_id": next(iter(ids.values()), "")}
    if "project_id" in ids:
        where |= {"project_id": ids["project_id"], "seen_from": "Admin"}
    try:
        with request.app.state.database.session() as session:
            record(caller, session, **where)
    except DatabaseUnavailable as unavailable:
        return problem(request, 503, f"{unavailable} Try again in a few seconds.", {"Retry-After": "5"})
    return None


def _name(session: Session, type_: str, id_: UUID) -> str:
    """What it is called in the other entries about it; nothing for what has no name, or is no more."""
    if type_ == "run":
        run = session.get(Run, id_)
        return name_on_record(run) if run else ""
    if type_ == "trigger":
        trigger = session.get(Trigger, id_)
        return name_of_trigger(session, trigger) if trigger else ""
    found = _named(type_, id_)
    return "" if found is None else session.scalar(found) or ""


def _named(type_: str, id_: UUID) -> Select[str] | None:
    if type_ == "access_request":
        return select(AccessRequest.name).where(AccessRequest.id == id_)  # as whoever asked wrote it
    kind = NAMED.get(type_)
    if kind is None:
        return None
    if kind is Table or kind is Volume:
        return select(Layer.name + "." + kind.name).where(Layer.id == kind.layer_id, kind.id == id_)
    return select(kind.name).where(kind.id == id_)


def _of_token(session: Session, token_id: UUID, request: Request) -> dict[str, Any]:
    """What was decided about is the token they came with; what the path names nobody has looked at."""
    name = session.scalar(select(ApiToken.name).where(ApiToken.id == token_id)) or ""
    return {
        "resource_id": token_id,
        "resource_name": name,
        "after": {"path": request.scope["path"][:LONGEST_PATH]},
    }


def _as_whom(request: Request) -> dict[str, Any]:
    """What was decided about: not what the path names, but the member whom the caller would view as."""
    return {"resource_id": _as_id(getattr(request.state, "asked_to_view_as", "")) or ""}


def _as_id(text: str) -> UUID | None:
    """An id of the path. A token is refused before anybody has looked at what else was sent."""
    try:
        return UUID(text)
    except ValueError:
        return None


def _not_alone(request: Request, error: Exception) -> JSONResponse:
    """Two changes that each were right met in the database; the second one loses."""
    log.info("a change met another one", error=type(error).__name__)
    return problem(request, 409, "Somebody else changed the same thing meanwhile. Read it again and repeat the change.")


def _invalid_request(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    errors = in_words(error.errors()[:MOST_ERRORS], error.body)
    return problem(request, 422, in_a_sentence(errors[:5]), errors=errors)


def _as_it_says(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if error.detail != UNREAD:
        return problem(request, error.status_code, str(error.detail), dict(error.headers or {}))
    errors = unread_in_words(error.__cause__)
    return problem(request, error.status_code, in_a_sentence(errors), errors=errors)


def _not_text(request: Request, error: Exception) -> JSONResponse:
    """Characters or numbers that no database keeps, in a field that no schema had looked at."""
    log.info("a value was no text", error=type(error).__name__)
    return problem(request, 422, "A value holds characters or a number that cannot be kept. Leave them out.")


def bug(request: Request, error: Exception) -> JSONResponse:
    log.error("request failed", path=request.url.path, exc_info=error)
    return problem(request, 500, "Something went wrong on our side. The log has the details under this request id.")

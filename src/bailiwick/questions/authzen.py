"""The same decisions in the words of the OpenID AuthZEN Authorization API 1.0, for any client that speaks it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Coroutine
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from bailiwick.access.decision import Decision, Refused, slug
from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.database.paging import MOST_ROWS, read_cursor, write_cursor
from bailiwick.errors import Invalid, NotFound
from bailiwick.problems import PROBLEMS
from bailiwick.questions import service
from bailiwick.questions.listed import Wanted
from bailiwick.questions.service import Question
from bailiwick.tenancy.calling import Call, ReadingAsOneself
from bailiwick.tenancy.listing import PLAIN
from bailiwick.wrong_input import in_a_sentence, in_words

MEMBER_TYPES = ("member", "user")
MOST_EVALUATIONS = 1000
START = ""  # the place before the first result

Text = Annotated[str, StringConstraints(max_length=300, pattern=PLAIN)]


class AuthZenRoute(APIRoute):
    """The standard's manners: what is malformed answers 400."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_politely(request: Request) -> Response:
            try:
                return await handle(request)
            except RequestValidationError as error:
                raise HTTPException(400, in_a_sentence(in_words(error.errors()[:1], error.body))) from None
            except Invalid as error:
                field = "page.token" if error.field == "cursor" else error.field
                raise HTTPException(400, str(Invalid(field, error.problem, error.fix))) from None

        return handle_politely


MALFORMED = {**PROBLEMS[422], "description": "Malformed: something required is missing or of the wrong kind."}
ANSWERS: dict[int | str, dict[str, Any]] = {400: MALFORMED, **{status: PROBLEMS[status] for status in (401, 403, 503)}}

router = APIRouter(tags=["AuthZEN"], route_class=AuthZenRoute, responses=ANSWERS)


# The information model. Fields that nobody knows are ignored, as the standard asks ------------------------------------


class Entity(BaseModel):
    model_config = ConfigDict(extra="ignore")

    properties: dict[str, Any] | None = None


class Subject(Entity):
    type: Text
    id: Text


class SubjectKind(Entity):
    type: Text


class Action(Entity):
    name: Text


class Resource(Entity):
    type: Text
    id: Text

    def as_question(self) -> Question:
        return Question(self.type, self.id, self.properties, lenient=True)


class ResourceKind(Entity):
    type: Text


class Evaluation(BaseModel):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "subject": {"type": "member", "id": "ada@example.com"},
                    "action": {"name": "edit_project_metadata"},
                    "resource": {"type": "project", "id": "0199c0de-0000-7000-8000-000000000001"},
                }
            ]
        }
    )

    subject: Subject
    action: Action
    resource: Resource
    context: dict[str, Any] | None = None


class PartOfEvaluation(BaseModel):
    """An evaluation that leaves out what the request's defaults say."""

    subject: Subject | None = None
    action: Action | None = None
    resource: Resource | None = None
    context: dict[str, Any] | None = None


class Options(BaseModel):
    evaluations_semantic: Literal["execute_all", "deny_on_first_deny", "permit_on_first_permit"] = "execute_all"


class Evaluations(PartOfEvaluation):
    evaluations: list[PartOfEvaluation] | None = Field(None, max_length=MOST_EVALUATIONS)
    options: Options | None = None


class PageRequest(BaseModel):
    token: Annotated[str, StringConstraints(max_length=4000)] | None = None
    limit: int | None = Field(None, ge=0)
    properties: dict[str, Any] | None = None


class Search(BaseModel):
    context: dict[str, Any] | None = None
    page: PageRequest | None = None


class SubjectSearch(Search):
    subject: SubjectKind
    action: Action
    resource: Resource


class ResourceSearch(Search):
    subject: Subject
    action: Action
    resource: ResourceKind


class ActionSearch(Search):
    subject: Subject
    resource: Resource


class Verdict(BaseModel):
    decision: bool
    context: dict[str, Any]


class Verdicts(BaseModel):
    evaluations: list[Verdict]


class PageAnswer(BaseModel):
    next_token: str
    count: int


class Results(BaseModel):
    page: PageAnswer
    results: list[dict[str, Any]]
    context: dict[str, Any] | None = None


# Evaluation ----------------------------------------------------------------------------------------------------------


@router.post("/access/v1/evaluation")
def evaluation(body: Evaluation, call: ReadingAsOneself) -> Verdict:
    """May the subject do it? The decision's context holds the reason, and the cell of the table that decided."""
    return _evaluate(call, body)


@router.post("/access/v1/evaluations", response_model_exclude_none=True)
def evaluations(body: Evaluations, call: ReadingAsOneself, request: Request) -> Verdicts | Verdict:
    """Many questions at once: all of them, or until the first denial, or until the first permission."""
    if not body.evaluations:
        return _evaluate(call, _complete(body, body, "request"))
    asked = [_complete(part, body, f"evaluations.{position}") for position, part in enumerate(body.evaluations)]
    semantic = body.options.evaluations_semantic if body.options else "execute_all"
    stop_at = {"deny_on_first_deny": False, "permit_on_first_permit": True}.get(semantic)
    verdicts: list[Verdict] = []
    refusals: list[Decision] = []
    for one in asked:
        verdict = _evaluate_or_say_why_not(call, one, refusals)
        verdicts.append(verdict)
        if verdict.decision is stop_at:
            break
    if refusals:  # a refusal inside an answer passes by the error handler, which would have recorded it
        with request.app.state.database.session() as session:
            call.caller.record_refusal(session, refusals[0], after={"evaluations": len(refusals)})
    return Verdicts(evaluations=verdicts)


def _complete(part: PartOfEvaluation, defaults: PartOfEvaluation, where: str) -> Evaluation:
    subject = part.subject or defaults.subject
    action = part.action or defaults.action
    resource = part.resource or defaults.resource
    if subject is None or action is None or resource is None:
        missing = "subject" if subject is None else "action" if action is None else "resource"
        raise HTTPException(400, f"{where}: {missing} is missing, and there is no default for it.")
    return Evaluation(subject=subject, action=action, resource=resource, context=part.context or defaults.context)


def _evaluate(call: Call, one: Evaluation) -> Verdict:
    try:
        subject = _member(one.subject)
        answer = service.decide(call.session, call.caller, one.resource.as_question(), one.action.name, subject)
    except (NotFound, Invalid, Refused) as error:
        return Verdict(decision=False, context=_error(error))
    return Verdict(decision=answer.decision.allowed, context=_context(answer.decision))


def _evaluate_or_say_why_not(call: Call, one: Evaluation, refusals: list[Decision]) -> Verdict:
    try:
        return _evaluate(call, one)
    except Refused as refused:
        refusals.append(refused.decision)
        return Verdict(decision=False, context={"error": {"status": 403, "message": str(refused)}})


def _member(subject: Subject) -> str:
    if subject.type not in MEMBER_TYPES:
        raise NotFound("subject")
    return subject.id


def _context(decision: Decision) -> dict[str, Any]:
    kept = ("reason", "document", "table", "page", "row", "column", "facts", "missing")
    explained = decision.to_dict()
    return {key: explained[key] for key in kept}


def _error(error: NotFound | Invalid | Refused) -> dict[str, Any]:
    """Why there is no answer. What may not be seen reads like what is not there; who may not ask is refused."""
    if isinstance(error, Refused):
        decision = error.decision
        if RESOURCE_TYPES[decision.resource_type].see != decision.action:
            raise error
        error = NotFound(decision.resource_type.replace("_", " "))
    return {"error": {"status": 400 if isinstance(error, Invalid) else 404, "message": str(error)}}


# Search --------------------------------------------------------------------------------------------------------------


@router.post("/access/v1/search/subject", response_model_exclude_none=True)
def search_subject(body: SubjectSearch, call: ReadingAsOneself) -> Results:
    """Who can do it?"""
    place = _Place(body, "subject")
    if body.subject.type not in MEMBER_TYPES:
        return place.nothing()

    def page(cursor: str | None, limit: int) -> tuple[list[dict[str, Any]], str | None]:
        asked = body.resource.as_question()
        found = service.who(call.session, call.caller, asked, body.action.name, Wanted(cursor=cursor, limit=limit))
        return [
            {"type": body.subject.type, "id": str(m.id), "properties": {"name": m.name, "email": m.email}}
            for m in found.items
        ], found.next_cursor

    return place.results(page)


@router.post("/access/v1/search/resource", response_model_exclude_none=True)
def search_resource(body: ResourceSearch, call: ReadingAsOneself) -> Results:
    """What can they do it on?"""
    place = _Place(body, "resource")

    def page(cursor: str | None, limit: int) -> tuple[list[dict[str, Any]], str | None]:
        subject, kind = _member(body.subject), body.resource.type
        part = Wanted(cursor=cursor, limit=limit)
        found = service.what(call.session, call.caller, subject, body.action.name, kind, part)
        return [
            {"type": kind, "id": asked.id, "properties": {"name": asked.name}} for asked in found.items
        ], found.next_cursor

    return place.results(page)


@router.post("/access/v1/search/action", response_model_exclude_none=True)
def search_action(body: ActionSearch, call: ReadingAsOneself) -> Results:
    """What can they do?"""
    place = _Place(body, "action")

    def page(cursor: str | None, limit: int) -> tuple[list[dict[str, Any]], str | None]:
        answers = service.actions(call.session, call.caller, body.resource.as_question(), _member(body.subject))
        names = sorted(slug(answer.decision.action) for answer in answers if answer.decision.allowed)
        after = read_cursor(cursor, 1)
        names = [name for name in names if after is None or name > after[0]]
        more = len(names) > limit
        return [{"name": name} for name in names[:limit]], write_cursor(names[limit - 1]) if more else None

    return place.results(page)


FindPage = Callable[[str | None, int], tuple[list[dict[str, Any]], str | None]]


class _Place:
    """Where in the results a search is. The token says so, and that it goes with this very search and limit."""

    def __init__(self, body: Search, searched: str) -> None:
        page = body.page or PageRequest()
        same = json.dumps(body.model_dump(exclude={"page": {"token", "limit"}}), sort_keys=True)
        self.search = hashlib.sha256(f"{searched} {same}".encode()).hexdigest()[:16]
        self.cursor: str | None = None
        self.limit = page.limit
        if page.token:
            search, limit, cursor = read_cursor(page.token, 3) or ("", "", "")
            if search != self.search or (page.limit is not None and str(page.limit) != limit):
                raise HTTPException(400, "page.token: It goes with another search, or another limit. Leave it out.")
            self.limit = int(limit) if limit.isdecimal() else None
            self.cursor = cursor or None

    def results(self, find: FindPage) -> Results:
        wanted = MOST_ROWS if self.limit is None else min(self.limit, MOST_ROWS)
        try:
            found, after = find(self.cursor, max(wanted, 1))
        except (NotFound, Refused) as error:
            return self.nothing(_error(error))
        except Invalid as error:
            if error.field == "cursor":
                raise
            return self.nothing(_error(error))
        if wanted == 0:  # nothing is asked for, and there may be something
            found, after = [], (self.cursor or START) if found else None
        token = "" if after is None else write_cursor(self.search, "" if self.limit is None else str(self.limit), after)
        return Results(page=PageAnswer(next_token=token, count=len(found)), results=found)

    def nothing(self, context: dict[str, Any] | None = None) -> Results:
        return Results(page=PageAnswer(next_token="", count=0), results=[], context=context)


# Metadata ------------------------------------------------------------------------------------------------------------


class Metadata(BaseModel):
    policy_decision_point: str
    access_evaluation_endpoint: str
    access_evaluations_endpoint: str
    search_subject_endpoint: str
    search_resource_endpoint: str
    search_action_endpoint: str


@router.get("/.well-known/authzen-configuration")
def metadata(request: Request) -> Metadata:
    """Where the questions go. Public: it tells nothing about anybody."""
    base = request.app.state.settings.public_url
    return Metadata(
        policy_decision_point=base,
        access_evaluation_endpoint=f"{base}/access/v1/evaluation",
        access_evaluations_endpoint=f"{base}/access/v1/evaluations",
        search_subject_endpoint=f"{base}/access/v1/search/subject",
        search_resource_endpoint=f"{base}/access/v1/search/resource",
        search_action_endpoint=f"{base}/access/v1/search/action",
    )

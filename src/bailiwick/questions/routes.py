"""Access questions over the API. They are sent by POST for their length, and change nothing."""

from __future__ import annotations

from fastapi import APIRouter

from bailiwick.access.decision import slug
from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.problems import PROBLEMS
from bailiwick.questions import resources, schemas, service, tables
from bailiwick.questions.descriptions import DESCRIPTIONS
from bailiwick.questions.what_if import what_if
from bailiwick.tenancy.calling import Reading

router = APIRouter(prefix="/api/v1/access", tags=["access"], responses=PROBLEMS)


@router.post("/check")
def check(question: schemas.CheckQuestion, call: Reading) -> schemas.CheckAnswer:
    """May this member do it, why, and if not: what is missing and who can give it?"""
    asked = question.resource.as_question()
    answer = service.check(call.session, call.caller, asked, question.action, question.subject)
    return schemas.CheckAnswer.of(answer)


@router.post("/actions")
def actions(question: schemas.ActionsQuestion, call: Reading) -> schemas.ActionsAnswer:
    """Every action of a resource, with a decision each."""
    answers = service.actions(call.session, call.caller, question.resource.as_question(), question.subject)
    return schemas.ActionsAnswer(
        subject=schemas.AskedMember.of(answers[0].subject),
        resource=schemas.AskedResource.of(answers[0].resource),
        decisions=[schemas.DecisionOut.of(answer.decision) for answer in answers],
    )


@router.post("/who")
def who(question: schemas.WhoQuestion, call: Reading) -> schemas.WhoAnswer:
    """Who can do it?"""
    asked = question.resource.as_question()
    page = service.who(call.session, call.caller, asked, question.action, question.part)
    items = [schemas.AskedMember.of(member) for member in page.items]
    return schemas.WhoAnswer(items=items, next_cursor=page.next_cursor)


@router.post("/what")
def what(question: schemas.WhatQuestion, call: Reading) -> schemas.WhatAnswer:
    """What can this member do it on?"""
    page = service.what(
        call.session,
        call.caller,
        question.subject,
        question.action,
        question.resource_type,
        question.part,
    )
    items = [schemas.AskedResource.of(asked) for asked in page.items]
    return schemas.WhatAnswer(items=items, next_cursor=page.next_cursor)


@router.post("/what-if")
def what_would_change_if(question: schemas.WhatIfQuestion, call: Reading) -> schemas.WhatIfAnswer:
    """Who would gain and lose what if this were changed? Nothing is."""
    return schemas.WhatIfAnswer.of(what_if(call.session, call.caller, question))


@router.get("/tables")
def list_tables(call: Reading) -> schemas.TablesAnswer:
    """Every table of the documents."""
    return schemas.TablesAnswer(items=[schemas.AccessTableOut.of(table) for table in tables.all_tables()])


@router.get("/tables/{page:path}")
def tables_of_a_page(page: str, call: Reading) -> schemas.TablesAnswer:
    """The tables of one page, `spaces`, or under one of its headings, `spaces/data-space`."""
    return schemas.TablesAnswer(items=[schemas.AccessTableOut.of(table) for table in tables.on_page(page)])


@router.get("/types")
def list_types(call: Reading) -> schemas.TypesAnswer:
    """What can be asked about: actions, the facts that decide, and how to describe what is not stored here."""
    return schemas.TypesAnswer(items=[_type(name) for name in resources.ASKABLE])


def _type(name: str) -> schemas.TypeOut:
    resource_type, description = RESOURCE_TYPES[name], DESCRIPTIONS.get(name)
    return schemas.TypeOut(
        name=name,
        document=resource_type.document,
        pages=list(dict.fromkeys(table.page for table in resource_type.tables)),
        actions=[schemas.ActionOut(slug=slug(action), name=action) for action in resource_type.actions],
        facts=[
            schemas.FactOut(name=fact.name, values=list(fact.values), given_by=fact.given_by)
            for fact in resource_type.facts
        ],
        by="id" if name in resources.STORED else "description",
        properties=description.model_json_schema() if description else None,
    )

"""Schemathesis over the API's own document: nothing breaks, nothing leaks, and every answer is a documented one."""

from __future__ import annotations

from contextlib import suppress
from typing import Any
from uuid import UUID

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as bounded
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from bailiwick.database.engine import Database
from bailiwick.runs import asking
from bailiwick.runs.models import Run
from bailiwick.runs.waiting import look_at
from bailiwick.settings import Settings
from tests.api.test_hostile_input import INTERNALS
from tests.people import TestClient, make_group, make_member, make_project, make_session, make_token

pytestmark = [
    pytest.mark.parametrize("database", ["sqlite"], indirect=True),
    pytest.mark.usefixtures("quick_passwords"),
]

EXAMPLES = 2  # for each route, as every caller, of input that fits the document and of input that does not
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
LONG = 2000  # letters; what fits the patterns of longer texts takes seconds to work out
# What a server says before any route is chosen or asked: no document lists it for each of them.
ALWAYS = (400, 405, 413)


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Nobody is slowed down for trying often."""
    return settings.model_copy(update={"sign_in_attempts_per_address": 10**6, "sign_in_attempts_per_account": 10**6})


@pytest.fixture(autouse=True)
def nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no worker here, so nothing that is asked for ends."""

    async def look(database: Database, run_id: UUID, seconds: float) -> Run:
        return look_at(database, run_id)

    monkeypatch.setattr(asking, "until_ended", look)


def callers(database: Database, app: FastAPI) -> tuple[list[TestClient], dict[str, str]]:
    """Nobody, a member without a role and an owner, who have just signed in, and the ids of things that were just made:
    whatever they do, the next ones find everything in its place."""
    clients = [TestClient(app, raise_server_exceptions=False) for _ in range(3)]
    with database.session() as session:
        owner, target = make_member(session, role="owner"), make_member(session)
        number = target.id.hex[-12:]
        group = make_group(session, f"Group {number}", target)
        project = make_project(session, f"Project {number}", owner, {target: "Business User", group: "Business User"})
        token, _ = make_token(session, target)
        for client, role in zip(clients[1:], ("none", "owner"), strict=True):
            _, secret = make_session(session, make_member(session, role=role))
            client.headers["Authorization"] = f"Bearer {secret}"
    made: dict[str, Any] = {"member_id": target, "group_id": group, "project_id": project, "token_id": token}
    return clients, {name: str(row.id) for name, row in made.items()}


def shortened(document: Any) -> Any:
    """The same with no text longer than `LONG`."""
    if isinstance(document, list):
        return [shortened(part) for part in document]
    if not isinstance(document, dict):
        return document
    parts = {name: shortened(part) for name, part in document.items()}
    return {**parts, "maxLength": LONG} if isinstance(most := parts.get("maxLength"), int) and most > LONG else parts


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: str(mode.value))
def test_every_route_keeps_to_the_document(database: Database, app: FastAPI, mode: GenerationMode) -> None:
    document = schemathesis.openapi.from_dict(shortened(app.openapi()))
    broken: dict[str, list[str]] = {}
    for found in document.get_all_operations():
        assert isinstance(found, Ok)
        operation = found.ok()
        clients, ids = callers(database, app)
        try:
            _in_many_ways(operation.as_strategy(generation_mode=mode), clients, ids)
        except FailureGroup as problems:
            broken[operation.label] = [str(problem) for problem in problems.exceptions]
    assert not broken


def _in_many_ways(cases: Any, clients: list[TestClient], ids: dict[str, str]) -> None:
    @bounded(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(cases)
    def run(case: Case[Any]) -> None:
        for client in clients:
            _try(case, client, ids)

    with suppress(Unsatisfiable):  # a route that takes nothing cannot be given anything wrong
        run()


def _try(case: Case[Any], client: TestClient, ids: dict[str, str]) -> None:
    if case.meta is not None and case.meta.generation.mode == GenerationMode.POSITIVE:
        case.path_parameters.update({name: ids[name] for name in case.path_parameters if name in ids})
    sent = case.as_transport_kwargs(base_url=str(client.base_url))
    sent.pop("cookies", None)
    sent["content"] = sent.pop("data", None)
    answer = client.request(**sent)
    if answer.status_code in ALWAYS:
        assert answer.headers["Content-Type"] == "application/problem+json", answer.text
    else:
        case.validate_response(answer, checks=CHECKS)
    assert not any(word in answer.text for word in INTERNALS), answer.text

"""Every route with the header of whoever views as another member: it shows what that member sees, and changes nothing.

A new route needs nothing here, unless it is not shown to who views as somebody: then it stands in NOT_SHOWN."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from fastapi import FastAPI
from httpx import Response
from sqlalchemy import select

from bailiwick.database.base import Base
from bailiwick.database.engine import Database
from tests.api.test_every_route import BODIES, EVERY_ROW, KINDS, Company, Row, filled, make_company, template
from tests.people import SignInAs, TestClient

VIEWED = "NBPD"
ASKING = "/api/v1/access/"  # the questions: sent by POST, and only asked
FOR_NOBODY = ("/healthz", "/readyz", "/metrics", "/.well-known/")
NOT_SHOWN = {
    # what is somebody's alone
    "/api/v1/session",
    "/api/v1/sessions",
    "/api/v1/tokens",
    "/api/v1/members/{}/tokens",
    "/api/v1/queries",
    "/api/v1/queries/{}",
    # rows and files, and what takes a run
    "/api/v1/queries/{}/rows",
    "/api/v1/queries/{}/download",
    "/api/v1/tables/{}/sample",
    "/api/v1/tables/{}/versions",
    "/api/v1/volumes/{}/files/{}",
    # streams
    "/api/v1/runs/events",
    "/api/v1/runs/{}/events",
}
OF_THE_MOMENT = ("request_id", "checked_at")  # another at every look
AUDIT = ("audit_entry", "audit_lane")  # tells of refusals


@pytest.fixture
def company(app: FastAPI, database: Database) -> Company:
    return make_company(database)


def is_shown(row: Row) -> bool:
    if row.method == "GET":
        return template(row.path) not in NOT_SHOWN
    return row.method == "POST" and row.path.startswith(ASKING)


def test_nothing_can_be_changed_nor_started_by_any_route(
    company: Company, database: Database, sign_in_as: SignInAs
) -> None:
    client = viewing(company, sign_in_as, "D")  # who could do the most
    before = everything_kept(database)
    for row in EVERY_ROW:
        answer = send(client, company, row, "D")
        if is_shown(row):  # tried as well: opening a project, for one, subscribes whoever opens it themselves
            assert answer.status_code == row.expected["D"], (str(row), answer.text)
        else:
            assert answer.status_code == 403, (str(row), answer.text)
            assert answer.json()["detail"].startswith("You are viewing as Dan"), (str(row), answer.text)
            assert answer.headers["X-Viewing-As"] == str(company.callers["D"].id)
    after = everything_kept(database)
    assert [name for name in before if before[name] != after[name]] == []


@pytest.mark.parametrize(
    ("database", "kind"), [*product(["sqlite"], VIEWED), ("postgresql", "B")], indirect=["database"]
)
def test_every_route_that_reads_shows_what_the_member_sees_themselves(
    company: Company, sign_in_as: SignInAs, kind: str
) -> None:
    client, themselves = viewing(company, sign_in_as, kind), sign_in_as(company.callers[kind])
    for row in filter(is_shown, EVERY_ROW):
        seen, own = send(client, company, row, kind), send(themselves, company, row, kind)
        where = (str(row), KINDS[kind], seen.text)
        assert seen.status_code == own.status_code == row.expected[kind], where
        if not row.path.startswith(FOR_NOBODY):
            assert lasting(seen.json()) == lasting(own.json()), where
            assert seen.headers.get("ETag") == own.headers.get("ETag"), where
            assert seen.headers["X-Viewing-As"] == str(company.callers[kind].id), where
            assert "X-Viewing-As" not in own.headers, where


def test_what_is_not_shown_is_there() -> None:
    assert {template(row.path) for row in EVERY_ROW if row.method == "GET"} >= NOT_SHOWN


def viewing(company: Company, sign_in_as: SignInAs, kind: str) -> TestClient:
    """The API as an owner sees it who views as this kind of member."""
    client = sign_in_as(company.callers["O"])
    begun = client.post("/api/v1/view-as", json={"member_id": str(company.callers[kind].id)})
    assert begun.status_code == 200, begun.text
    header = begun.json()["header"]
    client.headers[header["name"]] = header["value"]
    return client


def send(client: TestClient, company: Company, row: Row, kind: str) -> Response:
    names = {**company.names, "me": str(company.callers[kind].id)}
    body = filled(BODIES[row.body], names) if row.body != "-" else None
    answer: Response = client.request(row.method, row.path.format(**names), json=body)
    return answer


def everything_kept(database: Database) -> dict[str, list[str]]:
    """Every row of every table but the audit's."""
    tables = [table for table in Base.metadata.sorted_tables if table.name not in AUDIT]
    with database.read() as session:
        return {table.name: sorted(map(repr, session.execute(select(table)))) for table in tables}


def lasting(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: lasting(part) for name, part in value.items() if name not in OF_THE_MOMENT}
    return [lasting(part) for part in value] if isinstance(value, list) else value

"""Every route, called as every kind of member: a new route without a row here fails."""
# ruff: noqa: E501 - a table is read by its columns

from __future__ import annotations

import pkgutil
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import URL
from starlette.testclient import TestClient as Client

from bailiwick.database.base import new_id
from bailiwick.database.engine import Database
from bailiwick.tenancy.models import Group, Member, MemberState
from tests.api import routes
from tests.conftest import opened
from tests.people import SignInAs, TestClient, make_group, make_member, make_project, make_token

# Who calls. The target of member routes is a Business User of the project and in the group; the rest is said by `who`.
KINDS = {
    "A": "anonymous",
    "S": "suspended owner",
    "N": "newcomer without any role",
    "V": "tenant viewer, so Business User of every project",
    "B": "Business User of the project, Viewer on the layer",
    "T": "Technical User of the project, Editor on the layer",
    "P": "Admin of the project, Manager on the layer",
    "D": "tenant admin",
    "O": "tenant owner",
    "R": "read-only token of an owner",
    "C": "token of an owner for chosen tables",
}

BODIES: dict[str, Any] = {
    "sign-in": {"email": "{me}@example.com", "password": "not the right one"},
    "ask": {"email": "{me}@example.com", "purpose": "sign_in"},
    "secret": {"secret": "bwl_nothing"},
    "secret+password": {"secret": "bwl_nothing", "password": "correct horse battery"},
    "link": {"purpose": "sign_in"},
    "passwords": {"old_password": "not the right one", "new_password": "correct horse battery"},
    "name": {"name": "Another name"},
    "person": {"email": "new@example.com", "name": "New Person"},
    "tenant-role": {"tenant_role": "viewer"},
    "security-roles": {"security_roles": ["data admin"]},
    "member-ids": {"member_ids": ["{invited}"]},
    "plan": {"plan": "custom"},
    "settings": {"reading_needs_only_viewer": True},
    "view-as": {"member_id": "{target}"},
    "switch": {"ownership_adds_to_availability": True},
    "invite": {"email": "new@example.com", "role": "Business User"},
    "role": {"role": "Technical User"},
    "channel": {"is_on": True},
    "check": {"action": "see_project", "resource": {"type": "project", "id": "{project}"}},
    "on-project": {"resource": {"type": "project", "id": "{project}"}},
    "what": {"action": "see_project", "resource_type": "project"},
    "what-if": {
        "changes": [{"change": "change_project_role", "project": "{project}", "member": "{target}", "role": "Admin"}]
    },
    "evaluation": {
        "subject": {"type": "member", "id": "{me}"},
        "action": {"name": "see_project"},
        "resource": {"type": "project", "id": "{project}"},
    },
    "search-subject": {
        "subject": {"type": "member"},
        "action": {"name": "see_project"},
        "resource": {"type": "project", "id": "{project}"},
    },
    "search-resource": {
        "subject": {"type": "member", "id": "{me}"},
        "action": {"name": "see_project"},
        "resource": {"type": "project"},
    },
    "search-action": {
        "subject": {"type": "member", "id": "{me}"},
        "resource": {"type": "project", "id": "{project}"},
    },
}

# Refused to a token because it must not change anything, or reaches chosen tables only: 403, as the last two columns.
ROUTES = """
method path                                                          body             A   S   N   V   B   T   P   D   O   R   C
GET    /healthz                                                      -               200 200 200 200 200 200 200 200 200 200 200
GET    /readyz                                                       -               200 200 200 200 200 200 200 200 200 200 200
GET    /metrics                                                      -               200 200 200 200 200 200 200 200 200 200 200
GET    /.well-known/authzen-configuration                            -               200 200 200 200 200 200 200 200 200 200 200
GET    /api/v1/session                                               -               401 401 200 200 200 200 200 200 200 200 403
POST   /api/v1/session                                               sign-in         401 401 401 401 401 401 401 401 401 401 401
DELETE /api/v1/session                                               -               401 401 204 204 204 204 204 204 204 403 403
POST   /api/v1/links                                                 ask             202 202 202 202 202 202 202 202 202 202 202
POST   /api/v1/links/look                                            secret          410 410 410 410 410 410 410 410 410 410 410
POST   /api/v1/links/sign-in                                         secret          410 410 410 410 410 410 410 410 410 410 410
POST   /api/v1/links/reset-password                                  secret+password 410 410 410 410 410 410 410 410 410 410 410
POST   /api/v1/links/join                                            secret+password 410 410 410 410 410 410 410 410 410 410 410
GET    /api/v1/me                                                    -               401 401 200 200 200 200 200 200 200 200 403
PATCH  /api/v1/me                                                    name            401 401 200 200 200 200 200 200 200 403 403
POST   /api/v1/me/password                                           passwords       401 401 422 422 422 422 422 422 422 403 403
GET    /api/v1/sessions                                              -               401 401 200 200 200 200 200 200 200 200 403
DELETE /api/v1/sessions                                              -               401 401 200 200 200 200 200 200 200 403 403
DELETE /api/v1/sessions/{nothing}                                    -               401 401 404 404 404 404 404 404 404 403 403
GET    /api/v1/tokens                                                -               401 401 200 200 200 200 200 200 200 200 403
POST   /api/v1/tokens                                                name            401 401 201 201 201 201 201 201 201 403 403
DELETE /api/v1/tokens/{nothing}                                      -               401 401 404 404 404 404 404 404 404 403 403
GET    /api/v1/members                                               -               401 401 403 403 403 403 403 200 200 200 403
POST   /api/v1/members                                               person          401 401 403 403 403 403 403 201 201 403 403
GET    /api/v1/members/counts                                        -               401 401 403 403 403 403 403 200 200 200 403
GET    /api/v1/members/{target}                                      -               401 401 404 200 200 200 200 200 200 200 403
GET    /api/v1/members/{target}/projects                             -               401 401 404 200 200 200 200 200 200 200 403
DELETE /api/v1/members/{target}                                      -               401 401 404 403 403 403 403 200 200 403 403
POST   /api/v1/members/{target}/links                                link            401 401 404 403 403 403 201 201 201 403 403
GET    /api/v1/members/{target}/tokens                               -               401 401 404 403 403 403 403 200 200 200 403
DELETE /api/v1/members/{target}/tokens/{token}                       -               401 401 404 403 403 403 403 204 204 403 403
POST   /api/v1/members/{waited}/confirm                              -               401 401 404 403 403 403 403 200 200 403 403
POST   /api/v1/members/{waited}/decline                              -               401 401 404 403 403 403 403 200 200 403 403
POST   /api/v1/members/{invited}/resend-invitation                   -               401 401 404 403 403 403 403 200 200 403 403
POST   /api/v1/members/{invited}/withdraw-invitation                 -               401 401 404 403 403 403 403 200 200 403 403
PUT    /api/v1/members/{target}/tenant-role                          tenant-role     401 401 404 403 403 403 403 200 200 403 403
PUT    /api/v1/members/{target}/security-roles                       security-roles  401 401 404 403 403 403 403 200 200 403 403
POST   /api/v1/members/{target}/suspend                              -               401 401 404 403 403 403 403 200 200 403 403
POST   /api/v1/members/{suspended}/reactivate                        -               401 401 404 403 403 403 403 403 200 403 403
GET    /api/v1/groups                                                -               401 401 200 200 200 200 200 200 200 200 403
POST   /api/v1/groups                                                name            401 401 403 403 403 403 403 201 201 403 403
GET    /api/v1/groups/given                                          -               401 401 200 200 200 200 200 200 200 200 403
GET    /api/v1/groups/{group}                                        -               401 401 200 200 200 200 200 200 200 200 403
PATCH  /api/v1/groups/{group}                                        name            401 401 403 403 403 403 403 200 200 403 403
DELETE /api/v1/groups/{group}                                        -               401 401 403 403 403 403 403 200 200 403 403
GET    /api/v1/groups/{group}/grants                                 -               401 401 403 403 403 403 403 200 200 200 403
GET    /api/v1/groups/{group}/members                                -               401 401 403 403 403 403 403 200 200 200 403
POST   /api/v1/groups/{group}/members                                member-ids      401 401 403 403 403 403 403 200 200 403 403
POST   /api/v1/groups/{group}/members/remove                         member-ids      401 401 403 403 403 403 403 200 200 403 403
DELETE /api/v1/groups/{group}/members/{target}                       -               401 401 403 403 403 403 403 204 204 403 403
GET    /api/v1/tenant                                                -               401 401 200 200 200 200 200 200 200 200 403
GET    /api/v1/tenant/settings                                       -               401 401 403 403 403 403 403 200 200 200 403
PATCH  /api/v1/tenant/settings                                       settings        401 401 403 403 403 403 403 200 200 403 403
GET    /api/v1/tenant/plan/preview?plan=starter                      -               401 401 403 403 403 403 403 403 200 200 403
PUT    /api/v1/tenant/plan                                           plan            401 401 403 403 403 403 403 403 200 403 403
GET    /api/v1/projects                                              -               401 401 200 200 200 200 200 200 200 200 403
POST   /api/v1/projects                                              name            401 401 403 403 403 403 403 201 201 403 403
GET    /api/v1/projects/{project}                                    -               401 401 404 200 200 200 200 200 200 200 403
PATCH  /api/v1/projects/{project}                                    name            401 401 404 403 403 200 200 200 200 403 403
DELETE /api/v1/projects/{project}?confirm=Sales                      -               401 401 404 403 403 403 204 204 204 403 403
GET    /api/v1/projects/{project}/settings                           -               401 401 404 403 403 200 200 200 200 200 403
PATCH  /api/v1/projects/{project}/settings                           switch          401 401 404 403 403 403 200 200 200 403 403
GET    /api/v1/projects/{project}/members                            -               401 401 404 200 200 200 200 200 200 200 403
POST   /api/v1/projects/{project}/members                            invite          401 401 404 201 201 201 201 201 201 403 403
GET    /api/v1/projects/{project}/members/{target}                   -               401 401 404 200 200 200 200 200 200 200 403
PATCH  /api/v1/projects/{project}/members/{target}                   role            401 401 404 403 403 403 200 200 200 403 403
DELETE /api/v1/projects/{project}/members/{target}                   -               401 401 404 403 403 403 200 200 200 403 403
GET    /api/v1/projects/{project}/groups                             -               401 401 404 200 200 200 200 200 200 200 403
PUT    /api/v1/projects/{project}/groups/{group}                     role            401 401 404 403 403 403 200 200 200 403 403
DELETE /api/v1/projects/{project}/groups/{granted}                   -               401 401 404 403 403 403 204 204 204 403 403
GET    /api/v1/projects/{project}/notifications                      -               401 401 404 200 200 200 200 200 200 200 403
PATCH  /api/v1/projects/{project}/notifications/run_failed           channel         401 401 404 403 403 403 200 200 200 403 403
GET    /api/v1/projects/{project}/notifications/run_failed/receivers -               401 401 404 403 403 200 200 200 200 200 403
PUT    /api/v1/projects/{project}/notifications/run_failed/receivers/{target} -      401 401 404 403 403 403 204 204 204 403 403
DELETE /api/v1/projects/{project}/notifications/run_failed/receivers/{target} -      401 401 404 403 403 403 204 204 204 403 403
POST   /api/v1/view-as                                               view-as         401 401 403 403 403 403 403 200 200 200 403
DELETE /api/v1/view-as                                               -               401 401 204 204 204 204 204 204 204 204 403
GET    /api/v1/audit/chain                                           -               401 401 403 403 403 403 403 200 200 200 403
GET    /api/v1/audit                                                 -               401 401 200 200 200 200 200 200 200 200 403
GET    /api/v1/access/tables                                         -               401 401 200 200 200 200 200 200 200 200 403
GET    /api/v1/access/tables/{page}                                  -               401 401 200 200 200 200 200 200 200 200 403
GET    /api/v1/access/types                                          -               401 401 200 200 200 200 200 200 200 200 403
POST   /api/v1/access/check                                          check           401 401 404 200 200 200 200 200 200 200 403
POST   /api/v1/access/actions                                        on-project      401 401 404 200 200 200 200 200 200 200 403
POST   /api/v1/access/who                                            check           401 401 404 403 403 403 200 200 200 200 403
POST   /api/v1/access/what                                           what            401 401 200 200 200 200 200 200 200 200 403
POST   /api/v1/access/what-if                                        what-if         401 401 404 403 403 403 200 200 200 200 403
POST   /access/v1/evaluation                                         evaluation      401 401 200 200 200 200 200 200 200 200 403
POST   /access/v1/evaluations                                        evaluation      401 401 200 200 200 200 200 200 200 200 403
POST   /access/v1/search/subject                                     search-subject  401 401 200 403 403 403 200 200 200 200 403
POST   /access/v1/search/resource                                    search-resource 401 401 200 200 200 200 200 200 200 200 403
POST   /access/v1/search/action                                      search-action   401 401 200 200 200 200 200 200 200 200 403
"""


# An area's rows are in a module of its own: ROUTES and BODIES like here, and `prepare(session, people)`, which makes what
# its rows name and returns it by name.
AREAS = [import_module(f"tests.api.routes.{module.name}") for module in pkgutil.iter_modules(routes.__path__)]
for area in AREAS:
    BODIES.update(area.BODIES)


@dataclass(frozen=True)
class Row:
    method: str
    path: str
    body: str
    expected: dict[str, int]

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def rows() -> Iterator[Row]:
    for table in (ROUTES, *(area.ROUTES for area in AREAS)):
        for line in table.strip().splitlines()[1:]:
            method, path, body, *codes = line.split()
            yield Row(method, path, body, dict(zip(KINDS, map(int, codes), strict=True)))


EVERY_ROW = list(rows())


def template(path: str) -> str:
    """A path of the table as OpenAPI writes it, the names of its parts aside."""
    parts = [("{}" if part.startswith("{") else part) for part in path.partition("?")[0].split("/")]
    return "/".join("{}" if part == "run_failed" else part for part in parts)


def test_every_route_has_its_row(app: FastAPI) -> None:
    routes = [
        f"{method.upper()} {template(path)}" for path, methods in app.openapi()["paths"].items() for method in methods
    ]
    assert sorted(routes) == sorted(f"{row.method} {template(row.path)}" for row in EVERY_ROW)


def test_no_two_shapes_have_the_same_name(app: FastAPI) -> None:
    assert [name for name in app.openapi()["components"]["schemas"] if "__" in name] == []


@dataclass(frozen=True)
class Company:
    callers: dict[str, Member]
    names: dict[str, str]


@pytest.fixture(scope="module")
def founded(sqlite_template: Path, run_folder: Path) -> Iterator[tuple[Path, Company]]:
    """The company, made once: each test begins with a copy."""
    with tempfile.TemporaryDirectory(dir=run_folder) as folder:
        file = Path(folder) / "founded.db"
        shutil.copyfile(sqlite_template, file)
        with contextmanager(opened)(URL.create("sqlite", database=str(file))) as database:
            company = make_company(database)
        yield file, company


@pytest.fixture
def database(founded: tuple[Path, Company], run_folder: Path) -> Iterator[Database]:
    with tempfile.TemporaryDirectory(dir=run_folder) as folder:
        file = Path(folder) / "bailiwick.db"
        shutil.copyfile(founded[0], file)
        yield from opened(URL.create("sqlite", database=str(file)))


@pytest.fixture
def company(founded: tuple[Path, Company]) -> Company:
    return founded[1]


def make_company(database: Database) -> Company:
    with database.session() as session:
        people = {
            "S": make_member(session, "Sue", role="owner", state=MemberState.SUSPENDED),
            "N": make_member(session, "Nia"),
            "V": make_member(session, "Val", role="viewer"),
            "B": make_member(session, "Bea"),
            "T": make_member(session, "Tia"),
            "P": make_member(session, "Pia"),
            "D": make_member(session, "Dan", role="admin"),
            "O": make_member(session, "Ola", role="owner"),
        }
        target = make_member(session, "Tom")
        waited = make_member(session, "Wes", state=MemberState.WAITING, invited_by=people["B"])
        invited = make_member(session, "Ivy", state=MemberState.INVITED, invited_by=people["D"])
        group, granted = make_group(session, "Readers", target), make_group(session, "Granted", target)
        roles: dict[Member | Group, str] = {
            people["B"]: "Business User",
            people["T"]: "Technical User",
            people["P"]: "Admin",
            target: "Business User",
            waited: "Business User",
            invited: "Business User",
            granted: "Business User",
        }
        project = make_project(session, "Sales", people["O"], roles)
        token, _ = make_token(session, target)
        made = [area.prepare(session, {**people, "target": target}) for area in AREAS]
    ids: dict[str, Any] = {
        **{"target": target, "waited": waited, "invited": invited, "suspended": people["S"]},
        **{"group": group, "granted": granted, "project": project, "token": token},
    }
    people |= {"R": people["O"], "C": people["O"]}
    names = {name: str(row.id) for name, row in ids.items()}
    for of_area in made:
        names |= {name: value if isinstance(value, str) else str(value.id) for name, value in of_area.items()}
    return Company(people, {**names, "nothing": str(new_id()), "page": "roles"})


CHANGES = [
    (row, kind) for row in EVERY_ROW for kind, code in row.expected.items() if row.method != "GET" and code < 400
]


@pytest.mark.parametrize("row", EVERY_ROW, ids=str)
def test_each_kind_of_member_reads_and_is_refused_what_the_table_says(
    app: FastAPI, company: Company, sign_in_as: SignInAs, row: Row
) -> None:
    for kind, code in row.expected.items():
        if row.method == "GET" or code >= 400:  # what changes nothing can be tried by one after the other
            _try(_client(app, company, sign_in_as, kind), company, row, kind)


@pytest.mark.parametrize(("row", "kind"), CHANGES, ids=[f"{row} {kind}" for row, kind in CHANGES])
def test_each_kind_of_member_changes_what_the_table_says(
    app: FastAPI, company: Company, sign_in_as: SignInAs, row: Row, kind: str
) -> None:
    _try(_client(app, company, sign_in_as, kind), company, row, kind)


def _try(client: Client, company: Company, row: Row, kind: str) -> None:
    me = company.callers.get(kind)
    names = {**company.names, "me": str(me.id if me else new_id())}
    body = filled(BODIES[row.body], names) if row.body != "-" else None
    answer = client.request(row.method, row.path.format(**names), json=body)
    assert answer.status_code == row.expected[kind], f"{KINDS[kind]}: {answer.text}"
    if answer.status_code >= 400 and not row.path.startswith("/access/v1"):
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert answer.json()["detail"]


@pytest.mark.parametrize("row", [row for row in EVERY_ROW if 404 in row.expected.values()], ids=str)
def test_what_may_not_be_seen_answers_like_what_is_not_there(company: Company, sign_in_as: SignInAs, row: Row) -> None:
    client = sign_in_as(company.callers["N"])
    there, nowhere = ({**names, "me": str(company.callers["N"].id)} for names in (company.names, _nowhere(company)))
    answers = []
    for names in (there, nowhere):
        body = filled(BODIES[row.body], names) if row.body != "-" else None
        answer = client.request(row.method, row.path.format(**names), json=body)
        answers.append((answer.status_code, {**answer.json(), "request_id": ""}))
    assert answers[0] == answers[1]


def _nowhere(company: Company) -> dict[str, str]:
    return {name: (value if name == "page" else str(new_id())) for name, value in company.names.items()}


def _client(app: FastAPI, company: Company, sign_in_as: SignInAs, kind: str) -> Client:
    if kind == "A":
        return TestClient(app, raise_server_exceptions=False)
    narrowed = {"R": {"read_only": True}, "C": {"tables": [str(new_id())]}}
    return sign_in_as(company.callers[kind], token=narrowed.get(kind))


def filled(body: Any, names: dict[str, str]) -> Any:
    if isinstance(body, dict):
        return {key: filled(value, names) for key, value in body.items()}
    if isinstance(body, list):
        return [filled(value, names) for value in body]
    return body.format(**names) if isinstance(body, str) else body

"""A small company to ask about: every tenant role, every project role, two projects, and two groups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import func, select

from bailiwick.access.decision import slug
from bailiwick.audit.models import AuditEntry
from bailiwick.database.engine import Database
from bailiwick.models import metadata
from bailiwick.projects.models import Project
from bailiwick.questions import resources
from bailiwick.questions.service import Question
from bailiwick.tenancy.models import Group, Member, MemberState
from bailiwick.tenancy.standing import standing_of
from tests.people import SignInAs, TestClient, as_caller, make_group, make_member, make_project

NOBODY = "01980000-0000-7000-8000-00000000dead"  # an id that nothing has
Json = dict[str, Any]


@dataclass
class Company:
    """Everybody by first name; `company.ask("bea", "check", …)` is Bea's question."""

    database: Database
    sign_in_as: SignInAs
    people: dict[str, Member]
    atlas: Project
    borealis: Project
    analysts: Group
    pilots: Group
    _clients: dict[str, TestClient] = field(default_factory=dict)

    def id(self, name: str) -> str:
        return str(self.people[name].id)

    def as_(self, name: str) -> TestClient:
        if name not in self._clients:
            self._clients[name] = self.sign_in_as(self.people[name])
        return self._clients[name]

    def post(self, name: str, path: str, body: Mapping[str, Any]) -> Any:
        return self.as_(name).post(path if path.startswith("/") else f"/api/v1/access/{path}", json=body)

    def ask(self, name: str, path: str, **body: Any) -> Json:
        answer = self.post(name, path, body)
        assert answer.status_code == 200, answer.text
        found: Json = answer.json()
        return found

    def may(self, name: str, action: str, resource: Json, *, asked_by: str | None = None) -> bool:
        subject = {} if asked_by is None else {"subject": self.id(name)}
        answer = self.ask(asked_by or name, "check", action=action, resource=resource, **subject)
        allowed: bool = answer["decision"]["allowed"]
        return allowed

    def who(self, name: str, action: str, resource: Json, limit: int = 200, **part: str) -> list[str]:
        """The names on all pages, in order."""
        found: list[str] = []
        cursor = None
        while True:
            page = self.ask(name, "who", action=action, resource=resource, limit=limit, cursor=cursor, **part)
            found += [item["name"].lower() for item in page["items"]]
            assert len(page["items"]) <= limit
            cursor = page["next_cursor"]
            if cursor is None:
                return found

    def what(self, name: str, action: str, type_: str, *, asked_by: str, limit: int = 200, **part: str) -> list[str]:
        """The ids on all pages, in order."""
        found: list[str] = []
        cursor = None
        while True:
            body = {"action": action, "resource_type": type_, "limit": limit, "cursor": cursor, **part}
            page = self.ask(asked_by, "what", subject=self.id(name), **body)
            found += [item["id"] for item in page["items"]]
            cursor = page["next_cursor"]
            if cursor is None:
                return found

    def allowed(self, resource: Json) -> dict[str, set[str]]:
        """What each of them may do with a resource; asked below the API, where a test asks a lot."""
        with self.database.read() as session:
            question = Question(resource["type"], resource.get("id"), resource.get("properties"))
            asked = question.find(session, as_caller(self.people["olga"]))
            everybody = [session.get_one(Member, member.id) for member in self.people.values()]
            placed = resources.scene(session, asked, standing_of(session, everybody)).placed
            return {name: set(map(slug, placed.actions(self.id(name)))) for name in self.people}

    def rows(self) -> dict[str, int]:
        """How many rows every table holds."""
        with self.database.read() as session:
            return {
                name: session.scalar(select(func.count()).select_from(table)) or 0
                for name, table in metadata.tables.items()
            }

    def refusals(self) -> list[AuditEntry]:
        with self.database.read() as session:
            return list(session.scalars(select(AuditEntry).where(AuditEntry.outcome == "refused")))


def project(project: Project | str | UUID) -> Json:
    return {"type": "project", "id": str(project.id if isinstance(project, Project) else project)}


def membership(project: Project) -> Json:
    return {"type": "project_membership", "id": str(project.id)}


def described(type_: str, **properties: Any) -> Json:
    return {"type": type_, "id": "described", "properties": properties}


@pytest.fixture
def company(database: Database, sign_in_as: SignInAs) -> Company:
    """Olga owns the tenant, Adam is its admin, Edda its editor, Vera its viewer. In Atlas, Paula is Admin, Tim
    Technical User, Bea Business User, Gus a Business User through the group Analysts, and Sam an Admin who is
    suspended. Quinn is Admin of Borealis. Nils is nowhere, and in the group Pilots, which has no role."""
    with database.session() as session:
        people = {
            name.lower(): make_member(session, name, role=role)
            for name, role in (
                *(("Olga", "owner"), ("Adam", "admin"), ("Edda", "editor"), ("Vera", "viewer")),
                *((name, "none") for name in ("Paula", "Tim", "Bea", "Gus", "Quinn", "Nils")),
            )
        }
        people["sam"] = make_member(session, "Sam", state=MemberState.SUSPENDED)
        analysts = make_group(session, "Analysts", people["gus"])
        pilots = make_group(session, "Pilots", people["nils"])
        olga = people["olga"]
        atlas = make_project(
            session,
            "Atlas",
            olga,
            {
                people["paula"]: "Admin",
                people["tim"]: "Technical User",
                people["bea"]: "Business User",
                people["sam"]: "Admin",
                analysts: "Business User",
            },
        )
        borealis = make_project(session, "Borealis", olga, {people["quinn"]: "Admin"})
    return Company(database, sign_in_as, people, atlas, borealis, analysts, pilots)

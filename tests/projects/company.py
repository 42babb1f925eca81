"""A small company around one project: somebody with a role from every origin, and somebody with none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy.orm import Session

from bailiwick.audit.models import AuditEntry
from bailiwick.database.base import pretending, utc_now
from bailiwick.database.engine import Database
from bailiwick.projects import service
from bailiwick.projects.models import Project, ProjectGrant
from bailiwick.tenancy.models import Group, Member
from tests.people import SignInAs, TestClient, make_group, make_member

ADMIN, TECHNICAL, BUSINESS = "Admin", "Technical User", "Business User"
DONE = AuditEntry.outcome == "done"


@dataclass
class Company:
    """Everybody by first name; `company.as_("tim")` is the API for Tim."""

    database: Database
    sign_in_as: SignInAs
    people: dict[str, Member]
    analysts: Group
    sales: Project
    _clients: dict[str, TestClient] = field(default_factory=dict)

    def as_(self, name: str) -> TestClient:
        if name not in self._clients:
            self._clients[name] = self.sign_in_as(self.people[name])
        return self._clients[name]

    def id(self, name: str) -> UUID:
        return self.people[name].id

    @property
    def at(self) -> str:
        return f"/api/v1/projects/{self.sales.id}"

    def member(self, name: str, seen_by: str = "olga") -> dict[str, Any]:
        answer = self.as_(seen_by).get(f"{self.at}/members/{self.id(name)}")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def change_role(self, name: str, role: str, by: str = "ann", **more: Any) -> Any:
        return self.as_(by).patch(f"{self.at}/members/{self.id(name)}", json={"role": role, **more})

    def remove(self, name: str, by: str = "ann") -> Any:
        return self.as_(by).delete(f"{self.at}/members/{self.id(name)}")

    def invite(self, email: str, role: str, by: str = "ann", **more: Any) -> Any:
        return self.as_(by).post(f"{self.at}/members", json={"email": email, "role": role, **more})

    def grant_to_group(self, group_id: UUID, by: str = "ann", **body: Any) -> Any:
        return self.as_(by).put(f"{self.at}/groups/{group_id}", json=body)

    def in_(self, **how_long: float) -> str:
        return (utc_now() + timedelta(**how_long)).isoformat()

    @contextmanager
    def later(self, **how_long: float) -> Iterator[None]:
        """As things are in a while."""
        with pretending(utc_now() + timedelta(**how_long)):
            yield


def grant(
    session: Session, project: Project, holder: Member | Group, role: str, by: Member, *, expires_at: Any = None
) -> ProjectGrant:
    made = ProjectGrant(project_id=project.id, role=role, granted_by_id=by.id, expires_at=expires_at)
    if isinstance(holder, Member):
        made.member_id = holder.id
    else:
        made.group_id = holder.id
    session.add(made)
    session.flush()
    return made


@pytest.fixture
def company(database: Database, sign_in_as: SignInAs) -> Company:
    """Olga owns the tenant, Adam is its admin, Edda its editor, Vera its viewer. In the project Sales, Ann is Admin,
    Tim Technical User and Bea Business User; Gus is Technical User through the group Analysts. Nora has no role."""
    with database.session() as session:
        people = {
            name.lower(): make_member(session, name, role=role)
            for name, role in (
                *(("Olga", "owner"), ("Adam", "admin"), ("Edda", "editor"), ("Vera", "viewer")),
                *((name, "none") for name in ("Ann", "Tim", "Bea", "Gus", "Nora")),
            )
        }
        olga = people["olga"]
        analysts = make_group(session, "Analysts", people["gus"])
        sales = service.new_project(session, name="Sales", created_by_id=olga.id)
        for name, role in (("ann", ADMIN), ("tim", TECHNICAL), ("bea", BUSINESS)):
            grant(session, sales, people[name], role, olga)
        grant(session, sales, analysts, TECHNICAL, olga)
    return Company(database, sign_in_as, people, analysts, sales)

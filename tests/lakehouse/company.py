"""A small company around two layers: somebody at every level from every origin, and somebody without any."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from bailiwick.audit.models import AuditEntry
from bailiwick.database.base import pretending, utc_now
from bailiwick.database.engine import Database
from bailiwick.lakehouse.models import Layer, Pipeline, Table, Volume
from bailiwick.runs.models import Run
from bailiwick.tenancy.models import Group, Member, Tenant
from tests.lakehouse.making import make_grant, make_layer, make_table, make_volume
from tests.people import SignInAs, TestClient, make_group, make_member

API = "/api/v1"


@dataclass
class Company:
    """Everybody by first name; `company.as_("mia")` is the API for Mia."""

    database: Database
    sign_in_as: SignInAs
    people: dict[str, Member]
    group: Group
    raw: Layer
    trusted: Layer
    orders: Table  # raw
    customers: Table  # raw
    revenue: Table  # trusted
    files: Volume  # raw
    _clients: dict[str, TestClient] = field(default_factory=dict)

    def as_(self, name: str) -> TestClient:
        if name not in self._clients:
            self._clients[name] = self.sign_in_as(self.people[name])
        return self._clients[name]

    def id(self, name: str) -> UUID:
        return self.people[name].id

    def get(self, name: str, path: str, **query: Any) -> Any:
        return self.as_(name).get(f"{API}{path}", params=query)

    def names(self, name: str, path: str, **query: Any) -> list[str]:
        """The names that a list shows to somebody."""
        answer = self.get(name, path, **query)
        assert answer.status_code == 200, answer.text
        return [item.get("full_name") or item["name"] for item in answer.json()["items"]]

    def grant(self, on: Layer | Table | Volume, to: str, level: str = "Viewer", **how: Any) -> None:
        """A level to one of these people, to the group, or to All."""
        with self.database.session() as session:
            holder = self.group if to == "group" else self.people.get(to, to)
            make_grant(session, on, holder, level, **how)

    def change_plan(self, plan: str) -> None:
        with self.database.session() as session:
            session.get_one(Tenant, 1).plan = plan

    def in_(self, **how_long: float) -> datetime:
        return utc_now() + timedelta(**how_long)

    @contextmanager
    def later(self, **how_long: float) -> Iterator[None]:
        """As things are in a while."""
        with pretending(self.in_(**how_long)):
            yield

    def make_run(self, session: Session, pipeline: Pipeline, **values: Any) -> Run:
        run = Run(
            kind="pipeline_query",
            subject_type="pipeline",
            subject_id=pipeline.id,
            number=1,
            acts_as_id=pipeline.owner_id,
            time_limit_seconds=60,
            **values,
        )
        session.add(run)
        session.flush()
        return run

    def audited(self, action: str) -> list[AuditEntry]:
        with self.database.read() as session:
            return list(session.scalars(select(AuditEntry).where(AuditEntry.action == action).order_by(AuditEntry.id)))


@pytest.fixture
def company(database: Database, sign_in_as: SignInAs) -> Company:
    """Olga owns the tenant, Adam is its admin. On the layer raw Vic is Viewer, Eve Editor and Mia Manager; Tab is
    Editor on the table raw.orders alone, Val Viewer on the volume raw.files alone; Gus is in the group Analysts, which
    holds nothing yet. Edda has the tenant role editor and no level; Nora has nothing."""
    with database.session() as session:
        roles = {"Olga": "owner", "Adam": "admin", "Edda": "editor"}
        people = {
            name.lower(): make_member(session, name, role=roles.get(name, "none"))
            for name in ("Olga", "Adam", "Edda", "Vic", "Eve", "Mia", "Tab", "Val", "Gus", "Nora")
        }
        group = make_group(session, "Analysts", people["gus"])
        raw, trusted = make_layer(session, "raw"), make_layer(session, "trusted")
        orders, customers = make_table(session, "orders", layer=raw), make_table(session, "customers", layer=raw)
        revenue = make_table(session, "revenue", layer=trusted)
        files = make_volume(session, "files", layer=raw)
        for name, level in (("vic", "Viewer"), ("eve", "Editor"), ("mia", "Manager")):
            make_grant(session, raw, people[name], level)
        make_grant(session, orders, people["tab"], "Editor")
        make_grant(session, files, people["val"], "Viewer")
    return Company(database, sign_in_as, people, group, raw, trusted, orders, customers, revenue, files)

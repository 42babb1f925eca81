"""The same company grown to any size: the same seed makes the same members, groups, projects and grants."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from itertools import islice
from typing import Any
from uuid import UUID

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from bailiwick.access.roles import PROJECT_ROLES
from bailiwick.database.base import Base, new_id, utc_now
from bailiwick.database.engine import Database
from bailiwick.projects.models import ProjectGrant
from bailiwick.projects.service import new_project
from bailiwick.tenancy.models import Group, GroupMembership, Member, MemberState

FIRST = ("Ana", "Ben", "Chloe", "Dina", "Eli", "Femi", "Greta", "Hugo", "Ines", "Jonas", "Kira", "Liam", "Mina", "Noor")
LAST = (
    "Abbott",
    "Berg",
    "Costa",
    "Dahl",
    "Eriksen",
    "Fischer",
    "Garcia",
    "Horvat",
    "Ito",
    "Jansen",
    "Kowalski",
    "Lind",
)
TENANT_ROLES = {"none": 70, "viewer": 18, "editor": 10, "admin": 2}
STATES = {MemberState.ACTIVE: 94, MemberState.INVITED: 3, MemberState.WAITING: 1, MemberState.SUSPENDED: 2}
GRANTED_ROLES = dict(zip(PROJECT_ROLES[1:], (70, 25, 5), strict=True))
MEMBERS_A_GROUP, MEMBERS_A_PROJECT = 50, 250
GRANTS_A_PROJECT, GROUPS_A_PROJECT = 40, 3
BATCH = 5_000


def grow(
    database: Database, members: int, seed: int = 1, progress: Callable[[int, int], None] = lambda done, total: None
) -> None:
    """Add members until there are so many, and groups and projects in proportion. Nothing of it goes on record."""
    chance = random.Random(seed)  # noqa: S311 - for a made-up company, the same one every time
    with database.session() as session:
        here = session.scalar(select(func.count()).select_from(Member)) or 0
        maker = session.scalars(select(Member.id).where(Member.tenant_role == "owner").limit(1)).one()
        new = [_member(chance, number) for number in range(here, members)]
        done = 0
        for batch in _batches(new):
            session.execute(insert(Member), batch)
            done += len(batch)
            progress(here + done, members)
        ids = [member["id"] for member in new]
        groups: list[dict[str, Any]] = [
            {"id": new_id(), "name": f"Team {number:05}", "description": "", "version": 1}
            for number in range(len(ids) // MEMBERS_A_GROUP)
        ]
        inside = [
            {"group_id": group["id"], "member_id": member}
            for group in groups
            for member in chance.sample(ids, MEMBERS_A_GROUP)
        ]
        _add(session, Group, groups)
        _add(session, GroupMembership, inside)
        for number in range(len(ids) // MEMBERS_A_PROJECT):
            project = new_project(session, name=f"Project {number:05}", created_by_id=maker)
            _add(session, ProjectGrant, _grants(chance, project.id, maker, ids, [group["id"] for group in groups]))


def _member(chance: random.Random, number: int) -> dict[str, Any]:
    name = f"{chance.choice(FIRST)} {chance.choice(LAST)}"
    made = utc_now() - timedelta(days=chance.randrange(1, 700))
    state = _one_of(chance, STATES)
    return {
        "id": new_id(),
        "name": name,
        "email": f"{name.lower().replace(' ', '.')}.{number}@fernhill.example",
        "state": state,
        "tenant_role": "none" if state == MemberState.WAITING else _one_of(chance, TENANT_ROLES),
        "data_admin": chance.random() < 0.01,
        "data_space_creator": chance.random() < 0.05,
        "created_at": made,
        "joined_at": made if state in (MemberState.ACTIVE, MemberState.SUSPENDED) else None,
        "version": 1,
    }


def _grants(
    chance: random.Random, project: UUID, maker: UUID, members: list[UUID], groups: list[UUID]
) -> list[dict[str, Any]]:
    holders = [
        *({"member_id": member, "group_id": None} for member in chance.sample(members, GRANTS_A_PROJECT)),
        *(
            {"member_id": None, "group_id": group}
            for group in chance.sample(groups, min(GROUPS_A_PROJECT, len(groups)))
        ),
    ]
    return [
        {
            **holder,
            "id": new_id(),
            "project_id": project,
            "role": _one_of(chance, GRANTED_ROLES),
            "granted_by_id": maker,
            "version": 1,
        }
        for holder in holders
    ]


def _one_of(chance: random.Random, weights: dict[Any, int]) -> Any:
    return chance.choices(list(weights), list(weights.values()))[0]


def _add(session: Session, model: type[Base], rows: Iterable[dict[str, Any]]) -> None:
    for batch in _batches(rows):
        session.execute(insert(model), batch)


def _batches(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    left = iter(rows)
    while batch := list(islice(left, BATCH)):
        yield batch

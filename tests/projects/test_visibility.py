"""The lists in SQL against the access core, on random small worlds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete

from bailiwick.access.roles import PROJECT_ROLES, TENANT_ROLES, highest
from bailiwick.access.world import records
from bailiwick.access.world.people import ALL, World
from bailiwick.access.world.placing import place
from bailiwick.database.base import utc_now
from bailiwick.database.engine import Database
from bailiwick.database.paging import Page
from bailiwick.projects import group_grants, members, service
from bailiwick.projects.models import Project, ProjectGrant
from bailiwick.projects.notifications import SUBSCRIBED, receivers_of, roles_that
from bailiwick.projects.standing import as_record, granted_roles
from bailiwick.runs.models import ChannelKind
from bailiwick.tenancy.caller import ALL_GROUP_ID, Caller, holder
from bailiwick.tenancy.models import Group, GroupMembership, Member, MemberState
from tests.people import make_group, make_member

ROLES = PROJECT_ROLES[1:]
PEOPLE, GROUPS, PROJECTS = 4, 2, 4


@dataclass
class Drawn:
    """Tenant roles, who is in which group, which role each holder has in each project and when it ends."""

    tenant_roles: list[str]
    states: list[str]
    groups: list[set[int]]
    # (project, holder): members first, then groups, then All; hours from now, or None for one without an end
    grants: dict[tuple[int, int], tuple[str, int | None]]


drawn_worlds = st.builds(
    Drawn,
    tenant_roles=st.lists(st.sampled_from(TENANT_ROLES), min_size=PEOPLE, max_size=PEOPLE),
    states=st.lists(st.sampled_from(list(MemberState)[:4]), min_size=PEOPLE, max_size=PEOPLE),
    groups=st.lists(st.sets(st.integers(0, PEOPLE - 1)), min_size=GROUPS, max_size=GROUPS),
    grants=st.dictionaries(
        st.tuples(st.integers(0, PROJECTS - 1), st.integers(0, PEOPLE + GROUPS)),
        st.tuples(st.sampled_from(ROLES), st.sampled_from([None, 1, -1])),
        max_size=12,
    ),
)


def everything(list_: Any, *args: Any, **more: Any) -> list[Any]:
    """All items of a list, in pages of two."""
    found: list[Any] = []
    cursor = None
    while True:
        page: Page[Any] = list_(*args, cursor=cursor, limit=2, **more)
        found += page.items
        if page.next_cursor is None:
            return found
        cursor = page.next_cursor


@pytest.fixture
def stage(database: Database) -> Database:
    """A database with the people, groups and projects of every world; only their relations are drawn."""
    with database.session() as session:
        people = [make_member(session, f"Member {number}") for number in range(PEOPLE)]
        for number in range(GROUPS):
            make_group(session, f"Group {number}")
        # Names that repeat and differ only in case come in any order, but in one.
        for name in ("b", "B", "a", "ä")[:PROJECTS]:
            service.new_project(session, name=name, created_by_id=people[0].id)
    return database


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn=drawn_worlds)
def test_lists_hold_exactly_what_the_access_core_allows(stage: Database, drawn: Drawn) -> None:
    with stage.session() as session:
        session.execute(delete(GroupMembership))
        session.execute(delete(ProjectGrant))
        people = session.query(Member).order_by(Member.name).all()
        groups = [*session.query(Group).where(~Group.is_all).order_by(Group.name), session.get_one(Group, ALL_GROUP_ID)]
        projects = session.query(Project).order_by(Project.id).all()
        for person, tenant_role, state in zip(people, drawn.tenant_roles, drawn.states, strict=True):
            person.tenant_role, person.state = tenant_role, state
        listed = [(groups[number], people[who]) for number, inside in enumerate(drawn.groups) for who in inside]
        session.add_all(GroupMembership(group_id=group.id, member_id=person.id) for group, person in listed)
        now = utc_now()
        for (number, who), (role, hours) in drawn.grants.items():
            grant = ProjectGrant(project_id=projects[number].id, role=role, granted_by_id=people[0].id)
            grant.expires_at = None if hours is None else now + timedelta(hours=hours)
            if who < PEOPLE:
                grant.member_id = people[who].id
            else:
                grant.group_id = groups[who - PEOPLE].id
            session.add(grant)
        session.flush()

        # The world takes everybody as active: invited and suspended members are listed with the role they would have.
        in_groups = {
            person.id: frozenset(holder(group.id) for group, member in listed if member is person) for person in people
        }
        world = World(records.Member(str(p.id), p.tenant_role, frozenset(), in_groups[p.id]) for p in people)
        seen = {
            project.id: as_record(
                project,
                [
                    grant
                    for grant in session.query(ProjectGrant).where(ProjectGrant.project_id == project.id)
                    if grant.expires_at is None or grant.expires_at > now
                ],
            )
            for project in projects
        }

        def granted_to(person: Member, caller: Caller) -> dict[Any, str]:
            holders = [str(person.id), ALL, *(str(group) for group in caller.groups)]
            held = {
                id_: [record.grants[one] for one in holders if one in record.grants] for id_, record in seen.items()
            }
            return {id_: highest(roles, PROJECT_ROLES) for id_, roles in held.items() if roles}

        looked_into = set()
        for person in people:
            caller = Caller(person, frozenset(group.id for group, member in listed if member is person))
            assert granted_roles(session, caller) == granted_to(person, caller)
            found = everything(service.list_projects, session, caller)
            placed = {project.id: place(world, seen[project.id]) for project in projects}
            expected = {p.id for p in projects if placed[p.id].check(str(person.id), "See project").allowed}
            assert len(found) == len(expected)
            assert {here.project.id for here in found} == expected
            for here in found:
                roles = world.project_roles(seen[here.project.id])
                assert here.role == roles[str(person.id)]
                shown = everything(members.list_members, session, caller, here.project.id)
                assert {str(one.found.member.id): one.found.role for one in shown} == dict(roles)
                assert len(shown) == len(roles)
                if here.project.id in looked_into:
                    continue  # what follows does not depend on who looks
                looked_into.add(here.project.id)
                for role in ROLES:
                    fitting = everything(members.list_members, session, caller, here.project.id, role=role)
                    assert {str(one.found.member.id) for one in fitting} == {m for m, r in roles.items() if r == role}
                record = seen[here.project.id]
                listed_groups = everything(group_grants.list_groups, session, caller, here.project.id)
                assert {holder(one.group.id): one.grant.role for one in listed_groups} == {
                    to: role for to, role in record.grants.items() if to not in world.members
                }
                active = {str(p.id) for p in people if p.state == MemberState.ACTIVE}
                joined = {
                    to for to in world.members if any(h in record.grants for h in (to, *in_groups[UUID(to)], ALL))
                }
                reached = {m for m in active & joined if roles[m] in roles_that(SUBSCRIBED)}
                received = everything(receivers_of, session, here.project, ChannelKind.RUN_FAILED)
                assert {str(member.id) for member in received} == reached

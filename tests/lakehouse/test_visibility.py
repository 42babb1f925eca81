"""The lists in SQL against the access core, on random small worlds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from bailiwick.access.tables.lakehouse.levels import LEVELS
from bailiwick.access.world import records
from bailiwick.access.world.people import World
from bailiwick.access.world.placing import place
from bailiwick.database.base import utc_now
from bailiwick.database.engine import Database
from bailiwick.database.paging import Page
from bailiwick.lakehouse import catalogue, layers, tables, volumes
from bailiwick.lakehouse.completion import complete
from bailiwick.lakehouse.models import Grant, Layer, Table, Volume
from bailiwick.lakehouse.standing import on_layers, on_things
from bailiwick.tenancy.caller import ALL_GROUP_ID, Caller, holder
from bailiwick.tenancy.models import ApiToken, Group, GroupMembership, Member, Tenant
from tests.lakehouse.making import make_grant, make_layer, make_table, make_volume
from tests.people import make_group, make_member, make_token

PEOPLE, GROUPS, LAYERS = 3, 2, 3
TARGETS = LAYERS * 4  # of each layer: itself, two tables, a volume
ROLES = ("none", "viewer", "editor", "admin", "owner")


@dataclass
class Drawn:
    """Tenant roles, who is in which group, the level of each holder on each thing and whether it has expired."""

    plan: str
    roles: list[str]
    groups: list[set[int]]
    grants: dict[tuple[int, int], tuple[str, bool]]  # (thing, holder): members first, then groups, then All
    chosen: set[int] | None  # tables that everybody's token reaches; None: they come without one


drawn_worlds = st.builds(
    Drawn,
    plan=st.sampled_from(["growth", "growth", "growth", "starter"]),
    roles=st.lists(st.sampled_from(ROLES), min_size=PEOPLE, max_size=PEOPLE),
    groups=st.lists(st.sets(st.integers(0, PEOPLE - 1)), min_size=GROUPS, max_size=GROUPS),
    grants=st.dictionaries(
        st.tuples(st.integers(0, TARGETS - 1), st.integers(0, PEOPLE + GROUPS)),
        st.tuples(st.sampled_from(LEVELS[1:]), st.booleans()),
        max_size=10,
    ),
    chosen=st.one_of(st.none(), st.sets(st.integers(0, LAYERS * 2 - 1), max_size=3)),
)


def everything(list_: Callable[..., Page[Any]], *args: Any, **more: Any) -> list[Any]:
    """All items of a list, in pages of two."""
    found: list[Any] = []
    cursor = None
    while True:
        page = list_(*args, cursor=cursor, limit=2, **more)
        found += page.items
        if page.next_cursor is None:
            return found
        cursor = page.next_cursor


@pytest.fixture
def stage(database: Database) -> Database:
    """A database with the people, groups and things of every world; only their relations are drawn."""
    with database.session() as session:
        session.execute(delete(Layer))
        people = [make_member(session, f"Member {number}") for number in range(PEOPLE)]
        for number in range(GROUPS):
            make_group(session, f"Group {number}")
        for number in range(LAYERS):
            layer = make_layer(session, f"l{number}")
            for name in ("a_b", f"t{number}"):  # one name in every layer, one in each
                make_table(session, name, layer=layer)
            make_volume(session, "v", layer=layer)
        for person in people:
            make_token(session, person, tables=[])
    return database


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn=drawn_worlds)
def test_lists_hold_exactly_what_the_access_core_allows(stage: Database, drawn: Drawn) -> None:
    with stage.session() as session:
        world, callers, things = set_up(session, drawn)
        for caller in callers:
            all_layers = session.scalars(select(Layer).order_by(Layer.name)).all()
            reached = caller.chosen_tables
            sees = {
                id_
                for id_, record in things.items()
                if (placed := place(world, record)).type.see
                and placed.allows(caller.id, placed.type.see)
                and (reached is None or id_ in reached)
            }
            assert {one.layer.id for one in everything(layers.list_layers, session, caller)} == {
                layer.id for layer in all_layers if layer.id in sees
            }
            for list_, kind in ((tables.list_tables, Table), (volumes.list_volumes, Volume)):
                rows: list[Any] = list(session.scalars(select(kind).order_by(kind.name, kind.id)))
                expected = [row.id for row in rows if row.id in sees]
                found = [getattr(one, kind.__name__.lower()) for one in everything(list_, session, caller)]
                assert [row.id for row in found] == expected  # in the order of names, none twice
                for layer in all_layers if reached is None else ():
                    if layer.id in sees:
                        inside = everything(list_, session, caller, layer_id=layer.id)
                        assert {getattr(one, kind.__name__.lower()).id for one in inside} == {
                            row.id for row in rows if row.layer_id == layer.id and row.id in sees
                        }
                for id_, placed in on_things(session, caller, rows).items():
                    itself = place(world, things[id_])
                    assert placed.actions(caller.id) == (itself.actions(caller.id) if _is_reached(caller, id_) else ())
            if reached is None:
                for id_, placed in on_layers(session, caller, all_layers).items():
                    assert placed.actions(caller.id) == place(world, things[id_]).actions(caller.id)
            _check_names(session, caller, sees, all_layers)


def _check_names(session: Session, caller: Caller, sees: set[Any], all_layers: Any) -> None:
    """Statements and completion reach the same tables."""
    named = {layer.id: layer.name for layer in all_layers}
    rows = session.scalars(select(Table)).all()
    seen = {(named[row.layer_id], row.name) for row in rows if row.id in sees}
    assert set(catalogue.readable(session, caller, [(named[row.layer_id], row.name) for row in rows])) == seen
    offered = {tuple(one.text.split(".")) for one in complete(session, caller, "", limit=200) if one.kind == "table"}
    assert offered == seen
    begun = {tuple(one.text.split(".")) for one in complete(session, caller, "t", limit=200) if one.kind == "table"}
    assert begun == {name for name in seen if name[1].startswith("t")}


def _is_reached(caller: Caller, id_: Any) -> bool:
    return caller.chosen_tables is None or id_ in caller.chosen_tables


def set_up(session: Session, drawn: Drawn) -> tuple[World, list[Caller], dict[Any, Any]]:
    """The drawn relations in the database, and the same as the access core's own records."""
    session.execute(delete(GroupMembership))
    session.execute(delete(Grant))
    session.get_one(Tenant, 1).plan = drawn.plan
    people = list(session.scalars(select(Member).order_by(Member.name)))
    groups = [
        *session.scalars(select(Group).where(~Group.is_all).order_by(Group.name)),
        session.get_one(Group, ALL_GROUP_ID),
    ]
    listed = [(groups[number], people[who]) for number, inside in enumerate(drawn.groups) for who in inside]
    session.add_all(GroupMembership(group_id=group.id, member_id=person.id) for group, person in listed)
    for person, role in zip(people, drawn.roles, strict=True):
        person.tenant_role = role
    all_layers = list(session.scalars(select(Layer).order_by(Layer.name)))
    all_tables = list(session.scalars(select(Table).order_by(Table.layer_id, Table.name)))
    all_volumes = list(session.scalars(select(Volume)))
    inside: list[Any] = [*all_tables, *all_volumes]
    things: list[Any] = [*all_layers, *inside]
    holding: dict[Any, dict[str, str]] = {thing.id: {} for thing in things}
    for (number, who), (level, expired) in drawn.grants.items():
        to = people[who] if who < PEOPLE else groups[who - PEOPLE]
        end = utc_now() + timedelta(hours=-1 if expired else 1)
        make_grant(session, things[number], to, level, expires_at=end)
        if not expired:
            holding[things[number].id][holder(to.id)] = level
    tokens = {token.member_id: token for token in session.scalars(select(ApiToken))}
    for token in tokens.values():
        token.tables = None if drawn.chosen is None else [str(all_tables[number].id) for number in drawn.chosen]
    session.flush()
    in_groups = {p.id: frozenset(group.id for group, member in listed if member is p) for p in people}
    world = World(
        (
            records.Member(str(p.id), p.tenant_role, frozenset(), frozenset(holder(id_) for id_ in in_groups[p.id]))
            for p in people
        ),
        records.Tenant(drawn.plan),
    )
    of_layer = {
        layer.id: records.Layer(
            str(layer.id),
            holding[layer.id],
            frozenset(who for one in inside if one.layer_id == layer.id for who in holding[one.id]),
        )
        for layer in all_layers
    }
    found: dict[Any, Any] = dict(of_layer)
    found |= {one.id: records.Table(str(one.id), of_layer[one.layer_id], holding[one.id]) for one in all_tables}
    found |= {one.id: records.Volume(str(one.id), of_layer[one.layer_id], holding[one.id]) for one in all_volumes}
    return world, [Caller(p, in_groups[p.id], tokens[p.id]) for p in people], found

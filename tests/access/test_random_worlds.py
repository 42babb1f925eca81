"""In random worlds all ways of asking agree with one another and with the second reading, and grants only ever add."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.roles import SECURITY_ROLES
from bailiwick.access.tables.standing import PROJECT_ROLES, TENANT_ROLES
from bailiwick.access.world.people import ALL
from bailiwick.access.world.placing import Placed, place
from bailiwick.access.world.questions import Change, what, what_if, who
from bailiwick.access.world.records import (
    Connection,
    DataMart,
    DataMartTrigger,
    DataProduct,
    DataProject,
    Destination,
    Gateway,
    Id,
    Layer,
    Member,
    Project,
    Report,
    ReportTrigger,
    Resource,
    Space,
    Storage,
    Table,
    Volume,
)
from bailiwick.access.world.review import review
from tests.access.oracle import cedar, reading
from tests.access.oracle.reachable import reachable
from tests.access.worlds import (
    DATA_PRODUCT_ROLES,
    LEVELS,
    SPACE_ROLES,
    Everything,
    changed,
    everythings,
    held_by,
    holders_of,
)

pytestmark = pytest.mark.xdist_group(name="second reading")  # what it says of every cell is worked out once
worlds = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
REACHABLE = {name: frozenset(reachable(resource_type)) for name, resource_type in RESOURCE_TYPES.items()}
# It is a row about roles, and no right: whoever rises above Business User is no longer on it.
NO_RIGHT = "Removed from the receivers on falling to this role"


# All ways of asking agree --------------------------------------------------------------------------------------------


@worlds
@given(everythings())
def test_check_says_what_the_second_reading_says(everything: Everything) -> None:
    world = everything.world()
    for resource in everything.resources():
        placed = place(world, resource)
        for member in everything.active:
            name, facts = reading.facts(everything, member, resource)
            index = RESOURCE_TYPES[name].pack(facts)
            expected = RESOURCE_TYPES[name].names_of(cedar.verdicts(RESOURCE_TYPES[name])[index])
            assert index in REACHABLE[name]
            assert (placed.type.name, placed.type.in_words(placed.index(member.id))) == (name, facts)
            assert placed.actions(member.id) == expected
            assert tuple(a for a in placed.type.actions if placed.check(member.id, a).allowed) == expected


@worlds
@given(everythings())
def test_whoever_is_suspended_or_a_stranger_can_do_nothing(everything: Everything) -> None:
    world = everything.world()
    suspended = [member.id for member in everything.members if not member.active]
    for resource in everything.resources():
        placed = place(world, resource)
        for outsider in (*suspended, "a stranger", ""):
            assert placed.actions(outsider) == ()
            assert not any(placed.check(outsider, action).allowed for action in placed.type.actions)


@worlds
@given(everythings())
def test_review_says_what_check_says(everything: Everything) -> None:
    world = everything.world()
    members = list(world.members)
    by_type: dict[str, list[Placed]] = defaultdict(list)
    for resource in everything.resources():
        placed = place(world, resource)
        by_type[placed.type.name].append(placed)
    for name, resources in by_type.items():
        reviewed = review(resources[0].type, members, resources)
        for number, placed in enumerate(resources):
            for position, member in enumerate(members):
                mask = reviewed.mask(position, number)
                assert RESOURCE_TYPES[name].names_of(mask) == placed.actions(member)
        for action in RESOURCE_TYPES[name].actions:
            expected = {(m, n) for n, placed in enumerate(resources) for m in members if action in placed.actions(m)}
            assert set(reviewed.allowed(action)) == expected


@worlds
@given(everythings(), st.data())
def test_who_and_what_say_what_check_says(everything: Everything, data: st.DataObject) -> None:
    world, resources = everything.world(), list(everything.resources())
    resource = data.draw(st.sampled_from(resources))
    placed = place(world, resource)
    for action in placed.type.actions:
        expected = [member for member in world.members if placed.check(member, action).allowed]
        assert list(who(world, action, resource)) == expected
    member, action = data.draw(st.sampled_from(everything.active)).id, data.draw(st.sampled_from(placed.type.actions))
    asked = [(one, place(world, one)) for one in resources]
    can = [one for one, there in asked if action in there.type.actions and there.check(member, action).allowed]
    assert list(what(world, member, action, resources)) == can


# Groups --------------------------------------------------------------------------------------------------------------


@worlds
@given(everythings())
def test_granting_to_a_group_is_granting_to_each_of_its_members(everything: Everything) -> None:
    """All among them: a grant to All is a grant to everyone."""
    assert actions_of_everybody(everything) == actions_of_everybody(granted_one_by_one(everything))


def granted_one_by_one(everything: Everything) -> Everything:
    """The same world with every grant to a group given to each member of it instead, and to the group no more."""

    def highest_of(grants: Mapping[Id, str], ladder: tuple[str, ...]) -> dict[Id, str]:
        found: dict[Id, str] = {}
        for holder, step in grants.items():
            for member in held_by(everything, holder):
                found[member] = max(step, found.get(member, step), key=ladder.index)
        return found

    def union_of(sets: Mapping[Id, frozenset[str]]) -> dict[Id, frozenset[str]]:
        found: dict[Id, frozenset[str]] = {}
        for holder, roles in sets.items():
            for member in held_by(everything, holder):
                found[member] = found.get(member, frozenset()) | roles
        return found

    flat = everything
    for project in everything.projects:
        flat = changed(flat, Project, project.id, grants=highest_of(project.grants, PROJECT_ROLES))
    for product in everything.data_products:
        flat = changed(flat, DataProduct, product.id, grants=union_of(product.grants))
    for space in everything.spaces:
        flat = changed(flat, Space, space.id, roles=union_of(space.roles))
    for layer in everything.layers:
        below = frozenset(member for holder in layer.granted_below for member in held_by(everything, holder))
        flat = changed(flat, Layer, layer.id, grants=highest_of(layer.grants, LEVELS), granted_below=below)
    for table in everything.tables:
        flat = changed(flat, Table, table.id, grants=highest_of(table.grants, LEVELS))
    for volume in everything.volumes:
        flat = changed(flat, Volume, volume.id, grants=highest_of(volume.grants, LEVELS))
    return flat


def actions_of_everybody(everything: Everything) -> list[tuple[str, Id, tuple[str, ...]]]:
    world = everything.world()
    every = (place(world, resource) for resource in everything.resources())
    return [(placed.type.name, member, placed.actions(member)) for placed in every for member in world.members]


# More never takes away -----------------------------------------------------------------------------------------------


@worlds
@given(everythings(), st.data())
def test_a_grant_takes_nothing_away_from_those_it_reaches_and_concerns_nobody_else(
    everything: Everything, data: st.DataObject
) -> None:
    holder = data.draw(st.sampled_from(holders_of(everything)))
    more = data.draw(st.sampled_from(list(one_more_grant(everything, holder))))
    reached = held_by(everything, holder)
    for change in changes(everything, more):
        if isinstance(change.resource, Member):  # whoever rises is out of reach of others; that is what it is for
            continue
        assert change.member in reached, change
        assert set(change.lost) <= {NO_RIGHT}, change


@worlds
@given(everythings(), st.data())
def test_who_is_granted_more_loses_nothing_towards_other_members(everything: Everything, data: st.DataObject) -> None:
    holder = data.draw(st.sampled_from(holders_of(everything)))
    more = data.draw(st.sampled_from(list(one_more_grant(everything, holder))))
    reached = held_by(everything, holder)
    lost = [change for change in changes(everything, more) if isinstance(change.resource, Member) and change.lost]
    assert not [change for change in lost if change.member in reached]


# Facts stand in ascending order, so a higher one should give at least as much. It does not where it is no gift at all,
# and where a document says so.
TAKES_AWAY = {
    ("member", "oneself"): "what is done to others is not done to oneself",
    ("group", "the group All"): "All cannot be edited, deleted or listed",
    ("notification_rule", "project role"): f"“{NO_RIGHT}” is no right",
    ("data_mart", "Business Owner"): "“Business Owner (any role): See, Use” is read literally",
    ("data_mart_trigger", "Business Owner"): "it follows the data mart",
}


@pytest.mark.parametrize("name", RESOURCE_TYPES)
def test_a_higher_fact_takes_nothing_away_but_for_the_known_exceptions(name: str) -> None:
    resource_type = RESOURCE_TYPES[name]
    found = {
        (name, fact.name)
        for fact in resource_type.facts
        for index in REACHABLE[name]
        for higher_index in [index + resource_type.stride[fact]]
        if resource_type.unpack(index)[fact] + 1 < len(fact.values) and higher_index in REACHABLE[name]
        if resource_type.masks[index] & ~resource_type.masks[higher_index]
    }
    assert found == {known for known in TAKES_AWAY if known[0] == name}


def one_more_grant(everything: Everything, holder: Id) -> Iterator[Everything]:
    """Every world in which the holder has one grant more, or a higher one."""
    for project in everything.projects:
        for role in higher(project.grants.get(holder, "none"), PROJECT_ROLES):
            yield changed(everything, Project, project.id, grants={**project.grants, holder: role})
    for product in everything.data_products:
        for role in DATA_PRODUCT_ROLES:
            yield changed(everything, DataProduct, product.id, grants=with_role(product.grants, holder, role))
    for space in everything.spaces:
        for role in SPACE_ROLES:
            yield changed(everything, Space, space.id, roles=with_role(space.roles, holder, role))
    levels = ("none", *LEVELS)
    for layer in everything.layers:
        for level in higher(layer.grants.get(holder, "none"), levels):
            yield changed(everything, Layer, layer.id, grants={**layer.grants, holder: level})
    contents: list[Table | Volume] = [*everything.tables, *everything.volumes]
    for table in contents:
        for level in higher(table.grants.get(holder, "none"), levels):
            with_grant = changed(everything, type(table), table.id, grants={**table.grants, holder: level})
            below = table.layer.granted_below | {holder}
            yield changed(with_grant, Layer, table.layer.id, granted_below=below)


def higher(than: str, ladder: tuple[str, ...]) -> tuple[str, ...]:
    return ladder[ladder.index(than) + 1 :]


def with_role(sets: Mapping[Id, frozenset[str]], holder: Id, role: str) -> dict[Id, frozenset[str]]:
    return {**sets, holder: sets.get(holder, frozenset()) | {role}}


@worlds
@given(everythings(), st.data())
def test_a_higher_tenant_role_another_security_role_or_group_takes_nothing_away(
    everything: Everything, data: st.DataObject
) -> None:
    member = data.draw(st.sampled_from(everything.active))
    raised: list[dict[str, Any]] = [
        *({"tenant_role": role} for role in higher(member.tenant_role, TENANT_ROLES)),
        *({"security_roles": member.security_roles | {role}} for role in SECURITY_ROLES),
        *({"groups": member.groups | {group.id}} for group in everything.groups if group.id != ALL),
    ]
    more = changed(everything, Member, member.id, **data.draw(st.sampled_from(raised)))
    for change in changes(everything, more):
        if change.member == member.id:
            assert set(change.lost) <= {NO_RIGHT}, change
        else:
            assert isinstance(change.resource, Member), change
            assert change.resource.id == member.id, change


@worlds
@given(everythings(), st.data())
def test_a_toggle_or_a_switch_turned_on_takes_nothing_away(everything: Everything, data: st.DataObject) -> None:
    switches = {
        Project: ("technical_users_control_all_reports", "ownership_adds_to_availability"),
        DataMart: ("available_for_reporting", "available_for_maintenance"),
        Storage: ("available_for_use", "available_for_maintenance"),
        Destination: ("available_for_use", "available_for_maintenance"),
        Report: ("destination_exists",),
    }
    found: list[tuple[type, Id, str]] = [
        (type(resource), resource.id, switch)
        for resource in everything.resources()
        if isinstance(resource, Project | DataMart | Storage | Destination | Report)
        for switch in switches[type(resource)]
    ]
    assume(found)
    kind, record, switch = data.draw(st.sampled_from(found))
    more = changed(everything, kind, record, **{switch: True})
    assert not [change for change in changes(everything, more) if change.lost]


@worlds
@given(everythings(), st.data())
def test_ownership_takes_nothing_away_except_what_the_business_owners_row_takes(
    everything: Everything, data: st.DataObject
) -> None:
    """“Business Owner (any role): See, Use” is read literally, also for who had more as a non-owner."""
    lists = {
        Storage: ("owners",),
        Destination: ("owners",),
        Report: ("owners",),
        DataMart: ("technical_owners", "business_owners"),
    }
    owned = [r for r in everything.resources() if isinstance(r, Storage | Destination | Report | DataMart)]
    assume(owned)
    resource = data.draw(st.sampled_from(owned))
    owners = data.draw(st.sampled_from(lists[type(resource)]))
    member = data.draw(st.sampled_from(everything.active))
    more = changed(everything, type(resource), resource.id, **{owners: getattr(resource, owners) | {member.id}})
    for change in changes(everything, more):
        assert change.member == member.id
        if change.lost:
            assert isinstance(resource, DataMart)
            assert owners == "business_owners"
            assert loses_maintenance_as_business_owner(member, resource)
            assert change.lost == lost_with_maintenance(change.resource)


def loses_maintenance_as_business_owner(member: Member, mart: DataMart) -> bool:
    return (
        reading.project_role(member, mart.project) == "Technical User"
        and member.id not in mart.technical_owners
        and mart.available_for_maintenance
        and not mart.project.ownership_adds_to_availability
    )


def lost_with_maintenance(resource: Resource) -> tuple[str, ...]:
    """What maintenance of a data mart gives beyond seeing and using it."""
    if isinstance(resource, DataMartTrigger | ReportTrigger):
        return ("Manage",)
    if isinstance(resource, Report):
        return ("Edit", "Delete", "Run", "Manage Owners", "Manage Triggers")
    return ("Edit", "Delete", "Manage Triggers")


@worlds
@given(everythings(), st.data())
def test_a_new_owner_of_a_space_or_of_something_in_it_loses_nothing(
    everything: Everything, data: st.DataObject
) -> None:
    kinds = Space | DataProject | Connection | Gateway
    owned = [resource for resource in everything.resources() if isinstance(resource, kinds)]
    resource, member = data.draw(st.sampled_from(owned)), data.draw(st.sampled_from(everything.active))
    before = resource.owner
    more = changed(everything, type(resource), resource.id, owner=member.id)
    for change in changes(everything, more):
        assert change.member in (member.id, before)
        if change.member == member.id:
            assert change.lost == ()


def changes(before: Everything, after: Everything) -> list[Change]:
    """What everybody gains and loses on everything."""
    pairs = list(zip(before.resources(), after.resources(), strict=True))
    return list(what_if(before.world(), after.world(), pairs))

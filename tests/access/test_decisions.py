"""A decision explains itself: the cell that decided, what is missing, who gives it, for every combination of facts."""

from collections.abc import Iterator, Mapping
from itertools import combinations, product

import pytest

from bailiwick.access.compiled import MOST_CHANGES, ResourceType
from bailiwick.access.decision import Decision, Missing, Refused, require, slug
from bailiwick.access.facts import Condition, Fact, Side
from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.shapes import AccessTable, Column, RoleMatrix, Row, actions
from bailiwick.access.tables.ownership.data_mart import DATA_MART
from bailiwick.access.tables.ownership.data_mart_trigger import DATA_MART_TRIGGER
from bailiwick.access.tables.ownership.destination import DELETED_DESTINATION, DESTINATION
from bailiwick.access.tables.ownership.report import REPORT
from bailiwick.access.tables.ownership.report_trigger import REPORT_TRIGGER
from bailiwick.access.tables.ownership.storage import STORAGE
from bailiwick.access.tables.projects.data_product import INHERITED_DATA_PRODUCT_ROLES
from bailiwick.access.tables.roles.invitations import WHO_CAN_INVITE_WHOM
from bailiwick.access.tables.standing import PROJECT_ROLE

every_resource_type = pytest.mark.parametrize("rt", list(RESOURCE_TYPES.values()), ids=list(RESOURCE_TYPES))


def decide(resource_type: str, action: str, **facts: str) -> Decision:
    rt = RESOURCE_TYPES[resource_type]
    return rt.check(rt.pack({name.replace("_", " "): value for name, value in facts.items()}), action)


# What a decision is ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["Admin", "Business User"])
def test_a_decision_refuses_truth_testing(role: str) -> None:
    decision = decide("project", "Delete project", project_role=role)
    with pytest.raises(TypeError, match=r"read \.allowed or call require"):
        bool(decision)
    with pytest.raises(TypeError):
        _ = not decision


def test_requiring_a_decision_passes_it_on_or_raises_it() -> None:
    allowed = decide("project", "Delete project", project_role="Admin")
    assert require(allowed) is allowed
    refused = decide("project", "Delete project", project_role="Business User")
    with pytest.raises(Refused) as raised:
        require(refused)
    assert raised.value.decision is refused
    assert str(raised.value) == refused.reason


# (resource type, action, facts) → allowed, document, table, row, column
CELLS: Mapping[tuple[str, str, tuple[tuple[str, str], ...]], tuple[bool, str, str, str, str]] = {
    (
        "data_mart",
        "Edit",
        (("project role", "Technical User"), ("available for maintenance", "yes")),
    ): (True, "access rights", "Data Mart", "Non-owner Technical User", "Available for maintenance"),
    (
        "data_mart",
        "Edit",
        (("project role", "Business User"), ("available for reporting", "yes"), ("available for maintenance", "yes")),
    ): (False, "access rights", "Data Mart", "Non-owner Business User", "Available for both"),
    (
        "data_mart",
        "Delete",
        (("project role", "Business User"), ("Technical Owner", "yes")),
    ): (False, "access rights", "Data Mart", "Technical Owner (Business User)", "Not available"),
    (
        "data_mart",
        "Delete",
        (("project role", "Technical User"), ("Technical Owner", "yes"), ("Business Owner", "yes")),
    ): (True, "access rights", "Data Mart", "Technical Owner (Technical User)", "Not available"),
    (
        "storage",
        "See",
        (("project role", "Business User"), ("owner", "yes"), ("available for use", "yes")),
    ): (False, "access rights", "Storage", "Any Business User", "Available for use"),
    (
        "destination",
        "Manage Owners",
        (("project role", "Admin"),),
    ): (True, "access rights", "Destination", "Project Admin", "Not available"),
    (
        "destination",
        "See",
        (),
    ): (False, "access rights", "Destination", "none of the rows", "none of the columns"),
    (
        "project",
        "Add sources",
        (("project role", "Technical User"),),
    ): (True, "projects", "Project role permissions", "Add sources", "Technical User"),
    (
        "project",
        "Delete sources",
        (("project role", "Technical User"),),
    ): (False, "projects", "Project role permissions", "Delete sources", "Technical User"),
    (
        "table",
        "Delete the resource",
        (("level", "Editor"),),
    ): (False, "lakehouse", "What each level can do", "Delete the resource", "Editor"),
    (
        "table",
        "Delete the resource",
        (("level", "Viewer"), ("standing", "Admin")),
    ): (True, "lakehouse", "What each level can do", "Delete the resource", "Admin"),
    (
        "data_project",
        "Operate project",
        (("Can view", "yes"), ("Can edit", "yes")),
    ): (False, "spaces", "Permissions on data projects", "Operate project", "Can view, Can edit"),
    (
        "data_project",
        "Open project",
        (("tenant admin", "yes"),),
    ): (True, "spaces", "Permissions on data projects with security roles", "Open project", "Tenant admin"),
    (
        "member",
        "Remove",
        (("tenant role", "admin"),),
    ): (False, "tenant", "Members", "Tenant admin", "Somebody with a higher role"),
}


@pytest.mark.parametrize(("asked", "expected"), CELLS.items())
def test_a_decision_names_the_cell_that_decided(
    asked: tuple[str, str, tuple[tuple[str, str], ...]], expected: tuple[bool, str, str, str, str]
) -> None:
    name, action, facts = asked
    rt = RESOURCE_TYPES[name]
    decision = rt.check(rt.pack(dict(facts)), action)
    assert (decision.allowed, decision.document, decision.table, decision.row, decision.column) == expected
    assert (decision.resource_type, decision.action) == (name, action)
    assert {fact: decision.facts[fact] for fact, _ in facts} == dict(facts)
    assert list(decision.facts) == [fact.name for fact in rt.facts]
    assert all(part in decision.reason for part in (decision.document, decision.table, decision.row, action))


def test_a_refusal_names_the_shortest_ways_and_who_gives_them() -> None:
    decision = decide("data_mart", "Edit", project_role="Business User")
    ways = [{(change.fact, change.has, change.needs) for change in way} for way in decision.missing]
    assert ways == [{("project role", "Business User", "Admin")}]
    assert decision.given_by == ("Project Admins; tenant owners and admins",)


def test_a_ladder_is_climbed_no_further_than_needed() -> None:
    decision = decide("table", "Change descriptions", level="none")
    assert [[(change.fact, change.needs) for change in way] for way in decision.missing] == [
        [("level", "Editor")],
        [("standing", "Admin")],
    ]


def test_what_nobody_can_hand_out_is_not_among_what_is_missing() -> None:
    assert decide("group", "Edit", tenant_role="owner", **{"the group All": "yes"}).missing == ()
    assert decide("member", "Change tenant role", tenant_role="owner", oneself="yes").missing == ()


def test_only_owners_are_said_to_make_owners() -> None:
    billing = decide("lakehouse", "Manage billing", standing="Admin")
    assert billing.given_by == ("tenant owners and admins (owner: by owners only)",)
    assert decide("tenant", "Manage billing", tenant_role="admin").given_by == billing.given_by


def test_a_business_user_is_not_told_to_get_maintenance_access_that_the_role_cannot_have() -> None:
    facts = {"access_to_the_data_mart": "sees it", "destination_exists": "yes"}
    for resource_type, action in (("report", "Edit"), ("report_trigger", "Manage")):
        refused = decide(resource_type, action, project_role="Business User", **facts)
        assert [[(change.fact, change.needs) for change in way] for way in refused.missing] == [
            [("project role", "Admin")],
            [("Report Owner", "yes")],
        ]


def test_a_decision_goes_over_the_wire_with_all_it_knows() -> None:
    decision = decide("project", "Delete sources", project_role="Business User")
    assert decision.to_dict() == {
        "allowed": False,
        "resource_type": "project",
        "action": "delete_sources",
        "action_name": "Delete sources",
        "document": "projects",
        "table": "Project role permissions",
        "page": "projects#project-role-permissions",
        "row": "Delete sources",
        "column": "Business User",
        "facts": {"project role": "Business User", "role on a data product of the project": "no"},
        "missing": [
            [
                {
                    "fact": "project role",
                    "has": "Business User",
                    "needs": "Admin",
                    "given_by": "Project Admins; tenant owners and admins",
                }
            ]
        ],
        "given_by": ["Project Admins; tenant owners and admins"],
        "reason": "Document “projects”, table “Project role permissions”, row “Delete sources”, column “Business User” "
        "does not allow “Delete sources”. It takes project role: Admin.",
    }


@every_resource_type
def test_no_two_actions_of_a_type_share_a_name_on_the_wire(rt: ResourceType) -> None:
    assert len(rt.by_slug) == len(rt.actions)
    assert all(rt.by_slug[slug(action)] == action for action in rt.actions)


# Every combination of facts, every action ------------------------------------------------------------------------


@every_resource_type
def test_what_a_combination_of_facts_does_not_list_is_refused_with_a_reason(rt: ResourceType) -> None:
    for index in range(rt.size):
        listed = rt.allowed_actions(index)
        for action in rt.actions:
            decision = rt.check(index, action)
            assert decision.allowed is (action in listed)
            assert decision.reason
            assert decision.row
            assert decision.column
            assert decision.page
            assert decision.table in {table.name for table in rt.tables}
            assert decision.facts == rt.in_words(index)
            assert not (decision.allowed and decision.missing)


@every_resource_type
def test_an_allowed_decision_names_a_cell_that_grants_it(rt: ResourceType) -> None:
    cells = {(rule.table.name, rule.row, rule.column): rule for rule in rt.rules}
    for index in range(rt.size):
        for action in rt.allowed_actions(index):
            decision = rt.check(index, action)
            granting = [
                rule
                for (table, row, column), rule in cells.items()
                if (table, row) == (decision.table, decision.row) and column in decision.column
            ]
            assert any(action in rule.grants and rule.when.holds(rt.unpack(index)) for rule in granting)


@every_resource_type
def test_every_way_a_refusal_names_leads_there_and_takes_no_change_too_many(rt: ResourceType) -> None:
    for index in range(rt.size):
        for action in set(rt.actions) - set(rt.allowed_actions(index)):
            for way in rt.check(index, action).missing:
                assert rt.allows(changed(rt, index, way), action)
                for size in range(len(way)):
                    for some in combinations(way, size):
                        assert not rt.allows(changed(rt, index, some), action), f"{way} asks for too much"
                for change in way:
                    assert rt.in_words(index)[change.fact] == change.has != change.needs
                    assert change.given_by
                    for lower in steps_between(fact_of(rt, change.fact), change):
                        less = tuple(lower if one is change else one for one in way)
                        assert not rt.allows(changed(rt, index, less), action), f"{change} climbs too far"


@every_resource_type
def test_a_refusal_names_a_way_wherever_there_is_one_of_three_changes_or_fewer(rt: ResourceType) -> None:
    giveable = [fact for fact in rt.facts if fact.given_by]
    for index in range(rt.size):
        refused = rt.mask_of(rt.actions) & ~rt.masks[index]
        reachable = 0
        for moved in within_reach(rt, index, giveable):
            reachable |= rt.masks[moved]
        for action in rt.names_of(refused):
            there_is_a_way = bool(reachable & rt.mask_of((action,)))
            assert bool(rt.check(index, action).missing) is there_is_a_way, rt.check(index, action).reason


def fact_of(rt: ResourceType, name: str) -> Fact:
    return next(fact for fact in rt.facts if fact.name == name)


def changed(rt: ResourceType, index: int, way: tuple[Missing, ...]) -> int:
    return rt.pack(rt.in_words(index) | {change.fact: change.needs for change in way})


def steps_between(fact: Fact, change: Missing) -> Iterator[Missing]:
    """The same change with each lower step of the ladder above where the member stands."""
    has, needs = fact.values.index(change.has), fact.values.index(change.needs)
    for value in fact.values[has + 1 : needs]:
        yield Missing(change.fact, change.has, value, change.given_by)


def within_reach(rt: ResourceType, index: int, giveable: list[Fact]) -> Iterator[int]:
    """Everywhere that up to three changes lead to: flags raised, ladders climbed."""
    now = rt.unpack(index)
    for size in range(1, MOST_CHANGES + 1):
        for facts in combinations(giveable, size):
            steps = [
                [rt.stride[fact] * (value - now[fact]) for value in range(now[fact] + 1, len(fact.values))]
                for fact in facts
            ]
            for moves in product(*steps):
                yield index + sum(moves)


# Standing on a row -----------------------------------------------------------------------------------------------

MAINTAINS, DELETED = "Has Data Mart maintenance access", "Report Owner (Destination deleted)"
EXISTS, BUSINESS_OWNER = "Report Owner (Destination exists)", "Business Owner of parent Data Mart"

# The only rows somebody may stand on together, and whether there may be no row: then the thing does not exist for them.
UNIONS: list[tuple[AccessTable, set[frozenset[str]], bool]] = [
    (STORAGE, set(), False),
    (DESTINATION, set(), False),
    (DELETED_DESTINATION, set(), False),
    (
        DATA_MART,
        {
            frozenset({"Technical Owner (Technical User)", "Business Owner (any role)"}),
            frozenset({"Technical Owner (Business User)", "Business Owner (any role)"}),
        },
        False,
    ),
    (
        DATA_MART_TRIGGER,
        {
            frozenset({"Technical Owner (Technical User)", BUSINESS_OWNER}),
            frozenset({"Technical Owner (Business User)", BUSINESS_OWNER}),
        },
        True,
    ),
    (
        REPORT,
        {
            frozenset(rows)
            for rows in (
                (MAINTAINS, EXISTS),
                (MAINTAINS, DELETED),
                (MAINTAINS, BUSINESS_OWNER),
                (EXISTS, BUSINESS_OWNER),
                (DELETED, BUSINESS_OWNER),
                (MAINTAINS, EXISTS, BUSINESS_OWNER),
                (MAINTAINS, DELETED, BUSINESS_OWNER),
            )
        },
        True,
    ),
    (REPORT_TRIGGER, {frozenset({MAINTAINS, EXISTS}), frozenset({MAINTAINS, DELETED})}, True),
    (WHO_CAN_INVITE_WHOM, set(), False),
    (INHERITED_DATA_PRODUCT_ROLES, set(), False),
]


@pytest.mark.parametrize(("table", "unions", "may_be_nowhere"), UNIONS, ids=[table.name for table, *_ in UNIONS])
def test_everybody_with_a_project_role_stands_on_one_row_or_on_a_documented_union(
    table: AccessTable, unions: set[frozenset[str]], may_be_nowhere: bool
) -> None:
    met = set()
    for values in everybody(table):
        if table.unlisted and PROJECT_ROLE.values[values[PROJECT_ROLE]] == "Admin":
            continue  # Admins have everything, whatever other row they stand on
        rows = frozenset(row.who for row in table.rows if on_row(table, row, values))
        assert len(rows) == 1 or rows in unions or (not rows and may_be_nowhere), sorted(rows)
        met.add(rows)
    assert unions <= met, "a documented union nobody stands on"
    assert {row.who for row in table.rows} - {"no role"} == frozenset().union(*met), "a row nobody stands on"


def test_every_table_that_asks_for_a_project_role_in_its_rows_is_among_these() -> None:
    """Those of the two project switches aside: their rows come on top of another table's."""
    asking = {
        table.name
        for rt in RESOURCE_TYPES.values()
        for table in rt.tables
        if isinstance(table, AccessTable) and any(PROJECT_ROLE in row.when.accepted for row in table.rows)
    }
    switches = {name for name in asking if name.startswith(("Ownership adds", "Technical Users control"))}
    assert len(switches) == 4
    assert asking - switches == {table.name for table, *_ in UNIONS}


@pytest.mark.parametrize("table", [table for table, *_ in UNIONS if table.unlisted], ids=lambda table: table.name)
def test_project_admins_have_every_action_everywhere(table: AccessTable) -> None:
    (row,) = table.unlisted
    for values in everybody(table):
        if PROJECT_ROLE.values[values[PROJECT_ROLE]] == "Admin":
            cells = [cell for column, cell in zip(table.columns, row.cells, strict=True) if column.when.holds(values)]
            assert frozenset().union(*cells) == set(table.actions)


def everybody(table: AccessTable) -> Iterator[dict[Fact, int]]:
    """Every combination of the facts the table asks about, of those who have a role in the project.

    A Business User never maintains a data mart: no row of its table gives them more than Use."""
    facts = list(dict.fromkeys(fact for rule in table.rules() for fact in rule.when.accepted))
    for combination in product(*(range(len(fact.values)) for fact in facts)):
        values = dict(zip(facts, combination, strict=True))
        words = {fact.name: fact.values[value] for fact, value in values.items()}
        maintains = words.get("access to the data mart") == "maintains it"
        if words["project role"] != "none" and not (maintains and words["project role"] == "Business User"):
            yield values


def on_row(table: AccessTable, row: Row, values: Mapping[Fact, int]) -> bool:
    return any((row.when & column.when).holds(values) for column in table.columns)


def test_a_business_user_never_maintains_a_data_mart() -> None:
    data_mart = RESOURCE_TYPES["data_mart"]
    for index in range(data_mart.size):
        if data_mart.in_words(index)["project role"] == "Business User":
            assert set(data_mart.allowed_actions(index)) <= {"See", "Use"}


# How a type is put together --------------------------------------------------------------------------------------

COLOUR = Fact("colour", Side.RESOURCE, ("red", "green"), given_by="the painter")
KEY = Fact("key", Side.PAIR, given_by="the caretaker")


def door(document: str = "house", name: str = "Door") -> RoleMatrix:
    return RoleMatrix(
        document=document, page="house#door", name=name, columns=(Column("Key", KEY.yes),), rows={"Open": (True,)}
    )


def test_a_resource_type_is_governed_by_exactly_one_document() -> None:
    with pytest.raises(ValueError, match="exactly one document"):
        ResourceType("door", door(), door("garden"))
    with pytest.raises(ValueError, match="exactly one document"):
        ResourceType("door")


def test_a_resource_type_cannot_ask_for_a_row_that_no_table_has() -> None:
    with pytest.raises(ValueError, match="no table has the rows"):
        ResourceType("door", door(), rows=("Open", "Paint"))


def test_a_cell_may_hold_a_condition_of_its_own() -> None:
    matrix = RoleMatrix(
        document="house",
        page="house#door",
        name="Door",
        columns=(Column("Key", KEY.yes),),
        rows={"Open": (COLOUR.is_("green"),)},
    )
    rt = ResourceType("door", matrix)
    allowed = {i for i in range(rt.size) if rt.allows(i, "Open")}
    assert allowed == {rt.pack({"key": "yes", "colour": "green"})}


def test_conditions_on_the_same_fact_join_to_what_both_accept() -> None:
    level = Fact("level", Side.PAIR, ("low", "middle", "high"))
    both: Condition = level.at_least("middle") & level.is_("low", "middle")
    assert both.accepted == {level: frozenset({1})}
    assert actions("Open") | actions("Close") == {"Open", "Close"}

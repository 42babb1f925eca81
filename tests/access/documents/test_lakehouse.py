"""What the document on the lakehouse says: levels, where they come from, and its examples."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import product

import pytest

from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.world.people import World
from bailiwick.access.world.placing import place
from bailiwick.access.world.records import (
    Integration,
    Layer,
    Member,
    Pipeline,
    Query,
    Resource,
    SavedQuery,
    Table,
    Tenant,
    Volume,
)
from tests.access.documents.people import LEVEL_NAMES, can, words
from tests.access.test_pages import shown

# The lowest who may: V viewer, E editor, M manager, A admins and owners, O owners
WHAT_EACH_LEVEL_CAN_DO = {
    **dict.fromkeys(("See layers", "See tables", "See pipelines", "See runs"), "V"),
    **dict.fromkeys(("Execute queries", "Edit queries", "Save queries individually", "Delete saved queries"), "V"),
    **dict.fromkeys(("Change descriptions", "Create tables and volumes", "Add pipelines", "Edit pipelines"), "E"),
    **dict.fromkeys(("Activate or deactivate pipelines", "Trigger pipelines"), "E"),
    "Delete shared saved queries of others": "E",
    **dict.fromkeys(("Manage users (Viewer, Editor)", "Delete pipelines", "Delete the resource"), "M"),
    **dict.fromkeys(("Manage users (Manager)", "Create layers", "See all layers", "See settings"), "A"),
    **dict.fromkeys(("Manage users and roles", "Create groups", "Add users"), "A"),
    "Add, edit, activate, trigger and delete integrations": "A",
    "Manage billing": "O",
}
LADDER = "-VEMAO"  # no level, then each step up
STANDINGS = {
    ("none", "Member"): "-",
    ("Viewer", "Member"): "V",
    ("Editor", "Member"): "E",
    ("Manager", "Member"): "M",
    **{(level, "Admin"): "A" for level in ("none", "Viewer", "Editor", "Manager")},
    **{(level, "Owner"): "O" for level in ("none", "Viewer", "Editor", "Manager")},
}
ON_DATA = ("Change descriptions", "Delete the resource", "Manage users (Viewer, Editor)", "Manage users (Manager)")
ON_EACH = {
    "layer": {"See layers", "Create tables and volumes", "Add pipelines", *ON_DATA},
    "table": {"See tables", "Execute queries", *ON_DATA},
    "volume": {"See tables", *ON_DATA},
    "pipeline": {
        *("See pipelines", "Edit pipelines", "Activate or deactivate pipelines", "Trigger pipelines"),
        *("Delete pipelines", "See runs"),
    },
    "integration": {"See pipelines", "See runs", "Add, edit, activate, trigger and delete integrations"},
    "query": {
        *("Execute queries", "Edit queries", "Save queries individually", "Delete saved queries"),
        "Delete shared saved queries of others",
    },
    "lakehouse": {
        *("Create layers", "See all layers", "See settings", "Manage users and roles", "Create groups", "Add users"),
        "Manage billing",
    },
}


@pytest.mark.parametrize("kind", ON_EACH)
@pytest.mark.parametrize(("level", "standing"), STANDINGS)
def test_a_level_can_do_what_the_table_says_and_no_more(kind: str, level: str, standing: str) -> None:
    resource_type = RESOURCE_TYPES[kind]
    step = LADDER.index(STANDINGS[level, standing])
    allowed = resource_type.allowed_actions(resource_type.pack({"level": level, "standing": standing}))
    assert set(allowed) == {a for a in resource_type.actions if LADDER.index(WHAT_EACH_LEVEL_CAN_DO[a]) <= step}


@pytest.mark.parametrize("kind", ON_EACH)
def test_a_lakehouse_resource_is_asked_the_rows_that_are_about_it(kind: str) -> None:
    assert set(RESOURCE_TYPES[kind].actions) == ON_EACH[kind]


def test_integrations_are_seen_like_pipelines_and_changed_by_admins_and_owners_only() -> None:
    changed = "Add, edit, activate, trigger and delete integrations"
    table = Table("orders", Layer("sales", {"mia": "Manager"}))
    it = Integration("integration", inputs=(table,))
    assert can(it, "mia", LAKE) == {"See pipelines", "See runs"}
    assert can(it, "ann", LAKE) == {"See pipelines", "See runs", changed}


def test_every_row_of_the_level_table_is_asked_of_some_resource() -> None:
    asked = {action for kind in ON_EACH for action in RESOURCE_TYPES[kind].actions}
    assert asked == set(WHAT_EACH_LEVEL_CAN_DO)


LAKE = World(
    [
        *(Member(name) for name in ("mia", "max", "zoe")),
        Member("gus", groups=frozenset({"analysts", "finance"})),
        Member("ann", tenant_role="admin"),
        Member("olga", tenant_role="owner"),
        Member("ed", tenant_role="editor"),
    ]
)


def level(resource: Resource, member: str, world: World = LAKE) -> str:
    placed = place(world, resource)
    return placed.type.in_words(placed.index(member))["level"]


def layer(grants: Mapping[str, str] | None = None, below: Iterable[str] = ()) -> Layer:
    return Layer("sales", grants or {}, frozenset(below))


@pytest.mark.parametrize("granted", LEVEL_NAMES[1:])
def test_a_grant_on_a_layer_flows_down_to_its_tables_and_volumes(granted: str) -> None:
    sales = layer({"mia": granted})
    assert level(sales, "mia") == level(Table("t", sales), "mia") == level(Volume("v", sales), "mia") == granted
    assert level(Table("elsewhere", Layer("other")), "mia") == "none"


@pytest.mark.parametrize("granted", LEVEL_NAMES[1:])
def test_a_grant_on_a_table_lets_its_layer_be_seen_and_flows_no_further(granted: str) -> None:
    sales = layer(below={"mia"})
    assert level(Table("orders", sales, {"mia": granted}), "mia") == granted
    assert level(sales, "mia") == "Viewer"
    assert can(sales, "mia", LAKE) == {"See layers"}
    assert level(Table("sibling", sales), "mia") == level(Volume("files", sales), "mia") == "none"


@pytest.mark.parametrize(("on_layer", "on_table"), list(product(LEVEL_NAMES, LEVEL_NAMES)))
def test_on_a_table_the_higher_of_its_own_grant_and_its_layers_holds(on_layer: str, on_table: str) -> None:
    sales = layer({"mia": on_layer}, {"mia"})
    highest = max(on_layer, on_table, key=LEVEL_NAMES.index)
    assert level(Table("t", sales, {"mia": on_table}), "mia") == highest
    assert level(Volume("v", sales, {"mia": on_table}), "mia") == highest
    assert level(sales, "mia") == max(on_layer, "Viewer", key=LEVEL_NAMES.index)


def test_of_a_members_own_grant_and_those_of_their_groups_the_highest_holds() -> None:
    grants = {"gus": "Viewer", "analysts": "Editor", "strangers": "Manager"}
    assert level(Table("t", layer(), grants), "gus") == "Editor"
    assert level(Table("t", layer({"finance": "Manager"}), grants), "gus") == "Manager"
    assert level(Table("t", layer({"finance": "Manager"}), grants), "mia") == "none"


def test_a_grant_to_the_group_all_reaches_everybody_and_lowers_nobody() -> None:
    table = Table("t", layer({"mia": "Manager"}), {"All": "Viewer", "analysts": "Editor"})
    assert {name: level(table, name) for name in ("mia", "max", "gus")} == {
        "mia": "Manager",
        "max": "Viewer",
        "gus": "Editor",
    }
    assert level(layer(below={"All"}), "zoe") == "Viewer"


def test_admins_and_owners_are_not_restricted_by_levels_and_other_tenant_roles_give_none() -> None:
    table = Table("t", layer())
    assert {"Delete the resource", "Manage users (Manager)"} <= can(table, "ann", LAKE)
    assert can(table, "ann", LAKE) == can(table, "olga", LAKE)
    assert can(table, "ed", LAKE) == can(table, "mia", LAKE) == set()


def test_on_starter_every_member_manages_all_data_whatever_was_granted() -> None:
    starter = World(LAKE.members.values(), Tenant("starter"))
    sales = layer({"mia": "Viewer"})
    orders = Table("t", sales)
    source = Pipeline("source", outputs=(orders,))
    resources: tuple[Resource, ...] = (sales, orders, Volume("v", sales), source)
    for resource, member in product(resources, ("mia", "max", "gus")):
        assert level(resource, member, starter) == "Manager"
    assert "Manage users (Manager)" not in can(orders, "mia", starter)


@pytest.mark.parametrize(("on_one", "on_other"), list(product(LEVEL_NAMES, LEVEL_NAMES)))
def test_a_pipelines_level_is_the_lowest_on_all_its_inputs_and_outputs(on_one: str, on_other: str) -> None:
    one, other = Table("a", layer(), {"mia": on_one}), Volume("b", layer(), {"mia": on_other})
    lowest = min(on_one, on_other, key=LEVEL_NAMES.index)
    assert level(Pipeline("p", inputs=(one,), outputs=(Table("b", layer(), {"mia": on_other}),)), "mia") == lowest
    assert level(Pipeline("p", inputs=(one, other)), "mia") == lowest
    assert level(Pipeline("p", outputs=(one, other)), "mia") == lowest


# Level on the input, level on the output → level on the pipeline
READING_NEEDS_ONLY_VIEWER = {
    ("none", "Manager"): "none",
    ("Viewer", "none"): "none",
    ("Viewer", "Viewer"): "Viewer",
    ("Viewer", "Editor"): "Editor",
    ("Viewer", "Manager"): "Manager",
    ("Editor", "Viewer"): "Viewer",
    ("Editor", "Manager"): "Manager",
    ("Manager", "Editor"): "Editor",
}


@pytest.mark.parametrize(("levels", "expected"), READING_NEEDS_ONLY_VIEWER.items())
def test_reading_needs_only_viewer_where_the_tenant_says_so(levels: tuple[str, str], expected: str) -> None:
    read, written = (Table("t", layer(), {"mia": granted}) for granted in levels)
    tenant = World(LAKE.members.values(), Tenant(reading_needs_only_viewer=True))
    assert level(Pipeline("p", inputs=(read,), outputs=(written,)), "mia", tenant) == expected
    assert level(Pipeline("p", outputs=(read, written)), "mia", tenant) == min(levels, key=LEVEL_NAMES.index)


def test_a_stream_whose_table_does_not_exist_yet_counts_as_its_output_layer() -> None:
    exists = Table("t", layer(), {"mia": "Editor"})
    assert level(Pipeline("p", outputs=(exists, layer({"mia": "Viewer"}))), "mia") == "Viewer"
    assert level(Pipeline("p", outputs=(exists, layer({"mia": "Manager"}))), "mia") == "Editor"
    assert level(Pipeline("p", outputs=(exists, layer(below={"mia"}))), "mia") == "none"


def test_without_an_enabled_stream_a_pipeline_falls_back_to_its_output_layer() -> None:
    assert level(Pipeline("p", output_layer=layer({"mia": "Editor"})), "mia") == "Editor"
    assert level(Pipeline("p", output_layer=layer(below={"mia"})), "mia") == "none"
    exists = Table("t", layer(), {"mia": "Viewer"})
    assert level(Pipeline("p", outputs=(exists,), output_layer=layer({"mia": "Manager"})), "mia") == "Viewer"


def test_a_pipeline_with_nothing_left_is_for_admins_and_owners() -> None:
    nothing_left = Pipeline("p")
    assert can(nothing_left, "mia", LAKE) == set()
    assert can(nothing_left, "mia", World(LAKE.members.values(), Tenant("starter"))) == set()
    assert "Delete pipelines" in can(nothing_left, "ann", LAKE)


@pytest.mark.parametrize("granted", LEVEL_NAMES)
def test_a_query_runs_with_viewer_on_everything_it_reads(granted: str) -> None:
    reads = (Table("a", layer(), {"mia": "Manager"}), Table("b", layer(), {"mia": granted}))
    assert ("Execute queries" in can(Query("q", reads), "mia", LAKE)) is (granted != "none")


# Author?, shared?, level (or standing) → see, execute, edit, delete
SAVED_QUERIES = {
    (True, False, "none"): "",
    (True, False, "Viewer"): "See, Execute, Edit, Delete",
    (True, True, "Editor"): "See, Execute, Edit, Delete",
    (False, True, "none"): "",
    (False, True, "Viewer"): "See, Execute",
    (False, True, "Editor"): "See, Execute, Delete",
    (False, True, "Manager"): "See, Execute, Delete",
    (False, True, "Admin"): "See, Execute, Delete",
    (False, False, "Viewer"): "",
    (False, False, "Manager"): "",
    (False, False, "Admin"): "See, Execute, Delete",
}


@pytest.mark.parametrize(("case", "expected"), SAVED_QUERIES.items())
def test_saved_queries_are_ones_own_and_shared_ones_are_deleted_by_editors(
    case: tuple[bool, bool, str], expected: str
) -> None:
    author, shared, granted = case
    member = "ann" if granted == "Admin" else "mia"
    reads = (Table("t", layer(), {} if granted == "Admin" else {member: granted}),)
    saved = SavedQuery("q", member if author else "zoe", reads, shared)
    assert can(saved, member, LAKE) == words(expected)


# The document's examples, each with its hand-written answer; docs/access/lakehouse.md lists the same in the same words.
SALES = layer({"mia": "Editor", "max": "Viewer"})
ORDERS, INVOICES = Table("orders", SALES, {"zoe": "Editor"}), Table("invoices", SALES)
SOURCE = Pipeline("source", outputs=(ORDERS,), output_layer=SALES)
ONLY_BY_TABLE = layer(below={"zoe"})
OWN_TABLE = Table("own", ONLY_BY_TABLE, {"zoe": "Editor"})
TWO_STREAMS = Pipeline("source", outputs=(OWN_TABLE, Table("another", ONLY_BY_TABLE)), output_layer=ONLY_BY_TABLE)
EXAMPLES: Mapping[str, tuple[Resource | None, str, str, str]] = {
    "A Member with Manager on every layer creates a layer": (None, "Manager", "Create layers", "no"),
    "A Member without any level on a layer sees the layer": (SALES, "gus", "See layers", "no"),
    "A Member without any level on a layer sees a source that writes only there": (
        SOURCE,
        "gus",
        "See pipelines",
        "no",
    ),
    "A Member with Viewer on a layer sees a source that writes only there": (SOURCE, "max", "See pipelines", "yes"),
    "A Member with Viewer on the output layer creates a source": (SALES, "max", "Add pipelines", "no"),
    "A Member with Editor on the output layer creates a source": (SALES, "mia", "Add pipelines", "yes"),
    "A Member with Editor on a layer edits a source that writes there": (SOURCE, "mia", "Edit pipelines", "yes"),
    "A Member with Editor on a layer adds a stream to a source that writes there": (
        SALES,
        "mia",
        "Create tables and volumes",
        "yes",
    ),
    "A Member with Editor on all output tables of a source, and not on the layer, edits the source": (
        Pipeline("source", outputs=(OWN_TABLE,), output_layer=ONLY_BY_TABLE),
        "zoe",
        "Edit pipelines",
        "yes",
    ),
    "The same Member adds a stream to it": (ONLY_BY_TABLE, "zoe", "Create tables and volumes", "no"),
    "A Member with Editor on one of two output tables edits the source": (TWO_STREAMS, "zoe", "Edit pipelines", "no"),
    "The same Member edits it when the stream of the other table is disabled": (
        replace(TWO_STREAMS, outputs=(OWN_TABLE,)),
        "zoe",
        "Edit pipelines",
        "yes",
    ),
}


@pytest.mark.parametrize(("resource", "who", "action", "answer"), EXAMPLES.values(), ids=EXAMPLES.keys())
def test_the_lakehouse_examples_answer_as_the_document_does(
    resource: Resource | None, who: str, action: str, answer: str
) -> None:
    if resource is None:
        lakehouse = RESOURCE_TYPES["lakehouse"]
        allowed = lakehouse.check(lakehouse.pack({"level": who}), action).allowed
    else:
        allowed = place(LAKE, resource).check(who, action).allowed
    assert ("yes" if allowed else "no") == answer


def test_the_page_lists_the_same_examples_with_the_same_answers() -> None:
    (table,) = shown()["lakehouse#examples"]
    assert list(table.rows) == [(case, answer) for case, (*_, answer) in EXAMPLES.items()]

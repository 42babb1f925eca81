"""Who can, what can they, what would change if: asked of a small named company, answered by hand."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import groupby

import pytest

from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.world.people import ALL, World
from bailiwick.access.world.placing import Placed, place
from bailiwick.access.world.questions import Change, what, what_if, who
from bailiwick.access.world.records import (
    Connection,
    DataMart,
    DataMartTrigger,
    DataProduct,
    DataProject,
    DataTask,
    Destination,
    Gateway,
    Group,
    Integration,
    Lakehouse,
    Layer,
    Member,
    Pipeline,
    Project,
    ProjectMembership,
    Query,
    Report,
    ReportTrigger,
    Resource,
    SavedQuery,
    Space,
    Storage,
    Table,
    Tenant,
    Volume,
)
from bailiwick.access.world.review import review

# A bakery: Olga owns the tenant, Ada administers it, Tess and Theo build, Bob and Bea report, Nils is new.
OLGA = Member("olga", "owner")
ADA = Member("ada", "admin")
TESS = Member("tess", groups=frozenset({"builders"}))
THEO = Member("theo", "editor")
BOB = Member("bob", groups=frozenset({"counter"}))
BEA = Member("bea", "viewer", security_roles=frozenset({"data space creator"}))
NILS = Member("nils")
SAID = Member("said", security_roles=frozenset({"data admin"}), groups=frozenset({"counter"}))
MEMBERS = (OLGA, ADA, TESS, THEO, BOB, BEA, NILS, SAID)

BREAD = Project("bread", {"tess": "Technical User", "counter": "Business User"})
CAKE = Project("cake", {"builders": "Admin", "nils": "Business User"})

WAREHOUSE = Storage("warehouse", BREAD, frozenset({"tess"}), available_for_use=True)
POST = Destination("post", BREAD, frozenset({"bob"}))
SALES = DataMart("sales", BREAD, frozenset({"tess"}), frozenset({"bob"}), available_for_reporting=True)
COSTS = DataMart("costs", BREAD, frozenset({"theo"}))
WEEKLY = Report("weekly", SALES, frozenset({"bea"}))
MONTHLY = Report("monthly", COSTS, frozenset({"bob"}))
CUSTOMERS = DataProduct("customers", CAKE, {"nils": frozenset({"curator"}), "counter": frozenset({"viewer"})})

RAW = Layer("raw", {"builders": "Editor"}, frozenset({"bob", "counter"}))
ORDERS = Table("orders", RAW, {"bob": "Manager", "counter": "Viewer"})
RECIPES = Table("recipes", RAW)
PHOTOS = Volume("photos", RAW, {"All": "Viewer"})
LOAD = Pipeline("load", outputs=(ORDERS, RECIPES), output_layer=RAW)
SYNC = Integration("sync", inputs=(ORDERS,))
TOP_TEN = SavedQuery("top-ten", "bob", (ORDERS,), shared=True)
AD_HOC = Query("ad-hoc", (ORDERS, RECIPES))

KITCHEN = Space("kitchen", "theo", {"bob": frozenset({"Can view"}), "builders": frozenset({"Can edit", "Can operate"})})
BAKE = DataProject("bake", KITCHEN, "tess")
OVEN = DataTask("oven", BAKE)
TILL = Connection("till", KITCHEN, "bob")
DOOR = Gateway("door", KITCHEN, "nils")

WORLD = World(MEMBERS, Tenant("growth"), [BREAD, CAKE], [CUSTOMERS])
RESOURCES: tuple[Resource, ...] = (
    *(WORLD.tenant, *MEMBERS, Group("All", is_all=True), Group("builders"), Group("counter")),
    *(BREAD, CAKE, ProjectMembership(BREAD), ProjectMembership(CAKE), CUSTOMERS),
    *(WAREHOUSE, POST, replace(POST, id="old", deleted=True), SALES, COSTS, DataMartTrigger("nightly", SALES)),
    *(WEEKLY, MONTHLY, replace(MONTHLY, id="lost", destination_exists=False), ReportTrigger("monday", WEEKLY)),
    *(RAW, ORDERS, RECIPES, PHOTOS, LOAD, SYNC, TOP_TEN, AD_HOC, Pipeline("empty")),
    *(KITCHEN, BAKE, OVEN, TILL, DOOR, Lakehouse()),
)

# Who can -----------------------------------------------------------------------------------------------------------

WHO: Iterable[tuple[str, Resource, str]] = (
    ("Manage billing", WORLD.tenant, "olga"),
    ("Create projects", WORLD.tenant, "olga ada"),
    ("Change tenant role", OLGA, ""),
    ("Change tenant role", ADA, "olga"),
    ("Make a magic link", NILS, "olga ada tess"),
    ("View as", NILS, "olga ada"),
    ("View as", OLGA, ""),
    ("See", NILS, "olga ada tess theo bea nils"),
    ("Edit", Group("builders"), "olga ada"),
    ("Delete", Group("All", is_all=True), ""),
    ("See who is in it", Group("builders"), "olga ada tess"),
    ("See project", BREAD, "olga ada tess theo bob bea said"),
    ("See project", CAKE, "olga ada tess theo bob bea nils said"),  # the counter's by a data product alone
    ("List data products", CAKE, "olga ada tess theo bea nils"),
    ("Delete project", CAKE, "olga ada tess"),
    ("Invite Admin", ProjectMembership(CAKE), "olga ada tess"),
    ("Override clusters", CUSTOMERS, "olga ada tess theo nils"),
    ("Manage role assignments", CUSTOMERS, "olga ada tess"),
    ("View 360 pages", CUSTOMERS, "olga ada tess theo bob bea nils said"),
    ("Use", WAREHOUSE, "olga ada tess theo"),
    ("Edit", WAREHOUSE, "olga ada tess"),
    ("Configure Availability", POST, "olga ada bob"),
    ("Restore", replace(POST, deleted=True), "olga ada bob"),
    ("Use", SALES, "olga ada tess theo bob bea said"),
    ("Edit", SALES, "olga ada tess"),
    ("See", COSTS, "olga ada theo"),
    ("Manage", DataMartTrigger("nightly", SALES), "olga ada tess"),
    ("Run", WEEKLY, "olga ada tess bea"),
    ("See", MONTHLY, "olga ada theo bob"),
    ("Edit", replace(MONTHLY, destination_exists=False), "olga ada theo"),
    ("Manage", ReportTrigger("monday", WEEKLY), "olga ada tess bea"),
    ("See layers", RAW, "olga ada tess bob said"),
    ("Create tables and volumes", RAW, "olga ada tess"),
    ("Delete the resource", ORDERS, "olga ada bob"),
    ("See tables", RECIPES, "olga ada tess"),
    ("See tables", PHOTOS, "olga ada tess theo bob bea nils said"),
    ("Edit pipelines", LOAD, "olga ada tess"),
    ("Delete pipelines", LOAD, "olga ada"),
    ("See pipelines", SYNC, "olga ada tess bob said"),
    ("See pipelines", Pipeline("empty"), "olga ada"),
    ("Delete", TOP_TEN, "olga ada tess bob"),
    ("Execute", TOP_TEN, "olga ada tess bob said"),
    ("Edit", TOP_TEN, "bob"),
    ("Execute queries", AD_HOC, "olga ada tess"),
    ("See data space in Data Integration home", KITCHEN, "olga ada tess theo bob said"),
    ("Create data space", KITCHEN, "olga ada bea said"),
    ("Add members with roles", KITCHEN, "olga ada theo said"),
    ("Operate project", BAKE, "tess theo"),
    ("Delete project", BAKE, "olga ada tess theo said"),
    ("Control data task", OVEN, "tess theo"),
    ("Preview and sample data", OVEN, "theo"),
    ("Edit data connection", TILL, "bob"),
    ("Edit data connection", DOOR, ""),  # its owner does not see the space
)


@pytest.mark.parametrize(
    ("action", "resource", "expected"), WHO, ids=[f"{action}-{resource}"[:60] for action, resource, _ in WHO]
)
def test_who_can_do_it(action: str, resource: Resource, expected: str) -> None:
    assert list(who(WORLD, action, resource)) == expected.split()


def test_a_suspended_member_is_among_nobody_who_can() -> None:
    without_bob = World([replace(m, active=m.id != "bob") for m in MEMBERS], projects=[BREAD, CAKE])
    assert list(who(without_bob, "Configure Availability", POST)) == ["olga", "ada"]
    assert list(who(without_bob, "Edit data connection", TILL)) == []


# What can they -----------------------------------------------------------------------------------------------------

WHAT = {
    ("nils", "See"): "nils All builders counter olga ada tess theo bea",
    ("bob", "See"): "olga ada tess theo bob bea said All builders counter post old sales nightly weekly monthly lost "
    "monday top-ten",
    ("bob", "Run"): "monthly",
    ("theo", "Edit"): "costs monthly lost",
    ("tess", "Edit"): "warehouse sales weekly",
    ("tess", "See pipelines"): "load sync",
    ("bob", "See pipelines"): "sync",
    ("said", "Delete the resource"): "",
    ("bob", "Delete the resource"): "orders",
    ("bea", "See tables"): "photos",
    ("said", "Delete data connection"): "till door",
    ("nils", "View golden and source record pages"): "customers",
}


@pytest.mark.parametrize(("asked", "expected"), WHAT.items())
def test_what_a_member_can_do_it_on(asked: tuple[str, str], expected: str) -> None:
    member, action = asked
    found = [getattr(resource, "id", "tenant") for resource in what(WORLD, member, action, RESOURCES)]
    assert sorted(found) == sorted(expected.split())


def test_what_passes_over_resources_whose_type_does_not_know_the_action() -> None:
    assert list(what(WORLD, "olga", "Bake bread", RESOURCES)) == []


# What would change if ----------------------------------------------------------------------------------------------


def changes(after: World, *pairs: tuple[Resource, Resource]) -> dict[str, tuple[set[str], set[str]]]:
    """What each member gains and loses, on the one resource that is asked about."""
    return {c.member: (set(c.gained), set(c.lost)) for c in what_if(WORLD, after, pairs)}


def company(*changed: Member, tenant: Tenant | None = None) -> World:
    by_id: Mapping[str, Member] = {member.id: member for member in changed}
    members = [by_id.get(member.id, member) for member in MEMBERS]
    return World(members, tenant or WORLD.tenant, [BREAD, CAKE], [CUSTOMERS])


CONTROL = {"Edit", "Delete", "Run", "Manage Owners", "Manage Triggers"}
EDITS = {"Change descriptions"}
MANAGES = {"Change descriptions", "Manage users (Viewer, Editor)", "Delete the resource"}


def test_if_nothing_changes_nobody_gains_or_loses() -> None:
    assert list(what_if(WORLD, company(), [(resource, resource) for resource in RESOURCES])) == []


def test_if_a_level_is_granted() -> None:
    granted = replace(RECIPES, grants={"nils": "Editor"})
    assert changes(WORLD, (RECIPES, granted)) == {"nils": ({"See tables", "Execute queries", *EDITS}, set())}


def test_if_a_level_is_granted_to_the_group_all() -> None:
    granted = replace(RAW, grants={**RAW.grants, "All": "Viewer"})
    assert changes(WORLD, (RAW, granted)) == {name: ({"See layers"}, set()) for name in ("theo", "bea", "nils")}


def test_if_a_level_is_revoked_what_a_group_gives_stays() -> None:
    revoked = replace(ORDERS, grants={"counter": "Viewer"})
    assert changes(WORLD, (ORDERS, revoked)) == {"bob": (set(), MANAGES)}


def test_if_a_level_on_one_table_is_revoked_the_pipeline_over_it_follows() -> None:
    after = replace(RAW, grants={})
    orders, recipes = replace(ORDERS, layer=after), replace(RECIPES, layer=after, grants={"tess": "Manager"})
    after_load = replace(LOAD, outputs=(orders, recipes), output_layer=after)
    lost = {"See pipelines", "Edit pipelines", "Activate or deactivate pipelines", "Trigger pipelines", "See runs"}
    assert changes(WORLD, (LOAD, after_load)) == {"tess": (set(), lost)}


def test_if_a_tenant_role_changes() -> None:
    after = company(replace(BEA, tenant_role="editor"))
    assert changes(after, (BREAD, BREAD)) == {
        "bea": (
            {"Edit project metadata", "Add sources", "View all sources", "Edit sources", "Add data products"},
            set(),
        )
    }
    assert changes(after, (COSTS, COSTS)) == {}
    assert changes(after, (ORDERS, ORDERS)) == {}


def test_if_a_project_role_changes_ownership_stays_and_the_row_of_the_new_role_applies() -> None:
    lowered = replace(BREAD, id="bread-after", grants={**BREAD.grants, "tess": "Business User"})
    assert changes(WORLD, (SALES, replace(SALES, project=lowered))) == {
        "tess": (set(), {"Edit", "Delete", "Configure Availability", "Manage Owners", "Manage Triggers"})
    }
    assert changes(WORLD, (WAREHOUSE, replace(WAREHOUSE, project=lowered))) == {
        "tess": (
            set(),
            {"See", "Use", "Copy Credentials", "Edit", "Delete", "Configure Availability", "Manage Owners"},
        )
    }


def test_if_a_member_joins_or_leaves_a_group() -> None:
    joined = company(replace(NILS, groups=frozenset({"builders"})))
    assert changes(joined, (RECIPES, RECIPES)) == {"nils": ({"See tables", "Execute queries", *EDITS}, set())}
    assert changes(joined, (OVEN, OVEN))["nils"][0] >= {"Control data task", "Update data task"}
    assert "Delete project" in changes(joined, (CAKE, CAKE))["nils"][0]
    left = company(replace(SAID, groups=frozenset()))
    assert changes(left, (SALES, SALES)) == {"said": (set(), {"See", "Use"})}
    assert changes(left, (ORDERS, ORDERS)) == {"said": (set(), {"See tables", "Execute queries"})}
    assert changes(left, (KITCHEN, KITCHEN)) == {}


def test_if_owners_change() -> None:
    handed_over = replace(WEEKLY, owners=frozenset({"said"}))
    assert changes(WORLD, (WEEKLY, handed_over)) == {"bea": (set(), CONTROL), "said": (CONTROL, set())}
    business = replace(COSTS, business_owners=frozenset({"bea"}))
    assert changes(WORLD, (COSTS, business)) == {"bea": ({"See", "Use"}, set())}
    space = replace(KITCHEN, owner=None)
    assert set(changes(WORLD, (KITCHEN, space))) == {"theo"}


def test_if_a_toggle_is_turned() -> None:
    opened = replace(COSTS, available_for_maintenance=True)
    assert changes(WORLD, (COSTS, opened)) == {"tess": ({"See", "Use", "Edit", "Delete", "Manage Triggers"}, set())}
    assert changes(WORLD, (MONTHLY, replace(MONTHLY, data_mart=opened))) == {"tess": ({"See", *CONTROL}, set())}
    closed = replace(SALES, available_for_reporting=False)
    assert changes(WORLD, (SALES, closed)) == {name: (set(), {"See", "Use"}) for name in ("theo", "bea", "said")}
    assert changes(WORLD, (WEEKLY, replace(WEEKLY, data_mart=closed))) == {
        "theo": (set(), {"See"}),
        "said": (set(), {"See"}),
    }


def test_if_a_project_switch_is_set() -> None:
    wider = replace(BREAD, technical_users_control_all_reports=True)
    assert changes(WORLD, (WEEKLY, replace(WEEKLY, data_mart=replace(SALES, project=wider)))) == {
        "theo": (CONTROL, set())
    }
    maintained = replace(SALES, business_owners=frozenset({"theo"}), available_for_maintenance=True)
    adding = replace(maintained, project=replace(BREAD, ownership_adds_to_availability=True))
    assert changes(WORLD, (maintained, adding)) == {"theo": ({"Edit", "Delete", "Manage Triggers"}, set())}


def test_if_a_destination_is_deleted() -> None:
    lost = {"Use", "Copy Credentials", "Edit", "Delete", "Configure Availability", "Manage Owners"}
    assert changes(WORLD, (POST, replace(POST, deleted=True))) == {
        name: ({"Restore"}, lost) for name in ("olga", "ada", "bob")
    }
    assert changes(WORLD, (MONTHLY, replace(MONTHLY, destination_exists=False))) == {"bob": (set(), CONTROL)}


def test_if_the_plan_goes_down_to_starter_and_up_again() -> None:
    starter = company(tenant=Tenant("starter"))
    assert changes(starter, (RECIPES, RECIPES)) == {
        "tess": (MANAGES - EDITS, set()),
        **{
            name: ({"See tables", "Execute queries", *MANAGES}, set())
            for name in ("theo", "bob", "bea", "nils", "said")
        },
    }
    assert changes(starter, (SALES, SALES)) == {}
    back = list(what_if(starter, WORLD, [(RECIPES, RECIPES)]))
    assert {change.member for change in back} == {"tess", "theo", "bob", "bea", "nils", "said"}
    assert all(change.lost and not change.gained for change in back)


def test_if_reading_needs_only_viewer() -> None:
    after = company(tenant=Tenant(reading_needs_only_viewer=True))
    copy = Pipeline("copy", inputs=(PHOTOS,), outputs=(ORDERS,))
    assert changes(after, (copy, copy)) == {
        "bob": (
            {"Edit pipelines", "Activate or deactivate pipelines", "Trigger pipelines", "Delete pipelines"},
            set(),
        )
    }


def test_if_a_member_is_suspended_or_comes_back_everything_goes_or_returns() -> None:
    without = company(replace(TESS, active=False))
    assert changes(without, (RAW, RAW)) == {
        "tess": (set(), {"See layers", "Create tables and volumes", "Add pipelines", *EDITS})
    }
    assert list(what_if(without, WORLD, [(RAW, RAW)])) == [
        Change("tess", RAW, ("See layers", "Change descriptions", "Create tables and volumes", "Add pipelines"), ())
    ]


# Everybody against everything --------------------------------------------------------------------------------------


def by_type(world: World) -> list[list[Placed]]:
    placed = sorted((place(world, resource) for resource in RESOURCES), key=lambda one: one.type.name)
    return [list(group) for _, group in groupby(placed, key=lambda one: one.type.name)]


@pytest.mark.parametrize(
    "tenant",
    [Tenant("growth"), Tenant("starter"), Tenant("custom", reading_needs_only_viewer=True)],
    ids=lambda t: t.plan,
)
def test_a_review_equals_the_checks_of_all_pairs(tenant: Tenant) -> None:
    world = company(tenant=tenant)
    members = list(world.members)
    for placed in by_type(world):
        rt = placed[0].type
        reviewed = review(placed[0].type, members, placed)
        for action in rt.actions:
            allowed = set(reviewed.allowed(action))
            for number, one in enumerate(placed):
                for position, member in enumerate(members):
                    decision = one.check(member, action)
                    assert decision.allowed is ((member, number) in allowed), decision.reason
                    assert decision.allowed is (action in rt.names_of(reviewed.mask(position, number)))
                    assert decision.allowed is (action in one.actions(member))
                assert [member for member in members if (member, number) in allowed] == [
                    member for member in members if one.type.allows(one.index(member), action)
                ]


def test_a_review_of_some_members_leaves_the_others_out() -> None:
    reviewed = review(RESOURCE_TYPES["table"], ["bob", "nils"], [place(WORLD, ORDERS)])
    assert list(reviewed.allowed("See tables")) == [("bob", 0)]


def test_every_kind_of_resource_is_in_this_world() -> None:
    kinds = {type(resource) for resource in RESOURCES}
    assert kinds == set(Resource.__args__)


# Strangers and empty questions ---------------------------------------------------------------------------------------


def test_whoever_is_not_active_may_do_nothing_whatever_they_hold() -> None:
    suspended = Member("sue", tenant_role="owner", active=False)
    space = Space("space", owner="sue", roles={"sue": frozenset({"Can manage"})})
    layer = Layer("layer", grants={ALL: "Manager"})
    for world in (World([suspended]), World([suspended], Tenant(plan="starter"))):
        for resource in (space, layer, Tenant(), Group("g")):
            placed = place(world, resource)
            for stranger in ("sue", "nobody"):
                assert placed.actions(stranger) == ()
                for action in placed.type.actions:
                    decision = placed.check(stranger, action)
                    assert not decision.allowed
                    assert decision.row == "Not an active member"
                    assert decision.given_by == ("tenant owners and admins",)


def test_a_query_that_reads_nothing_is_anybodys_to_run() -> None:
    placed = place(World([Member("ann")]), Query("select 1"))
    assert placed.check("ann", "Execute queries").allowed


def test_a_refusal_names_only_the_column_that_is_about_the_action() -> None:
    project = Project("p", grants={"ann": "Technical User"})
    placed = place(World([Member("ann")]), ProjectMembership(project))
    assert placed.check("ann", "Invite Admin").column == "Can invite Admin"


def test_a_review_gives_nothing_to_whoever_is_not_active() -> None:
    world = World([Member("ann"), Member("sue", active=False)])
    placed = place(world, Layer("layer", grants={ALL: "Editor"}))
    reviewed = review(placed.type, ["ann", "sue"], [placed])
    assert reviewed.mask(0, 0) == placed.mask("ann") != 0
    assert reviewed.mask(1, 0) == 0


def test_a_review_holds_one_type_of_resource_only() -> None:
    world = World([Member("ann")])
    tables = RESOURCE_TYPES["table"]
    assert review(tables, ["ann"], []).columns == []
    with pytest.raises(ValueError, match="layer"):
        review(tables, ["ann"], [place(world, Layer("layer"))])

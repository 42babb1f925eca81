"""What the document on projects says: inherited roles, and what roles permit on projects and data products."""

from itertools import product

import pytest

from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.roles import inherited_data_product_roles, inherited_project_role
from bailiwick.access.world.people import World
from bailiwick.access.world.records import DataProduct, Member, Project
from tests.access.documents.people import ALICE, BOB, NORA, PEOPLE, ROLES, SHOP, TESS, WITH_ROLE, can

INHERITED = {
    "owner": "Admin",
    "admin": "Admin",
    "editor": "Technical User",
    "viewer": "Business User",
    "none": "none",
}
# Tenant role → admin, editor, viewer of every project
INHERITED_SETS = {
    "owner": (True, True, True),
    "admin": (True, True, True),
    "editor": (False, True, True),
    "viewer": (False, False, True),
    "none": (False, False, False),
}


@pytest.mark.parametrize("tenant_role", INHERITED)
def test_the_tenant_role_gives_project_roles(tenant_role: str) -> None:
    assert inherited_project_role(tenant_role) == INHERITED[tenant_role]
    table = RESOURCE_TYPES["inherited_project_role"]
    given = table.allowed_actions(table.pack({"tenant role": tenant_role}))
    assert tuple(role in given for role in ROLES[:3]) == INHERITED_SETS[tenant_role]


@pytest.mark.parametrize(("tenant_role", "granted", "to_group"), list(product(INHERITED, ROLES, ROLES)))
def test_the_effective_role_is_the_highest_of_inherited_granted_and_through_a_group(
    tenant_role: str, granted: str, to_group: str
) -> None:
    world = World([Member("kim", tenant_role, groups=frozenset({"team"}))])
    project = Project("p", {"kim": granted, "team": to_group})
    highest = min(INHERITED[tenant_role], granted, to_group, key=ROLES.index)
    assert world.project_roles(project).get("kim", "none") == highest
    origins = world.role_origins(world.members["kim"], project)
    assert (origins[0].role if origins else "none") == highest


# Admin, Technical User (editor), Business User (viewer), only a role on a data product
PROJECT_PERMISSIONS = {
    "See project": (True, True, True, True),
    "List data products": (True, True, True, False),
    "Edit project metadata": (True, True, False, False),
    "Delete project": (True, False, False, False),
    "Add sources": (True, True, False, False),
    "View all sources": (True, True, False, False),
    "Edit sources": (True, True, False, False),
    "Delete sources": (True, False, False, False),
    "Add, view, and manage workflows": (True, False, False, False),
    "Add, view, and manage destinations": (True, False, False, False),
    "Add data products": (True, True, False, False),
}


@pytest.mark.parametrize(("position", "member"), list(enumerate((ALICE, TESS, BOB, NORA))))
def test_a_project_role_permits_what_the_table_says(position: int, member: str) -> None:
    product_of_shop = DataProduct("customers", SHOP, {NORA: frozenset({"viewer"})})
    world = World(PEOPLE.members.values(), projects=[SHOP], data_products=[product_of_shop])
    expected = {action for action, cells in PROJECT_PERMISSIONS.items() if cells[position]}
    assert can(SHOP, member, world) == expected


def test_without_any_role_a_project_and_its_data_products_do_not_exist() -> None:
    assert can(SHOP, NORA, PEOPLE) == can(DataProduct("customers", SHOP), NORA, PEOPLE) == set()


def test_a_role_on_one_data_product_opens_no_other() -> None:
    mine, other = DataProduct("mine", SHOP, {NORA: frozenset({"curator"})}), DataProduct("other", SHOP)
    assert "View insights" in can(mine, NORA, PEOPLE)
    assert can(other, NORA, PEOPLE) == set()


# admin, developer, curator, viewer
DATA_PRODUCT = {
    "View 360 pages": "ADCV",
    "View insights": "ADC",
    "View golden and source record pages": "ADC",
    "Add a publish configuration": "AD",
    "Edit a publish configuration": "AD",
    "Delete a publish configuration": "AD",
    "Run a publish configuration": "AD",
    "Override attributes": "AC",
    "Override clusters": "AC",
    "Verify source records": "AC",
    "View curation tasks": "AC",
    "Create curation tasks": "AC",
    "Edit curation tasks": "AC",
    "Delete curation tasks": "AC",
    "Delete views": "AC",
    "Set the global default view": "AC",
    "Create and edit views": "ADC",
    "Set a personal default view": "ADC",
    "Configure the data product": "AD",
    "Refresh the data product": "AD",
    "Edit metadata": "AD",
    "Copy the data product": "AD",
    "View role assignments": "ADC",
    "Delete the data product": "A",
    "Manage role assignments": "A",
    "See sensitive attributes": "ADC",
}
DATA_PRODUCT_ROLES = {"A": "admin", "D": "developer", "C": "curator", "V": "viewer"}
INHERITED_ON_DATA_PRODUCTS = {"Admin": "ADCV", "Technical User": "DCV", "Business User": "V", "none": ""}


def on_data_product(letters: str) -> set[str]:
    return {action for action, who in DATA_PRODUCT.items() if set(who) & set(letters)}


@pytest.mark.parametrize("letters", ["", "A", "D", "C", "V", "DC", "DV", "CV", "DCV", "ADCV"])
def test_data_product_roles_are_a_set_that_gives_the_union(letters: str) -> None:
    granted = frozenset(DATA_PRODUCT_ROLES[letter] for letter in letters)
    assert can(DataProduct("customers", SHOP, {NORA: granted}), NORA, PEOPLE) == on_data_product(letters)


@pytest.mark.parametrize("role", ROLES)
def test_the_project_role_gives_data_product_roles(role: str) -> None:
    letters = INHERITED_ON_DATA_PRODUCTS[role]
    assert inherited_data_product_roles(role) == {DATA_PRODUCT_ROLES[letter] for letter in letters}
    assert can(DataProduct("customers", SHOP), WITH_ROLE[role], PEOPLE) == on_data_product(letters)


def test_granted_data_product_roles_add_to_inherited_ones_also_through_groups() -> None:
    world = World([Member(BOB, groups=frozenset({"stewards"})), Member(TESS)])
    customers = DataProduct("customers", SHOP, {"stewards": frozenset({"curator"}), TESS: frozenset({"admin"})})
    assert can(customers, BOB, world) == on_data_product("CV")
    assert can(customers, TESS, world) == on_data_product("ADCV")

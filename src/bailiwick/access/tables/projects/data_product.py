"""Data product roles. Read it beside docs/access/projects.md#data-product-roles: same rows, columns, order."""

from bailiwick.access.facts import Fact, Side
from bailiwick.access.shapes import NOTHING, AccessTable, Column, RoleMatrix, Row, actions, flags
from bailiwick.access.tables.projects import DOCUMENT
from bailiwick.access.tables.standing import PROJECT_ROLE

Y, _ = True, False
GIVEN_BY = "data product admins; Project Admins"
ROLES = {
    name: Fact(f"data product {name}", Side.PAIR, given_by=GIVEN_BY)
    for name in ("admin", "developer", "curator", "viewer")
}

DATA_PRODUCT = RoleMatrix(
    document=DOCUMENT,
    page="projects#data-product-roles",
    name="Data product roles",
    columns=flags(ROLES),
    rows={
        #                                                    admin developer curator viewer
        "View 360 pages": (Y, Y, Y, Y),
        "View insights": (Y, Y, Y, _),
        "View golden and source record pages": (Y, Y, Y, _),
        "Add a publish configuration": (Y, Y, _, _),
        "Edit a publish configuration": (Y, Y, _, _),
        "Delete a publish configuration": (Y, Y, _, _),
        "Run a publish configuration": (Y, Y, _, _),
        "Override attributes": (Y, _, Y, _),
        "Override clusters": (Y, _, Y, _),
        "Verify source records": (Y, _, Y, _),
        "View curation tasks": (Y, _, Y, _),
        "Create curation tasks": (Y, _, Y, _),
        "Edit curation tasks": (Y, _, Y, _),
        "Delete curation tasks": (Y, _, Y, _),
        "Delete views": (Y, _, Y, _),
        "Set the global default view": (Y, _, Y, _),
        "Create and edit views": (Y, Y, Y, _),
        "Set a personal default view": (Y, Y, Y, _),
        "Configure the data product": (Y, Y, _, _),
        "Refresh the data product": (Y, Y, _, _),
        "Edit metadata": (Y, Y, _, _),
        "Copy the data product": (Y, Y, _, _),
        "View role assignments": (Y, Y, Y, _),
        "Delete the data product": (Y, _, _, _),
        "Manage role assignments": (Y, _, _, _),
        "See sensitive attributes": (Y, Y, Y, _),
    },
)

ADMIN, DEVELOPER, CURATOR, VIEWER = (actions(role) for role in ROLES)

INHERITED_DATA_PRODUCT_ROLES = AccessTable(
    document=DOCUMENT,
    page="projects#inherited-data-product-roles",
    name="Data product roles inherited from project role",
    actions=tuple(ROLES),
    columns=tuple(Column(role) for role in ROLES),
    rows=(
        #    Project role                                          admin    developer  curator  viewer
        Row("Admin", PROJECT_ROLE.is_("Admin"), (ADMIN, DEVELOPER, CURATOR, VIEWER)),
        Row("Technical User", PROJECT_ROLE.is_("Technical User"), (NOTHING, DEVELOPER, CURATOR, VIEWER)),
        Row("Business User", PROJECT_ROLE.is_("Business User"), (NOTHING, NOTHING, NOTHING, VIEWER)),
        Row("no role", PROJECT_ROLE.is_("none"), (NOTHING, NOTHING, NOTHING, NOTHING)),
    ),
)

"""Project role permissions. Read it beside docs/access/projects.md#project-role-permissions."""

from bailiwick.access.facts import Fact, Side
from bailiwick.access.shapes import Column, RoleMatrix, values
from bailiwick.access.tables.projects import DOCUMENT
from bailiwick.access.tables.standing import PROJECT_ROLE

Y, _ = True, False

PROJECT = RoleMatrix(
    document=DOCUMENT,
    page="projects#project-role-permissions",
    name="Project role permissions",
    columns=values(PROJECT_ROLE, ("Admin", "Technical User", "Business User")),
    rows={
        #                                          Admin  Technical  Business
        "Edit project metadata": (Y, Y, _),
        "Delete project": (Y, _, _),
        "Add sources": (Y, Y, _),
        "View all sources": (Y, Y, _),
        "Edit sources": (Y, Y, _),
        "Delete sources": (Y, _, _),
        "Add, view, and manage workflows": (Y, _, _),
        "Add, view, and manage destinations": (Y, _, _),
        "Add data products": (Y, Y, _),
    },
)

# Stated in the document's prose: who finds the project in the menu, and who its data products in their list.
HAS_DATA_PRODUCT_ROLE = Fact("role on a data product of the project", Side.PAIR, given_by="admins of that data product")
PROJECT_IN_THE_MENU = RoleMatrix(
    document=DOCUMENT,
    page="projects#seeing-a-project",
    name="Seeing a project",
    columns=(
        *values(PROJECT_ROLE, ("Admin", "Technical User", "Business User")),
        Column("Data product role only", HAS_DATA_PRODUCT_ROLE.yes),
    ),
    rows={
        #                             Admin  Technical  Business  product role only
        "See project": (Y, Y, Y, Y),
        "List data products": (Y, Y, Y, _),
    },
)

"""Permissions on data projects. Read it beside docs/access/spaces.md#data-projects: same rows, columns, order."""

from bailiwick.access.shapes import RoleMatrix
from bailiwick.access.tables.spaces.facts import DOCUMENT, MEMBER_COLUMNS, SECURITY_COLUMNS, VIEW_DATA_COLUMNS, Y, _

LIST_PROJECTS = "List data projects"

DATA_PROJECT = RoleMatrix(
    document=DOCUMENT,
    page="spaces#data-projects",
    name="Permissions on data projects",
    columns=MEMBER_COLUMNS,
    rows={
        #                owner view consume manage operate edit
        LIST_PROJECTS: (Y, Y, Y, Y, Y, Y),
        "Create project": (Y, _, _, _, _, Y),
        "Update project": (Y, _, _, _, _, Y),
        "Open project": (Y, Y, _, _, Y, Y),
        "Delete project": (Y, _, _, _, _, Y),
        "Operate project": (Y, _, _, _, Y, _),
    },
)

DATA_PROJECT_VIEW_DATA = RoleMatrix(
    document=DOCUMENT,
    page="spaces#can-view-data",
    name="Can view data",
    columns=VIEW_DATA_COLUMNS,
    rows={LIST_PROJECTS: (Y, Y)},
)

DATA_PROJECT_SECURITY = RoleMatrix(
    document=DOCUMENT,
    page="spaces#data-projects-with-security-roles",
    name="Permissions on data projects with security roles",
    columns=SECURITY_COLUMNS,
    rows={
        #                          tenant admin  data admin
        LIST_PROJECTS: (Y, Y),
        "Open project": (Y, Y),
        "Delete project": (Y, Y),
        "Change owner of project": (Y, Y),
    },
)

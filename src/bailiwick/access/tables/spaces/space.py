"""Permissions on a data space. Read it beside docs/access/spaces.md#data-space: same rows, columns, order."""

from bailiwick.access.shapes import Column, RoleMatrix
from bailiwick.access.tables.spaces.facts import (
    DATA_SPACE_CREATOR,
    DOCUMENT,
    MEMBER_COLUMNS,
    SECURITY_COLUMNS,
    VIEW_DATA_COLUMNS,
    Y,
    _,
)

SEE_SPACE = "See data space in Data Integration home"
# The two parts of “Change space name, description, members, and roles” that security roles give as well.
CHANGE_NAME, ADD_MEMBERS = "Change space name and description", "Add members with roles"

SPACE = RoleMatrix(
    document=DOCUMENT,
    page="spaces#data-space",
    name="Permissions on the data space",
    columns=MEMBER_COLUMNS,
    rows={
        #                                                       owner view consume manage operate edit
        SEE_SPACE: (Y, Y, Y, Y, Y, Y),
        "Change space name, description, members, and roles": (Y, _, _, Y, _, _),
        CHANGE_NAME: (Y, _, _, Y, _, _),
        ADD_MEMBERS: (Y, _, _, Y, _, _),
        "Delete space": (Y, _, _, Y, _, _),
    },
)

SPACE_VIEW_DATA = RoleMatrix(
    document=DOCUMENT,
    page="spaces#can-view-data",
    name="Can view data",
    columns=VIEW_DATA_COLUMNS,
    rows={
        #                             owner  view data
        SEE_SPACE: (Y, Y),
        "Preview and sample data": (Y, Y),
    },
)

SPACE_SECURITY = RoleMatrix(
    document=DOCUMENT,
    page="spaces#data-space-with-security-roles",
    name="Permissions on data spaces with security roles",
    columns=(*SECURITY_COLUMNS, Column("Data space creator", DATA_SPACE_CREATOR.yes)),
    rows={
        #                                  tenant admin  data admin  space creator
        "Create data space": (Y, Y, Y),
        SEE_SPACE: (Y, Y, _),
        CHANGE_NAME: (Y, Y, _),
        "Delete space": (Y, Y, _),
        "Change space owner": (Y, Y, _),
        ADD_MEMBERS: (Y, Y, _),
    },
)

"""Permissions on data tasks and data resources. Read it beside docs/access/spaces.md#data-tasks-and-resources."""

from bailiwick.access.shapes import RoleMatrix
from bailiwick.access.tables.spaces.facts import (
    CONNECTION_OWNER,
    DOCUMENT,
    MEMBER_COLUMNS,
    SECURITY_COLUMNS,
    VIEW_DATA_COLUMNS,
    Y,
    _,
)

LIST_TASKS = "List data tasks and information about tasks"
LIST_RESOURCES = "List data resources (data connections)"
EDIT_CONNECTION = "Edit data connection"
OWN = CONNECTION_OWNER.yes  # a connection is edited by its owner only, who must still see the space

DATA_TASK = RoleMatrix(
    document=DOCUMENT,
    page="spaces#data-tasks-and-resources",
    name="Permissions on data tasks and data resources",
    columns=MEMBER_COLUMNS,
    rows={
        #                                          owner view consume manage operate edit
        "Create data task": (Y, _, _, _, _, Y),
        LIST_TASKS: (Y, Y, Y, Y, Y, Y),
        "Edit data task attribute": (Y, _, _, _, _, Y),
        "Open data task": (Y, Y, _, _, Y, Y),
        "Update data task": (Y, _, _, _, _, Y),
        "Delete data task": (Y, _, _, _, _, Y),
        "Control data task": (Y, _, _, _, Y, _),
        LIST_RESOURCES: (Y, Y, Y, Y, Y, Y),
        "Add data connection": (Y, _, _, Y, _, _),
        EDIT_CONNECTION: (OWN, OWN, OWN, OWN, OWN, OWN),
        "Delete data connection": (Y, _, _, Y, _, _),
    },
)

DATA_TASK_VIEW_DATA = RoleMatrix(
    document=DOCUMENT,
    page="spaces#can-view-data",
    name="Can view data",
    columns=VIEW_DATA_COLUMNS,
    rows={
        #                            owner  view data
        LIST_TASKS: (Y, Y),
        LIST_RESOURCES: (Y, Y),
        EDIT_CONNECTION: (OWN, OWN),
        "Preview and sample data": (Y, Y),
    },
)

DATA_TASK_SECURITY = RoleMatrix(
    document=DOCUMENT,
    page="spaces#data-tasks-and-resources-with-security-roles",
    name="Permissions on data tasks and data resources with security roles",
    columns=SECURITY_COLUMNS,
    rows={
        #                                 tenant admin  data admin
        LIST_TASKS: (Y, Y),
        "Open data task": (Y, Y),
        "Delete data task": (Y, Y),
        "Change owner of data task": (Y, Y),
        LIST_RESOURCES: (Y, Y),
        EDIT_CONNECTION: (OWN, OWN),
        "Delete data connection": (Y, Y),
        "Change owner of data connection": (Y, Y),
        "Change space of data connection": (Y, Y),
    },
)

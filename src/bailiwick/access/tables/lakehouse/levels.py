"""What each level can do. Read it beside docs/access/lakehouse.md#what-each-level-can-do: same rows, columns, order."""

from bailiwick.access.facts import Fact, Side
from bailiwick.access.shapes import Column, Ladder
from bailiwick.access.tables.standing import OWNERS_AND_ADMINS

DOCUMENT = "lakehouse"
LEVELS = ("none", "Viewer", "Editor", "Manager")

LEVEL = Fact(
    "level", Side.PAIR, LEVELS, given_by=f"members with Manager on it (Viewer and Editor); {OWNERS_AND_ADMINS}"
)
STANDING = Fact(
    "standing", Side.MEMBER, ("Member", "Admin", "Owner"), given_by=f"{OWNERS_AND_ADMINS} (owner: by owners only)"
)

VIEWER, EDITOR, MANAGER, ADMIN, OWNER = "Viewer", "Editor", "Manager", "Admin", "Owner"
COLUMNS = (
    Column(VIEWER, LEVEL.is_(VIEWER)),
    Column(EDITOR, LEVEL.is_(EDITOR)),
    Column(MANAGER, LEVEL.is_(MANAGER)),
    Column(ADMIN, STANDING.is_(ADMIN)),
    Column(OWNER, STANDING.is_(OWNER)),
)

WHAT_EACH_LEVEL_CAN_DO = Ladder(
    document=DOCUMENT,
    page="lakehouse#what-each-level-can-do",
    name="What each level can do",
    columns=COLUMNS,
    rows={
        "See layers": VIEWER,
        "See tables": VIEWER,
        "Change descriptions": EDITOR,
        "Create tables and volumes": EDITOR,
        "Manage users (Viewer, Editor)": MANAGER,
        "Manage users (Manager)": ADMIN,
        "Delete the resource": MANAGER,
        "Create layers": ADMIN,
        "See all layers": ADMIN,
        "See pipelines": VIEWER,
        "Add pipelines": EDITOR,
        "Edit pipelines": EDITOR,
        "Activate or deactivate pipelines": EDITOR,
        "Trigger pipelines": EDITOR,
        "Delete pipelines": MANAGER,
        "Add, edit, activate, trigger and delete integrations": ADMIN,
        "See runs": VIEWER,
        "Execute queries": VIEWER,
        "Edit queries": VIEWER,
        "Save queries individually": VIEWER,
        "Delete saved queries": VIEWER,
        "Delete shared saved queries of others": EDITOR,
        "See settings": ADMIN,
        "Manage users and roles": ADMIN,
        "Create groups": ADMIN,
        "Add users": ADMIN,
        "Manage billing": OWNER,
    },
)

"""What each role can do across a project. Read it beside docs/access/roles.md#capabilities."""

from bailiwick.access.shapes import RoleMatrix, values
from bailiwick.access.tables.roles import DOCUMENT
from bailiwick.access.tables.standing import PROJECT_ROLE

Y, _ = True, False
COLUMNS = values(PROJECT_ROLE, ("Admin", "Technical User", "Business User"))

CAPABILITIES = RoleMatrix(
    document=DOCUMENT,
    page="roles#capabilities",
    name="Capabilities",
    columns=COLUMNS,
    rows={
        #                                                    Admin  Technical  Business
        "See members": (Y, Y, Y),
        "Change a member's role": (Y, _, _),
        "Reset passwords and generate magic links": (Y, _, _),
        "Delete members": (Y, _, _),
        "Create data marts": (Y, Y, _),
        "Create storages": (Y, Y, _),
        "Create destinations": (Y, Y, Y),
        "Create reports": (Y, Y, Y),
        "Delete runs": (Y, _, _),
        "See project settings": (Y, Y, _),
        "Set project switches": (Y, _, _),
        "Manage notification receivers": (Y, _, _),
    },
)

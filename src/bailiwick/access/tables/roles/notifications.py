"""How a role stands to the project's notification channels. Read it beside docs/access/roles.md#notifications."""

from bailiwick.access.shapes import RoleMatrix
from bailiwick.access.tables.roles import DOCUMENT
from bailiwick.access.tables.roles.capabilities import COLUMNS

Y, _ = True, False

NOTIFICATIONS = RoleMatrix(
    document=DOCUMENT,
    page="roles#notifications",
    name="Notifications",
    columns=COLUMNS,
    rows={
        #                                                    Admin  Technical  Business
        "Subscribed to every channel upon joining": (Y, Y, _),
        "May be added as a receiver": (Y, Y, Y),
        "Removed from the receivers on falling to this role": (_, _, Y),
    },
)

"""Who can invite whom. Read it beside docs/access/roles.md#who-can-invite-whom."""

from bailiwick.access.shapes import NOTHING, AccessTable, Column, Row, actions
from bailiwick.access.tables.roles import DOCUMENT
from bailiwick.access.tables.standing import ADMIN, BUSINESS, TECHNICAL

INVITE = {role: f"Invite {role}" for role in ("Admin", "Technical User", "Business User")}
INVITE_ADMIN, INVITE_TECHNICAL, INVITE_BUSINESS = (actions(action) for action in INVITE.values())

WHO_CAN_INVITE_WHOM = AccessTable(
    document=DOCUMENT,
    page="roles#who-can-invite-whom",
    name="Who can invite whom",
    actions=tuple(INVITE.values()),
    columns=(Column("Can invite Admin"), Column("Can invite Technical User"), Column("Can invite Business User")),
    rows=(
        #    Inviting as             Admin           Technical User     Business User
        Row("Admin", ADMIN, (INVITE_ADMIN, INVITE_TECHNICAL, INVITE_BUSINESS)),
        Row("Technical User", TECHNICAL, (NOTHING, INVITE_TECHNICAL, INVITE_BUSINESS)),
        Row("Business User", BUSINESS, (NOTHING, NOTHING, INVITE_BUSINESS)),
    ),
)

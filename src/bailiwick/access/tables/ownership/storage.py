"""Storage access. Read it beside docs/access/ownership-and-availability.md#storage: same rows, columns, order."""

from bailiwick.access.shapes import NOTHING, AccessTable, Row, actions
from bailiwick.access.tables.ownership.facts import (
    CONFIGURE_AVAILABILITY,
    COPY_CREDENTIALS,
    DELETE,
    DOCUMENT,
    EDIT,
    MANAGE_OWNERS,
    OWNER,
    SEE,
    SEE_USE,
    USE,
    USE_COLUMNS,
    project_admin,
)
from bailiwick.access.tables.standing import BUSINESS, TECHNICAL

ACTIONS = (SEE, USE, COPY_CREDENTIALS, EDIT, DELETE, CONFIGURE_AVAILABILITY, MANAGE_OWNERS)
ALL = actions(*ACTIONS)
MAINTAIN = SEE_USE | actions(COPY_CREDENTIALS, EDIT, DELETE)

STORAGE = AccessTable(
    document=DOCUMENT,
    page="ownership-and-availability#storage",
    name="Storage",
    actions=ACTIONS,
    columns=USE_COLUMNS,
    unlisted=project_admin(ALL, ALL, ALL, ALL),
    rows=(
        #    Who                                             Not available | for use | for maintenance | for both
        Row("Owner (Technical User)", OWNER.yes & TECHNICAL, (ALL, ALL, ALL, ALL)),
        Row("Non-owner Technical User", OWNER.no & TECHNICAL, (NOTHING, SEE_USE, MAINTAIN, MAINTAIN)),
        Row("Any Business User", BUSINESS, (NOTHING, NOTHING, NOTHING, NOTHING)),
    ),
)

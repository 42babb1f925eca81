"""Destination access. Read it beside docs/access/ownership-and-availability.md#destination: same rows and columns."""

from bailiwick.access.shapes import NOTHING, AccessTable, Row, actions
from bailiwick.access.tables.ownership.facts import (
    CONFIGURE_AVAILABILITY,
    COPY_CREDENTIALS,
    DELETE,
    DOCUMENT,
    EDIT,
    MANAGE_OWNERS,
    OWNER,
    RESTORE,
    SEE,
    SEE_USE,
    USE,
    USE_COLUMNS,
    project_admin,
)
from bailiwick.access.tables.standing import ANY_ROLE, BUSINESS, TECHNICAL

ACTIONS = (SEE, USE, COPY_CREDENTIALS, EDIT, DELETE, CONFIGURE_AVAILABILITY, MANAGE_OWNERS)
ALL = actions(*ACTIONS)
MAINTAIN = SEE_USE | actions(COPY_CREDENTIALS, EDIT, DELETE)

DESTINATION = AccessTable(
    document=DOCUMENT,
    page="ownership-and-availability#destination",
    name="Destination",
    actions=ACTIONS,
    columns=USE_COLUMNS,
    unlisted=project_admin(ALL, ALL, ALL, ALL),
    rows=(
        #    Who                                             Not available | for use | for maintenance | for both
        Row("Owner (any role)", OWNER.yes & ANY_ROLE, (ALL, ALL, ALL, ALL)),
        Row("Non-owner Technical User", OWNER.no & TECHNICAL, (NOTHING, SEE_USE, MAINTAIN, MAINTAIN)),
        Row("Non-owner Business User", OWNER.no & BUSINESS, (NOTHING, SEE_USE, MAINTAIN, MAINTAIN)),
    ),
)

# A deleted destination is kept until somebody restores it; whoever may restore it still sees it.
SEE_RESTORE = actions(SEE, RESTORE)
DELETED_DESTINATION = AccessTable(
    document=DOCUMENT,
    page="ownership-and-availability#deleted-destination",
    name="Deleted destination",
    actions=(SEE, RESTORE),
    columns=USE_COLUMNS,
    unlisted=project_admin(SEE_RESTORE, SEE_RESTORE, SEE_RESTORE, SEE_RESTORE),
    rows=(
        Row("Owner (any role)", OWNER.yes & ANY_ROLE, (SEE_RESTORE, SEE_RESTORE, SEE_RESTORE, SEE_RESTORE)),
        Row("Non-owner Technical User", OWNER.no & TECHNICAL, (NOTHING, NOTHING, SEE_RESTORE, SEE_RESTORE)),
        Row("Non-owner Business User", OWNER.no & BUSINESS, (NOTHING, NOTHING, NOTHING, NOTHING)),
    ),
)

"""Data Mart access. Read it beside docs/access/ownership-and-availability.md#data-mart: same rows, columns, order."""

from bailiwick.access.facts import Fact, Side
from bailiwick.access.shapes import NOTHING, AccessTable, Row, actions
from bailiwick.access.tables.ownership.facts import (
    BUSINESS_OWNER,
    CONFIGURE_AVAILABILITY,
    DELETE,
    DOCUMENT,
    EDIT,
    MANAGE_OWNERS,
    MANAGE_TRIGGERS,
    REPORTING_COLUMNS,
    SEE,
    SEE_USE,
    TECHNICAL_OWNER,
    USE,
    WHO_SWITCHES,
    project_admin,
)
from bailiwick.access.tables.standing import ANY_ROLE, BUSINESS, TECHNICAL

ACTIONS = (SEE, USE, EDIT, DELETE, CONFIGURE_AVAILABILITY, MANAGE_OWNERS, MANAGE_TRIGGERS)
ALL = actions(*ACTIONS)
MAINTAIN = SEE_USE | actions(EDIT, DELETE, MANAGE_TRIGGERS)

NON_OWNER = TECHNICAL_OWNER.no & BUSINESS_OWNER.no
OWNERSHIP_ADDS = Fact("ownership adds to availability", Side.RESOURCE, given_by=WHO_SWITCHES)

DATA_MART = AccessTable(
    document=DOCUMENT,
    page="ownership-and-availability#data-mart",
    name="Data Mart",
    actions=ACTIONS,
    columns=REPORTING_COLUMNS,
    unlisted=project_admin(ALL, ALL, ALL, ALL),
    rows=(
        #    Who                                              Not available | for reporting | for maintenance | for both
        Row("Technical Owner (Technical User)", TECHNICAL_OWNER.yes & TECHNICAL, (ALL, ALL, ALL, ALL)),
        Row("Technical Owner (Business User)", TECHNICAL_OWNER.yes & BUSINESS, (SEE_USE, SEE_USE, SEE_USE, SEE_USE)),
        Row("Business Owner (any role)", BUSINESS_OWNER.yes & ANY_ROLE, (SEE_USE, SEE_USE, SEE_USE, SEE_USE)),
        Row("Non-owner Technical User", NON_OWNER & TECHNICAL, (NOTHING, SEE_USE, MAINTAIN, MAINTAIN)),
        Row("Non-owner Business User", NON_OWNER & BUSINESS, (NOTHING, SEE_USE, NOTHING, SEE_USE)),
    ),
)

# The project setting of the same name lets a Business Owner stand on the Technical User's row as well.
OWNERSHIP_ADDS_TO_AVAILABILITY = AccessTable(
    document=DOCUMENT,
    page="ownership-and-availability#ownership-adds-to-availability",
    name="Ownership adds to availability",
    actions=ACTIONS,
    columns=REPORTING_COLUMNS,
    rows=(
        Row(
            "Business Owner who is a Technical User",
            OWNERSHIP_ADDS.yes & BUSINESS_OWNER.yes & TECHNICAL,
            (NOTHING, SEE_USE, MAINTAIN, MAINTAIN),
        ),
    ),
)

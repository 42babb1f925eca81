"""Data Mart Trigger access. Read it beside docs/access/ownership-and-availability.md#data-mart-trigger."""

from bailiwick.access.shapes import NOTHING, AccessTable, Column, Row, actions
from bailiwick.access.tables.ownership.data_mart import NON_OWNER, OWNERSHIP_ADDS
from bailiwick.access.tables.ownership.facts import (
    BUSINESS_OWNER,
    DOCUMENT,
    FOR_MAINTENANCE,
    FOR_REPORTING,
    SEE,
    TECHNICAL_OWNER,
    project_admin,
)
from bailiwick.access.tables.standing import ANY_ROLE, BUSINESS, TECHNICAL

MANAGE = "Manage"
CAN_SEE, CAN_MANAGE = actions(SEE), actions(MANAGE)
COLUMNS = (Column("Can see"), Column("Can manage (create, edit, delete)"))

DATA_MART_TRIGGER = AccessTable(
    document=DOCUMENT,
    page="ownership-and-availability#data-mart-trigger",
    name="Data Mart Trigger",
    actions=(SEE, MANAGE),
    columns=COLUMNS,
    unlisted=project_admin(CAN_SEE, CAN_MANAGE),
    rows=(
        Row("Technical Owner (Technical User)", TECHNICAL_OWNER.yes & TECHNICAL, (CAN_SEE, CAN_MANAGE)),
        Row("Technical Owner (Business User)", TECHNICAL_OWNER.yes & BUSINESS, (CAN_SEE, NOTHING)),
        Row("Business Owner of parent Data Mart", BUSINESS_OWNER.yes & ANY_ROLE, (CAN_SEE, NOTHING)),
        Row(
            "Non-owner Technical User (DM available for maintenance)",
            NON_OWNER & TECHNICAL & FOR_MAINTENANCE.yes,
            (CAN_SEE, CAN_MANAGE),
        ),
        Row(
            "Non-owner Technical User (DM available for reporting only)",
            NON_OWNER & TECHNICAL & FOR_REPORTING.yes & FOR_MAINTENANCE.no,
            (CAN_SEE, NOTHING),
        ),
        Row("Non-owner Business User (DM visible)", NON_OWNER & BUSINESS & FOR_REPORTING.yes, (CAN_SEE, NOTHING)),
    ),
)

OWNERSHIP_ADDS_TO_TRIGGERS = AccessTable(
    document=DOCUMENT,
    page="ownership-and-availability#ownership-adds-to-availability",
    name="Ownership adds to availability (triggers)",
    actions=(SEE, MANAGE),
    columns=COLUMNS,
    rows=(
        Row(
            "Business Owner who is a Technical User (DM available for maintenance)",
            OWNERSHIP_ADDS.yes & BUSINESS_OWNER.yes & TECHNICAL & FOR_MAINTENANCE.yes,
            (CAN_SEE, CAN_MANAGE),
        ),
    ),
)

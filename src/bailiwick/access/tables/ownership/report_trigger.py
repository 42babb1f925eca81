"""Report Trigger access. Read it beside docs/access/ownership-and-availability.md#report-trigger."""

from bailiwick.access.shapes import NOTHING, AccessTable, Row
from bailiwick.access.tables.ownership.data_mart_trigger import CAN_MANAGE, CAN_SEE, COLUMNS, MANAGE
from bailiwick.access.tables.ownership.facts import DOCUMENT, SEE, project_admin
from bailiwick.access.tables.ownership.report import (
    CONTROLS_ALL,
    DESTINATION_EXISTS,
    MAINTAINS_DATA_MART,
    ON_DATA_MART,
    REPORT_OWNER,
    SEES_DATA_MART,
)
from bailiwick.access.tables.standing import ANY_ROLE, TECHNICAL

REPORT_TRIGGER = AccessTable(
    document=DOCUMENT,
    page="ownership-and-availability#report-trigger",
    name="Report Trigger",
    actions=(SEE, MANAGE),
    columns=COLUMNS,
    unlisted=project_admin(CAN_SEE, CAN_MANAGE),
    rows=(
        Row("Has Data Mart maintenance access", MAINTAINS_DATA_MART & TECHNICAL, (CAN_SEE, CAN_MANAGE)),
        Row(
            "Report Owner (Destination exists)",
            REPORT_OWNER.yes & DESTINATION_EXISTS.yes & ANY_ROLE,
            (CAN_SEE, CAN_MANAGE),
        ),
        Row(
            "Report Owner (Destination deleted)",
            REPORT_OWNER.yes & DESTINATION_EXISTS.no & ANY_ROLE,
            (CAN_SEE, NOTHING),
        ),
        Row(
            "Non-owner (DM visible)",
            REPORT_OWNER.no & ON_DATA_MART.is_("sees it") & ANY_ROLE,
            (CAN_SEE, NOTHING),
        ),
    ),
)

TECHNICAL_USERS_CONTROL_ALL_REPORT_TRIGGERS = AccessTable(
    document=DOCUMENT,
    page="ownership-and-availability#technical-users-control-all-reports",
    name="Technical Users control all reports (triggers)",
    actions=(SEE, MANAGE),
    columns=COLUMNS,
    rows=(
        Row(
            "Technical User who sees the data mart",
            CONTROLS_ALL.yes & TECHNICAL & SEES_DATA_MART,
            (CAN_SEE, CAN_MANAGE),
        ),
        Row(
            "Technical User who owns the report", CONTROLS_ALL.yes & TECHNICAL & REPORT_OWNER.yes, (CAN_SEE, CAN_MANAGE)
        ),
    ),
)

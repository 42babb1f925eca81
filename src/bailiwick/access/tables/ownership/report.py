"""Report access. Read it beside docs/access/ownership-and-availability.md#report: same rows, columns, order."""

from bailiwick.access.facts import Fact, Side
from bailiwick.access.shapes import NOTHING, AccessTable, Column, Row, actions
from bailiwick.access.tables.ownership.facts import (
    BUSINESS_OWNER,
    DELETE,
    DOCUMENT,
    EDIT,
    MANAGE_OWNERS,
    MANAGE_TRIGGERS,
    RUN,
    SEE,
    WHO_CONFIGURES,
    WHO_MANAGES_OWNERS,
    WHO_SWITCHES,
    project_admin,
)
from bailiwick.access.tables.standing import ANY_ROLE, TECHNICAL

CONTROL = (EDIT, DELETE, RUN, MANAGE_OWNERS, MANAGE_TRIGGERS)
CAN_SEE, CAN_CONTROL = actions(SEE), actions(*CONTROL)
COLUMNS = (Column("Can see"), Column("Can edit, delete, or run"))

# What the parent data mart's own table gives: nothing, See, or what its maintainers have.
ON_DATA_MART = Fact(
    "access to the data mart",
    Side.PAIR,
    ("none", "sees it", "maintains it"),
    given_by=f"of the data mart, {WHO_CONFIGURES}, and {WHO_MANAGES_OWNERS}",
)
REPORT_OWNER = Fact("Report Owner", Side.PAIR, given_by="whoever may Manage Owners of the report")
DESTINATION_EXISTS = Fact("destination exists", Side.RESOURCE, given_by="whoever may restore the destination")
CONTROLS_ALL = Fact("Technical Users control all reports", Side.RESOURCE, given_by=WHO_SWITCHES)

SEES_DATA_MART = ON_DATA_MART.at_least("sees it")
MAINTAINS_DATA_MART = ON_DATA_MART.is_("maintains it")

REPORT = AccessTable(
    document=DOCUMENT,
    page="ownership-and-availability#report",
    name="Report",
    actions=(SEE, *CONTROL),
    columns=COLUMNS,
    unlisted=project_admin(CAN_SEE, CAN_CONTROL),
    rows=(
        Row("Has Data Mart maintenance access", MAINTAINS_DATA_MART & TECHNICAL, (CAN_SEE, CAN_CONTROL)),
        Row(
            "Report Owner (Destination exists)",
            REPORT_OWNER.yes & DESTINATION_EXISTS.yes & ANY_ROLE,
            (CAN_SEE, CAN_CONTROL),
        ),
        Row(
            "Report Owner (Destination deleted)",
            REPORT_OWNER.yes & DESTINATION_EXISTS.no & ANY_ROLE,
            (CAN_SEE, NOTHING),
        ),
        Row("Business Owner of parent Data Mart", BUSINESS_OWNER.yes & ANY_ROLE, (CAN_SEE, NOTHING)),
        Row(
            "Non-owner without DM maintenance access",
            REPORT_OWNER.no & BUSINESS_OWNER.no & ON_DATA_MART.is_("sees it") & ANY_ROLE,
            (CAN_SEE, NOTHING),
        ),
    ),
)

# The project setting of the same name puts Technical Users on the first row for every report they see.
TECHNICAL_USERS_CONTROL_ALL_REPORTS = AccessTable(
    document=DOCUMENT,
    page="ownership-and-availability#technical-users-control-all-reports",
    name="Technical Users control all reports",
    actions=(SEE, *CONTROL),
    columns=COLUMNS,
    rows=(
        Row(
            "Technical User who sees the data mart",
            CONTROLS_ALL.yes & TECHNICAL & SEES_DATA_MART,
            (CAN_SEE, CAN_CONTROL),
        ),
        Row(
            "Technical User who owns the report",
            CONTROLS_ALL.yes & TECHNICAL & REPORT_OWNER.yes,
            (CAN_SEE, CAN_CONTROL),
        ),
    ),
)

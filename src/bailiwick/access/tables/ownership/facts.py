"""What ownership and availability depend on, and the words the tables are written in."""

from bailiwick.access.facts import ALWAYS, Fact, Side
from bailiwick.access.shapes import Actions, Column, Row, actions
from bailiwick.access.tables.standing import ADMIN

DOCUMENT = "access rights"

WHO_CONFIGURES = "whoever may Configure Availability: its owners in full control; Project Admins"
WHO_MANAGES_OWNERS = "whoever may Manage Owners: its owners in full control; Project Admins"
WHO_SWITCHES = "Project Admins"

OWNER = Fact("owner", Side.PAIR, given_by=WHO_MANAGES_OWNERS)
TECHNICAL_OWNER = Fact("Technical Owner", Side.PAIR, given_by=WHO_MANAGES_OWNERS)
BUSINESS_OWNER = Fact("Business Owner", Side.PAIR, given_by=WHO_MANAGES_OWNERS)

FOR_USE = Fact("available for use", Side.RESOURCE, given_by=WHO_CONFIGURES)
FOR_REPORTING = Fact("available for reporting", Side.RESOURCE, given_by=WHO_CONFIGURES)
FOR_MAINTENANCE = Fact("available for maintenance", Side.RESOURCE, given_by=WHO_CONFIGURES)

SEE, USE, EDIT, DELETE = "See", "Use", "Edit", "Delete"
COPY_CREDENTIALS = "Copy Credentials"
CONFIGURE_AVAILABILITY, MANAGE_OWNERS, MANAGE_TRIGGERS = "Configure Availability", "Manage Owners", "Manage Triggers"
RUN, RESTORE = "Run", "Restore"

SEE_USE = actions(SEE, USE)
USE_COLUMNS = (
    Column("Not available", FOR_USE.no & FOR_MAINTENANCE.no),
    Column("Available for use", FOR_USE.yes & FOR_MAINTENANCE.no),
    Column("Available for maintenance", FOR_USE.no & FOR_MAINTENANCE.yes),
    Column("Available for both", FOR_USE.yes & FOR_MAINTENANCE.yes),
)
REPORTING_COLUMNS = (
    Column("Not available", FOR_REPORTING.no & FOR_MAINTENANCE.no),
    Column("Available for reporting", FOR_REPORTING.yes & FOR_MAINTENANCE.no),
    Column("Available for maintenance", FOR_REPORTING.no & FOR_MAINTENANCE.yes),
    Column("Available for both", FOR_REPORTING.yes & FOR_MAINTENANCE.yes),
)


def project_admin(*cells: Actions) -> tuple[Row, ...]:
    """The row every table of this document has without listing it."""
    return (Row("Project Admin", ALWAYS & ADMIN, cells),)

"""Space roles, security roles, and the columns the tables of this document share."""

from bailiwick.access.facts import Fact, Side
from bailiwick.access.shapes import Column, flags
from bailiwick.access.tables.standing import OWNERS_AND_ADMINS

DOCUMENT = "spaces"
Y, _ = True, False

WHO_ADDS_MEMBERS = "the space's owner; members with Can manage; tenant admins and data admins"
IS_OWNER = Fact("owner of the space", Side.PAIR, given_by="tenant admins and data admins")
SPACE_ROLES = {
    name: Fact(name, Side.PAIR, given_by=WHO_ADDS_MEMBERS)
    for name in ("Can view", "Can view data", "Can consume data", "Can manage", "Can operate", "Can edit")
}
TENANT_ADMIN = Fact("tenant admin", Side.MEMBER, given_by=OWNERS_AND_ADMINS)
DATA_ADMIN = Fact("data admin", Side.MEMBER, given_by=OWNERS_AND_ADMINS)
DATA_SPACE_CREATOR = Fact("data space creator", Side.MEMBER, given_by=OWNERS_AND_ADMINS)
CONNECTION_OWNER = Fact("owner of the connection", Side.PAIR, given_by="tenant admins and data admins")

# Can view data has no column in the document; docs/access/spaces.md#can-view-data says what it has.
MEMBER_COLUMNS = (
    Column("Is owner", IS_OWNER.yes),
    *flags({name: fact for name, fact in SPACE_ROLES.items() if name != "Can view data"}),
)
VIEW_DATA_COLUMNS = (Column("Is owner", IS_OWNER.yes), Column("Can view data", SPACE_ROLES["Can view data"].yes))
SECURITY_COLUMNS = (Column("Tenant admin", TENANT_ADMIN.yes), Column("Data admin", DATA_ADMIN.yes))

"""What a member may do with a group. Read it beside docs/access/tenant.md#groups: same rows, columns, order."""

from bailiwick.access.facts import Fact, Side
from bailiwick.access.shapes import AccessTable, Column, Row, actions
from bailiwick.access.tables.standing import OWNERS_AND_ADMINS, TENANT_ROLE
from bailiwick.access.tables.tenant import DOCUMENT

SEE, SEE_MEMBERS, EDIT, DELETE = "See", "See who is in it", "Edit", "Delete"
ACTIONS = (SEE, SEE_MEMBERS, EDIT, DELETE)

IS_ALL = Fact("the group All", Side.RESOURCE)
IN_IT = Fact("in the group", Side.PAIR, given_by=OWNERS_AND_ADMINS)

NAME = actions(SEE)
LOOK = actions(SEE, SEE_MEMBERS)
ALL = actions(*ACTIONS)

GROUP = AccessTable(
    document=DOCUMENT,
    page="tenant#groups",
    name="Groups",
    actions=ACTIONS,
    columns=(Column("The group All", IS_ALL.yes), Column("Any other group", IS_ALL.no)),
    rows=(
        #    Who                                                              All | any other
        Row("Tenant owner or admin", TENANT_ROLE.is_("owner", "admin"), (LOOK, ALL)),
        Row("Member of the group", IN_IT.yes & TENANT_ROLE.is_("none", "viewer", "editor"), (NAME, LOOK)),
        Row("Anybody else", IN_IT.no & TENANT_ROLE.is_("none", "viewer", "editor"), (NAME, NAME)),
    ),
)

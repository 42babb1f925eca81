"""What one member may do with another. Read it beside docs/access/tenant.md#members: same rows, columns, order."""

from bailiwick.access.facts import Fact, Side
from bailiwick.access.shapes import NOTHING, AccessTable, Column, Row, actions
from bailiwick.access.tables.standing import TENANT_ROLE
from bailiwick.access.tables.tenant import DOCUMENT

SEE, EDIT_PROFILE = "See", "Edit profile"
CHANGE_TENANT_ROLE, GRANT_SECURITY_ROLES = "Change tenant role", "Grant security roles"
CONFIRM, SUSPEND, REMOVE = "Confirm", "Suspend", "Remove"
RESET_PASSWORD, MAKE_LINK, SEE_LINK = "Reset password", "Make a magic link", "See the link"
ASK, VIEW_AS = "Ask about their access", "View as"
ACTIONS = (
    *(SEE, EDIT_PROFILE, CHANGE_TENANT_ROLE, GRANT_SECURITY_ROLES, CONFIRM, SUSPEND, REMOVE),
    *(RESET_PASSWORD, MAKE_LINK, SEE_LINK, ASK, VIEW_AS),
)

ONESELF = Fact("oneself", Side.PAIR)
WITHIN = Fact("their roles lie within mine", Side.PAIR)
IN_MY_PROJECT = Fact("member of a project I am Admin of", Side.PAIR)
SHARES_PROJECT = Fact("shares a project with me", Side.PAIR)

SEE_ONLY = actions(SEE)
FOR_ONESELF = actions(SEE, EDIT_PROFILE, ASK)
OF_OTHERS = actions(*ACTIONS) - actions(EDIT_PROFILE)
LINKS = actions(SEE, RESET_PASSWORD, MAKE_LINK)
LOOK = actions(SEE, ASK)
GRANT = actions(GRANT_SECURITY_ROLES)  # to whomever: security roles give nothing that owners and admins do not have

MEMBER = AccessTable(
    document=DOCUMENT,
    page="tenant#members",
    name="Members",
    actions=ACTIONS,
    columns=(
        Column("Oneself", ONESELF.yes),
        Column("Somebody whose roles lie within mine", ONESELF.no & WITHIN.yes),
        Column("Somebody with a higher role", ONESELF.no & WITHIN.no),
    ),
    rows=(
        #    Who                                            Oneself | within | higher
        Row("Tenant owner", TENANT_ROLE.is_("owner"), (FOR_ONESELF | GRANT, OF_OTHERS, LOOK | GRANT)),
        Row("Tenant admin", TENANT_ROLE.is_("admin"), (FOR_ONESELF | GRANT, OF_OTHERS, LOOK | GRANT)),
        Row("Admin of a project they are in", IN_MY_PROJECT.yes, (FOR_ONESELF, LINKS, SEE_ONLY)),
        Row("Shares a project with them", SHARES_PROJECT.yes, (FOR_ONESELF, SEE_ONLY, SEE_ONLY)),
        Row("Anybody else", ONESELF.is_("no", "yes"), (FOR_ONESELF, NOTHING, NOTHING)),
    ),
)

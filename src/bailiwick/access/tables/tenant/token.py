"""What an API token can do of its maker's rights. Read it beside docs/access/tenant.md#api-tokens."""

from bailiwick.access.facts import Fact, Side
from bailiwick.access.shapes import AccessTable, Column, Row, actions
from bailiwick.access.tables.tenant import DOCUMENT

READ, CHANGE, READ_TABLES, CHANGE_TABLES = "Read", "Change", "Read its tables", "Change its tables"
ACTIONS = (READ, CHANGE, READ_TABLES, CHANGE_TABLES)

READ_ONLY = Fact("token is read-only", Side.MEMBER, given_by="its maker, with a new token")
CHOSEN_TABLES = Fact("token is for chosen tables", Side.MEMBER, given_by="its maker, with a new token")

TOKEN = AccessTable(
    document=DOCUMENT,
    page="tenant#api-tokens",
    name="API tokens",
    actions=ACTIONS,
    columns=(Column("Everything", CHOSEN_TABLES.no), Column("Chosen tables", CHOSEN_TABLES.yes)),
    rows=(
        #    Token                             Everything | Chosen tables
        Row("Full", READ_ONLY.no, (actions(*ACTIONS), actions(READ_TABLES, CHANGE_TABLES))),
        Row("Read-only", READ_ONLY.yes, (actions(READ, READ_TABLES), actions(READ_TABLES))),
    ),
)

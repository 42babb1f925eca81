"""What an API token can do of its maker's rights. Read it beside docs/access/tenant.md#api-tokens."""

from bailiwick.access.facts import Fact, Side
from bailiwick.access.shapes import AccessTable, Column, Row, actions
from bailiwick.access.tables.tenant import DOCUMENT

READ, CHANGE, READ_TABLES, CHANGE_TABLES = "Read", "Change", "Read its tables", "Change its tables"
ACTIONS = (READ, CHANGE, READ_TABLES, CHANGE_TABLES)

MAY_CHANGE = Fact("token may change things", Side.MEMBER, given_by="its maker, with another token")
REACHES_ALL = Fact("token reaches beyond chosen tables", Side.MEMBER, given_by="its maker, with another token")

TOKEN = AccessTable(
    document=DOCUMENT,
    page="tenant#api-tokens",
    name="API tokens",
    actions=ACTIONS,
    columns=(Column("Everything", REACHES_ALL.yes), Column("Chosen tables", REACHES_ALL.no)),
    rows=(
        #    Token                             Everything | Chosen tables
        Row("Full", MAY_CHANGE.yes, (actions(*ACTIONS), actions(READ_TABLES, CHANGE_TABLES))),
        Row("Read-only", MAY_CHANGE.no, (actions(READ, READ_TABLES), actions(READ_TABLES))),
    ),
)

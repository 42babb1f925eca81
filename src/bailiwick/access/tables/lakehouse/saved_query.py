"""Saved queries of oneself and of others. Read it beside docs/access/lakehouse.md#saved-queries."""

from bailiwick.access.facts import Fact, Side
from bailiwick.access.shapes import NOTHING, AccessTable, Column, Row, actions
from bailiwick.access.tables.lakehouse.levels import ADMIN, DOCUMENT, EDITOR, LEVEL, MANAGER, OWNER, STANDING, VIEWER

SEE, EXECUTE, EDIT, DELETE = "See", "Execute", "Edit", "Delete"
ACTIONS = (SEE, EXECUTE, EDIT, DELETE)
ALL, READ, READ_DELETE = actions(*ACTIONS), actions(SEE, EXECUTE), actions(SEE, EXECUTE, DELETE)

AUTHOR = Fact("its author", Side.PAIR)
SHARED = Fact("shared", Side.RESOURCE, given_by="the query's author")
MEMBER = STANDING.is_("Member")

SAVED_QUERY = AccessTable(
    document=DOCUMENT,
    page="lakehouse#saved-queries",
    name="Saved queries",
    actions=ACTIONS,
    columns=(
        Column("none", LEVEL.is_("none") & MEMBER),
        Column(VIEWER, LEVEL.is_(VIEWER) & MEMBER),
        Column(EDITOR, LEVEL.is_(EDITOR) & MEMBER),
        Column(MANAGER, LEVEL.is_(MANAGER) & MEMBER),
        Column(ADMIN, STANDING.is_(ADMIN)),
        Column(OWNER, STANDING.is_(OWNER)),
    ),
    rows=(
        #    Who                                          none | Viewer | Editor | Manager | Admin | Owner
        Row("Its author", AUTHOR.yes, (NOTHING, ALL, ALL, ALL, ALL, ALL)),
        Row(
            "Others, when shared",
            AUTHOR.no & SHARED.yes,
            (NOTHING, READ, READ_DELETE, READ_DELETE, READ_DELETE, READ_DELETE),
        ),
        Row(
            "Others, when not shared",
            AUTHOR.no & SHARED.no,
            (NOTHING, NOTHING, NOTHING, NOTHING, READ_DELETE, READ_DELETE),
        ),
    ),
)

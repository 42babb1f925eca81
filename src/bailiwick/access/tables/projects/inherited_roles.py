"""Project roles inherited from the tenant role. Read it beside docs/access/projects.md#inherited-project-roles."""

from bailiwick.access.shapes import NOTHING, AccessTable, Column, Row, actions
from bailiwick.access.tables.projects import DOCUMENT
from bailiwick.access.tables.standing import TENANT_ROLE

ADMIN, TECHNICAL, BUSINESS = actions("Admin"), actions("Technical User"), actions("Business User")

INHERITED_PROJECT_ROLES = AccessTable(
    document=DOCUMENT,
    page="projects#inherited-project-roles",
    name="Project roles inherited from tenant role",
    actions=("Admin", "Technical User", "Business User"),
    columns=(Column("Admin"), Column("Technical User"), Column("Business User")),
    rows=(
        #    Tenant role                        Admin    Technical  Business
        Row("owner", TENANT_ROLE.is_("owner"), (ADMIN, TECHNICAL, BUSINESS)),
        Row("admin", TENANT_ROLE.is_("admin"), (ADMIN, TECHNICAL, BUSINESS)),
        Row("editor", TENANT_ROLE.is_("editor"), (NOTHING, TECHNICAL, BUSINESS)),
        Row("viewer", TENANT_ROLE.is_("viewer"), (NOTHING, NOTHING, BUSINESS)),
        Row("none", TENANT_ROLE.is_("none"), (NOTHING, NOTHING, NOTHING)),
    ),
)

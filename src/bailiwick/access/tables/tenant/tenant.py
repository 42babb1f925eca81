"""What each tenant role can do. Read it beside docs/access/tenant.md#tenant-roles: same rows, columns, order."""

from bailiwick.access.shapes import RoleMatrix, values
from bailiwick.access.tables.standing import TENANT_ROLE
from bailiwick.access.tables.tenant import DOCUMENT

Y, _ = True, False

TENANT = RoleMatrix(
    document=DOCUMENT,
    page="tenant#tenant-roles",
    name="Tenant roles",
    columns=values(TENANT_ROLE, ("owner", "admin", "editor", "viewer", "none")),
    rows={
        #                                      owner admin editor viewer none
        "See members": (Y, Y, _, _, _),
        "See settings": (Y, Y, _, _, _),
        "Change settings": (Y, Y, _, _, _),
        "Add members": (Y, Y, _, _, _),
        "Confirm newcomers": (Y, Y, _, _, _),
        "Grant tenant roles": (Y, Y, _, _, _),
        "Make and unmake owners": (Y, _, _, _, _),
        "Grant security roles": (Y, Y, _, _, _),
        "See groups": (Y, Y, Y, Y, Y),
        "Create groups": (Y, Y, _, _, _),
        "Create projects": (Y, Y, _, _, _),
        "Grant and remove project roles": (Y, Y, _, _, _),
        "Ask about anybody's access": (Y, Y, _, _, _),
        "View as another member": (Y, Y, _, _, _),
        "See every audit entry": (Y, Y, _, _, _),
        "Delete runs": (Y, Y, _, _, _),
        "Manage billing": (Y, _, _, _, _),
    },
)

"""Facts about a member that several documents ask for: tenant role, security roles, project role."""

from bailiwick.access.facts import Fact, Side

TENANT_ROLES = ("none", "viewer", "editor", "admin", "owner")
PROJECT_ROLES = ("none", "Business User", "Technical User", "Admin")

OWNERS_AND_ADMINS = "tenant owners and admins"

TENANT_ROLE = Fact("tenant role", Side.MEMBER, TENANT_ROLES, given_by=f"{OWNERS_AND_ADMINS} (owner: by owners only)")
PROJECT_ROLE = Fact("project role", Side.MEMBER, PROJECT_ROLES, given_by=f"Project Admins; {OWNERS_AND_ADMINS}")

ADMIN = PROJECT_ROLE.is_("Admin")
TECHNICAL = PROJECT_ROLE.is_("Technical User")
BUSINESS = PROJECT_ROLE.is_("Business User")
ANY_ROLE = PROJECT_ROLE.at_least("Business User")

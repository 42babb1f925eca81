"""From tenant role to project role to data product roles, read off the documents' tables."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.tables.projects.data_product import ROLES as DATA_PRODUCT_ROLES
from bailiwick.access.tables.standing import PROJECT_ROLES, TENANT_ROLES

SECURITY_ROLES = ("data admin", "data space creator")


def highest(roles: Iterable[str], ladder: tuple[str, ...]) -> str:
    return max(roles, key=ladder.index, default=ladder[0])


@cache
def inherited_project_role(tenant_role: str) -> str:
    table = RESOURCE_TYPES["inherited_project_role"]
    return highest(table.allowed_actions(table.pack({"tenant role": tenant_role})), PROJECT_ROLES)


@cache
def inherited_data_product_roles(project_role: str) -> frozenset[str]:
    table = RESOURCE_TYPES["inherited_data_product_role"]
    return frozenset(table.allowed_actions(table.pack({"project role": project_role})))


def is_tenant_admin(tenant_role: str) -> bool:
    """Owners and admins act as tenant admin in spaces and are unrestricted in the lakehouse."""
    return TENANT_ROLES.index(tenant_role) >= TENANT_ROLES.index("admin")


def lakehouse_standing(tenant_role: str) -> str:
    return {"owner": "Owner", "admin": "Admin"}.get(tenant_role, "Member")


__all__ = [
    "DATA_PRODUCT_ROLES",
    "PROJECT_ROLES",
    "SECURITY_ROLES",
    "TENANT_ROLES",
    "highest",
    "inherited_data_product_roles",
    "inherited_project_role",
    "is_tenant_admin",
    "lakehouse_standing",
]

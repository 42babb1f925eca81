"""The people of a world: groups, effective project roles with their origins, and how grants reach members."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from bailiwick.access.roles import highest, inherited_project_role, is_tenant_admin
from bailiwick.access.tables.standing import PROJECT_ROLES, TENANT_ROLES
from bailiwick.access.world.levels import MANAGER, NONE, Levels
from bailiwick.access.world.records import DataProduct, Id, Member, Project, Tenant

ALL = "All"  # the group that always holds everyone


@dataclass(frozen=True)
class Origin:
    """Where a role comes from: the tenant role, a grant, or a group's grant."""

    role: str
    source: str  # "tenant role" | "grant" | "group"
    group: Id | None = None


class World:
    """Members with their groups and roles; resources are placed in it to ask about them."""

    def __init__(
        self,
        members: Iterable[Member],
        tenant: Tenant | None = None,
        projects: Iterable[Project] = (),
        data_products: Iterable[DataProduct] = (),
    ) -> None:
        self.members: dict[Id, Member] = {member.id: member for member in members if member.active}
        self.tenant = tenant or Tenant()
        self.projects: dict[Id, Project] = {project.id: project for project in projects}
        self.data_products: dict[Id, DataProduct] = {product.id: product for product in data_products}
        self._roles: dict[Id, dict[Id, str]] = {}
        self._once: dict[tuple[Id, ...], Mapping[Id, int]] = {}

    def once(self, key: tuple[Id, ...], work_out: Callable[[], Mapping[Id, int]]) -> Mapping[Id, int]:
        """What many resources share about everybody, worked out for the first of them only."""
        if key not in self._once:
            self._once[key] = work_out()
        return self._once[key]

    @cached_property
    def groups(self) -> Mapping[Id, frozenset[Id]]:
        """Who is in each group; All is not listed, it holds everyone."""
        found: dict[Id, set[Id]] = defaultdict(set)
        for member in self.members.values():
            for group in member.groups:
                found[group].add(member.id)
        return {group: frozenset(members) for group, members in found.items()}

    def held_by(self, holder: Id) -> Iterable[Id]:
        """The members a grant to this holder reaches."""
        if holder == ALL:
            return self.members
        if holder in self.members:
            return (holder,)
        return self.groups.get(holder, frozenset())

    def holders(self, member: Member) -> tuple[Id, ...]:
        return (member.id, *member.groups, ALL)

    # Project roles -----------------------------------------------------------------------------------------------

    def role_origins(self, member: Member, project: Project) -> tuple[Origin, ...]:
        """Every source of a role in this project, highest first."""
        found = [Origin(inherited_project_role(member.tenant_role), "tenant role")]
        found += [
            Origin(
                project.grants[holder],
                "grant" if holder == member.id else "group",
                holder if holder != member.id else None,
            )
            for holder in self.holders(member)
            if holder in project.grants
        ]
        found = [origin for origin in found if origin.role != "none"]
        return tuple(sorted(found, key=lambda origin: -PROJECT_ROLES.index(origin.role)))

    def project_roles(self, project: Project) -> Mapping[Id, str]:
        """The effective role of everybody who has one: inherited, granted, or through a group, whichever is highest."""
        known = self._roles.get(project.id)
        if known is None:
            known = {
                m.id: role for m in self.members.values() if (role := inherited_project_role(m.tenant_role)) != "none"
            }
            for holder, granted in project.grants.items():
                for member in self.held_by(holder):
                    known[member] = highest((granted, known.get(member, "none")), PROJECT_ROLES)
            self._roles[project.id] = known
        return known

    def with_data_product_roles(self, project: Project) -> frozenset[Id]:
        """Members with a role of their own on one of the project's data products: they see the project's name."""
        products = (product for product in self.data_products.values() if product.project.id == project.id)
        holders = (holder for product in products for holder, roles in product.grants.items() if roles)
        return frozenset(member for holder in holders for member in self.held_by(holder))

    def roles_lie_within(self, target: Member, maker: Member) -> bool:
        """Whether entering as `target` gives `maker` no tenant, security or project role they do not have."""
        if TENANT_ROLES.index(target.tenant_role) > TENANT_ROLES.index(maker.tenant_role):
            return False
        if not is_tenant_admin(maker.tenant_role) and not target.security_roles <= maker.security_roles:
            return False
        for project in self.projects.values():
            roles = self.project_roles(project)
            if PROJECT_ROLES.index(roles.get(target.id, "none")) > PROJECT_ROLES.index(roles.get(maker.id, "none")):
                return False
        return True

    # Levels ------------------------------------------------------------------------------------------------------

    def spread(self, grants: Mapping[Id, int]) -> Levels:
        """Grants to members and groups as a level for each member; on Starter everybody manages everything."""
        if self.tenant.plan == "starter":
            return Levels(MANAGER, {})
        everybody = grants.get(ALL, NONE)
        of: dict[Id, int] = {}
        for holder, level in grants.items():
            if holder != ALL:
                for member in self.held_by(holder):
                    of[member] = max(level, everybody, of.get(member, NONE))
        return Levels(everybody, of)

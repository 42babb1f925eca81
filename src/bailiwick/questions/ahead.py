"""What would be different: the changes of a what-if, gathered, and applied to people, projects and levels on data."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from uuid import UUID

from bailiwick.access.world import records
from bailiwick.lakehouse.models import Layer
from bailiwick.lakehouse.standing import AS_IT_IS, Supposed
from bailiwick.lakehouse.targets import Target, layer_of
from bailiwick.tenancy.caller import holder


@dataclass
class Ahead:
    """The changes gathered, as what differs from now."""

    tenant: records.Tenant
    tenant_roles: dict[UUID, str] = field(default_factory=dict)
    security_roles: dict[UUID, frozenset[str]] = field(default_factory=dict)
    in_group: dict[tuple[UUID, UUID], bool] = field(default_factory=dict)  # (group, member)
    grants: dict[tuple[UUID, str], str | None] = field(default_factory=dict)  # (project, holder)
    switches: dict[tuple[UUID, str], bool] = field(default_factory=dict)  # (project, name)
    levels: dict[tuple[UUID, str], tuple[Target, str | None]] = field(default_factory=dict)  # (target, holder)
    given: set[UUID] = field(default_factory=set)  # grants of levels that are there and would not be so any more
    touched: set[UUID] = field(default_factory=set)  # members
    touched_groups: set[UUID] = field(default_factory=set)
    everybody: bool = False
    base: Supposed = AS_IT_IS  # levels as they are now, as far as whoever asks knows of them

    def person(self, now: records.Member) -> records.Member:
        id_ = UUID(now.id)
        groups = set(now.groups)
        for (group, member), inside in self.in_group.items():
            if member == id_:
                (groups.add if inside else groups.discard)(holder(group))
        return replace(
            now,
            tenant_role=self.tenant_roles.get(id_, now.tenant_role),
            security_roles=self.security_roles.get(id_, now.security_roles),
            groups=frozenset(groups),
        )

    @property
    def supposed(self) -> Supposed:
        """Levels on data as they would be."""
        put_in = tuple(
            (layer_of(target), None if isinstance(target, Layer) else target.id, who, level)
            for (_, who), (target, level) in self.levels.items()
            if level is not None
        )
        return replace(self.base, left_out=frozenset(self.given), put_in=put_in)

    def project(self, now: records.Project) -> records.Project:
        grants = dict(now.grants)
        for (project, who), role in self.grants.items():
            if str(project) == now.id:
                grants.pop(who, None)
                if role is not None:
                    grants[who] = role
        then = replace(now, grants=grants)
        for (project, name), on in self.switches.items():
            if str(project) == now.id:
                then = replace(then, **{name: on})  # type: ignore[arg-type]
        return then

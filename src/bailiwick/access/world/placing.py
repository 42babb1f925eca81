"""Placing a resource in a world: the facts of everybody towards it, packed for its table."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bailiwick.access.compiled import ResourceType
from bailiwick.access.decision import Decision
from bailiwick.access.facts import Fact
from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.roles import inherited_data_product_roles, is_tenant_admin, lakehouse_standing
from bailiwick.access.tables.lakehouse.levels import LEVEL, STANDING
from bailiwick.access.tables.lakehouse.saved_query import AUTHOR, SHARED
from bailiwick.access.tables.ownership.data_mart import OWNERSHIP_ADDS
from bailiwick.access.tables.ownership.facts import (
    BUSINESS_OWNER,
    FOR_MAINTENANCE,
    FOR_REPORTING,
    FOR_USE,
    MANAGE_TRIGGERS,
    OWNER,
    SEE,
    TECHNICAL_OWNER,
)
from bailiwick.access.tables.ownership.report import CONTROLS_ALL, DESTINATION_EXISTS, ON_DATA_MART, REPORT_OWNER
from bailiwick.access.tables.projects.data_product import ROLES as DATA_PRODUCT_ROLES
from bailiwick.access.tables.projects.project import HAS_DATA_PRODUCT_ROLE
from bailiwick.access.tables.spaces.facts import (
    CONNECTION_OWNER,
    DATA_ADMIN,
    DATA_SPACE_CREATOR,
    IS_OWNER,
    SPACE_ROLES,
    TENANT_ADMIN,
)
from bailiwick.access.tables.standing import PROJECT_ROLE, PROJECT_ROLES, TENANT_ROLE, TENANT_ROLES
from bailiwick.access.tables.tenant.group import IN_IT, IS_ALL
from bailiwick.access.tables.tenant.member import IN_MY_PROJECT, ONESELF, SHARES_PROJECT, WITHIN
from bailiwick.access.world import levels as level_rules
from bailiwick.access.world import records as r
from bailiwick.access.world.levels import Levels
from bailiwick.access.world.people import World
from bailiwick.access.world.records import Id


@dataclass(frozen=True, slots=True)
class Placed:
    """A resource with the facts of everybody towards it: three numbers that add up to one place in the array."""

    type: ResourceType
    people: Container[Id]  # the active members; nobody else may do anything
    packed: int  # what is the same for everybody
    standing: Mapping[Id, int]  # what the member brings along; nobody listed brings nothing
    towards: Mapping[Id, int]  # what the member is to this resource
    towards_default: int = 0

    def index(self, member: Id) -> int:
        return self.packed + self.standing.get(member, 0) + self.towards.get(member, self.towards_default)

    def check(self, member: Id, action: str) -> Decision:
        if member not in self.people:
            return self.type.to_stranger(action)
        return self.type.check(
            self.packed + self.standing.get(member, 0) + self.towards.get(member, self.towards_default), action
        )

    def mask(self, member: Id) -> int:
        return self.type.masks[self.index(member)] if member in self.people else 0

    def allows(self, member: Id, action: str) -> bool:
        return bool(self.mask(member) & self.type.mask_of((action,)))

    def actions(self, member: Id) -> tuple[str, ...]:
        return self.type.names_of(self.mask(member))


def place(world: World, resource: r.Resource) -> Placed:
    return _PLACES[type(resource)](world, resource)


class _Towards:
    """Collects what members are to a resource, fact by fact."""

    def __init__(self, resource_type: ResourceType) -> None:
        self.type = resource_type
        self.of: dict[Id, int] = {}

    def flag(self, fact: Fact, members: Iterable[Id], value: int = 1) -> _Towards:
        step = self.type.stride[fact] * value
        for member in members:
            self.of[member] = self.of.get(member, 0) + step
        return self


def _packed(resource_type: ResourceType, facts: Mapping[Fact, bool]) -> int:
    return sum(resource_type.stride[fact] for fact, on in facts.items() if on)


# Tenant ----------------------------------------------------------------------------------------------------------


def _tenant_roles(world: World, resource_type: ResourceType) -> Mapping[Id, int]:
    stride = resource_type.stride[TENANT_ROLE]
    return world.once(
        (resource_type.name,),
        lambda: {m.id: stride * TENANT_ROLES.index(m.tenant_role) for m in world.members.values()},
    )


def _tenant(world: World, tenant: r.Tenant) -> Placed:
    resource_type = RESOURCE_TYPES["tenant"]
    return Placed(resource_type, world.members, 0, _tenant_roles(world, resource_type), {})


def _member(world: World, target: r.Member) -> Placed:
    resource_type = RESOURCE_TYPES["member"]
    towards = _Towards(resource_type).flag(ONESELF, [target.id])
    towards.flag(WITHIN, [m.id for m in world.members.values() if world.roles_lie_within(target, m)])
    shares: set[Id] = set()
    administers: set[Id] = set()
    for project in world.projects.values():
        roles = world.project_roles(project)
        if target.id in roles:
            shares |= roles.keys()
            administers |= {member for member, role in roles.items() if role == "Admin"}
    towards.flag(SHARES_PROJECT, shares).flag(IN_MY_PROJECT, administers)
    return Placed(resource_type, world.members, 0, _tenant_roles(world, resource_type), towards.of)


def _group(world: World, group: r.Group) -> Placed:
    resource_type = RESOURCE_TYPES["group"]
    inside = world.members if group.is_all else world.groups.get(group.id, ())
    towards = _Towards(resource_type).flag(IN_IT, inside)
    packed = _packed(resource_type, {IS_ALL: group.is_all})
    return Placed(resource_type, world.members, packed, _tenant_roles(world, resource_type), towards.of)


# Projects --------------------------------------------------------------------------------------------------------


def _project_roles(world: World, resource_type: ResourceType, project: r.Project) -> Mapping[Id, int]:
    stride = resource_type.stride[PROJECT_ROLE]
    return world.once(
        (resource_type.name, project.id),
        lambda: {m: stride * PROJECT_ROLES.index(role) for m, role in world.project_roles(project).items()},
    )


def _project(world: World, project: r.Project) -> Placed:
    resource_type = RESOURCE_TYPES["project"]
    towards = _Towards(resource_type).flag(HAS_DATA_PRODUCT_ROLE, world.with_data_product_roles(project))
    return Placed(resource_type, world.members, 0, _project_roles(world, resource_type, project), towards.of)


def _project_membership(world: World, membership: r.ProjectMembership) -> Placed:
    resource_type = RESOURCE_TYPES["project_membership"]
    return Placed(resource_type, world.members, 0, _project_roles(world, resource_type, membership.project), {})


def _data_product(world: World, product: r.DataProduct) -> Placed:
    """Granted roles and those inherited from the project role, as a set."""
    resource_type = RESOURCE_TYPES["data_product"]
    sets: dict[Id, set[str]] = {
        member: set(inherited_data_product_roles(role)) for member, role in world.project_roles(product.project).items()
    }
    for holder, roles in product.grants.items():
        for member in world.held_by(holder):
            sets.setdefault(member, set()).update(roles)
    towards = _Towards(resource_type)
    for member, roles_of in sets.items():
        for role in roles_of:
            towards.flag(DATA_PRODUCT_ROLES[role], [member])
    return Placed(resource_type, world.members, 0, {}, towards.of)


# Ownership and availability --------------------------------------------------------------------------------------


def _storage(world: World, storage: r.Storage) -> Placed:
    return _owned(world, RESOURCE_TYPES["storage"], storage)


def _destination(world: World, destination: r.Destination) -> Placed:
    return _owned(world, RESOURCE_TYPES["deleted_destination" if destination.deleted else "destination"], destination)


def _owned(world: World, resource_type: ResourceType, owned: r.Storage | r.Destination) -> Placed:
    packed = _packed(
        resource_type, {FOR_USE: owned.available_for_use, FOR_MAINTENANCE: owned.available_for_maintenance}
    )
    towards = _Towards(resource_type).flag(OWNER, owned.owners)
    return Placed(resource_type, world.members, packed, _project_roles(world, resource_type, owned.project), towards.of)


def _data_mart(world: World, mart: r.DataMart) -> Placed:
    return _on_data_mart(world, RESOURCE_TYPES["data_mart"], mart)


def _data_mart_trigger(world: World, trigger: r.DataMartTrigger) -> Placed:
    return _on_data_mart(world, RESOURCE_TYPES["data_mart_trigger"], trigger.data_mart)


def _on_data_mart(world: World, resource_type: ResourceType, mart: r.DataMart) -> Placed:
    packed = _packed(
        resource_type,
        {
            FOR_REPORTING: mart.available_for_reporting,
            FOR_MAINTENANCE: mart.available_for_maintenance,
            OWNERSHIP_ADDS: mart.project.ownership_adds_to_availability,
        },
    )
    towards = _Towards(resource_type)
    towards.flag(TECHNICAL_OWNER, mart.technical_owners).flag(BUSINESS_OWNER, mart.business_owners)
    return Placed(resource_type, world.members, packed, _project_roles(world, resource_type, mart.project), towards.of)


def _report(world: World, report: r.Report) -> Placed:
    resource_type = RESOURCE_TYPES["report"]
    towards = _towards_report(world, resource_type, report).flag(BUSINESS_OWNER, report.data_mart.business_owners)
    return _on_report(world, resource_type, report, towards)


def _report_trigger(world: World, trigger: r.ReportTrigger) -> Placed:
    resource_type = RESOURCE_TYPES["report_trigger"]
    return _on_report(world, resource_type, trigger.report, _towards_report(world, resource_type, trigger.report))


def _towards_report(world: World, resource_type: ResourceType, report: r.Report) -> _Towards:
    mart = _data_mart(world, report.data_mart)
    towards = _Towards(resource_type).flag(REPORT_OWNER, report.owners)
    for member in world.project_roles(report.data_mart.project):
        index = mart.index(member)
        if mart.type.allows(index, MANAGE_TRIGGERS):
            towards.flag(ON_DATA_MART, [member], ON_DATA_MART.values.index("maintains it"))
        elif mart.type.allows(index, SEE):
            towards.flag(ON_DATA_MART, [member], ON_DATA_MART.values.index("sees it"))
    return towards


def _on_report(world: World, resource_type: ResourceType, report: r.Report, towards: _Towards) -> Placed:
    project = report.data_mart.project
    packed = _packed(
        resource_type,
        {
            DESTINATION_EXISTS: report.destination_exists,
            CONTROLS_ALL: project.technical_users_control_all_reports,
        },
    )
    return Placed(resource_type, world.members, packed, _project_roles(world, resource_type, project), towards.of)


# Lakehouse -------------------------------------------------------------------------------------------------------


def _with_level(world: World, resource_type: ResourceType, levels: Levels) -> Placed:
    stride = resource_type.stride[LEVEL]
    return Placed(
        resource_type,
        world.members,
        0,
        _standings(world, resource_type),
        {member: stride * level for member, level in levels.of.items()},
        stride * levels.everybody,
    )


def _standings(world: World, resource_type: ResourceType) -> Mapping[Id, int]:
    step = {name: resource_type.stride[STANDING] * value for value, name in enumerate(STANDING.values)}
    return world.once(
        (resource_type.name,),
        lambda: {m.id: step[lakehouse_standing(m.tenant_role)] for m in world.members.values()},
    )


def _lakehouse(world: World, lakehouse: r.Lakehouse) -> Placed:
    return _with_level(world, RESOURCE_TYPES["lakehouse"], Levels(level_rules.NONE, {}))


def _layer(world: World, layer: r.Layer) -> Placed:
    return _with_level(world, RESOURCE_TYPES["layer"], level_rules.on_layer(layer, world.spread))


def _table(world: World, table: r.Table) -> Placed:
    return _with_level(world, RESOURCE_TYPES["table"], level_rules.on_table(table, world.spread))


def _volume(world: World, volume: r.Volume) -> Placed:
    return _with_level(world, RESOURCE_TYPES["volume"], level_rules.on_table(volume, world.spread))


def _pipeline(world: World, pipeline: r.Pipeline) -> Placed:
    found = level_rules.on_pipeline(pipeline, world.spread, world.tenant.reading_needs_only_viewer)
    return _with_level(world, RESOURCE_TYPES["pipeline"], found)


def _integration(world: World, integration: r.Integration) -> Placed:
    found = level_rules.on_pipeline(integration, world.spread, world.tenant.reading_needs_only_viewer)
    return _with_level(world, RESOURCE_TYPES["integration"], found)


def _query(world: World, query: r.Query) -> Placed:
    return _with_level(world, RESOURCE_TYPES["query"], level_rules.on_query(query.reads, world.spread))


def _saved_query(world: World, query: r.SavedQuery) -> Placed:
    resource_type = RESOURCE_TYPES["saved_query"]
    placed = _with_level(world, resource_type, level_rules.on_query(query.reads, world.spread))
    author = placed.towards.get(query.author, placed.towards_default) + resource_type.stride[AUTHOR]
    packed = _packed(resource_type, {SHARED: query.shared})
    towards = {**placed.towards, query.author: author}
    return Placed(resource_type, world.members, packed, placed.standing, towards, placed.towards_default)


# Spaces ----------------------------------------------------------------------------------------------------------


def _in_space(world: World, resource_type: ResourceType, space: r.Space, owner: Id | None = None) -> Placed:
    sets: dict[Id, set[str]] = {}
    for holder, roles in space.roles.items():
        for member in world.held_by(holder):
            sets.setdefault(member, set()).update(roles)
    towards = _Towards(resource_type).flag(IS_OWNER, [space.owner] if space.owner else [])
    for member, roles_of in sets.items():
        for role in roles_of:
            towards.flag(SPACE_ROLES[role], [member])
    if CONNECTION_OWNER in resource_type.stride and owner:
        towards.flag(CONNECTION_OWNER, [owner])
    standing = world.once((resource_type.name,), lambda: _security_roles(world, resource_type))
    return Placed(resource_type, world.members, 0, standing, towards.of)


def _security_roles(world: World, resource_type: ResourceType) -> Mapping[Id, int]:
    members = world.members.values()
    standing = _Towards(resource_type)
    standing.flag(TENANT_ADMIN, [m.id for m in members if is_tenant_admin(m.tenant_role)])
    standing.flag(DATA_ADMIN, [m.id for m in members if "data admin" in m.security_roles])
    if DATA_SPACE_CREATOR in resource_type.stride:
        standing.flag(DATA_SPACE_CREATOR, [m.id for m in members if "data space creator" in m.security_roles])
    return standing.of


def _space(world: World, space: r.Space) -> Placed:
    return _in_space(world, RESOURCE_TYPES["data_space"], space)


def _data_project(world: World, project: r.DataProject) -> Placed:
    return _in_space(world, RESOURCE_TYPES["data_project"], project.space)


def _data_task(world: World, task: r.DataTask) -> Placed:
    return _in_space(world, RESOURCE_TYPES["data_task"], task.space)


def _connection(world: World, connection: r.Connection) -> Placed:
    return _in_space(world, RESOURCE_TYPES["data_connection"], connection.space, connection.owner)


def _gateway(world: World, gateway: r.Gateway) -> Placed:
    return _in_space(world, RESOURCE_TYPES["gateway"], gateway.space, gateway.owner)


_PLACES: Mapping[type, Callable[[World, Any], Placed]] = {
    r.Tenant: _tenant,
    r.Member: _member,
    r.Group: _group,
    r.Project: _project,
    r.ProjectMembership: _project_membership,
    r.DataProduct: _data_product,
    r.Storage: _storage,
    r.Destination: _destination,
    r.DataMart: _data_mart,
    r.DataMartTrigger: _data_mart_trigger,
    r.Report: _report,
    r.ReportTrigger: _report_trigger,
    r.Lakehouse: _lakehouse,
    r.Layer: _layer,
    r.Table: _table,
    r.Volume: _volume,
    r.Pipeline: _pipeline,
    r.Integration: _integration,
    r.Query: _query,
    r.SavedQuery: _saved_query,
    r.Space: _space,
    r.DataProject: _data_project,
    r.DataTask: _data_task,
    r.Connection: _connection,
    r.Gateway: _gateway,
}

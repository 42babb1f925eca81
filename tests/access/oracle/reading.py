"""A second reading of what Cedar cannot say: the facts of one member towards one resource, worked out the long way.

It walks through the records member by member and shares nothing with `bailiwick.access.world` but the records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from bailiwick.access.world.records import (
    Connection,
    DataMart,
    DataMartTrigger,
    DataProduct,
    DataProject,
    DataTask,
    Destination,
    Gateway,
    Group,
    Id,
    Integration,
    Lakehouse,
    Layer,
    Member,
    Pipeline,
    Project,
    ProjectMembership,
    Query,
    Report,
    ReportTrigger,
    Resource,
    SavedQuery,
    Space,
    Storage,
    Table,
    Tenant,
    Volume,
)
from tests.access.worlds import SPACE_ROLES, Everything

Facts = dict[str, str]
Given = TypeVar("Given")


def facts(everything: Everything, member: Member, resource: Resource) -> tuple[str, Facts]:
    """The name of the resource's type, and every fact its tables ask for, in words."""
    match resource:
        case Tenant():
            return "tenant", {"tenant role": member.tenant_role}
        case Member():
            return "member", _towards_member(everything, member, resource)
        case Group():
            return "group", {
                "tenant role": member.tenant_role,
                "the group All": _yes(resource.is_all),
                "in the group": _yes(resource.id in _groups(member)),
            }
        case Project():
            products = [product for product in everything.data_products if product.project.id == resource.id]
            has_role = any(_given(member, product.grants) for product in products)
            return "project", {
                "project role": project_role(member, resource),
                "role on a data product of the project": _yes(has_role),
            }
        case Lakehouse():
            return "lakehouse", _with_level(member, "none")
        case ProjectMembership():
            return "project_membership", {"project role": project_role(member, resource.project)}
        case DataProduct():
            roles = data_product_roles(member, resource)
            return "data_product", {
                f"data product {role}": _yes(role in roles) for role in ("admin", "developer", "curator", "viewer")
            }
        case Storage():
            return "storage", _owned(member, resource)
        case Destination():
            return "deleted_destination" if resource.deleted else "destination", _owned(member, resource)
        case DataMart():
            return "data_mart", _of_data_mart(member, resource)
        case DataMartTrigger():
            return "data_mart_trigger", _of_data_mart(member, resource.data_mart)
        case Report():
            is_business_owner = _yes(member.id in resource.data_mart.business_owners)
            return "report", {**_of_report(member, resource), "Business Owner": is_business_owner}
        case ReportTrigger():
            return "report_trigger", _of_report(member, resource.report)
        case Layer():
            return "layer", _with_level(member, level_on_layer(everything, member, resource))
        case Table():
            return "table", _with_level(member, level_on_table(everything, member, resource))
        case Volume():
            return "volume", _with_level(member, level_on_table(everything, member, resource))
        case Integration():
            return "integration", _with_level(member, level_on_pipeline(everything, member, resource))
        case Pipeline():
            return "pipeline", _with_level(member, level_on_pipeline(everything, member, resource))
        case Query():
            return "query", _with_level(member, level_on_query(everything, member, resource))
        case SavedQuery():
            return "saved_query", {
                **_with_level(member, level_on_query(everything, member, resource)),
                "its author": _yes(member.id == resource.author),
                "shared": _yes(resource.shared),
            }
        case Space():
            is_creator = _yes("data space creator" in member.security_roles)
            return "data_space", {**_in_space(member, resource), "data space creator": is_creator}
        case DataProject():
            return "data_project", _in_space(member, resource.space)
        case DataTask():
            return "data_task", _in_space(member, resource.data_project.space)
        case Connection() | Gateway():
            return "gateway" if isinstance(resource, Gateway) else "data_connection", {
                **_in_space(member, resource.space),
                "owner of the connection": _yes(member.id == resource.owner),
            }


def _yes(it_is: bool) -> str:
    return "yes" if it_is else "no"


# Groups --------------------------------------------------------------------------------------------------------------


def _groups(member: Member) -> set[Id]:
    """All always holds everyone."""
    return {*member.groups, "All"}


def _given(member: Member, grants: Mapping[Id, Given]) -> list[Given]:
    """What was granted to the member or to any of the member's groups."""
    return [given for holder, given in grants.items() if holder == member.id or holder in _groups(member)]


# Project roles: the highest of inherited from the tenant role, granted, granted to a group


def project_role(member: Member, project: Project) -> str:
    inherited = {
        "owner": {"Admin", "Technical User", "Business User"},
        "admin": {"Admin", "Technical User", "Business User"},
        "editor": {"Technical User", "Business User"},
        "viewer": {"Business User"},
        "none": set(),
    }[member.tenant_role]
    roles = inherited | set(_given(member, project.grants))
    for role in ("Admin", "Technical User", "Business User"):
        if role in roles:
            return role
    return "none"


def data_product_roles(member: Member, product: DataProduct) -> set[str]:
    """A set, not a ladder: what the project role brings, and what was granted."""
    roles = {
        "Admin": {"admin", "developer", "curator", "viewer"},
        "Technical User": {"developer", "curator", "viewer"},
        "Business User": {"viewer"},
        "none": set(),
    }[project_role(member, product.project)]
    return roles.union(*_given(member, product.grants))


# Members: links are made only for those whose tenant role, security roles and roles in all projects lie within


def _towards_member(everything: Everything, me: Member, them: Member) -> Facts:
    shared = administered = False
    for project in everything.projects:
        mine, theirs = project_role(me, project), project_role(them, project)
        if them.active and mine != "none" and theirs != "none":
            shared = True
            administered = administered or mine == "Admin"
    return {
        "tenant role": me.tenant_role,
        "oneself": _yes(me.id == them.id),
        "their roles lie within mine": _yes(roles_lie_within(everything, them, me)),
        "shares a project with me": _yes(shared),
        "member of a project I am Admin of": _yes(administered),
    }


def roles_lie_within(everything: Everything, them: Member, mine: Member) -> bool:
    tenant_roles = ["none", "viewer", "editor", "admin", "owner"]
    if tenant_roles.index(them.tenant_role) > tenant_roles.index(mine.tenant_role):
        return False
    covers_every_security_role = mine.tenant_role in ("admin", "owner")
    if not covers_every_security_role and any(role not in mine.security_roles for role in them.security_roles):
        return False
    project_roles = ["none", "Business User", "Technical User", "Admin"]
    return all(
        project_roles.index(project_role(them, project)) <= project_roles.index(project_role(mine, project))
        for project in everything.projects
        if them.active  # whoever is suspended has no role in any project
    )


# Ownership and availability ------------------------------------------------------------------------------------------


def _owned(member: Member, resource: Storage | Destination) -> Facts:
    return {
        "project role": project_role(member, resource.project),
        "owner": _yes(member.id in resource.owners),
        "available for use": _yes(resource.available_for_use),
        "available for maintenance": _yes(resource.available_for_maintenance),
    }


def _of_data_mart(member: Member, mart: DataMart) -> Facts:
    return {
        "project role": project_role(member, mart.project),
        "Technical Owner": _yes(member.id in mart.technical_owners),
        "Business Owner": _yes(member.id in mart.business_owners),
        "available for reporting": _yes(mart.available_for_reporting),
        "available for maintenance": _yes(mart.available_for_maintenance),
        "ownership adds to availability": _yes(mart.project.ownership_adds_to_availability),
    }


def _of_report(member: Member, report: Report) -> Facts:
    mart = report.data_mart
    if maintains_data_mart(member, mart):
        access = "maintains it"
    elif sees_data_mart(member, mart):
        access = "sees it"
    else:
        access = "none"
    return {
        "project role": project_role(member, mart.project),
        "access to the data mart": access,
        "Report Owner": _yes(member.id in report.owners),
        "destination exists": _yes(report.destination_exists),
        "Technical Users control all reports": _yes(mart.project.technical_users_control_all_reports),
    }


def maintains_data_mart(member: Member, mart: DataMart) -> bool:
    """A Technical Owner with Technical User role, or a non-owner Technical User with it available for maintenance."""
    role = project_role(member, mart.project)
    if role == "Admin":
        return True
    if role != "Technical User":
        return False
    if member.id in mart.technical_owners:
        return True
    counts_as_non_owner = member.id not in mart.business_owners or mart.project.ownership_adds_to_availability
    return mart.available_for_maintenance and counts_as_non_owner


def sees_data_mart(member: Member, mart: DataMart) -> bool:
    role = project_role(member, mart.project)
    if role == "none":
        return False
    if role == "Admin" or member.id in mart.technical_owners or member.id in mart.business_owners:
        return True
    return mart.available_for_reporting or (role == "Technical User" and mart.available_for_maintenance)


# Lakehouse levels ----------------------------------------------------------------------------------------------------

LEVELS = ["none", "Viewer", "Editor", "Manager"]


def highest(levels: Iterable[str]) -> str:
    return max(levels, key=LEVELS.index, default="none")


def lowest(levels: Iterable[str]) -> str:
    return min(levels, key=LEVELS.index)


def level_on_table(everything: Everything, member: Member, table: Table | Volume) -> str:
    """The highest of its own grants and its layer's grants."""
    if everything.tenant.plan == "starter":
        return "Manager"
    return highest([*_given(member, table.grants), *_given(member, table.layer.grants)])


def level_of_layer_grants(everything: Everything, member: Member, layer: Layer) -> str:
    """What was granted on the layer itself, without what is merely visible from below."""
    return "Manager" if everything.tenant.plan == "starter" else highest(_given(member, layer.grants))


def level_on_layer(everything: Everything, member: Member, layer: Layer) -> str:
    """A grant on something in the layer makes the layer visible: Viewer, and no more."""
    contents: list[Table | Volume] = [*everything.tables, *everything.volumes]
    inside = [table for table in contents if table.layer.id == layer.id]
    glimpse = "Viewer" if any(_given(member, table.grants) for table in inside) else "none"
    return highest([level_of_layer_grants(everything, member, layer), glimpse])


def level_on_query(everything: Everything, member: Member, query: Query | SavedQuery) -> str:
    """The lowest of all it reads; where it reads nothing, Viewer on everything it reads is had by anybody."""
    return lowest([level_on_table(everything, member, table) for table in query.reads] or ["Viewer"])


def level_on_pipeline(everything: Everything, member: Member, pipeline: Pipeline) -> str:
    """The lowest of all inputs and outputs; of the output layer where there are none; of nothing at all, none."""
    inputs = [level_on_table(everything, member, table) for table in pipeline.inputs]
    outputs = [
        level_of_layer_grants(everything, member, output)
        if isinstance(output, Layer)  # a stream whose table does not exist yet counts as its output layer
        else level_on_table(everything, member, output)
        for output in pipeline.outputs
    ]
    if not pipeline.inputs and not pipeline.outputs:
        layer = pipeline.output_layer
        return "none" if layer is None else level_of_layer_grants(everything, member, layer)
    if everything.tenant.reading_needs_only_viewer and outputs:
        # Viewer on the inputs, the full level on the outputs. What writes nothing has only its inputs to go by.
        return "none" if "none" in inputs else lowest(outputs)
    return lowest([*inputs, *outputs])


def _with_level(member: Member, level: str) -> Facts:
    standing = {"owner": "Owner", "admin": "Admin"}.get(member.tenant_role, "Member")
    return {"level": level, "standing": standing}


# Spaces --------------------------------------------------------------------------------------------------------------


def _in_space(member: Member, space: Space) -> Facts:
    roles = set[str]().union(*_given(member, space.roles))
    return {
        "owner of the space": _yes(space.owner == member.id),
        **{role: _yes(role in roles) for role in SPACE_ROLES},
        "tenant admin": _yes(member.tenant_role in ("admin", "owner")),
        "data admin": _yes("data admin" in member.security_roles),
    }

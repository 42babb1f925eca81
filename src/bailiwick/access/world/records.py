"""The things access is asked about, as plain records. Holders of grants are members or groups, by their id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Id = str
Grants = Mapping[Id, str]  # holder → one step of a ladder
RoleSets = Mapping[Id, frozenset[str]]  # holder → a set of roles
NOBODY: frozenset[Id] = frozenset()


@dataclass(frozen=True)
class Member:
    id: Id
    tenant_role: str = "none"
    security_roles: frozenset[str] = frozenset()
    groups: frozenset[Id] = frozenset()  # the group All goes without saying
    active: bool = True


@dataclass(frozen=True)
class Tenant:
    plan: str = "growth"
    reading_needs_only_viewer: bool = False


@dataclass(frozen=True)
class Group:
    id: Id
    is_all: bool = False


@dataclass(frozen=True)
class Project:
    id: Id
    grants: Grants = field(default_factory=dict)
    technical_users_control_all_reports: bool = False
    ownership_adds_to_availability: bool = False


@dataclass(frozen=True)
class ProjectMembership:
    """What a member may do about the people and switches of a project."""

    project: Project

    @property
    def id(self) -> Id:
        return self.project.id


@dataclass(frozen=True)
class Storage:
    id: Id
    project: Project
    owners: frozenset[Id] = NOBODY
    available_for_use: bool = False
    available_for_maintenance: bool = False


@dataclass(frozen=True)
class Destination:
    id: Id
    project: Project
    owners: frozenset[Id] = NOBODY
    available_for_use: bool = False
    available_for_maintenance: bool = False
    deleted: bool = False


@dataclass(frozen=True)
class DataMart:
    id: Id
    project: Project
    technical_owners: frozenset[Id] = NOBODY
    business_owners: frozenset[Id] = NOBODY
    available_for_reporting: bool = False
    available_for_maintenance: bool = False


@dataclass(frozen=True)
class DataMartTrigger:
    id: Id
    data_mart: DataMart


@dataclass(frozen=True)
class Report:
    id: Id
    data_mart: DataMart
    owners: frozenset[Id] = NOBODY
    destination_exists: bool = True


@dataclass(frozen=True)
class ReportTrigger:
    id: Id
    report: Report


@dataclass(frozen=True)
class DataProduct:
    id: Id
    project: Project
    grants: RoleSets = field(default_factory=dict)


@dataclass(frozen=True)
class Lakehouse:
    """The lakehouse as a whole: creating layers, settings, billing."""


@dataclass(frozen=True)
class Layer:
    id: Id
    grants: Grants = field(default_factory=dict)
    granted_below: frozenset[Id] = NOBODY  # holders of a grant on one of its tables or volumes


@dataclass(frozen=True)
class Table:
    id: Id
    layer: Layer
    grants: Grants = field(default_factory=dict)


@dataclass(frozen=True)
class Volume:
    id: Id
    layer: Layer
    grants: Grants = field(default_factory=dict)


@dataclass(frozen=True)
class Pipeline:
    """A source, query, notebook, history or destination: its enabled streams' inputs and outputs.

    A stream whose table does not exist yet has its output layer among the outputs."""

    id: Id
    inputs: tuple[Table | Volume, ...] = ()
    outputs: tuple[Table | Volume | Layer, ...] = ()
    output_layer: Layer | None = None


@dataclass(frozen=True)
class Integration(Pipeline):
    pass


@dataclass(frozen=True)
class SavedQuery:
    id: Id
    author: Id
    reads: tuple[Table, ...] = ()
    shared: bool = False


@dataclass(frozen=True)
class Query:
    """An ad-hoc query, by what it reads."""

    id: Id
    reads: tuple[Table | Volume, ...] = ()


@dataclass(frozen=True)
class Space:
    id: Id
    owner: Id | None = None
    roles: RoleSets = field(default_factory=dict)


@dataclass(frozen=True)
class DataProject:
    id: Id
    space: Space
    owner: Id | None = None


@dataclass(frozen=True)
class DataTask:
    id: Id
    data_project: DataProject

    @property
    def space(self) -> Space:
        return self.data_project.space


@dataclass(frozen=True)
class Gateway:
    id: Id
    space: Space
    owner: Id | None = None


@dataclass(frozen=True)
class Connection:
    id: Id
    space: Space
    owner: Id | None = None
    gateway: Gateway | None = None


Resource = (
    Tenant
    | Member
    | Group
    | Project
    | ProjectMembership
    | Storage
    | Destination
    | DataMart
    | DataMartTrigger
    | Report
    | ReportTrigger
    | DataProduct
    | Lakehouse
    | Layer
    | Table
    | Volume
    | Pipeline
    | Integration
    | SavedQuery
    | Query
    | Space
    | DataProject
    | DataTask
    | Connection
    | Gateway
)

"""Resources as a question describes them: one model for each kind that is asked about without being stored here."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from bailiwick.access.world import records
from bailiwick.access.world.people import ALL
from bailiwick.tenancy.caller import holder
from bailiwick.wrong_input import WrongValue

MOST = 1000  # holders or owners in one list
MOST_PARTS = 100  # tables of one pipeline or query


def _member(value: str) -> str:
    return str(_id(value, "Give the id of a member."))


def _holder(value: str) -> str:
    return ALL if value == ALL else holder(_id(value, f"Give the id of a member or group, or `{ALL}`."))


def _id(value: str, fix: str) -> UUID:
    try:
        return UUID(value)
    except ValueError:
        raise WrongValue("This is no id.", fix) from None


MemberId = Annotated[
    str, StringConstraints(max_length=36), AfterValidator(_member), Field(description="The id of a member.")
]
HolderId = Annotated[
    str,
    StringConstraints(max_length=36),
    AfterValidator(_holder),
    Field(description="The id of a member or group, or `All` for everybody."),
]
Owners = Annotated[frozenset[MemberId], Field(max_length=MOST, description="Ids of members.")]
Level = Literal["Viewer", "Editor", "Manager"]
Levels = Annotated[dict[HolderId, Level], Field(max_length=MOST, description="Who holds which level.")]
DataProductRole = Literal["admin", "developer", "curator", "viewer"]
SpaceRole = Literal["Can view", "Can view data", "Can consume data", "Can manage", "Can operate", "Can edit"]


class Description(BaseModel, ABC):
    """A resource in the words of its document. It becomes the record that the access core decides about."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    def lies_in(self) -> UUID | None:
        """The project it belongs to, if its kind belongs to one."""
        return next((inner.lies_in() for inner in self._inner()), None)

    def holders(self) -> frozenset[str]:
        """Everybody it names as the holder of a level or role: members and groups."""
        own = frozenset(getattr(self, "grants", ())) | frozenset(getattr(self, "roles", ()))
        return own.union(getattr(self, "granted_below", ()), *(inner.holders() for inner in self._inner()))

    def _inner(self) -> Iterator[Description]:
        for name in type(self).model_fields:
            value = getattr(self, name)
            yield from (part for part in (value if isinstance(value, tuple) else (value,)) if _is_description(part))

    @abstractmethod
    def record(self, id_: str, project: records.Project | None) -> Any:
        """The record, in this project where it lies in one."""


def _is_description(value: object) -> bool:
    return isinstance(value, Description)


class InProject(Description):
    project: UUID = Field(description="The id of the project it lies in.")

    def lies_in(self) -> UUID:
        return self.project


# Document “access rights” ------------------------------------------------------------------------------------------


class Storage(InProject):
    owners: Owners = frozenset()
    available_for_use: bool = False
    available_for_maintenance: bool = False

    def record(self, id_: str, project: records.Project | None) -> records.Storage:
        assert project is not None
        return records.Storage(id_, project, self.owners, self.available_for_use, self.available_for_maintenance)


class Destination(InProject):
    owners: Owners = frozenset()
    available_for_use: bool = False
    available_for_maintenance: bool = False
    deleted: bool = False

    def record(self, id_: str, project: records.Project | None) -> records.Destination:
        assert project is not None
        toggles = (self.available_for_use, self.available_for_maintenance)
        return records.Destination(id_, project, self.owners, *toggles, deleted=self.deleted)


class DataMart(InProject):
    technical_owners: Owners = frozenset()
    business_owners: Owners = frozenset()
    available_for_reporting: bool = False
    available_for_maintenance: bool = False

    def record(self, id_: str, project: records.Project | None) -> records.DataMart:
        assert project is not None
        toggles = (self.available_for_reporting, self.available_for_maintenance)
        return records.DataMart(id_, project, self.technical_owners, self.business_owners, *toggles)


class DataMartTrigger(Description):
    data_mart: DataMart

    def record(self, id_: str, project: records.Project | None) -> records.DataMartTrigger:
        return records.DataMartTrigger(id_, self.data_mart.record("", project))


class Report(Description):
    data_mart: DataMart
    owners: Owners = frozenset()
    destination_exists: bool = True

    def record(self, id_: str, project: records.Project | None) -> records.Report:
        return records.Report(id_, self.data_mart.record("", project), self.owners, self.destination_exists)


class ReportTrigger(Description):
    report: Report

    def record(self, id_: str, project: records.Project | None) -> records.ReportTrigger:
        return records.ReportTrigger(id_, self.report.record("", project))


# Document “projects” -----------------------------------------------------------------------------------------------


class DataProduct(InProject):
    grants: Annotated[dict[HolderId, frozenset[DataProductRole]], Field(max_length=MOST)] = Field(default_factory=dict)

    def record(self, id_: str, project: records.Project | None) -> records.DataProduct:
        assert project is not None
        return records.DataProduct(id_, project, {who: frozenset(roles) for who, roles in self.grants.items()})


# Document “lakehouse” ----------------------------------------------------------------------------------------------


class Layer(Description):
    grants: Levels = Field(default_factory=dict)
    granted_below: Annotated[frozenset[HolderId], Field(max_length=MOST)] = Field(
        frozenset(), description="Who holds a level on one of its tables or volumes."
    )

    def record(self, id_: str, project: records.Project | None = None) -> records.Layer:
        return records.Layer(id_, dict(self.grants), self.granted_below)


class Table(Description):
    """A table or a volume: their rights work alike."""

    layer: Layer
    grants: Levels = Field(default_factory=dict)

    def record(self, id_: str, project: records.Project | None = None) -> records.Table:
        return records.Table(id_, self.layer.record(""), dict(self.grants))


class Volume(Table):
    """A volume in a layer."""

    def record(self, id_: str, project: records.Project | None = None) -> records.Volume:  # type: ignore[override]
        return records.Volume(id_, self.layer.record(""), dict(self.grants))


Tables = Annotated[tuple[Table, ...], Field(max_length=MOST_PARTS)]
Output = Annotated[Table | Layer, Field(union_mode="left_to_right")]


class Pipeline(Description):
    """A source, query, notebook, history or lakehouse destination, by its enabled streams."""

    inputs: Tables = ()
    outputs: Annotated[tuple[Output, ...], Field(max_length=MOST_PARTS)] = Field(
        (), description="Tables, and layers for streams whose table does not exist yet."
    )
    output_layer: Layer | None = None

    def record(self, id_: str, project: records.Project | None = None) -> records.Pipeline:
        return self._as(records.Pipeline, id_)

    def _as(self, kind: type[records.Pipeline], id_: str) -> records.Pipeline:
        layer = None if self.output_layer is None else self.output_layer.record("")
        inputs = tuple(part.record("") for part in self.inputs)
        return kind(id_, inputs, tuple(part.record("") for part in self.outputs), layer)


class Integration(Pipeline):
    """An integration, by its enabled streams."""

    def record(self, id_: str, project: records.Project | None = None) -> records.Pipeline:
        return self._as(records.Integration, id_)


class Query(Description):
    """An ad-hoc query, by what it reads."""

    reads: Tables = ()

    def record(self, id_: str, project: records.Project | None = None) -> records.Query:
        return records.Query(id_, tuple(part.record("") for part in self.reads))


class SavedQuery(Description):
    author: MemberId
    reads: Tables = ()
    shared: bool = False

    def record(self, id_: str, project: records.Project | None = None) -> records.SavedQuery:
        return records.SavedQuery(id_, self.author, tuple(part.record("") for part in self.reads), self.shared)


# Document “spaces” -------------------------------------------------------------------------------------------------


class DataSpace(Description):
    owner: MemberId | None = None
    roles: Annotated[dict[HolderId, frozenset[SpaceRole]], Field(max_length=MOST)] = Field(default_factory=dict)

    def record(self, id_: str, project: records.Project | None = None) -> records.Space:
        return records.Space(id_, self.owner, {who: frozenset(roles) for who, roles in self.roles.items()})


class DataProject(Description):
    space: DataSpace
    owner: MemberId | None = None

    def record(self, id_: str, project: records.Project | None = None) -> records.DataProject:
        return records.DataProject(id_, self.space.record(""), self.owner)


class DataTask(Description):
    data_project: DataProject

    def record(self, id_: str, project: records.Project | None = None) -> records.DataTask:
        return records.DataTask(id_, self.data_project.record(""))


class Gateway(Description):
    space: DataSpace
    owner: MemberId | None = None

    def record(self, id_: str, project: records.Project | None = None) -> records.Gateway:
        return records.Gateway(id_, self.space.record(""), self.owner)


class DataConnection(Description):
    space: DataSpace
    owner: MemberId | None = None
    gateway: Gateway | None = None

    def record(self, id_: str, project: records.Project | None = None) -> records.Connection:
        gateway = None if self.gateway is None else self.gateway.record("")
        return records.Connection(id_, self.space.record(""), self.owner, gateway)


DESCRIPTIONS: Mapping[str, type[Description]] = {
    "storage": Storage,
    "destination": Destination,
    "data_mart": DataMart,
    "data_mart_trigger": DataMartTrigger,
    "report": Report,
    "report_trigger": ReportTrigger,
    "data_product": DataProduct,
    "layer": Layer,
    "table": Table,
    "volume": Volume,
    "pipeline": Pipeline,
    "integration": Integration,
    "query": Query,
    "saved_query": SavedQuery,
    "data_space": DataSpace,
    "data_project": DataProject,
    "data_task": DataTask,
    "data_connection": DataConnection,
    "gateway": Gateway,
}

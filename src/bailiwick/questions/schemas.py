"""Access questions and their answers on the wire."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from bailiwick.access.decision import Decision, slug
from bailiwick.database.paging import MOST_ROWS
from bailiwick.lakehouse.models import PipelineKind
from bailiwick.questions import tables
from bailiwick.questions.listed import Wanted
from bailiwick.questions.resources import Asked
from bailiwick.questions.service import Answer, Question, Requestable
from bailiwick.tenancy.listing import PLAIN, Words
from bailiwick.tenancy.models import Member

if TYPE_CHECKING:
    from bailiwick.questions.stopping import Stopping
    from bailiwick.questions.what_if import Difference, Outlook

Text = Annotated[str, StringConstraints(max_length=300, pattern=PLAIN)]
Subject = Annotated[Text, Field(description="The id or e-mail address of a member; left out: yourself.")]
Action = Annotated[Text, Field(description="`edit_project_metadata`, or in the document's words.")]
Cursor = Annotated[str, StringConstraints(max_length=2000)]
Limit = Annotated[int, Field(ge=1, le=MOST_ROWS)]
Search = Annotated[
    Words,
    Field(description="Part of a name; of people, of an e-mail address, too."),
]
ProjectRole = Literal["Business User", "Technical User", "Admin"]
TenantRole = Literal["none", "viewer", "editor", "admin", "owner"]
SecurityRole = Literal["data admin", "data space creator"]


class Wire(BaseModel):
    model_config = ConfigDict(extra="forbid")


# Questions -----------------------------------------------------------------------------------------------------------


class ResourceQuestion(Wire):
    """What is stored, by its id; anything else by describing it (`GET /api/v1/access/types`)."""

    type: Text
    id: Text | None = None
    properties: dict[str, Any] | None = None

    def as_question(self) -> Question:
        return Question(self.type, self.id, self.properties)


class CheckQuestion(Wire):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "action": "delete_project",
                    "resource": {"type": "project", "id": "0199c0de-0000-7000-8000-000000000001"},
                }
            ]
        }
    )

    subject: Subject | None = None
    action: Action
    resource: ResourceQuestion


class ActionsQuestion(Wire):
    subject: Subject | None = None
    resource: ResourceQuestion


class Listing(Wire):
    """Which part of a list is wanted."""

    search: Search | None = None
    sort: Annotated[Literal["name", "-name"], Field(description="By name, or from its end.")] = "name"
    cursor: Cursor | None = None
    limit: Limit = 50

    @property
    def part(self) -> Wanted:
        return Wanted(self.search, self.sort, self.cursor, self.limit)


class WhoQuestion(Listing):
    action: Action
    resource: ResourceQuestion


class WhatQuestion(Listing):
    subject: Subject | None = None
    action: Action
    resource_type: Text


class IfProjectRole(Wire):
    """Grant a role in a project to somebody without one of their own, change it, or take it."""

    change: Literal["grant_project_role", "change_project_role", "revoke_project_role"]
    project: UUID
    member: Text | None = None
    group: UUID | None = None
    role: ProjectRole | None = None


class IfTenantRole(Wire):
    change: Literal["tenant_role"]
    member: Text
    role: TenantRole


class IfSecurityRoles(Wire):
    """The security roles somebody would have, all of them."""

    change: Literal["security_roles"]
    member: Text
    roles: frozenset[SecurityRole]


class IfInGroup(Wire):
    change: Literal["add_to_group", "remove_from_group"]
    group: UUID
    member: Text


class IfPlan(Wire):
    change: Literal["plan"]
    plan: Literal["starter", "growth", "custom"]


class IfSwitch(Wire):
    change: Literal["project_switch"]
    project: UUID
    switch: Literal["technical_users_control_all_reports", "ownership_adds_to_availability"]
    on: bool


class IfLevel(Wire):
    """Give a level on a layer, table or volume to somebody without one of their own there, change it, or take it."""

    change: Literal["give_level", "change_level", "take_level"]
    layer: UUID | None = None
    table: UUID | None = None
    volume: UUID | None = None
    member: Text | None = None
    group: UUID | None = None
    level: Literal["Viewer", "Editor", "Manager"] | None = None


class IfResource(Wire):
    """A described resource, and the properties that would be different: owners, toggles, levels, roles."""

    change: Literal["resource"]
    resource: ResourceQuestion
    properties: dict[str, Any] = Field(min_length=1)


Change = Annotated[
    IfProjectRole | IfTenantRole | IfSecurityRoles | IfInGroup | IfPlan | IfSwitch | IfLevel | IfResource,
    Field(discriminator="change"),
]


class WhatIfQuestion(Wire):
    changes: list[Change] = Field(min_length=1, max_length=50)
    resources: list[ResourceQuestion] = Field(
        default_factory=list, max_length=50, description="What to compare on besides what the changes concern directly."
    )
    limit: int = Field(200, ge=1, le=1000)


# Answers -------------------------------------------------------------------------------------------------------------


class AskedMember(BaseModel):
    id: UUID
    name: str
    email: str

    @classmethod
    def of(cls, member: Member) -> AskedMember:
        return cls(id=member.id, name=member.name, email=member.email)


class Giver(BaseModel):
    id: UUID
    name: str


class AskedResource(BaseModel):
    type: str
    id: str
    name: str

    @classmethod
    def of(cls, asked: Asked) -> AskedResource:
        return cls(type=asked.type.name, id=asked.id, name=asked.name)


class MissingOut(BaseModel):
    fact: str
    has: str
    needs: str
    given_by: str


class DecisionOut(BaseModel):
    """A verdict with the cell that decided it, what is missing (each inner list is one way), and who can give it."""

    allowed: bool
    resource_type: str
    action: str
    action_name: str
    document: str
    table: str
    page: str
    row: str
    column: str
    facts: dict[str, str]
    missing: list[list[MissingOut]]
    given_by: list[str]
    reason: str

    @classmethod
    def of(cls, decision: Decision) -> DecisionOut:
        return cls(**decision.to_dict())


class RequestableOut(BaseModel):
    """A level on a layer, table or volume, or a role in a project."""

    resource: AskedResource
    level: Literal["Viewer", "Editor", "Manager"] | None
    role: ProjectRole | None

    @classmethod
    def of(cls, found: Requestable) -> RequestableOut:
        is_role = found.type == "project"
        return cls(
            resource=AskedResource(type=found.type, id=found.id, name=found.name),
            level=None if is_role else found.wanted,
            role=found.wanted if is_role else None,
        )


class CheckAnswer(BaseModel):
    subject: AskedMember
    resource: AskedResource
    decision: DecisionOut
    could_give: list[Giver] = Field(description="Some members who could give what is missing, where you see them.")
    requestable: RequestableOut | None = Field(
        description="What you could ask for with `POST /api/v1/access-requests`, if one level or role is all you lack."
    )

    @classmethod
    def of(cls, answer: Answer) -> CheckAnswer:
        return cls(
            subject=AskedMember.of(answer.subject),
            resource=AskedResource.of(answer.resource),
            decision=DecisionOut.of(answer.decision),
            could_give=[Giver(id=member.id, name=member.name) for member in answer.could_give],
            requestable=RequestableOut.of(answer.requestable) if answer.requestable else None,
        )


class ActionsAnswer(BaseModel):
    subject: AskedMember
    resource: AskedResource
    decisions: list[DecisionOut]


class WhoAnswer(BaseModel):
    items: list[AskedMember]
    next_cursor: str | None


class WhatAnswer(BaseModel):
    items: list[AskedResource]
    next_cursor: str | None


class DifferingMember(BaseModel):
    id: UUID
    name: str
    email: str | None = Field(description="If you may see them.")

    @classmethod
    def of(cls, member: Member, with_address: bool) -> DifferingMember:
        return cls(id=member.id, name=member.name, email=member.email if with_address else None)


class DifferenceOut(BaseModel):
    member: DifferingMember
    resource: AskedResource
    gained: list[str]
    lost: list[str]

    @classmethod
    def of(cls, difference: Difference) -> DifferenceOut:
        return cls(
            member=DifferingMember.of(difference.member, difference.with_address),
            resource=AskedResource.of(difference.resource),
            gained=[slug(action) for action in difference.gained],
            lost=[slug(action) for action in difference.lost],
        )


class PipelineOwner(BaseModel):
    id: UUID
    name: str


class StoppingOut(BaseModel):
    """A pipeline whose owner would lose, or regain, what it needs."""

    resource: AskedResource
    kind: PipelineKind
    owner: PipelineOwner
    then: Literal["restricted", "works again"]
    because: Annotated[str, Field(examples=["Eve would have Viewer on raw.orders, where it needs Editor."])]

    @classmethod
    def of(cls, one: Stopping) -> StoppingOut:
        pipeline = one.pipeline
        return cls(
            resource=AskedResource(type="pipeline", id=str(pipeline.id), name=pipeline.name),
            kind=PipelineKind(pipeline.kind),
            owner=PipelineOwner(id=one.owner.id, name=one.owner.name),
            then=one.then,
            because=one.because,
        )


class WhatIfAnswer(BaseModel):
    """Who would gain and lose what. Nothing was changed."""

    items: list[DifferenceOut]
    count: int = Field(description="How many differences there are, shown or not.")
    hidden_members: bool = Field(
        description="A group is concerned into which you do not see: what its members gain and lose is not among these."
    )
    pipelines: list[StoppingOut] = Field(description="Pipelines that you may see and that would stop, or work again.")
    more_pipelines: bool = Field(description="There are more of them than are shown.")

    @classmethod
    def of(cls, outlook: Outlook) -> WhatIfAnswer:
        return cls(
            items=[DifferenceOut.of(difference) for difference in outlook.items],
            count=outlook.count,
            hidden_members=outlook.hidden_members,
            pipelines=[StoppingOut.of(one) for one in outlook.pipelines],
            more_pipelines=outlook.more_pipelines,
        )


class HeadingOut(BaseModel):
    name: str
    when: dict[str, list[str]]


class CellOut(BaseModel):
    allowed: bool
    actions: list[str]
    only_if: dict[str, list[str]]


class LineOut(BaseModel):
    name: str
    listed: bool
    when: dict[str, list[str]]
    cells: list[CellOut]


class AccessTableOut(BaseModel):
    """One table of a document. Where rows are `who`, cells hold actions; where rows are `actions`, cells are ticks."""

    model_config = ConfigDict(from_attributes=True)

    document: str
    page: str
    name: str
    governs: list[str]
    rows_are: Literal["who", "actions"]
    actions: list[str]
    columns: list[HeadingOut]
    rows: list[LineOut]

    @classmethod
    def of(cls, table: tables.Shown) -> AccessTableOut:
        return cls.model_validate(table, from_attributes=True)


class TablesAnswer(BaseModel):
    items: list[AccessTableOut]


class ActionOut(BaseModel):
    slug: str
    name: str


class FactOut(BaseModel):
    name: str
    values: list[str]
    given_by: str


class TypeOut(BaseModel):
    """A type of resource one can ask about."""

    name: str
    document: str
    pages: list[str]
    actions: list[ActionOut]
    facts: list[FactOut]
    by: Literal["id", "description"]
    properties: dict[str, Any] | None = Field(
        description="The JSON schema of a description; what is stored can be described too, as it might be."
    )


class TypesAnswer(BaseModel):
    items: list[TypeOut]

"""Access requests on the wire."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field, StringConstraints, model_validator

from bailiwick.database.paging import Page
from bailiwick.lakehouse.schemas.fields import Level, OwnLevel
from bailiwick.requests.asking import Wish
from bailiwick.requests.models import RequestState
from bailiwick.requests.requesters import RequesterStanding
from bailiwick.requests.seeing import SeenRequest, Waiting
from bailiwick.tenancy.expiry import AS_IT_IS
from bailiwick.tenancy.listing import LINES
from bailiwick.tenancy.schemas.fields import Actions, Body, Name, NextCursor, Version
from bailiwick.tenancy.schemas.members import NamedOut
from bailiwick.wrong_input import WrongValue

Type = Literal["layer", "table", "volume", "project"]
Role = Annotated[Literal["Business User", "Technical User", "Admin"], Field(description="A role in a project.")]
Reason = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1000, pattern=LINES)]
IDENTIFIER = r"[A-Za-z][A-Za-z0-9_]{0,62}"


class AskedFor(Body):
    """By id what you see; by its name, as in statements, anything."""

    type: Type
    id: UUID | None = None
    name: Annotated[Name | None, Field(examples=["raw.salaries"])] = None

    @model_validator(mode="after")
    def _named_in_one_way(self) -> Self:
        if (self.id is None) == (self.name is None):
            raise WrongValue("It is named in one way.", "Give `id` or `name`.", "name")
        dotted = self.type in ("table", "volume")
        form = rf"{IDENTIFIER}\.{IDENTIFIER}" if dotted else IDENTIFIER
        if self.name is not None and self.type != "project" and not re.fullmatch(form, self.name):
            like = "with its layer, raw.salaries" if dotted else "raw"
            raise WrongValue(f"No {self.type} can be called so.", f"Write it as in statements, such as {like}.", "name")
        return self


class NewRequest(Body):
    resource: AskedFor
    level: Level | None = None
    role: Role | None = None
    reason: Annotated[Reason, Field(description="For whoever decides.", examples=["I build the payroll report."])]
    expires_at: Annotated[AwareDatetime | None, Field(description="Until when you need it; none: for good.")] = None

    @model_validator(mode="after")
    def _level_or_role(self) -> Self:
        if (self.role is not None) != (self.resource.type == "project") or (self.level is None) == (self.role is None):
            wanted, other = ("role", "level") if self.resource.type == "project" else ("level", "role")
            fix = f"Give `{wanted}`, and no `{other}`."
            raise WrongValue(f"What is asked for on a {self.resource.type} is a {wanted}.", fix, wanted)
        return self

    def as_wish(self) -> Wish:
        wanted = self.level or self.role
        assert wanted is not None
        asked = self.resource
        return Wish(asked.type, wanted, self.reason, asked.id, asked.name, self.expires_at)


class Granting(Body):
    """What is left out is given as it was asked for."""

    level: Level | None = None
    role: Role | None = None
    expires_at: Annotated[AwareDatetime | None, Field(description="None: for good.")] = None
    resource_id: Annotated[
        UUID | None,
        Field(description="What you saw it to be about; if that is something else by now, the answer is 409."),
    ] = None

    def choices(self) -> dict[str, Any]:
        end = self.expires_at if "expires_at" in self.model_fields_set else AS_IT_IS
        return {"level": self.level, "role": self.role, "expires_at": end, "resource_id": self.resource_id}


class Declining(Body):
    reason: Annotated[Reason, Field(description="For whoever asked.", examples=["Ask for trusted.salaries instead."])]


class AboutOut(BaseModel):
    type: Type
    id: Annotated[UUID | None, Field(description="If you see it.")]
    name: Annotated[str, Field(description="What it is called, or if you do not see it, as it was asked for.")]


class RequesterOut(BaseModel):
    id: UUID
    name: str
    email: str


class RequesterStandingOut(BaseModel):
    """How whoever asked stands there now, as far as it is for you to know."""

    level: Annotated[OwnLevel | None, Field(description="On the layer, table or volume, by grants or by the plan.")]
    role: Annotated[
        Literal["none", "Business User", "Technical User", "Admin"] | None,
        Field(description="In the project, from wherever it comes."),
    ]
    granted: Annotated[
        Literal["Viewer", "Editor", "Manager", "Business User", "Technical User", "Admin"] | None,
        Field(description="What they were given there themselves: what you give takes its place."),
    ]
    granted_until: AwareDatetime | None
    tenant_role: Annotated[str | None, Field(description="If you see them.", examples=["viewer"])]
    groups: Annotated[list[NamedOut], Field(description="Those of their groups into which you see.")]

    @classmethod
    def of(cls, standing: RequesterStanding, *, is_role: bool) -> Self:
        return cls.model_validate(
            {
                "level": None if is_role else standing.has,
                "role": standing.has if is_role else None,
                "granted": standing.granted,
                "granted_until": standing.granted_until,
                "tenant_role": standing.tenant_role,
                "groups": [NamedOut(id=group.id, name=group.name) for group in standing.groups],
            }
        )


class OutcomeOut(BaseModel):
    level: Level | None
    role: Role | None
    expires_at: AwareDatetime | None
    reason: Annotated[str | None, Field(description="Why it was declined.")]
    by: Annotated[str, Field(description="The name of who decided.")]
    at: AwareDatetime


class AccessRequestOut(BaseModel):
    id: UUID
    state: RequestState
    resource: AboutOut
    level: Level | None
    role: Role | None
    expires_at: Annotated[AwareDatetime | None, Field(description="Until when it is wanted; none: for good.")]
    reason: str
    requester: RequesterOut
    standing: Annotated[
        RequesterStandingOut | None,
        Field(description="Where you look at one request that you could decide now; not in lists."),
    ]
    asked_at: AwareDatetime
    lapses_at: Annotated[AwareDatetime, Field(description="When it lapses, should nobody decide it before.")]
    outcome: OutcomeOut | None
    actions: Annotated[Actions, Field(examples=[["withdraw"], ["grant", "decline"]])]
    version: Version

    @classmethod
    def of(cls, seen: SeenRequest) -> Self:
        request = seen.request
        is_role = request.kind == "project"
        outcome = None
        if request.decided_at is not None and seen.decided_by is not None:
            outcome = OutcomeOut(
                level=None if is_role else request.given,
                role=request.given if is_role else None,
                expires_at=request.given_until,
                reason=request.answer or None,
                by=seen.decided_by.name,
                at=request.decided_at,
            )
        return cls(
            id=request.id,
            state=seen.state,
            resource=AboutOut(type=request.kind, id=seen.about_id, name=seen.name),
            level=None if is_role else request.wanted,
            role=request.wanted if is_role else None,
            expires_at=request.expires_at,
            reason=request.reason,
            requester=RequesterOut(id=seen.requester.id, name=seen.requester.name, email=seen.requester.email),
            standing=RequesterStandingOut.of(seen.standing, is_role=is_role) if seen.standing else None,
            asked_at=request.asked_at,
            lapses_at=request.lapses_at,
            outcome=outcome,
            actions=list(seen.actions),
            version=request.version,
        )


class AccessRequestsOut(BaseModel):
    items: list[AccessRequestOut]
    next_cursor: NextCursor

    @classmethod
    def of(cls, page: Page[SeenRequest]) -> Self:
        return cls(items=[AccessRequestOut.of(seen) for seen in page.items], next_cursor=page.next_cursor)


class WaitingOut(BaseModel):
    count: Annotated[int, Field(description="How many requests you could decide now, up to a hundred.")]
    more: Annotated[bool, Field(description="Whether there are more than were counted.")]

    @classmethod
    def of(cls, waiting: Waiting) -> Self:
        return cls(count=waiting.count, more=waiting.more)

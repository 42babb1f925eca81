"""Projects, their members, groups and notification channels on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field, StrictBool

from bailiwick.access.world.people import Origin
from bailiwick.database.paging import Page
from bailiwick.projects.group_grants import GroupGrant
from bailiwick.projects.members import Left, SeenProjectMember
from bailiwick.projects.notifications import Receiver
from bailiwick.projects.of_member import InProject
from bailiwick.projects.roles import NO_ROLE
from bailiwick.projects.service import Here
from bailiwick.tenancy.models import MemberState
from bailiwick.tenancy.schemas.fields import Actions, Body, Change, Description, Name, NextCursor, Version
from bailiwick.tenancy.schemas.members import NamedOut, ShowLink

Role = Literal["Admin", "Technical User", "Business User"]
RoleOrNone = Annotated[
    Role | None, Field(description="The effective role: the highest of all origins.", examples=["Technical User"])
]
OtherEnd = Annotated[
    AwareDatetime | None,
    Field(description="From then on the role has no effect. None: it does not expire. Left out, it stays as it is."),
]


def _role(role: str) -> Any:
    return None if role == NO_ROLE else role


# Projects --------------------------------------------------------------------------------------------------------


class NewProject(Body):
    name: Annotated[Name, Field(examples=["Sales analytics"])]
    description: Annotated[Description, Field(examples=["What the sales team looks at every morning."])] = ""


class ProjectChange(Change):
    name: Annotated[Name | None, Field(examples=["Sales analytics"])] = None
    description: Annotated[Description | None, Field(examples=["What the sales team looks at every morning."])] = None


class ProjectOut(BaseModel):
    id: UUID
    name: str
    description: str
    role: Annotated[RoleOrNone, Field(description="Your effective role here.")]
    created_at: datetime
    actions: Annotated[Actions, Field(examples=[["see_project", "edit_project_metadata", "invite_business_user"]])]
    version: Version

    @classmethod
    def of(cls, here: Here) -> Self:
        project = here.project
        return cls(
            id=project.id,
            name=project.name,
            description=project.description,
            role=_role(here.role),
            created_at=project.created_at,
            actions=here.actions,
            version=project.version,
        )


class ProjectsOut(BaseModel):
    items: list[ProjectOut]
    next_cursor: NextCursor

    @classmethod
    def of(cls, page: Page[Here]) -> Self:
        return cls(items=[ProjectOut.of(here) for here in page.items], next_cursor=page.next_cursor)


class SwitchesChange(Change):
    technical_users_control_all_reports: Annotated[StrictBool | None, Field(examples=[True])] = None
    ownership_adds_to_availability: Annotated[StrictBool | None, Field(examples=[False])] = None


class ProjectSettingsOut(BaseModel):
    technical_users_control_all_reports: Annotated[
        bool,
        Field(description="Technical Users control every report they see, not only those on their data marts."),
    ]
    ownership_adds_to_availability: Annotated[
        bool, Field(description="A Business Owner who is a Technical User also has what availability gives them.")
    ]
    warnings: Annotated[list[str], Field(description="Technical Owners of data marts whose role here is too low.")]
    actions: Annotated[Actions, Field(examples=[["see_project_settings", "set_project_switches"]])]
    version: Version

    @classmethod
    def of(cls, here: Here, warnings: list[str]) -> Self:
        project = here.project
        return cls(
            technical_users_control_all_reports=project.technical_users_control_all_reports,
            ownership_adds_to_availability=project.ownership_adds_to_availability,
            warnings=warnings,
            actions=here.actions,
            version=project.version,
        )


# Members ---------------------------------------------------------------------------------------------------------


class Invitation(Body):
    email: Annotated[str, Field(min_length=3, max_length=320, examples=["ana@example.com"])]
    role: Annotated[Role, Field(examples=["Business User"])]
    name: Annotated[Name | None, Field(description="Of somebody new.", examples=["Ana Lima"])] = None
    expires_at: Annotated[AwareDatetime | None, Field(description="From then on the role has no effect.")] = None
    show: ShowLink = False


class RoleChange(Change):
    role: Annotated[Role | None, Field(examples=["Technical User"])] = None
    expires_at: OtherEnd = None

    def changes(self) -> dict[str, Any]:
        return {**super().changes(), **self.model_dump(include={"expires_at"}, exclude_unset=True)}


class GroupRole(Body):
    role: Annotated[Role, Field(examples=["Technical User"])]
    expires_at: OtherEnd = None


class OriginOut(BaseModel):
    """Where a role comes from."""

    role: Role
    source: Literal["tenant role", "grant", "group"]
    group: Annotated[NamedOut | None, Field(description="Named if you may see who is in it.")]
    expires_at: Annotated[
        AwareDatetime | None,
        Field(description="From then on it gives no role; of a group, told if the group is named."),
    ]

    @classmethod
    def of(cls, seen: SeenProjectMember, origin: Origin) -> Self:
        # The end alone would tell which group it is: who sees the project sees which of them ends when.
        group = seen.groups.get(origin.group or "")
        told = origin.group is None or group is not None
        return cls.model_validate(
            {
                "role": origin.role,
                "source": origin.source,
                "group": NamedOut(id=group.id, name=group.name) if group else None,
                "expires_at": seen.found.expires_at(origin) if told else None,
            }
        )


class ProjectMemberOut(BaseModel):
    id: UUID
    name: str
    email: str
    state: Annotated[MemberState, Field(description="The role of who is not active takes effect when they are.")]
    role: RoleOrNone
    origins: Annotated[list[OriginOut], Field(description="Every origin of a role, the highest first.")]
    granted_role: Annotated[Role | None, Field(description="What they were granted here themselves.")]
    expires_at: Annotated[AwareDatetime | None, Field(description="From then on that grant has no effect.")]
    actions: Annotated[Actions, Field(examples=[["change_a_member_s_role", "delete_members"]])]
    version: Annotated[int | None, Field(description="Of what they were granted; also the ETag.")]
    note: Annotated[str | None, Field(description="What a change left standing and why, or became of an invitation.")]

    @classmethod
    def of(cls, seen: SeenProjectMember) -> Self:
        member, grant = seen.found.member, seen.found.grant
        return cls.model_validate(
            {
                **{field: getattr(member, field) for field in ("id", "name", "email", "state")},
                "role": _role(seen.found.role),
                "origins": [OriginOut.of(seen, origin) for origin in seen.found.origins],
                "granted_role": grant.role if grant else None,
                "expires_at": grant.expires_at if grant else None,
                "actions": list(seen.actions),
                "version": grant.version if grant else None,
                "note": seen.note,
            }
        )


class InvitedToProjectOut(ProjectMemberOut):
    """Somebody who was invited; who is new here joins through a link."""

    link: Annotated[str | None, Field(description="If you asked to see it: to hand it over. Shown this once.")]

    @classmethod
    def of_invited(cls, seen: SeenProjectMember) -> Self:
        return cls(**dict(ProjectMemberOut.of(seen)), link=seen.link)


class ProjectMembersOut(BaseModel):
    items: list[ProjectMemberOut]
    next_cursor: NextCursor

    @classmethod
    def of(cls, page: Page[SeenProjectMember]) -> Self:
        return cls(items=[ProjectMemberOut.of(seen) for seen in page.items], next_cursor=page.next_cursor)


class MemberInProjectOut(BaseModel):
    """A member as they stand in one of their projects."""

    project: NamedOut
    there: ProjectMemberOut

    @classmethod
    def of(cls, found: InProject) -> Self:
        project = NamedOut(id=found.project.id, name=found.project.name)
        return cls(project=project, there=ProjectMemberOut.of(found.there))


class MemberInProjectsOut(BaseModel):
    items: list[MemberInProjectOut]
    next_cursor: NextCursor

    @classmethod
    def of(cls, page: Page[InProject]) -> Self:
        return cls(items=[MemberInProjectOut.of(found) for found in page.items], next_cursor=page.next_cursor)


class LeftOut(BaseModel):
    role: Annotated[RoleOrNone, Field(description="What they still have, from elsewhere.")]
    note: Annotated[str | None, Field(description="Where that comes from.")]

    @classmethod
    def of(cls, left: Left) -> Self:
        return cls(role=_role(left.role), note=left.note)


class GroupGrantOut(BaseModel):
    """A group's role in the project."""

    group: NamedOut
    is_all: Annotated[bool, Field(description="The group that always holds everyone.")]
    role: Role
    expires_at: Annotated[AwareDatetime | None, Field(description="From then on it has no effect.")]
    granted_at: datetime
    actions: Annotated[Actions, Field(examples=[["change_a_member_s_role"]])]
    version: Version

    @classmethod
    def of(cls, found: GroupGrant) -> Self:
        return cls.model_validate(
            {
                "group": NamedOut(id=found.group.id, name=found.group.name),
                "is_all": found.group.is_all,
                "role": found.grant.role,
                "expires_at": found.grant.expires_at,
                "granted_at": found.grant.granted_at,
                "actions": list(found.actions),
                "version": found.grant.version,
            }
        )


class ProjectGroupsOut(BaseModel):
    items: list[GroupGrantOut]
    next_cursor: NextCursor

    @classmethod
    def of(cls, page: Page[GroupGrant]) -> Self:
        return cls(items=[GroupGrantOut.of(found) for found in page.items], next_cursor=page.next_cursor)


# Notifications ---------------------------------------------------------------------------------------------------


class ReceiverOut(BaseModel):
    id: UUID
    name: str
    email: str
    role: RoleOrNone
    added: Annotated[bool, Field(description="Added by hand; the others receive it by their role.")]

    @classmethod
    def of(cls, receiver: Receiver) -> Self:
        member = receiver.found.member
        role = _role(receiver.found.role)
        return cls(id=member.id, name=member.name, email=member.email, role=role, added=receiver.added)


class ReceiversOut(BaseModel):
    items: list[ReceiverOut]
    next_cursor: NextCursor

    @classmethod
    def of(cls, page: Page[Receiver]) -> Self:
        return cls(items=[ReceiverOut.of(receiver) for receiver in page.items], next_cursor=page.next_cursor)

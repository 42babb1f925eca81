"""Notification channels on the wire, of the tenant and of projects, and the receivers of the tenant's."""

from __future__ import annotations

from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import AfterValidator, AnyHttpUrl, BaseModel, Field, StrictBool, UrlConstraints, model_validator

from bailiwick.database.paging import Page
from bailiwick.runs.channels import Receiver, SeenChannel
from bailiwick.runs.models import ChannelKind
from bailiwick.tenancy.schemas.fields import Actions, Body, NextCursor, Version
from bailiwick.wrong_input import WrongValue

MOST_DELAY = 24 * 60
LONGEST_URL = 2000


def _fits(url: AnyHttpUrl) -> AnyHttpUrl:
    """Letters outside ASCII are kept in their longer, escaped form. A name and password would not be sent."""
    if len(str(url)) > LONGEST_URL:
        raise WrongValue("It is too long.", f"Write it with at most {LONGEST_URL} characters.")
    if url.username or url.password:
        fix = "Write it without user name and password; a secret may be part of the path."
        raise WrongValue("It holds a user name or a password.", fix)
    return url


WebAddress = Annotated[AnyHttpUrl, UrlConstraints(max_length=LONGEST_URL), AfterValidator(_fits)]


class ChannelChange(Body):
    is_on: Annotated[StrictBool | None, Field(examples=[True])] = None
    delay_minutes: Annotated[int | None, Field(ge=0, le=MOST_DELAY, strict=True, examples=[15])] = None
    webhook_url: Annotated[
        WebAddress | None, Field(description="null takes it away.", examples=["https://example.com/hook"])
    ] = None

    @model_validator(mode="after")
    def _changes_something(self) -> Self:
        if not self.changes():
            fields = ", ".join(type(self).model_fields)
            raise WrongValue("Nothing to change.", f"Give at least one of {fields}.")
        return self

    def changes(self) -> dict[str, Any]:
        """Only the web address can be taken away; for the others null is the same as leaving them out."""
        given = self.model_dump(mode="json", exclude_unset=True)
        return {field: value for field, value in given.items() if value is not None or field == "webhook_url"}


class ChannelOut(BaseModel):
    kind: ChannelKind
    is_on: bool
    delay_minutes: int
    webhook_url: Annotated[str | None, Field(description="Shown to who manages the channel.")]
    receives: Annotated[bool, Field(description="Whether you receive it, when it is on.")]
    actions: Actions
    version: Version

    @classmethod
    def of(cls, seen: SeenChannel) -> Self:
        channel = seen.channel
        return cls(
            kind=ChannelKind(channel.kind),
            is_on=channel.is_on,
            delay_minutes=channel.delay_minutes,
            webhook_url=seen.webhook_url,
            receives=seen.receives,
            actions=list(seen.actions),
            version=channel.version,
        )


class ChannelsOut(BaseModel):
    items: list[ChannelOut]


class TenantReceiverOut(BaseModel):
    id: UUID
    name: str
    email: str
    tenant_role: str
    added: Annotated[bool, Field(description="Added by hand; the others receive it by their role.")]

    @classmethod
    def of(cls, receiver: Receiver) -> Self:
        member = receiver.member
        role, added = member.tenant_role, receiver.added
        return cls(id=member.id, name=member.name, email=member.email, tenant_role=role, added=added)


class TenantReceiversOut(BaseModel):
    items: list[TenantReceiverOut]
    next_cursor: NextCursor

    @classmethod
    def of(cls, page: Page[Receiver]) -> Self:
        return cls(items=[TenantReceiverOut.of(receiver) for receiver in page.items], next_cursor=page.next_cursor)

"""Signing in, links and passwords on the wire."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field, StringConstraints

from bailiwick.tenancy.listing import PLAIN
from bailiwick.tenancy.models import LinkPurpose
from bailiwick.tenancy.schemas.fields import In, Name, Secret, TimeZone
from bailiwick.tenancy.schemas.sessions import SessionOut
from bailiwick.tenancy.schemas.tokens import TokenInUseOut

Email = Annotated[str, StringConstraints(strip_whitespace=True, min_length=3, max_length=254, pattern=PLAIN)]
# Longer than any password that is taken, so that what is typed at sign-in is never refused for its length alone.
Password = Annotated[Secret, Field(min_length=1, max_length=1000)]
LinkSecret = Annotated[Secret, Field(min_length=1, max_length=200, description="What follows the # in the link.")]


class As(StrEnum):
    """How the session comes: as a cookie for a browser, or in the answer for a program."""

    BROWSER = "browser"
    BEARER = "bearer"


class AsksForPurpose(StrEnum):
    """What links can be asked for; those to join come with an invitation."""

    SIGN_IN = LinkPurpose.SIGN_IN
    RESET_PASSWORD = LinkPurpose.RESET_PASSWORD


class WithAs(In):
    as_: As = Field(As.BROWSER, alias="as")


class SignIn(WithAs):
    email: Email
    password: Password


class SignInByLink(WithAs):
    secret: LinkSecret


class ResetPassword(WithAs):
    secret: LinkSecret
    password: Password


class Join(WithAs):
    secret: LinkSecret
    password: Password
    name: Name | None = None
    time_zone: TimeZone | None = None


class AskForLink(In):
    email: Email
    purpose: AsksForPurpose = AsksForPurpose.SIGN_IN


class LookAtLink(In):
    secret: LinkSecret


class LinkOut(BaseModel):
    """What a link is for. The name is hinted at: whoever holds the link by accident learns no more."""

    purpose: LinkPurpose
    name: str
    email: str
    expires_at: AwareDatetime


class Answer(BaseModel):
    detail: str


class MakeLink(In):
    purpose: AsksForPurpose = AsksForPurpose.SIGN_IN
    show: bool = Field(False, description="Answer with the link as well, to hand it over: for those who may see it.")


class MadeLinkOut(BaseModel):
    detail: str
    link: str | None


class ChangePassword(In):
    old_password: Password
    new_password: Password


class MeOut(BaseModel):
    """Who is signed in, and how."""

    member_id: UUID
    name: str
    email: str
    session: SessionOut | None
    token: TokenInUseOut | None
    csrf_token: str | None = Field(description="A browser sends it back with every change, as X-CSRF-Token.")


class SignedInOut(MeOut):
    secret: str | None = Field(description="For programs: send it as `Authorization: Bearer …`. Shown once.")

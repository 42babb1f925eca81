"""One's own profile: what others call you, and the time zone your clock runs in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from zoneinfo import available_timezones

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from bailiwick.access.decision import require, slug
from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.tables.standing import TENANT_ROLE
from bailiwick.access.tables.tenant.member import EDIT_PROFILE
from bailiwick.errors import Invalid
from bailiwick.tenancy.caller import ALL_GROUP_ID, Caller
from bailiwick.tenancy.models import Group, Member, Tenant
from bailiwick.tenancy.sessions import require_session
from bailiwick.tenancy.standing import on_member, the_tenant
from bailiwick.tenancy.versions import require_unchanged

OF_NO_PLACE = {"localtime", "posixrules", "Factory"}  # in the list of zones, and another one on every machine


@dataclass(frozen=True)
class Profile:
    """The caller as they see themselves."""

    member: Member
    groups: list[Group]
    actions: list[str]
    tenant: Tenant
    tenant_actions: list[str]


def see_profile(session: Session, caller: Caller) -> Profile:
    groups = select(Group).where(or_(Group.id.in_(caller.groups), Group.id == ALL_GROUP_ID)).order_by(Group.name)
    of_tenant = RESOURCE_TYPES["tenant"]
    allowed = of_tenant.allowed_actions(of_tenant.pack({TENANT_ROLE: caller.member.tenant_role}))
    return Profile(
        caller.member,
        list(session.scalars(groups)),
        [slug(action) for action in on_member(session, caller, caller.member).actions(caller.id)],
        the_tenant(session),
        [slug(action) for action in allowed],
    )


def edit_profile(
    session: Session, caller: Caller, if_match: str | None, name: str | None, time_zone: str | None
) -> Profile:
    """Change one's own name or time zone; what is left out stays."""
    require_session(caller, "Editing your profile")
    member = caller.member
    decision = require(on_member(session, caller, member).check(caller.id, EDIT_PROFILE))
    require_unchanged(if_match, member.version, "member")
    before = {"name": member.name, "time_zone": member.time_zone}
    if time_zone is not None:
        member.time_zone = check_time_zone(time_zone)
    if name is not None:
        member.name = name
    after = {"name": member.name, "time_zone": member.time_zone}
    if after != before:
        session.flush()
        caller.record(
            session,
            "edit_profile",
            "member",
            resource_id=member.id,
            resource_name=member.name,
            before=before,
            after=after,
            decision=decision,
            about_id=member.id,
        )
    return see_profile(session, caller)


def check_time_zone(name: str) -> str:
    if name != "UTC" and name not in _time_zones():
        raise Invalid("time_zone", "There is no such time zone.", "Write it like Europe/Berlin or UTC.")
    return name


@cache
def _time_zones() -> frozenset[str]:
    return frozenset(available_timezones() - OF_NO_PLACE)

"""The tenant itself: its first owner, its settings and its plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from bailiwick.access.decision import require, slug
from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.roles import TENANT_ROLES, lakehouse_standing
from bailiwick.audit import service as audit
from bailiwick.database.listing import page_by_name
from bailiwick.database.paging import Page
from bailiwick.errors import Conflict
from bailiwick.tenancy import areas, links
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.directory import HERE, SeenMember, seen
from bailiwick.tenancy.invitations import take_in
from bailiwick.tenancy.members import said_of
from bailiwick.tenancy.models import LinkPurpose, Member, MemberState, Tenant
from bailiwick.tenancy.standing import the_tenant
from bailiwick.tenancy.versions import require_unchanged

STARTER = "starter"
ON_STARTER = "Manager level on all data"
MEMBERS = tuple(role for role in TENANT_ROLES if lakehouse_standing(role) == "Member")


@dataclass(frozen=True)
class SeenTenant:
    """The tenant and what the caller may do in it; its settings are for those who may see them."""

    tenant: Tenant
    actions: Sequence[str]
    settings_seen: bool


@dataclass(frozen=True)
class PlanPreview:
    """What another plan would give to whom."""

    plan: str
    needs_confirmation: bool
    gain: str
    members: int
    page: Page[SeenMember]


def create_tenant(session: Session, tenant_name: str, owner_email: str, owner_name: str) -> tuple[Member, str]:
    """The tenant with its first owner, and the secret of the link with which they join; once in a deployment."""
    if session.get(Tenant, 1) is not None:
        raise Conflict("This deployment has its tenant already. Its owners add further people.")
    session.add(Tenant(id=1, name=tenant_name))
    session.flush()
    areas.tell_tenant_made(session)
    owner = take_in(
        session, email=owner_email, name=owner_name, state=MemberState.INVITED, invited_by=None, tenant_role="owner"
    )
    audit.record(
        session, action="create_tenant", resource_type="tenant", resource_name=tenant_name, after={"name": tenant_name}
    )
    audit.record(
        session,
        action="add_member",
        resource_type="member",
        resource_id=owner.id,
        resource_name=owner.name,
        about_id=owner.id,
        after=said_of(owner),
    )
    return owner, links.make_link(session, owner, LinkPurpose.JOIN)


def get_tenant(session: Session, caller: Caller) -> SeenTenant:
    """Name and plan for everybody who is signed in."""
    tenants = RESOURCE_TYPES["tenant"]
    allowed = tenants.allowed_actions(tenants.pack({"tenant role": caller.member.tenant_role}))
    return SeenTenant(the_tenant(session), tuple(map(slug, allowed)), caller.on_tenant("See settings").allowed)


def get_settings(session: Session, caller: Caller) -> Tenant:
    require(caller.on_tenant("See settings"))
    return the_tenant(session)


def change_settings(
    session: Session, caller: Caller, changes: dict[str, str | bool], *, if_match: str | None
) -> Tenant:
    decision = require(caller.on_tenant("Change settings"))
    tenant = the_tenant(session)
    require_unchanged(if_match, tenant.version, "tenant")
    before = {field: getattr(tenant, field) for field in changes}
    if before != changes:
        for field, value in changes.items():
            setattr(tenant, field, value)
        session.flush()
        caller.record(
            session,
            "change_settings",
            "tenant",
            resource_name=tenant.name,
            before=before,
            after=dict(changes),
            decision=decision,
        )
    return tenant


def preview_plan(
    session: Session, caller: Caller, plan: str, *, cursor: str | None = None, limit: int = 50
) -> PlanPreview:
    """Who would gain what: on Starter every Member, that is everybody but owners and admins."""
    require(caller.on_tenant("Manage billing"))
    if not _goes_down(session, plan):
        return PlanPreview(plan, False, "", 0, Page([]))
    page = page_by_name(session, Member, cursor, limit, *_members())
    people = Page(seen(session, caller, page.items), page.next_cursor)
    return PlanPreview(plan, True, ON_STARTER, _how_many(session), people)


def change_plan(session: Session, caller: Caller, plan: str, *, confirm: bool, if_match: str | None) -> SeenTenant:
    """Going down to Starter asks, for it opens all data to every Member; grants stay as they are, without effect."""
    decision = require(caller.on_tenant("Manage billing"))
    tenant = the_tenant(session)
    require_unchanged(if_match, tenant.version, "tenant")
    if _goes_down(session, plan) and not confirm:
        number = _how_many(session)
        raise Conflict(
            f"On the plan starter every Member has {ON_STARTER}: {number} members would gain it, and grants would be "
            "kept without effect. GET /api/v1/tenant/plan/preview?plan=starter lists them. "
            'Repeat with "confirm": true to change the plan.',
            preview={"plan": plan, "gain": ON_STARTER, "members": number},
        )
    if tenant.plan != plan:
        before: dict[str, Any] = {"plan": tenant.plan}
        tenant.plan = plan
        session.flush()
        caller.record(
            session,
            "change_plan",
            "tenant",
            resource_name=tenant.name,
            before=before,
            after={"plan": plan},
            decision=decision,
        )
    return get_tenant(session, caller)


def data_grants_refused(session: Session) -> str | None:
    """Why levels on data cannot be granted now, or None where they can."""
    if the_tenant(session).plan != STARTER:
        return None
    return (
        f"On the plan starter every Member has {ON_STARTER}, so levels on data are not granted. "
        "Grants made before are kept, without effect, and hold again on the plans growth and custom; "
        "a tenant owner can change the plan."
    )


def _goes_down(session: Session, plan: str) -> bool:
    return plan == STARTER and the_tenant(session).plan != STARTER


def _members() -> tuple[ColumnElement[bool], ...]:
    return Member.tenant_role.in_(MEMBERS), Member.state.in_(HERE)


def _how_many(session: Session) -> int:
    return session.scalar(select(func.count()).select_from(Member).where(*_members())) or 0

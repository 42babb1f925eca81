"""Giving what was asked for, through the use cases that give it by hand."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import cast

from sqlalchemy import select
from sqlalchemy.orm import Session

from bailiwick.access.tables.lakehouse.levels import LEVELS
from bailiwick.access.tables.standing import PROJECT_ROLES
from bailiwick.errors import Conflict
from bailiwick.lakehouse import grants
from bailiwick.lakehouse.models import Grant
from bailiwick.lakehouse.standing import holds_now
from bailiwick.lakehouse.targets import Kind, find_target, granted_on
from bailiwick.projects import invitations, members
from bailiwick.projects.roles import NO_ROLE, in_project
from bailiwick.projects.service import enter
from bailiwick.requests.models import AccessRequest
from bailiwick.settings import Settings
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Member


@dataclass(frozen=True)
class Gift:
    wanted: str  # a level or a role
    until: datetime | None
    end_was_chosen: bool  # by whoever gives it, who thereby knows what it ends


def give(session: Session, caller: Caller, settings: Settings, request: AccessRequest, to: Member, gift: Gift) -> None:
    if request.kind == "project":
        _give_role(session, caller, settings, request, to, gift)
    else:
        _give_level(session, caller, request, to, gift)


def _give_level(session: Session, caller: Caller, request: AccessRequest, to: Member, gift: Gift) -> None:
    assert request.about_id is not None
    kind, id_ = cast(Kind, request.kind), request.about_id
    target, _ = find_target(session, caller, kind, id_)
    held = session.scalars(select(Grant).where(granted_on(target), Grant.member_id == to.id, holds_now())).one_or_none()
    if held is None:
        grants.give_level(
            session, caller, kind, id_, member=str(to.id), group=None, level=gift.wanted, expires_at=gift.until
        )
        return
    _refuse_to_lessen(to, held.level, held.expires_at, LEVELS, gift)
    grants.change_level(session, caller, kind, id_, held.id, level=gift.wanted, expires_at=gift.until)


def _give_role(
    session: Session, caller: Caller, settings: Settings, request: AccessRequest, to: Member, gift: Gift
) -> None:
    assert request.about_id is not None
    here = enter(session, caller, request.about_id)
    (found,) = in_project(session, here.project, [to])
    if found.role == NO_ROLE:
        invitations.invite(
            session,
            caller,
            settings,
            here.project.id,
            email=to.email,
            name=None,
            role=gift.wanted,
            expires_at=gift.until,
            tell=False,  # they are told that what they asked for is granted
        )
        return
    if found.grant is not None:
        _refuse_to_lessen(to, found.grant.role, found.grant.expires_at, PROJECT_ROLES, gift)
    members.change_role(session, caller, here.project.id, to.id, role=gift.wanted, expires_at=gift.until, if_match=None)


def _refuse_to_lessen(to: Member, has: str, until: datetime | None, ladder: tuple[str, ...], gift: Gift) -> None:
    """Somebody holds one level or role of their own on a thing: what is given takes its place."""
    lasts_longer = gift.until is not None and (until is None or until > gift.until)
    lower, same = ladder.index(gift.wanted) < ladder.index(has), gift.wanted == has
    if lower or (same and (lasts_longer or until == gift.until)):
        raise Conflict(
            f"{to.name} holds {has} here already, so there is nothing to give. Decline the request.", has=has
        )
    if lasts_longer and not gift.end_was_chosen:
        how_long = f"until {until:%d %B %Y}" if until else "without an end"
        raise Conflict(
            f"{to.name} holds {has} here {how_long}. {gift.wanted} would take its place, and nothing be "
            "left at its end. Choose an end, or none, to grant it so.",
            has=has,
        )

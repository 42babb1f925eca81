"""Finding members: for owners and admins everybody, for others whom they share a project with."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select, true
from sqlalchemy.orm import Session, aliased

from bailiwick.projects.near import shares_a_project
from bailiwick.search.fitting import Source, Typed, best
from bailiwick.tenancy import directory
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Member, MemberState

SPARE = 3  # times as many are looked at, should some of them not be seen after all
THERE = Member.state != MemberState.REMOVED
EVERYBODY = 10_000_000  # a limit that is none; with it, whom one shares a project with is looked up first


def find_members(session: Session, caller: Caller, text: Typed, few: int) -> tuple[Sequence[Member], bool]:
    """By name or e-mail address, which who sees somebody sees too; and whether these are all."""
    if directory.sees_everybody(caller):
        return _members(session, text, few, (Member, THERE))
    near = select(Member).where(shares_a_project(session, caller), THERE).limit(EVERYBODY).subquery()
    found, is_all = _members(session, text, few * SPARE, (aliased(Member, near), true()))
    seen = [one.member for one in directory.seen(session, caller, found) if "see" in one.actions]
    return seen[:few], is_all and len(seen) <= few


def _members(session: Session, text: Typed, few: int, source: Source) -> tuple[list[Member], bool]:
    found = best(session, text, few, [source]).first(few)
    rows = {member.id: member for member in session.scalars(select(Member).where(Member.id.in_(found.ids)))}
    return [rows[id_] for id_ in found.ids], found.is_all

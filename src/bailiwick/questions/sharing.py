"""What a Manager may ask before sharing: what a level on what they manage would bring whomever they name.

The answer goes no further than what they know already. Levels that groups hold there count only for groups they see
into, and tenant roles and whether somebody is active only of people they see: otherwise it would tell who is in a
group, who is an admin, and who was suspended."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from uuid import UUID

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session

from bailiwick.access.decision import Refused
from bailiwick.access.tables.lakehouse.levels import MANAGER
from bailiwick.access.tables.tenant.group import SEE_MEMBERS
from bailiwick.access.world import records
from bailiwick.errors import Invalid
from bailiwick.lakehouse.grants import HOLDING, MANAGE, MANAGE_MANAGERS
from bailiwick.lakehouse.models import Layer
from bailiwick.lakehouse.standing import Supposed, on_layer, on_thing
from bailiwick.lakehouse.targets import Target, layer_of
from bailiwick.questions import asking
from bailiwick.questions.listed import ACTIVE
from bailiwick.tenancy import directory
from bailiwick.tenancy.caller import ALL_GROUP_ID, Caller
from bailiwick.tenancy.models import Group, Member
from bailiwick.tenancy.standing import on_group


class Sharing:
    """A Manager's question about levels on what they manage."""

    def __init__(self, session: Session, caller: Caller, targets: Collection[Target]) -> None:
        self._session, self._caller = session, caller
        self._placed = {
            target.id: on_layer(session, caller, target)
            if isinstance(target, Layer)
            else on_thing(session, caller, target)
            for target in targets
        }
        self.known = Supposed(
            known_groups=caller.groups | {ALL_GROUP_ID}, in_layers=frozenset(layer_of(target) for target in targets)
        )
        self.hidden_members = False
        for id_ in self._placed:
            self.require(id_)

    def require(self, target_id: UUID, levels: Collection[str | None] = ()) -> None:
        """Only what they could do: the level Manager is for others to give and to take."""
        action = MANAGE_MANAGERS if MANAGER in levels else MANAGE
        decision = self._placed[target_id].check(self._caller.id, action)
        if not decision.allowed:
            raise Refused(decision)

    def member(self, at: str, given: str) -> Member:
        """Exactly whom they name, as when a level is given."""
        member = asking.look_up(self._session, given)
        if member is None or member.state not in HOLDING:
            fix = "Give the id or the whole e-mail address of a member."
            raise Invalid(f"{at}.member", "There is no such member.", fix)
        return member

    def sees_into(self, group: Group) -> bool:
        seen = on_group(self._caller, group).allows(self._caller.id, SEE_MEMBERS)
        self.hidden_members |= not seen
        return seen

    def seen(self, members: Sequence[Member]) -> set[UUID]:
        """Those of them whom the caller sees, with address and tenant role."""
        return {one.member.id for one in directory.seen(self._session, self._caller, members) if "see" in one.actions}

    def as_known(self, people: Sequence[records.Member], seen: Collection[UUID]) -> list[records.Member]:
        """Whom the caller does not see has no tenant role for them, and is as good as active."""
        return [one if UUID(one.id) in seen else replace(one, tenant_role="none", active=True) for one in people]

    def counting(self, named: Collection[UUID]) -> ColumnElement[bool]:
        """Who is compared: the active, and of those whom the caller named also who is not, where they do not see them;
        otherwise that nothing changes for somebody would tell that they are suspended, or have not joined."""
        members = self._session.scalars(select(Member).where(Member.id.in_(named), ~ACTIVE)).all()
        return or_(ACTIVE, Member.id.in_({member.id for member in members} - self.seen(members)))

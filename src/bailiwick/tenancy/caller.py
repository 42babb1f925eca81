"""Who is asking: a member, through a session or a token, in one request."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision, slug
from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.tables.tenant.token import MAY_CHANGE, REACHES_ALL
from bailiwick.access.world import records
from bailiwick.access.world.people import ALL
from bailiwick.audit import service as audit
from bailiwick.database.engine import Database
from bailiwick.settings import Settings
from bailiwick.tenancy.models import ApiToken, Member, SignInSession

# The same in every deployment, so that a grant to everyone is recognised without a look into the database.
ALL_GROUP_ID = UUID("00000000-0000-7000-8000-000000000a11")


def holder(id_: UUID) -> str:
    """A member or group as the access core names it."""
    return ALL if id_ == ALL_GROUP_ID else str(id_)


@dataclass(frozen=True)
class Caller:
    """A member with the groups they are in, and how they came here. Decisions are made about this."""

    member: Member
    groups: frozenset[UUID] = frozenset()
    token: ApiToken | None = None
    session: SignInSession | None = None
    request_id: str = ""
    address: str = ""
    viewer: Caller | None = None  # who really calls, if they only view as this member
    _ids: tuple[UUID, UUID | None] = field(init=False, repr=False, compare=False)
    _viewing_as: dict[str, str] | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # A refusal goes on record after its transaction was rolled back, when the rows no longer answer.
        really = self.viewer or self
        object.__setattr__(self, "_ids", (really.member.id, really.token.id if really.token else None))
        viewed = {"id": self.id, "name": self.member.name} if self.viewer else None
        object.__setattr__(self, "_viewing_as", viewed)

    @property
    def token_id(self) -> UUID | None:
        """Through which token they came, also when the rows no longer answer."""
        return self._ids[1]

    @property
    def id(self) -> str:
        return str(self.member.id)

    @property
    def standing(self) -> records.Member:
        """The member as the access core knows them."""
        return records.Member(
            self.id, self.member.tenant_role, self.member.security_roles, frozenset(holder(g) for g in self.groups)
        )

    @property
    def chosen_tables(self) -> frozenset[UUID] | None:
        """The only tables that the token in use reaches; None: no such limit."""
        if self.token is None or self.token.tables is None:
            return None
        return frozenset(map(UUID, self.token.tables))

    def record(self, session: Session, action: str, resource_type: str, **what: Any) -> None:
        """Put what this caller did into the audit; see `audit.service.record` for what can be said.

        It was done by whoever really calls. As whom they viewed is not said in `about_id`: what was done to a member
        is theirs to read, and a refusal may tell that something is there which they may not see."""
        if self._viewing_as is not None:
            what["after"] = {**(what.get("after") or {}), "viewing_as": self._viewing_as}
        audit.record(
            session,
            action=action,
            resource_type=resource_type,
            actor_id=self._ids[0],
            token_id=self._ids[1],
            request_id=self.request_id,
            **what,
        )

    def record_refusal(self, session: Session, decision: Decision, **where: Any) -> None:
        """Put on record what this caller tried and may not."""
        self.record(
            session, slug(decision.action), decision.resource_type, outcome="refused", decision=decision, **where
        )

    def through_token(self, action: str) -> Decision:
        """Whether the token in use, if any, reaches this far of its maker's rights. Whoever views as somebody reads
        only, as if through such a token."""
        tokens = RESOURCE_TYPES["api_token"]
        narrowed = {
            MAY_CHANGE: "no" if self.viewer or (self.token and self.token.read_only) else "yes",
            REACHES_ALL: "no" if self.token and self.token.tables is not None else "yes",
        }
        return tokens.check(tokens.pack(narrowed), action)

    def on_tenant(self, action: str) -> Decision:
        """The tenant's own table: who adds people, hands out roles, makes groups and projects, and pays."""
        tenant = RESOURCE_TYPES["tenant"]
        return tenant.check(tenant.pack({"tenant role": self.member.tenant_role}), action)


@dataclass(frozen=True)
class Knock:
    """Somebody who has not signed in yet. They get no transaction: an attempt counts even when nothing comes of it,
    and a password is compared while nobody waits for the database."""

    database: Database
    settings: Settings
    request_id: str = ""
    address: str = ""
    client: str = ""  # what the browser or program calls itself

    def record(self, session: Session, action: str, resource_type: str, member: Member, **what: Any) -> None:
        """Put what this member did by knocking into the audit."""
        audit.record(
            session,
            action=action,
            resource_type=resource_type,
            resource_id=member.id,
            resource_name=member.name,
            actor_id=member.id,
            about_id=member.id,
            request_id=self.request_id,
            **what,
        )

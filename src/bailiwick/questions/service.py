"""The answers: may they and why, everything they may, who can, and what can they; nothing is ever written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from sqlalchemy import ColumnElement
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision, Missing
from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.tables.lakehouse.levels import LEVEL, MANAGER, STANDING
from bailiwick.access.tables.ownership import facts as ownership
from bailiwick.access.tables.ownership.data_mart import OWNERSHIP_ADDS
from bailiwick.access.tables.ownership.report import CONTROLS_ALL, ON_DATA_MART, REPORT_OWNER
from bailiwick.access.tables.projects.data_product import ROLES as DATA_PRODUCT_ROLES
from bailiwick.access.tables.spaces import facts as spaces
from bailiwick.access.tables.spaces.space import ADD_MEMBERS
from bailiwick.access.tables.standing import PROJECT_ROLE, TENANT_ROLE
from bailiwick.access.tables.tenant.group import IN_IT
from bailiwick.access.world.placing import Placed, place
from bailiwick.database.listing import Order
from bailiwick.database.paging import Page
from bailiwick.errors import Invalid
from bailiwick.projects.roles import ROLES, gets
from bailiwick.projects.standing import granted_roles, on_membership
from bailiwick.questions import asking, resources
from bailiwick.questions.asking import Reach
from bailiwick.questions.could import could
from bailiwick.questions.listed import EVERYTHING, Wanted, in_chunks, listed
from bailiwick.questions.resources import Asked, Scene
from bailiwick.tenancy import directory
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Member, MemberState
from bailiwick.tenancy.standing import standing_of
from bailiwick.tenancy.tenant import data_grants_refused

MOST_GIVERS = 5
GRANT_TENANT_ROLES = "Grant tenant roles"

# Which action gives a missing fact, and whose: the resource's own or that of something it belongs to.
GIVING: Mapping[str, tuple[str, str]] = {
    PROJECT_ROLE.name: ("project_membership", asking.CHANGE_ROLE),
    **dict.fromkeys((OWNERSHIP_ADDS.name, CONTROLS_ALL.name), ("project_membership", "Set project switches")),
    ownership.OWNER.name: ("", ownership.MANAGE_OWNERS),
    REPORT_OWNER.name: ("report", ownership.MANAGE_OWNERS),
    ownership.TECHNICAL_OWNER.name: ("data_mart", ownership.MANAGE_OWNERS),
    ownership.BUSINESS_OWNER.name: ("data_mart", ownership.MANAGE_OWNERS),
    ownership.FOR_USE.name: ("", ownership.CONFIGURE_AVAILABILITY),
    ownership.FOR_REPORTING.name: ("data_mart", ownership.CONFIGURE_AVAILABILITY),
    ownership.FOR_MAINTENANCE.name: ("", ownership.CONFIGURE_AVAILABILITY),
    ON_DATA_MART.name: ("data_mart", ownership.CONFIGURE_AVAILABILITY),
    **{fact.name: ("data_product", "Manage role assignments") for fact in DATA_PRODUCT_ROLES.values()},
    LEVEL.name: ("", "Manage users (Viewer, Editor)"),
    **{fact.name: ("data_space", ADD_MEMBERS) for fact in spaces.SPACE_ROLES.values()},
    spaces.IS_OWNER.name: ("data_space", "Change space owner"),
    spaces.CONNECTION_OWNER.name: ("", "Change owner of data connection"),
    IN_IT.name: ("group", "Edit"),
    **{fact.name: ("tenant", GRANT_TENANT_ROLES) for fact in (TENANT_ROLE, STANDING, spaces.TENANT_ADMIN)},
    **{fact.name: ("tenant", "Grant security roles") for fact in (spaces.DATA_ADMIN, spaces.DATA_SPACE_CREATOR)},
}


@dataclass(frozen=True)
class Question:
    """A resource as it is asked about: by id what is stored, by a description what is not."""

    type: str
    id: str | None = None
    properties: Mapping[str, Any] | None = None
    lenient: bool = False  # pass over properties that nobody knows

    def find(self, session: Session, caller: Caller) -> Asked:
        return resources.find(session, caller, self.type, self.id, self.properties, lenient=self.lenient)


@dataclass(frozen=True)
class Requestable:
    """The one level or role that would turn a refusal around, and on what: an access request asks for it."""

    type: str
    id: str
    name: str
    wanted: str


@dataclass(frozen=True)
class Answer:
    """One explained decision, and some members who could turn a refusal around."""

    subject: Member
    resource: Asked
    decision: Decision
    could_give: Sequence[Member] = ()
    requestable: Requestable | None = None


# May they ------------------------------------------------------------------------------------------------------------


def decide(session: Session, caller: Caller, question: Question, action: str, subject: str | None) -> Answer:
    """May this member do it?"""
    asked = question.find(session, caller)
    wanted = asked.action(action)
    member = _subject(session, caller, asked, subject)
    placed = resources.scene(session, asked, standing_of(session, [member])).placed
    return Answer(member, asked, _decision(placed, member, wanted))


def check(session: Session, caller: Caller, question: Question, action: str, subject: str | None) -> Answer:
    """May this member do it, and if not, who could make it so?"""
    answer = decide(session, caller, question, action, subject)
    could_give = _givers(session, caller, answer.resource, answer.decision)
    return replace(answer, could_give=could_give, requestable=_requestable(session, caller, answer))


def actions(session: Session, caller: Caller, question: Question, subject: str | None) -> list[Answer]:
    """Every action of the resource, with a decision each."""
    asked = question.find(session, caller)
    member = _subject(session, caller, asked, subject)
    placed = resources.scene(session, asked, standing_of(session, [member])).placed
    return [Answer(member, asked, _decision(placed, member, action)) for action in asked.type.actions]


def _subject(session: Session, caller: Caller, asked: Asked, given: str | None) -> Member:
    if asking.is_oneself(caller, given):
        return caller.member
    return asking.find_subject(session, caller, given, asking.reach(session, caller, asked))


def _decision(placed: Placed, member: Member, action: str) -> Decision:
    """What the table says; whoever is not active may do nothing, not even with themselves."""
    active = member.state == MemberState.ACTIVE
    return placed.check(str(member.id), action) if active else placed.type.to_stranger(action)


def _givers(session: Session, caller: Caller, asked: Asked, decision: Decision) -> list[Member]:
    """Up to five members who could give what is missing, as far as the caller sees who is there."""
    wanted = {_giving(change) for way in decision.missing for change in way if change.fact in GIVING}
    if not wanted:
        return []
    if asked.project is not None:
        if not on_membership(session, caller, asked.project).check(caller.id, "See members").allowed:
            return []
        among = [gets(asked.project.id, ROLES)]
    else:
        if not directory.sees_everybody(caller):
            return []
        among = []
    for members in in_chunks(session, *among):
        scene = resources.scene(session, asked, standing_of(session, members))
        giving = list(_placed_for_giving(scene, wanted))
        able = [m for m in members if any(p.allows(str(m.id), action) for p, action in giving)]
        if able:
            return able[:MOST_GIVERS]
    return []


def _requestable(session: Session, caller: Caller, answer: Answer) -> Requestable | None:
    """Everybody asks for themselves; on the plan starter nobody does for levels."""
    asked = answer.resource
    if answer.subject.id != caller.member.id:
        return None
    for change in (way[0] for way in answer.decision.missing if len(way) == 1):
        if change.fact == PROJECT_ROLE.name and asked.project is not None:
            return Requestable("project", str(asked.project.id), asked.project.name, change.needs)
        is_data = asked.row is not None and asked.type.name in ("layer", "table", "volume")
        if change.fact == LEVEL.name and is_data and not data_grants_refused(session):
            return Requestable(asked.type.name, asked.id, asked.name, change.needs)
    return None


def _giving(change: Missing) -> tuple[str, str]:
    """Which action gives it, and whose; owners are made by owners only."""
    whose, action = GIVING[change.fact]
    if change.fact == LEVEL.name and change.needs == MANAGER:
        return whose, "Manage users (Manager)"
    is_owner = action == GRANT_TENANT_ROLES and change.needs.casefold() == "owner"
    return whose, "Make and unmake owners" if is_owner else action


def _placed_for_giving(scene: Scene, wanted: Iterable[tuple[str, str]]) -> Iterator[tuple[Placed, str]]:
    around = [place(scene.world, record) for record in scene.lineage()]
    for whose, action in wanted:
        found = (p for p in around if action in p.type.actions and whose in ("", p.type.name))
        yield from ((placed, action) for placed in islice(found, 1))


# Who can -------------------------------------------------------------------------------------------------------------


def who(session: Session, caller: Caller, question: Question, action: str, part: Wanted = EVERYTHING) -> Page[Member]:
    """The members who can do it, by name."""
    asked = question.find(session, caller)
    wanted = asked.action(action)
    how_far = asking.reach(session, caller, asked)
    if how_far is Reach.ONESELF:
        raise asking.refuse(caller)
    among = could(session, asked, wanted)
    if asked.project is not None and (how_far is Reach.PROJECT or asked.type.name != "data_product"):
        among.append(gets(asked.project.id, ROLES))  # nobody else can do anything, or may be told of
    if part.search:
        among.append(directory.fits_as_seen(session, caller, part.search))
    return part.page(_able(session, asked, wanted, among, part), lambda member: (member.name, member.id))


def _able(
    session: Session, asked: Asked, action: str, among: Sequence[ColumnElement[bool]], part: Wanted
) -> Iterator[Member]:
    for members in in_chunks(session, *among, wanted=part):
        placed = resources.scene(session, asked, standing_of(session, members)).placed
        yield from (member for member in members if placed.allows(str(member.id), action))


# What can they -------------------------------------------------------------------------------------------------------


def what(
    session: Session,
    caller: Caller,
    subject: str | None,
    action: str,
    type_: str,
    part: Wanted = EVERYTHING,
) -> Page[Asked]:
    """The resources of a type that the member can do it on, by name; only those the caller may see and ask about."""
    if type_ not in resources.STORED:
        fix = f"Use {', '.join(resources.STORED)}; ask about any other resource by describing it."
        raise Invalid("resource_type", "There is no list of such resources.", fix)
    resource_type = RESOURCE_TYPES[type_]
    wanted = resources.action_of(resource_type, action)
    member, only_where_run = _subject_anywhere(session, caller, type_, subject)
    Order(part.sort).position(part.cursor)
    if member.state != MemberState.ACTIVE:
        return Page([])
    people = standing_of(session, [member])
    if member.id != caller.member.id:
        people.append(caller.standing)
    found = (
        asked
        for asked, placed in listed(session, caller, resource_type, people, part, only_where_run)
        if placed.allows(str(member.id), wanted)
    )
    return part.page(found, lambda asked: (asked.listed_by, asked.id))


def _subject_anywhere(session: Session, caller: Caller, type_: str, given: str | None) -> tuple[Member, bool]:
    """The member, and whether the caller may ask about them only in the projects they run."""
    if asking.is_oneself(caller, given):
        return caller.member, False
    if caller.on_tenant(asking.ASK_ABOUT_ANYBODY).allowed:
        return asking.find_subject(session, caller, given, Reach.EVERYBODY), False
    membership = RESOURCE_TYPES["project_membership"]
    runs_one = any(
        membership.allows(membership.pack({PROJECT_ROLE: role}), asking.CHANGE_ROLE)
        for role in granted_roles(session, caller).values()
    )
    if type_ in ("project", "project_membership") and runs_one:
        return asking.find_subject(session, caller, given, Reach.PROJECT), True
    return asking.find_subject(session, caller, given, Reach.ONESELF), False

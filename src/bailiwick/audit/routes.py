"""The audit over HTTP: members read the entries of what they may see; owners and admins see whether it is whole."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import AfterValidator, AwareDatetime, BaseModel, Field
from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session

from bailiwick.access.decision import require
from bailiwick.access.roles import PROJECT_ROLES, inherited_project_role
from bailiwick.audit.models import AuditEntry
from bailiwick.audit.reading import Reader, Wanted, read
from bailiwick.audit.verify import State, look_at_chains
from bailiwick.audit.words import action_meant, in_words
from bailiwick.database.listing import has_in_name, has_in_small
from bailiwick.problems import PROBLEMS
from bailiwick.projects.standing import granted_roles
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.calling import Reading
from bailiwick.tenancy.directory import seen
from bailiwick.tenancy.listing import PLAIN, Cursor, Limit, Search, SortByAge
from bailiwick.tenancy.models import Member
from bailiwick.wrong_input import WrongValue

router = APIRouter(prefix="/api/v1/audit", tags=["audit"], responses=PROBLEMS)

EVERYTHING = "See every audit entry"
MOST_PROBLEMS = 100


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise WrongValue("This moment lies beyond the calendar.", "Give one of the years 1 to 9999, in UTC.") from None


Moment = Annotated[AwareDatetime, AfterValidator(_in_utc)]


class Person(BaseModel):
    id: UUID
    name: str
    email: Annotated[str | None, Field(description="If you may see more of them than the name.")]


class EntryOut(BaseModel):
    """One change or refusal: who, through which token, what, before, after, when, which row decided."""

    id: UUID
    at: AwareDatetime
    actor: Person | None
    token_id: UUID | None
    request_id: str
    action: Annotated[str, Field(examples=["give_level"])]
    said: Annotated[str, Field(description="What was done, in words.", examples=["gave a level"])]
    outcome: str
    resource_type: str
    resource_id: str
    resource_name: str
    project_id: UUID | None
    about: Person | None
    decision: dict[str, Any] | None
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    # Whoever does not read everything could tell by the numbers how much happens that is not theirs to know.
    chain: Annotated[int | None, Field(description="Where it stands in the audit, for those who read all of it.")]
    number: int | None
    previous_hash: str | None
    hash: str | None


class EntriesOut(BaseModel):
    items: list[EntryOut]
    next_cursor: str | None


class ChainOut(BaseModel):
    chain: int
    whole: bool
    entries: int
    checked: int
    since: AwareDatetime | None
    latest_at: AwareDatetime | None


class ChainsOut(BaseModel):
    """Whether the audit is what was written, as far as it was checked just now."""

    whole: Annotated[bool, Field(description="Nothing was found in what was checked.")]
    entries: int
    checked: Annotated[int, Field(description="How many entries of all were checked.")]
    latest: Annotated[int, Field(description="Of each chain at most so many were checked, the latest ones.")]
    since: AwareDatetime | None
    checked_at: AwareDatetime
    chains: list[ChainOut]
    problems: Annotated[list[str], Field(description=f"What is wrong; the first {MOST_PROBLEMS}.")]

    @classmethod
    def of(cls, state: State) -> ChainsOut:
        problems = [*state.problems, *(problem for chain in state.chains for problem in chain.problems)]
        return cls(
            whole=not problems,
            entries=sum(chain.entries for chain in state.chains),
            checked=sum(chain.checked for chain in state.chains),
            latest=state.latest,
            since=min((chain.since for chain in state.chains if chain.since), default=None),
            checked_at=state.at,
            chains=[
                ChainOut(
                    chain=chain.chain,
                    whole=not chain.problems,
                    entries=chain.entries,
                    checked=chain.checked,
                    since=chain.since,
                    latest_at=chain.latest_at,
                )
                for chain in state.chains
            ],
            problems=problems[:MOST_PROBLEMS],
        )


@router.get("/chain", summary="Whether the audit is whole, as far as its latest entries tell")
def see_chain(call: Reading) -> ChainsOut:
    """For tenant owners and admins. Of each chain the first entry and the latest ones are checked, so that the answer
    comes at once; `bailiwick audit verify` reads every entry, and knows a checkpoint kept elsewhere."""
    require(call.caller.on_tenant(EVERYTHING))
    return ChainsOut.of(look_at_chains(call.session))


@router.get("", summary="Read the audit")
def list_entries(
    call: Reading,
    actor: Annotated[UUID | None, Query(description="Who did it.")] = None,
    about: Annotated[UUID | None, Query(description="The member it happened to.")] = None,
    project: Annotated[UUID | None, Query(description="The project it happened in.")] = None,
    action: Annotated[
        str | None,
        Query(max_length=100, pattern=PLAIN, description="`give_level`, or in words: gave a level."),
    ] = None,
    outcome: Annotated[str | None, Query(pattern="^(done|refused)$")] = None,
    resource_type: Annotated[str | None, Query(max_length=40, pattern=PLAIN)] = None,
    resource_id: Annotated[str | None, Query(max_length=64, pattern=PLAIN)] = None,
    request_id: Annotated[str | None, Query(max_length=64, pattern=PLAIN)] = None,
    since: Annotated[Moment | None, Query(description="From this moment on.")] = None,
    until: Annotated[Moment | None, Query(description="Before this moment.")] = None,
    search: Annotated[
        Search, Query(description="Part of the name of what it was done to, or of a member; of one thing, of a group.")
    ] = None,
    sort: SortByAge = "-created",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> EntriesOut:
    """Newest first: of everything for tenant owners and admins; for others what they did, what was done to them, and
    what their roles in projects show."""
    action = action_meant(action) if action else None
    wanted = Wanted(
        *(actor, about, project, action, outcome, resource_type, resource_id, request_id, since, until),
        named=_named(search, of_one=resource_id is not None) if search else None,
    )
    reader = _reader(call.session, call.caller)
    page = read(call.session, reader, wanted, cursor, limit, sort)
    people = _people(call.session, call.caller, page.items)
    items = [_out(entry, people, whole=reader.everything) for entry in page.items]
    return EntriesOut(items=items, next_cursor=page.next_cursor)


def _reader(session: Session, caller: Caller) -> Reader:
    """Owners and admins read everything; a project's entries are read from the role each of them names."""
    if caller.on_tenant(EVERYTHING).allowed:
        return Reader(caller.member.id, everything=True)
    inherited = inherited_project_role(caller.member.tenant_role)
    granted = granted_roles(session, caller)
    return Reader(
        caller.member.id,
        seen_everywhere=_up_to(inherited),
        seen_in=[(project, _up_to(role)) for project, role in granted.items()],
    )


def _named(text: str, of_one: bool) -> ColumnElement[bool]:
    """Whether a name that the entry shows contains this: of what it was done to, of who did it, of whom it concerns.
    Not their addresses: these are not shown to everybody who reads the entry. Of one thing, whose own name finds
    everything, the group that was given or lost it instead."""
    members = select(Member.id).where(has_in_small(Member.sought, text), has_in_name(Member.name, text))
    people = [AuditEntry.actor_id.in_(members), AuditEntry.about_id.in_(members)]
    if not of_one:
        return or_(has_in_name(AuditEntry.resource_name, text), *people)
    return or_(
        *people, *(has_in_name(said["group"].as_string(), text) for said in (AuditEntry.before, AuditEntry.after))
    )


def _up_to(role: str) -> tuple[str, ...]:
    return PROJECT_ROLES[1 : PROJECT_ROLES.index(role) + 1]


def _people(session: Session, caller: Caller, entries: Iterable[AuditEntry]) -> dict[UUID, Person]:
    ids = {id_ for entry in entries for id_ in (entry.actor_id, entry.about_id) if id_}
    found = seen(session, caller, session.scalars(select(Member).where(Member.id.in_(ids))).all())
    return {
        one.member.id: Person(
            id=one.member.id, name=one.member.name, email=one.member.email if "see" in one.actions else None
        )
        for one in found
    }


def _out(entry: AuditEntry, people: dict[UUID, Person], *, whole: bool) -> EntryOut:
    place: dict[str, Any] = {"chain": entry.lane, "number": entry.number}
    place |= {"previous_hash": entry.previous_hash, "hash": entry.hash}
    made = ("actor", "about", "said", *place)
    columns = {name: getattr(entry, name) for name in EntryOut.model_fields if name not in made}
    actor = people.get(entry.actor_id) if entry.actor_id else None
    about = people.get(entry.about_id) if entry.about_id else None
    if about is not None and about.email is None:
        columns |= {name: _without_address(columns[name]) for name in ("before", "after")}
    said = in_words(entry.action, entry.outcome, entry.resource_type)
    return EntryOut(actor=actor, about=about, said=said, **columns, **(place if whole else dict.fromkeys(place)))


def _without_address(said: dict[str, Any] | None) -> dict[str, Any] | None:
    """What was kept of a member when they were changed or invited, for who sees no more of them than the name."""
    return None if said is None else {name: value for name, value in said.items() if name != "email"}

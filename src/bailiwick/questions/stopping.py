"""Whose pipelines would stop, or work again: decided as at the start of a run, with everything as it would be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import ColumnElement, false, or_, select
from sqlalchemy.orm import Session

from bailiwick.access.world import records
from bailiwick.access.world.people import World
from bailiwick.database.listing import page_by_name
from bailiwick.database.paging import Page
from bailiwick.lakehouse.ends import touching, within
from bailiwick.lakehouse.models import Layer, Pipeline
from bailiwick.lakehouse.pipeline_runs import KINDS_OF_RUN, Lack, lacks, may_act
from bailiwick.lakehouse.seeing_pipelines import ways_to_see
from bailiwick.lakehouse.standing import pipelines_for, tenant_of
from bailiwick.lakehouse.targets import Target
from bailiwick.questions.ahead import Ahead
from bailiwick.questions.listed import AT_ONCE
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Member
from bailiwick.tenancy.standing import standing_of

NAMED = 3  # in a sentence
AsKnown = Callable[[Sequence[Member]], list[records.Member]]
Then = Literal["restricted", "works again"]


@dataclass(frozen=True)
class Stopping:
    """A pipeline that would end restricted, or no longer would, and why."""

    pipeline: Pipeline
    owner: Member
    then: Then
    because: str


def stopping(
    session: Session, caller: Caller, ahead: Ahead, whose: Sequence[ColumnElement[bool]], as_known: AsKnown | None
) -> Iterator[Stopping]:
    """Of the pipelines that the caller sees, those whose owner would lose or regain what they need, by name."""
    owned = Pipeline.owner_id.in_(select(Member.id).where(*whose))
    filters = [Pipeline.kind.in_(KINDS_OF_RUN), owned, _concerned(session, ahead)]
    cursor: str | None = None
    while True:
        ways = ways_to_see(session, caller)
        page: Page[Pipeline] = page_by_name(session, Pipeline, cursor, AT_ONCE, *filters, ways=ways)
        yield from _compare(session, ahead, page.items, as_known)
        if (cursor := page.next_cursor) is None:
            return


def _concerned(session: Session, ahead: Ahead) -> ColumnElement[bool]:
    """A level concerns what reads or writes what it is on; a role, a group and the plan concern whatever one owns."""
    if ahead.tenant_roles or ahead.in_group or ahead.tenant != tenant_of(session):
        return Pipeline.owner_id.is_not(None)
    targets = {target.id: target for target, _ in ahead.levels.values()}.values()
    return or_(false(), *(_at(target) for target in targets))


def _at(target: Target) -> ColumnElement[bool]:
    if isinstance(target, Layer):
        return within(target.id)
    return Pipeline.id.in_(touching(lambda kind: kind.id == target.id))


def _compare(
    session: Session, ahead: Ahead, pipelines: Sequence[Pipeline], as_known: AsKnown | None
) -> Iterator[Stopping]:
    ids = {pipeline.owner_id for pipeline in pipelines}
    owners = {member.id: member for member in session.scalars(select(Member).where(Member.id.in_(ids)))}
    members = list(owners.values())
    now = standing_of(session, members) if as_known is None else as_known(members)
    then = [ahead.person(person) for person in now]
    is_, becomes = World(now, tenant_of(session)), World(then, ahead.tenant)
    records_now = pipelines_for(session, now, pipelines, ahead.base)
    records_then = pipelines_for(session, then, pipelines, ahead.supposed)
    for pipeline in pipelines:
        owner = owners[pipeline.owner_id]
        before, after = records_now[pipeline.id], records_then[pipeline.id]
        may = may_act(is_, pipeline, before, str(owner.id))
        would = may_act(becomes, pipeline, after, str(owner.id))
        if may.allowed and not would.allowed:
            missing = list(lacks(becomes, after, str(owner.id)))
            yield Stopping(pipeline, owner, "restricted", _lost(session, owner, missing) or would.reason)
        elif would.allowed and not may.allowed and as_known is None:
            # Of whom the asker does not know every group, nobody can tell them that it does not work now.
            missing = list(lacks(is_, before, str(owner.id)))
            yield Stopping(pipeline, owner, "works again", _regained(session, owner, missing) or would.reason)


def _lost(session: Session, owner: Member, missing: Sequence[Lack]) -> str:
    """“Eve would have Viewer on raw.orders, where it needs Editor.”"""
    said = [
        f"{'no level' if lack.has == 'none' else lack.has} on {lack.name(session)}, where it needs {lack.needs}"
        for lack in missing
    ]
    return _sentence(f"{owner.name} would have", said)


def _regained(session: Session, owner: Member, missing: Sequence[Lack]) -> str:
    said = [f"at least {lack.needs} on {lack.name(session)}" for lack in missing]
    return _sentence(f"{owner.name} would have", said)


def _sentence(begun: str, said: Sequence[str]) -> str:
    if not said:
        return ""
    named = [*said[:NAMED], *([f"the same on {len(said) - NAMED} more"] if len(said) > NAMED else [])]
    return f"{begun} {'; '.join(named)}."

"""News of runs: noted in the transaction in which a run ends, for the channel of its project or of the tenant."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from sqlalchemy.orm import Session

from bailiwick.database.base import utc_now
from bailiwick.runs import channels
from bailiwick.runs.models import INTERACTIVE, ChannelKind, Run, RunNotice, RunState
from bailiwick.tenancy.models import Member

CHANNELS = {
    RunState.FAILED: ChannelKind.RUN_FAILED,
    RunState.RESTRICTED: ChannelKind.RUN_FAILED,
    RunState.SUCCEEDED: ChannelKind.RUN_SUCCEEDED,
}


@dataclass(frozen=True)
class Channel:
    """A channel as whoever tells needs it."""

    is_on: bool
    delay_minutes: int
    webhook_url: str | None
    receivers: Callable[[], Iterator[Member]]


# The channels of projects, which are above us: each answers for a project and a kind of news.
of_projects: list[Callable[[Session, UUID, str], Channel | None]] = []


def channel_of(session: Session, project_id: UUID | None, kind: str) -> Channel | None:
    """The project's channel, or the tenant's where there is no project."""
    if project_id is not None:
        return next((found for look in of_projects if (found := look(session, project_id, kind))), None)
    channel = channels.channel_of(session, ChannelKind(kind))
    return Channel(
        channel.is_on,
        channel.delay_minutes,
        channel.webhook_url,
        lambda: channels.every_receiver(session, ChannelKind(kind)),
    )


def note_end(session: Session, run: Run) -> None:
    """Plan the news of a run that has just ended. What somebody asked for and waits for is no news."""
    kind = CHANNELS.get(RunState(run.state))
    if kind is None or run.priority <= INTERACTIVE:
        return
    channel = channel_of(session, run.project_id, kind)
    if channel is not None and channel.is_on:
        due_at = utc_now() + timedelta(minutes=channel.delay_minutes)
        session.add(RunNotice(run_id=run.id, channel=kind, project_id=run.project_id, due_at=due_at))
        session.flush()

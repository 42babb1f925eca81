"""Sending an e-mail: it joins the queue in the transaction that causes it, and leaves after the commit."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

from sqlalchemy import event, func, select
from sqlalchemy.orm import Session

from bailiwick.database.base import utc_now
from bailiwick.notify.models import OutgoingEmail

# What a terminal obeys or what turns text around. A run's problem may quote anything, and e-mails lie in a folder where
# there is no mail server.
HIDDEN = re.compile(r"(?!\r\n)[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")

QUEUED = "e-mails were queued in this transaction"

# Whoever delivers in this process; called when a transaction that queued something has committed.
queued: list[Callable[[], None]] = []


def send(session: Session, to: str, subject: str, text: str) -> None:
    """Queue an e-mail. It vanishes with the transaction, should that be rolled back."""
    subject, text = (HIDDEN.sub("\N{REPLACEMENT CHARACTER}", said) for said in (subject, text))
    one_line = " ".join(subject.split())[:300]  # a line break would begin a header of its own
    session.add(OutgoingEmail(recipient=to, subject=one_line, text=text))
    session.info[QUEUED] = True


def queue_length(session: Session, older_than: timedelta = timedelta()) -> int:
    """How many e-mails wait to be delivered, and for how long at least."""
    waiting = select(func.count()).where(
        OutgoingEmail.sent_at.is_(None),
        OutgoingEmail.text.is_not(None),
        OutgoingEmail.created_at <= utc_now() - older_than,
    )
    return session.execute(waiting.select_from(OutgoingEmail)).scalar_one()


@event.listens_for(Session, "after_commit")
def _wake(session: Session) -> None:
    if not session.in_nested_transaction() and session.info.pop(QUEUED, False):
        for wake in queued:
            wake()


@event.listens_for(Session, "after_rollback")
def _forget(session: Session) -> None:
    session.info.pop(QUEUED, None)

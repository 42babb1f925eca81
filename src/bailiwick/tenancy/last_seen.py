"""When a session or a token was last used: noted in memory by each request, written down beside them now and then."""

from __future__ import annotations

import threading
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import update

from bailiwick.database.base import utc_now
from bailiwick.database.engine import Database
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import ApiToken, SignInSession

AT_MOST_EVERY = timedelta(minutes=1)
WRITE_SECONDS = 5


class LastSeen:
    """No request waits for this, not even one that only reads; a crash loses some seconds of it, and nothing else."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._sessions: dict[UUID, datetime] = {}
        self._tokens: dict[UUID, datetime] = {}

    def note(self, caller: Caller) -> None:
        now = utc_now()
        if caller.session is not None:
            if now - caller.session.last_seen_at >= AT_MOST_EVERY:
                with self._lock:
                    self._sessions[caller.session.id] = now
        elif caller.token is not None:
            used = caller.token.last_used_at
            if used is None or now - used >= AT_MOST_EVERY:
                with self._lock:
                    self._tokens[caller.token.id] = now

    def write(self) -> None:
        """Write down what was noted since the last time, in one transaction."""
        with self._lock:
            sessions, self._sessions = self._sessions, {}
            tokens, self._tokens = self._tokens, {}
        if not sessions and not tokens:
            return
        with self._database.session() as session:
            # In the order of their ids, so that two processes that write the same rows never wait for each other.
            for id_, at in sorted(sessions.items()):
                session.execute(update(SignInSession).where(SignInSession.id == id_).values(last_seen_at=at))
            for id_, at in sorted(tokens.items()):
                session.execute(update(ApiToken).where(ApiToken.id == id_).values(last_used_at=at))

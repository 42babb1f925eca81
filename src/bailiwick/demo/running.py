"""Letting the company's data flow for the first time, once the platform answers."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

import bailiwick.areas  # noqa: F401 - ties the areas to the tenancy
from bailiwick.database.base import utc_now
from bailiwick.database.engine import Database
from bailiwick.demo import people
from bailiwick.demo.flow import Flow, Tell
from bailiwick.demo.people import Person
from bailiwick.demo.story import caller_of
from bailiwick.runs.models import Trigger
from bailiwick.tenancy import tokens

SETTING_UP = "Setting up the data"


def has_flown(session: Session) -> bool:
    """Whether the last step was taken before."""
    return session.scalars(select(Trigger.id).limit(1)).first() is not None


def let_data_flow(database: Database, address: str, tell: Tell) -> None:
    """Set up sources, queries, a history and a destination as the people whose work it is, and run each once."""
    who = people.ADA, people.EMIL, people.BEN, people.OLIVIA
    with _signed_in(database, *who) as secrets, tempfile.TemporaryDirectory() as folder:
        yesterday = utc_now().date() - timedelta(days=1)
        Flow(address, secrets, Path(folder), yesterday, tell).run()


@contextmanager
def _signed_in(database: Database, *persons: Person) -> Iterator[dict[Person, str]]:
    """A token of each, which ends with the block."""
    found: dict[Person, str] = {}
    made = []
    with database.session() as session:
        for person in persons:
            token, found[person] = tokens.create_token(
                session, caller_of(session, person), SETTING_UP, expires_in_days=1
            )
            made.append((person, token.id))
    try:
        yield found
    finally:
        with database.session() as session:
            for person, token_id in made:
                tokens.revoke_token(session, caller_of(session, person), token_id)

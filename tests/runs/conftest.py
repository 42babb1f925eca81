"""What the tests of runs share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bailiwick.database.engine import Database
from bailiwick.tenancy.models import Member
from tests.people import make_member
from tests.runs.making import Errands, errands_known


@pytest.fixture
def errands() -> Iterator[Errands]:
    with errands_known() as made:
        yield made


@pytest.fixture
def ada(database: Database) -> Member:
    with database.session() as session:
        return make_member(session, "Ada")

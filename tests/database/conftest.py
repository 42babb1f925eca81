"""A database with the tests' own two tables."""

import pytest

from bailiwick.database.engine import Database
from tests.database.tables import TestBase


@pytest.fixture
def notes(database: Database) -> Database:
    """A fresh database that also holds notes and comments."""
    TestBase.metadata.create_all(database.engine)
    return database

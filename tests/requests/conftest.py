"""What the tests of access requests share: the lakehouse's company, and a project in it."""

from __future__ import annotations

from functools import partial

import pytest

from tests.lakehouse.company import Company
from tests.lakehouse.company import company as at_work
from tests.requests.asking import sales

__all__ = ["at_work", "sales"]


@pytest.fixture
def company(at_work: Company) -> Company:
    """The company, whose members come through tokens: in thirty days every session would have ended."""
    at_work.sign_in_as = partial(at_work.sign_in_as, token={})
    return at_work

"""What the tests of projects share."""

from tests.projects.company import company

__all__ = ["company"]

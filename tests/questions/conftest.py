"""What the tests of access questions share."""

from tests.questions.company import company

__all__ = ["company"]

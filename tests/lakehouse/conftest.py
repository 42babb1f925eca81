"""The tests of the lakehouse share one small company."""

from tests.lakehouse.company import company

__all__ = ["company"]

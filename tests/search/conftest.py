"""The tests of search live in the lakehouse's company."""

from tests.lakehouse.company import company

__all__ = ["company"]

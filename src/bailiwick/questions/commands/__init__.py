"""`bailiwick access`: who may do what and why, who could give it, and what would change if."""

# The help lists the commands in the order in which they are imported.
from bailiwick.questions.commands import asking, what_if, tables  # isort: skip

__all__ = ["app", "asking", "tables", "what_if"]

app = asking.app

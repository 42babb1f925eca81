"""A statement that the gate does not let through: a code for programs, a sentence for people, the name it is about."""

from __future__ import annotations

from bailiwick.spark import errors


class Refusal(errors.Refusal):
    """The statement may not run. `name` is the table, function or clause it is about, as it was written."""

    def __init__(self, code: str, message: str, name: str | None = None, fix: str = "") -> None:
        super().__init__(code, message, fix)
        self.name = name

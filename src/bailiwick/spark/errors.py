"""How work on Spark goes wrong: a problem with a way out, a refusal by the statement gate, an interruption."""

from __future__ import annotations


class SparkProblem(Exception):
    """The work failed. `code` is for programs, `fix` says what to do, `passing` whether another try may succeed."""

    def __init__(self, code: str, message: str, fix: str = "", *, passing: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.fix = fix
        self.passing = passing


class Refusal(SparkProblem):
    """A statement that may not run, whoever asks; or that names what is not there for whoever asks."""

    @property
    def mistaken(self) -> bool:
        """It cannot be understood, which is nobody's refusal."""
        return self.code in ("invalid", "empty")


class Interrupted(Exception):
    """The run was cancelled, took too long, or belongs to another worker by now."""

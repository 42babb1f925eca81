"""How a run ends other than well: a problem, one that may pass, a right that is missing, a wish to stop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bailiwick.access.decision import Decision, Refused


class RunProblem(Exception):
    """The run fails. `code` is for programs, `fix` says what to do; trying again would not help. What is `refused` was
    not begun: it may not be done, or not by whoever asks."""

    def __init__(self, code: str, message: str, fix: str = "", *, refused: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.fix = fix
        self.refused = refused


class Passing(RunProblem):
    """Something that may be over at the next try: a lost connection, a busy database, a JVM that died."""


class Restricted(Exception):
    """Whom the run acts as lacks a right. `missing` names what it is about, each for those readers who may see it:
    resource_type, resource_id, name, has, needs."""

    def __init__(
        self, decision: Decision | None = None, missing: Sequence[dict[str, Any]] = (), reason: str = ""
    ) -> None:
        super().__init__(reason or (decision.reason if decision is not None else "A right is missing."))
        self.decision = decision
        self.missing = list(missing)
        self.reason = reason


class Cancelled(Exception):
    """Somebody asked for the run to stop."""


class LeaseLost(Exception):
    """The run is not ours any more: another worker took it up, or it has ended."""


class NotSeen(Refused):
    """A refusal to see a run or a trigger, which reads as if there were none, whatever its subject is called."""

    def __init__(self, decision: Decision, what: str) -> None:
        super().__init__(decision)
        self.what = what

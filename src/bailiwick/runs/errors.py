"""How a run ends other than well: a problem, one that may pass, a right that is missing, a wish to stop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from bailiwick.access.decision import Decision, Refused


@dataclass(frozen=True)
class Hidden:
    """What whom the run acts as may not even see, and why: for the record, and not for whoever asked."""

    id: UUID
    name: str
    decision: Decision


class RunProblem(Exception):
    """The run fails. `code` is for programs, `fix` says what to do; trying again would not help. What is `refused` was
    not begun: it may not be done, or not by whoever asks. If there is something `hidden` behind what reads as if it
    were not there, that goes on record."""

    def __init__(
        self, code: str, message: str, fix: str = "", *, refused: bool = False, hidden: Sequence[Hidden] = ()
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.fix = fix
        self.refused = refused
        self.hidden = tuple(hidden)


class Passing(RunProblem):
    """Something that may be over at the next try: a lost connection, a busy database, a JVM that died."""


class Restricted(Exception):
    """Whom the run acts as lacks a right. `missing` names what it is about, each for those readers who may see it:
    resource_type, resource_id, name, has, needs. `seen` says whether what it belongs to is still theirs to see."""

    def __init__(
        self,
        decision: Decision | None = None,
        missing: Sequence[dict[str, Any]] = (),
        reason: str = "",
        *,
        seen: bool = True,
    ) -> None:
        super().__init__(reason or (decision.reason if decision is not None else "A right is missing."))
        self.decision = decision
        self.missing = list(missing)
        self.reason = reason
        self.seen = seen


class Cancelled(Exception):
    """Somebody asked for the run to stop."""


class LeaseLost(Exception):
    """The run is not ours any more: another worker took it up, or it has ended."""


class NotSeen(Refused):
    """A refusal to see a run or a trigger, which reads as if there were none, whatever its subject is called."""

    def __init__(self, decision: Decision, what: str) -> None:
        super().__init__(decision)
        self.what = what

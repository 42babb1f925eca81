"""A decision: the verdict, the cell that decided it, and for a refusal what is missing and who can give it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn


def slug(action: str) -> str:
    """An action's name on the wire: the document's words in lower case, joined by underscores."""
    return "_".join("".join(letter if letter.isalnum() else " " for letter in action.lower()).split())


@dataclass(frozen=True, slots=True)
class Missing:
    """One fact that would have to be different, and who can make it so."""

    fact: str
    has: str
    needs: str
    given_by: str


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """An explained verdict. It has no truth value on purpose: read `.allowed`, or `require` it."""

    allowed: bool
    resource_type: str
    action: str
    document: str
    table: str
    page: str
    row: str
    column: str
    facts: Mapping[str, str]
    missing: tuple[tuple[Missing, ...], ...] = ()  # each alternative is the set of changes it takes

    def __bool__(self) -> NoReturn:
        raise TypeError("A Decision has no truth value; read .allowed or call require(decision).")

    @property
    def reason(self) -> str:
        verdict = "allows" if self.allowed else "does not allow"
        cell = f"row “{self.row}”, column “{self.column}”" if self.column else f"row “{self.row}”"
        sentence = f"Document “{self.document}”, table “{self.table}”, {cell} {verdict} “{self.action}”."
        if self.missing:
            ways = (" and ".join(f"{change.fact}: {change.needs}" for change in way) for way in self.missing)
            sentence += " It takes " + "; or ".join(ways) + "."
        return sentence

    @property
    def given_by(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(change.given_by for way in self.missing for change in way))

    def to_dict(self) -> dict[str, Any]:
        return {
            "allowed": self.allowed,
            "resource_type": self.resource_type,
            "action": slug(self.action),
            "action_name": self.action,
            "document": self.document,
            "table": self.table,
            "page": self.page,
            "row": self.row,
            "column": self.column,
            "facts": dict(self.facts),
            "missing": [
                [{"fact": c.fact, "has": c.has, "needs": c.needs, "given_by": c.given_by} for c in way]
                for way in self.missing
            ],
            "given_by": list(self.given_by),
            "reason": self.reason,
        }


class Refused(Exception):
    """Raised where a decision had to allow and did not."""

    def __init__(self, decision: Decision) -> None:
        super().__init__(decision.reason)
        self.decision = decision


def require(decision: Decision) -> Decision:
    if not decision.allowed:
        raise Refused(decision)
    return decision

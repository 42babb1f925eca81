"""What a table depends on: small facts with few values, and conditions on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

NO_YES = ("no", "yes")


class Side(Enum):
    """Where a fact comes from; it decides how lists turn the fact into SQL."""

    MEMBER = "member"  # known before any resource is looked at: a tenant role, a role in the project
    RESOURCE = "resource"  # the same for everybody: an availability toggle, a project setting
    PAIR = "pair"  # of this member and this resource: ownership, a granted level


@dataclass(frozen=True, eq=False)
class Fact:
    """One small thing a table asks about. Values stand in ascending order where they form a ladder."""

    name: str
    side: Side
    values: tuple[str, ...] = NO_YES
    given_by: str = ""  # who can change it, in words; empty when nobody can hand it out

    def is_(self, *values: str) -> Condition:
        return Condition({self: frozenset(self.values.index(value) for value in values)})

    def at_least(self, value: str) -> Condition:
        return Condition({self: frozenset(range(self.values.index(value), len(self.values)))})

    @property
    def yes(self) -> Condition:
        return self.is_("yes")

    @property
    def no(self) -> Condition:
        return self.is_("no")

    def __repr__(self) -> str:
        return f"Fact({self.name!r})"


@dataclass(frozen=True, eq=False)
class Condition:
    """A set of accepted values for each fact it names; facts it does not name may have any value."""

    accepted: Mapping[Fact, frozenset[int]] = field(default_factory=lambda: MappingProxyType({}))

    def __and__(self, other: Condition) -> Condition:
        joined = dict(self.accepted)
        for fact, values in other.accepted.items():
            joined[fact] = joined[fact] & values if fact in joined else values
        return Condition(MappingProxyType(joined))

    def holds(self, values: Mapping[Fact, int]) -> bool:
        return all(values[fact] in accepted for fact, accepted in self.accepted.items())


ALWAYS = Condition()

"""A resource type: its tables compiled into one array from packed facts to action masks and deciding cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from types import MappingProxyType

from bailiwick.access.decision import Decision, Missing, slug
from bailiwick.access.facts import Condition, Fact, Side
from bailiwick.access.shapes import Rule, Table

MOST_CHANGES = 3  # a refusal that takes more changes than this names none


@dataclass(frozen=True)
class Way:
    """One way of being allowed: what must hold of member and resource together, and of the resource alone."""

    pair: Mapping[Fact, int]
    resource: tuple[Mapping[Fact, int], ...]  # the accepted combinations; one empty mapping means any


class ResourceType:
    """One kind of resource, governed by the tables of exactly one document."""

    def __init__(
        self,
        name: str,
        *tables: Table,
        rows: Iterable[str] | None = None,
        see: str | None = None,
    ) -> None:
        documents = {table.document for table in tables}
        if len(documents) != 1:
            raise ValueError(f"{name} must be governed by exactly one document, not {sorted(documents)}")
        self.name = name
        self.document = documents.pop()
        self.tables = tables
        self.see = see  # without this action the resource does not exist for the member
        wanted = None if rows is None else frozenset(rows)
        self.actions: tuple[str, ...] = tuple(
            dict.fromkeys(a for table in tables for a in table.all_actions() if wanted is None or a in wanted)
        )
        if wanted is not None and wanted != frozenset(self.actions):
            raise ValueError(f"{name}: no table has the rows {sorted(wanted - frozenset(self.actions))}")
        self.rules: tuple[Rule, ...] = tuple(
            rule for table in tables for rule in table.rules() if rule.speaks_of & frozenset(self.actions)
        )
        self.facts: tuple[Fact, ...] = tuple(dict.fromkeys(f for rule in self.rules for f in rule.when.accepted))
        self.by_slug = {slug(action): action for action in self.actions}
        self._bit = {action: 1 << position for position, action in enumerate(self.actions)}
        strides, size = [], 1
        for fact in self.facts:
            strides.append(size)
            size *= len(fact.values)
        self.stride: Mapping[Fact, int] = MappingProxyType(dict(zip(self.facts, strides, strict=True)))
        self.size = size
        self._by_name = {fact.name: fact for fact in self.facts}
        self._decisions: dict[str, list[Decision | None]] = {action: [None] * size for action in self.actions}

    def __repr__(self) -> str:
        return f"ResourceType({self.name!r})"

    # Packing ---------------------------------------------------------------------------------------------------

    def pack(self, facts: Mapping[str, str] | Mapping[Fact, str]) -> int:
        """Facts by name or by object, in words, as one number; facts left out have their lowest value."""
        index = 0
        for key, value in facts.items():
            fact = self._by_name[key] if isinstance(key, str) else key
            index += self.stride[fact] * fact.values.index(value)
        return index

    def unpack(self, index: int) -> dict[Fact, int]:
        return {fact: index // self.stride[fact] % len(fact.values) for fact in self.facts}

    def in_words(self, index: int) -> dict[str, str]:
        return {fact.name: fact.values[value] for fact, value in self.unpack(index).items()}

    # The array -------------------------------------------------------------------------------------------------

    @cached_property
    def masks(self) -> tuple[int, ...]:
        """For each combination of facts, the allowed actions as bits: the array behind check, filter and review."""
        masks = [0] * self.size
        for rule in self.rules:
            mask = self.mask_of(rule.grants)
            if mask:
                for index in self._falling_into(rule):
                    masks[index] |= mask
        return tuple(masks)

    def _falling_into(self, rule: Rule) -> Iterator[int]:
        accepted = rule.when.accepted
        offsets = ([self.stride[f] * v for v in accepted.get(f, range(len(f.values)))] for f in self.facts)
        return map(sum, product(*offsets))

    def mask_of(self, names: Iterable[str]) -> int:
        return sum(self._bit.get(action, 0) for action in names)

    def names_of(self, mask: int) -> tuple[str, ...]:
        return tuple(action for action in self.actions if mask & self._bit[action])

    # Check -----------------------------------------------------------------------------------------------------

    def check(self, index: int, action: str) -> Decision:
        """The explained decision; each is made once and then only looked up."""
        decision = self._decisions[action][index]
        return self._explain(index, action) if decision is None else decision

    def to_stranger(self, action: str) -> Decision:
        """The answer to whoever is no active member of the tenant: nothing, whatever the tables say."""
        table = next(table for table in self.tables if action in table.all_actions())
        state = Missing("active member", "no", "yes", "tenant owners and admins")
        return Decision(
            allowed=False,
            resource_type=self.name,
            action=action,
            document=self.document,
            table=table.name,
            page=table.page,
            row="Not an active member",
            column="",
            facts=MappingProxyType({"active member": "no"}),
            missing=((state,),),
        )

    def allows(self, index: int, action: str) -> bool:
        return bool(self.masks[index] & self._bit[action])

    def allowed_actions(self, index: int) -> tuple[str, ...]:
        return self.names_of(self.masks[index])

    def _explain(self, index: int, action: str) -> Decision:
        allowed = self.allows(index, action)
        values = self.unpack(index)
        cells = [rule for rule in self.rules if action in rule.speaks_of and rule.when.holds(values)]
        deciding = [rule for rule in cells if action in rule.grants] if allowed else cells
        row, column, table = self._cell(deciding, action)
        decision = Decision(
            allowed=allowed,
            resource_type=self.name,
            action=action,
            document=self.document,
            table=table.name,
            page=table.page,
            row=row,
            column=column,
            facts=MappingProxyType(self.in_words(index)),
            missing=() if allowed else tuple(self._missing(index, action)),
        )
        self._decisions[action][index] = decision
        return decision

    def _cell(self, deciding: Sequence[Rule], action: str) -> tuple[str, str, Table]:
        if deciding:
            first = deciding[0]
            same_row = [rule.column for rule in deciding if (rule.table, rule.row) == (first.table, first.row)]
            return first.row, ", ".join(dict.fromkeys(same_row)), first.table
        rule = next(rule for rule in self.rules if action in rule.speaks_of)
        row = action if rule.row == action else "none of the rows"
        return row, "none of the columns", rule.table

    def _missing(self, index: int, action: str) -> Iterator[tuple[Missing, ...]]:
        """The smallest sets of changes that would allow it, each value raised no further than needed."""
        now = self.unpack(index)
        changeable = [fact for fact in self.facts if fact.given_by]
        for size in range(1, MOST_CHANGES + 1):
            found = False
            for facts in combinations(changeable, size):
                way = self._cheapest(index, now, facts, action)
                if way is not None:
                    found = True
                    yield way
            if found:
                return

    def _cheapest(
        self, index: int, now: Mapping[Fact, int], facts: tuple[Fact, ...], action: str
    ) -> tuple[Missing, ...] | None:
        others = (
            [v for v in range(len(f.values)) if v != now[f] and (v > now[f] or len(f.values) == 2)] for f in facts
        )
        for targets in sorted(product(*others), key=sum):
            moved = index + sum(self.stride[f] * (target - now[f]) for f, target in zip(facts, targets, strict=True))
            if self.allows(moved, action):
                return tuple(
                    Missing(f.name, f.values[now[f]], f.values[target], f.given_by)
                    for f, target in zip(facts, targets, strict=True)
                )
        return None

    # Filter ----------------------------------------------------------------------------------------------------

    def ways(self, action: str, known: Mapping[Fact, int]) -> tuple[Way, ...]:
        """Which combinations of the other facts allow the action, once the known ones are fixed."""
        pair = [f for f in self.facts if f.side is Side.PAIR and f not in known]
        resource = [f for f in self.facts if f.side is not Side.PAIR and f not in known]
        base = sum(self.stride[fact] * value for fact, value in known.items() if fact in self.stride)
        ways = []
        for pair_values in product(*(range(len(f.values)) for f in pair)):
            at = base + self._offset(pair, pair_values)
            accepted = [
                combo
                for combo in product(*(range(len(f.values)) for f in resource))
                if self.allows(at + self._offset(resource, combo), action)
            ]
            if accepted:
                everything = len(accepted) == _count(resource)
                combos = ({},) if everything else tuple(dict(zip(resource, combo, strict=True)) for combo in accepted)
                ways.append(Way(dict(zip(pair, pair_values, strict=True)), combos))
        return tuple(ways)

    def _offset(self, facts: Sequence[Fact], values: Sequence[int]) -> int:
        return sum(self.stride[fact] * value for fact, value in zip(facts, values, strict=True))


def _count(facts: Sequence[Fact]) -> int:
    total = 1
    for fact in facts:
        total *= len(fact.values)
    return total


def condition_in_words(condition: Condition) -> dict[str, tuple[str, ...]]:
    """A condition as names and values, for pages and screens."""
    return {fact.name: tuple(fact.values[v] for v in sorted(vals)) for fact, vals in condition.accepted.items()}

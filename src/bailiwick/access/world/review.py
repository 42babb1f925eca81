"""Everybody against everything, columnar: a byte for each pair, looked up instead of decided again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress

from bailiwick.access.compiled import ResourceType
from bailiwick.access.world.placing import Placed
from bailiwick.access.world.records import Id

NOTHING = 0  # the mask of who may do nothing
MOST_STANDINGS = 256  # a member's standing is one byte; no document has more kinds of them


@dataclass(frozen=True)
class Review:
    """For each resource a column with one byte a member: the number of that member's verdict."""

    type: ResourceType
    members: Sequence[Id]
    columns: Sequence[bytearray]
    verdicts: Sequence[int]  # verdict number → action mask

    def allowed(self, action: str) -> Iterator[tuple[Id, int]]:
        """Every (member, number of the resource) that may do it."""
        bit = self.type.mask_of((action,))
        wanted = bytes(bool(mask & bit) for mask in self.verdicts).ljust(MOST_STANDINGS, b"\0")
        for position, column in enumerate(self.columns):
            for member in compress(self.members, column.translate(wanted)):
                yield member, position

    def mask(self, member: int, resource: int) -> int:
        return self.verdicts[self.columns[resource][member]]


def review(resource_type: ResourceType, members: Sequence[Id], resources: Iterable[Placed]) -> Review:
    """Verdicts of these members on resources of one type; whoever is not active may do nothing.

    Most members are nothing special to most resources: their byte follows from their standing alone and is
    translated for a whole column at once; only those with a relation of their own are looked up one by one."""
    verdicts = list(dict.fromkeys((NOTHING, *resource_type.masks)))
    number_of = {mask: number for number, mask in enumerate(verdicts)}
    verdict_at = [number_of[mask] for mask in resource_type.masks]
    position_of = {member: position for position, member in enumerate(members)}
    standings = _Standings(members)
    translations: dict[tuple[int, int], bytes] = {}
    columns = []
    for placed in resources:
        if placed.type is not resource_type:
            raise ValueError(f"a review of {resource_type.name} cannot hold a {placed.type.name}")
        codes, values, strangers = standings.of(placed)
        shared = placed.packed + placed.towards_default
        translation = translations.get((id(values), shared))
        if translation is None:
            translation = bytes(verdict_at[value + shared] for value in values).ljust(MOST_STANDINGS, b"\0")
            translations[id(values), shared] = translation
        column = bytearray(codes.translate(translation))
        for member, towards in placed.towards.items():
            position = position_of.get(member)
            if position is not None:
                column[position] = verdict_at[placed.packed + values[codes[position]] + towards]
        for position in strangers:
            column[position] = number_of[NOTHING]
        columns.append(column)
    return Review(resource_type, members, columns, verdicts)


@dataclass(frozen=True)
class _Standing:
    codes: bytes  # a member's standing as one byte
    values: list[int]  # code → what it adds to the place in the array
    strangers: list[int]  # positions of those who are not active
    kept: object  # the mapping this was worked out from: while it is kept, its id stays taken


class _Standings:
    """What members bring along, worked out once for all resources that share it."""

    def __init__(self, members: Sequence[Id]) -> None:
        self.members = members
        self._known: dict[int, _Standing] = {}

    def of(self, placed: Placed) -> tuple[bytes, list[int], list[int]]:
        known = self._known.get(id(placed.standing))
        if known is None:
            values = sorted({0, *placed.standing.values()})
            code_of = {value: code for code, value in enumerate(values)}
            codes = bytes(code_of[placed.standing.get(member, 0)] for member in self.members)
            strangers = [position for position, member in enumerate(self.members) if member not in placed.people]
            known = self._known[id(placed.standing)] = _Standing(codes, values, strangers, placed.standing)
        return known.codes, known.values, known.strangers

"""Everybody against everything, columnar: a byte for each pair, looked up instead of decided again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bailiwick.access.compiled import ResourceType
from bailiwick.access.world.placing import Placed
from bailiwick.access.world.records import Id

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
        wanted = frozenset(number for number, mask in enumerate(self.verdicts) if mask & bit)
        for position, column in enumerate(self.columns):
            for member, verdict in zip(self.members, column, strict=True):
                if verdict in wanted:
                    yield member, position

    def mask(self, member: int, resource: int) -> int:
        return self.verdicts[self.columns[resource][member]]


def review(members: Sequence[Id], resources: Sequence[Placed]) -> Review:
    """Verdicts of all members on resources of one type.

    Most members are nothing special to most resources: their byte follows from their standing alone and is
    translated for a whole column at once; only those with a relation of their own are looked up one by one."""
    resource_type = resources[0].type
    verdicts = list(dict.fromkeys(resource_type.masks))
    number_of = {mask: number for number, mask in enumerate(verdicts)}
    verdict_at = [number_of[mask] for mask in resource_type.masks]
    position_of = {member: position for position, member in enumerate(members)}
    standings = _Standings(members)
    translations: dict[tuple[int, int], bytes] = {}
    columns = []
    for placed in resources:
        codes, values = standings.of(placed)
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
        columns.append(column)
    return Review(resource_type, members, columns, verdicts)


class _Standings:
    """What members bring along, as one byte each, worked out once for all resources that share it."""

    def __init__(self, members: Sequence[Id]) -> None:
        self.members = members
        self._known: dict[int, tuple[bytes, list[int], object]] = {}

    def of(self, placed: Placed) -> tuple[bytes, list[int]]:
        known = self._known.get(id(placed.standing))
        if known is None:
            values = sorted({0, *placed.standing.values()})
            code_of = {value: code for code, value in enumerate(values)}
            codes = bytes(code_of[placed.standing.get(member, 0)] for member in self.members)
            known = self._known[id(placed.standing)] = codes, values, placed.standing  # kept: its id must stay taken
        return known[0], known[1]

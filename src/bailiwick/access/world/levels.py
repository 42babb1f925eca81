"""Lakehouse levels: grants flow from layer down, a glimpse of the layer flows up, a pipeline has the lowest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bailiwick.access.tables.lakehouse.levels import LEVELS
from bailiwick.access.world.records import Id, Layer, Pipeline, Table, Volume

NONE, VIEWER, EDITOR, MANAGER = range(len(LEVELS))


@dataclass(frozen=True)
class Levels:
    """A level for everybody, and for those who have another one."""

    everybody: int
    of: Mapping[Id, int]

    def __getitem__(self, member: Id) -> int:
        return self.of.get(member, self.everybody)


Spread = Callable[[Mapping[Id, int]], Levels]


def on_table(table: Table | Volume, spread: Spread) -> Levels:
    return spread(_highest(_numbers(table.grants), _numbers(table.layer.grants)))


def on_layer(layer: Layer, spread: Spread) -> Levels:
    """What the layer's own grants give, and at least Viewer for who has a grant on something in it."""
    return spread(_highest(_numbers(layer.grants), dict.fromkeys(layer.granted_below, VIEWER)))


def on_layer_itself(layer: Layer, spread: Spread) -> Levels:
    """The layer's own grants only: what pipelines fall back to."""
    return spread(_numbers(layer.grants))


def on_pipeline(pipeline: Pipeline, spread: Spread, reading_needs_only_viewer: bool) -> Levels:
    inputs = [on_table(table, spread) for table in pipeline.inputs]
    outputs = [
        on_layer_itself(output, spread) if isinstance(output, Layer) else on_table(output, spread)
        for output in pipeline.outputs
    ]
    if not inputs and not outputs:
        return Levels(NONE, {}) if pipeline.output_layer is None else on_layer_itself(pipeline.output_layer, spread)
    if reading_needs_only_viewer and outputs:
        inputs = [_enough(levels) for levels in inputs]
    return lowest([*inputs, *outputs])


def on_query(reads: Sequence[Table | Volume], spread: Spread) -> Levels:
    """The lowest on everything it reads; a query that reads nothing is anybody's to run."""
    return lowest([on_table(table, spread) for table in reads]) if reads else Levels(VIEWER, {})


def lowest(levels: Iterable[Levels]) -> Levels:
    """The lowest on all of them; on nothing at all, nothing."""
    every = list(levels)
    members = {member for one in every for member in one.of}
    everybody = min((one.everybody for one in every), default=NONE)
    return Levels(everybody, {member: min(one[member] for one in every) for member in members})


def _enough(levels: Levels) -> Levels:
    """Viewer suffices here: whoever has it is held back no further."""
    full = [NONE, MANAGER, MANAGER, MANAGER]
    return Levels(full[levels.everybody], {member: full[level] for member, level in levels.of.items()})


def _numbers(grants: Mapping[Id, str]) -> dict[Id, int]:
    return {holder: LEVELS.index(level) for holder, level in grants.items()}


def _highest(*grants: Mapping[Id, int]) -> dict[Id, int]:
    joined: dict[Id, int] = {}
    for grant in grants:
        for holder, level in grant.items():
            joined[holder] = max(level, joined.get(holder, NONE))
    return joined

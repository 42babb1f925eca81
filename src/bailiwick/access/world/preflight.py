"""What must hold before a data task is prepared, run or scheduled, asked of the owner of its data project."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bailiwick.access.decision import Decision
from bailiwick.access.tables.spaces.prerequisites import (
    CREATE_GATEWAY_CONNECTION,
    OWN_DATA_PROJECT,
    USE_CONNECTION,
    USE_GATEWAY,
)
from bailiwick.access.world.people import World
from bailiwick.access.world.placing import place
from bailiwick.access.world.records import Connection, DataTask, Gateway, Id, Layer, Space


def of_data_task(
    world: World, task: DataTask, connections: Iterable[Connection], output_layer: Layer | None = None
) -> Iterator[tuple[Space | Layer, Decision]]:
    """Each requirement with where it is asked; the preflight passes when every decision allows."""
    owner = task.data_project.owner or ""
    yield task.space, place(world, task.space).check(owner, OWN_DATA_PROJECT)
    for connection in connections:
        yield connection.space, place(world, connection.space).check(owner, USE_CONNECTION)
        if connection.gateway is not None:
            yield connection.gateway.space, place(world, connection.gateway.space).check(owner, USE_GATEWAY)
    if output_layer is not None:
        yield output_layer, place(world, output_layer).check(owner, "Create tables and volumes")


def of_gateway_connection(
    world: World, creator: Id, space: Space, gateway: Gateway
) -> Iterator[tuple[Space, Decision]]:
    """What it takes to create a connection through a gateway: one right here, one where the gateway is."""
    yield space, place(world, space).check(creator, CREATE_GATEWAY_CONNECTION)
    yield gateway.space, place(world, gateway.space).check(creator, USE_GATEWAY)

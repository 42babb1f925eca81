"""Reverse questions: who can do this, what can this member do, and what would change if."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bailiwick.access.world.people import World
from bailiwick.access.world.placing import place
from bailiwick.access.world.records import Id, Resource


@dataclass(frozen=True)
class Change:
    """What one member gains and loses on one resource."""

    member: Id
    resource: Resource
    gained: tuple[str, ...]
    lost: tuple[str, ...]


def who(world: World, action: str, resource: Resource) -> Iterator[Id]:
    """The members who can do it, in the world's order."""
    placed = place(world, resource)
    return (member for member in world.members if placed.allows(member, action))


def what(world: World, member: Id, action: str, resources: Iterable[Resource]) -> Iterator[Resource]:
    """Those of the resources the member can do it on; resources whose type does not know the action are passed over."""
    for resource in resources:
        placed = place(world, resource)
        if action in placed.type.actions and placed.allows(member, action):
            yield resource


def what_if(before: World, after: World, resources: Sequence[tuple[Resource, Resource]]) -> Iterator[Change]:
    """What everybody gains and loses between two worlds; each resource is given as it is and as it would be.

    A resource that changes its type on the way (a deleted destination) is compared by the names of its actions."""
    everybody = dict.fromkeys((*before.members, *after.members))
    for now, then in resources:
        placed_now, placed_then = place(before, now), place(after, then)
        for member in everybody:
            had, has = placed_now.actions(member), placed_then.actions(member)
            if had != has:
                gained = tuple(action for action in has if action not in had)
                lost = tuple(action for action in had if action not in has)
                yield Change(member, then, gained, lost)

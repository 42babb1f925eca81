"""Everybody against everything: ten million pairs of members and data marts."""

from __future__ import annotations

from collections.abc import Iterator

from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.world.people import World
from bailiwick.access.world.placing import place
from bailiwick.access.world.review import Review, review
from tests.bench.company import make_company
from tests.bench.measure import Result, Say, in_turn

LIMIT = 1.0


def run(say: Say, quick: bool) -> Iterator[Result]:
    say("making 1,000 members and 10,000 data marts")
    company = make_company()
    people = list(company.world.members.values())

    def from_scratch() -> Review:
        world = World(people, projects=company.world.projects.values())
        return review(
            RESOURCE_TYPES["data_mart"], list(world.members), [place(world, mart) for mart in company.data_marts]
        )

    say("comparing with single checks")
    found = from_scratch()
    for number, mart in list(enumerate(company.data_marts))[::500]:
        placed = place(company.world, mart)
        for position, member in enumerate(found.members):
            assert found.mask(position, number) == placed.type.masks[placed.index(member)]

    say("reviewing 10,000,000 pairs")
    spent = in_turn(3 if quick else 7, {"review": from_scratch, "edit": lambda: sum(1 for _ in found.allowed("Edit"))})
    for what, seconds, at_most in (
        ("a review of 10,000,000 pairs", spent["review"], 1),
        ("naming every pair that may Edit", spent["edit"], None),
    ):
        yield Result(what, seconds, "limit", LIMIT, seconds / LIMIT, at_most=at_most)

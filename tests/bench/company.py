"""The company that checks and reviews are measured on: 1,000 members and 10,000 data marts of one project."""

from __future__ import annotations

import random
from dataclasses import dataclass

from bailiwick.access.world.people import World
from bailiwick.access.world.records import DataMart, Id, Member, Project

ROLES = {"none": 5, "Business User": 60, "Technical User": 30, "Admin": 5}  # percent of the members


@dataclass(frozen=True)
class Company:
    world: World
    role: dict[Id, str]
    data_marts: tuple[DataMart, ...]


def make_company(members: int = 1_000, data_marts: int = 10_000) -> Company:
    """The same one every time; a data mart has one to three Technical Owners and none to two Business Owners."""
    chance = random.Random(7)
    people = [f"member{number}" for number in range(members)]
    role = dict(zip(people, chance.choices(list(ROLES), list(ROLES.values()), k=members), strict=True))
    project = Project("project", {member: held for member, held in role.items() if held != "none"})
    marts = tuple(
        DataMart(
            f"data_mart{number}",
            project,
            frozenset(chance.sample(people, chance.randint(1, 3))),
            frozenset(chance.sample(people, chance.randint(0, 2))),
            available_for_reporting=chance.random() < 0.5,
            available_for_maintenance=chance.random() < 0.3,
        )
        for number in range(data_marts)
    )
    return Company(World([Member(person) for person in people], projects=[project]), role, marts)

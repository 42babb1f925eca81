"""The people of the documents' tests with the project they share, and how what they can do is written down."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from bailiwick.access.world.people import World
from bailiwick.access.world.placing import place
from bailiwick.access.world.records import DataMart, Member, Project, Resource


def can(resource: Resource, member: str, world: World) -> set[str]:
    return set(place(world, resource).actions(member))


def words(names: str) -> frozenset[str]:
    return frozenset(names.split(", ")) if names else frozenset()


def ticked(table: Mapping[str, str], columns: Iterable[int]) -> set[str]:
    return {action for action, ticks in table.items() if any(ticks.replace(" ", "")[c] == "Y" for c in columns)}


ROLES = ("Admin", "Technical User", "Business User", "none")
ALICE, TESS, BOB, NORA = "alice", "tess", "bob", "nora"
WITH_ROLE = {"Admin": ALICE, "Technical User": TESS, "Business User": BOB, "none": NORA}
SHOP = Project("shop", {ALICE: "Admin", TESS: "Technical User", BOB: "Business User"})
PEOPLE = World([Member(name) for name in WITH_ROLE.values()], projects=[SHOP])
TOGGLES = ((False, False), (True, False), (False, True), (True, True))
CLOSED, REPORTING, MAINTENANCE, BOTH = TOGGLES
LEVEL_NAMES = ("none", "Viewer", "Editor", "Manager")

NOTHING = words("")
SEE = words("See")
SEE_USE = words("See, Use")


def mart(owner: str = "", member: str = "", toggles: tuple[bool, bool] = (False, False), **switches: bool) -> DataMart:
    mine = frozenset({member})
    technical, business = (mine if kind in owner else frozenset[str]() for kind in "TB")
    return DataMart("mart", replace(SHOP, **switches), technical, business, *toggles)  # type: ignore[arg-type]

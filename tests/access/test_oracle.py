"""What we decide is what a second, independent reading of the documents decides, on every cell."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

import cedarpy
import pytest

from bailiwick.access.compiled import ResourceType
from bailiwick.access.decision import slug
from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.world.placing import place
from tests.access.oracle import cedar, reading
from tests.access.oracle.reachable import reachable
from tests.access.oracle.small_worlds import small_worlds

pytestmark = pytest.mark.xdist_group(name="second reading")  # what it says of every cell is worked out once
EVERY_TYPE = [pytest.param(resource_type, id=name) for name, resource_type in RESOURCE_TYPES.items()]
NEVER_PLACED = {"api_token", "inherited_project_role", "inherited_data_product_role", "notification_rule", "lakehouse"}


def test_there_is_one_policy_file_a_document() -> None:
    assert {file.stem for file in cedar.FOLDER.glob("*.cedar")} == {slug(document) for document in cedar.DOCUMENTS}


@pytest.mark.parametrize("document", cedar.DOCUMENTS)
def test_the_policies_mention_only_facts_and_actions_that_exist(document: str) -> None:
    result = cedarpy.validate_policies(cedar.policies(document), cedarpy.Schema.from_str(cedar.schema(document)))
    assert [str(error) for error in result.errors] == []


@pytest.mark.parametrize("document", cedar.DOCUMENTS)
def test_the_policies_speak_of_every_action_and_of_no_other(document: str) -> None:
    types = [resource_type for resource_type in RESOURCE_TYPES.values() if resource_type.document == document]
    expected = {(resource_type.name, action) for resource_type in types for action in resource_type.actions}
    assert cedar.named_actions(document) == expected


@pytest.mark.parametrize("resource_type", EVERY_TYPE)
def test_cedar_gives_the_same_verdict_on_every_reachable_combination_of_facts(resource_type: ResourceType) -> None:
    theirs = cedar.verdicts(resource_type)
    differing = [
        (
            resource_type.in_words(index),
            {"we allow": resource_type.allowed_actions(index), "Cedar permits": resource_type.names_of(theirs[index])},
        )
        for index in reachable(resource_type)
        if resource_type.masks[index] != theirs[index]
    ]
    assert differing == []


def test_facts_follow_from_small_worlds_as_the_second_reading_says() -> None:
    for everything, resources in small_worlds():
        world = everything.world()
        for resource in resources:
            placed = place(world, resource)
            for member in everything.members:
                found = placed.type.name, placed.type.in_words(placed.index(member.id))
                assert found == reading.facts(everything, member, resource), (everything, member, resource)


@cache
def reached() -> dict[str, set[int]]:
    """The combinations of facts that occur in the small worlds."""
    found: dict[str, set[int]] = defaultdict(set)
    for everything, resources in small_worlds():
        world = everything.world()
        for resource in resources:
            placed = place(world, resource)
            found[placed.type.name].update(placed.index(member.id) for member in everything.members)
    return found


@pytest.mark.parametrize("resource_type", [p for p in EVERY_TYPE if p.id not in NEVER_PLACED])
def test_small_worlds_reach_exactly_what_is_called_reachable(resource_type: ResourceType) -> None:
    missed = set(reachable(resource_type)) - reached()[resource_type.name]
    beyond = reached()[resource_type.name] - set(reachable(resource_type))
    assert [resource_type.in_words(index) for index in missed] == []
    assert [resource_type.in_words(index) for index in beyond] == []

"""Asks Cedar: every combination of facts of a resource type, every action, as the policies beside this file decide."""

from __future__ import annotations

import json
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import cedarpy

from bailiwick.access.compiled import ResourceType
from bailiwick.access.decision import slug
from bailiwick.access.facts import NO_YES, Fact, Side
from bailiwick.access.resource_types import RESOURCE_TYPES

FOLDER = Path(__file__).parent
DOCUMENTS = tuple(dict.fromkeys(resource_type.document for resource_type in RESOURCE_TYPES.values()))
Facts = dict[str, str | bool]


def policies(document: str) -> str:
    """The text of the policies that say what the document says."""
    return (FOLDER / f"{slug(document)}.cedar").read_text(encoding="utf-8")


def named_actions(document: str) -> set[tuple[str, str]]:
    """Every (resource type, action) the policies of the document speak of."""
    written: dict[str, Any] = json.loads(cedarpy.policies_to_json_str(policies(document)))
    scopes = [policy["action"] for policy in written["staticPolicies"].values()]
    entities = [entity for scope in scopes for entity in scope.get("entities", [scope.get("entity")])]
    return {(entity["type"].removesuffix("::Action"), entity["id"]) for entity in entities}


def schema(document: str) -> str:
    """What the policies may mention: a namespace for each resource type, with its facts and actions."""
    return "\n".join(_namespace(rt) for rt in RESOURCE_TYPES.values() if rt.document == document)


@cache
def verdicts(resource_type: ResourceType) -> tuple[int, ...]:
    """For each combination of facts, possible or not, the actions Cedar permits, as bits like the type's own masks."""
    combinations = [resource_type.in_words(index) for index in range(resource_type.size)]
    requests = [
        _request(resource_type, facts, action) for facts, action in product(combinations, resource_type.actions)
    ]
    answers = cedarpy.is_authorized_batch(
        requests, _policy_set(resource_type.document), cedarpy.Entities.from_json_str(json.dumps(_entities(requests)))
    )
    allowed = iter(_verdict(answer) for answer in answers)
    return tuple(resource_type.mask_of(a for a in resource_type.actions if next(allowed)) for _ in combinations)


def _verdict(answer: cedarpy.AuthzResult) -> bool:
    if answer.decision is cedarpy.Decision.NoDecision or answer.diagnostics.errors:
        raise ValueError(f"Cedar could not decide: {answer.diagnostics.errors}")
    return bool(answer.allowed)


@cache
def _policy_set(document: str) -> cedarpy.PolicySet:
    return cedarpy.PolicySet.from_str(policies(document))

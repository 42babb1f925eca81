"""Asks Cedar: every combination of facts of a resource type, every action, as the policies beside this file decide."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import cedarpy

from bailiwick.access.compiled import ResourceType
from bailiwick.access.decision import slug
from bailiwick.access.facts import NO_YES, Fact, Side
from bailiwick.access.resource_types import RESOURCE_TYPES

FOLDER = Path(__file__).parent
DOCUMENTS = tuple(dict.fromkeys(resource_type.document for resource_type in RESOURCE_TYPES.values()))


def policies(document: str) -> str:
    """The text of the policies that say what the document says."""
    return (FOLDER / f"{slug(document)}.cedar").read_text(encoding="utf-8")


def named_actions(document: str) -> set[tuple[str, str]]:
    """Every resource type and action that the document's policies speak of."""
    written: dict[str, Any] = json.loads(cedarpy.policies_to_json_str(policies(document)))
    scopes = [policy["action"] for policy in written["staticPolicies"].values()]
    entities = [entity for scope in scopes for entity in scope.get("entities") or [scope["entity"]]]
    return {(name, action) for name, _, action in (entity["id"].partition(": ") for entity in entities)}


def schema(document: str) -> str:
    """What the policies may mention: the facts and actions of each resource type."""
    return "\n".join(_declaration(rt) for rt in RESOURCE_TYPES.values() if rt.document == document)


@cache
def verdicts(resource_type: ResourceType) -> tuple[int, ...]:
    """For each combination of facts, reachable or not, the actions Cedar permits, as bits like the type's own masks."""
    combinations = [_attributes(resource_type, index) for index in range(resource_type.size)]
    requests = [
        {
            "principal": _entity(resource_type, "Member", facts[Side.MEMBER]),
            "action": {"type": "Action", "id": f"{resource_type.name}: {action}"},
            "resource": _entity(resource_type, "Resource", facts[Side.RESOURCE]),
            "context": json.dumps(facts[Side.PAIR]),
        }
        for facts in combinations
        for action in resource_type.actions
    ]
    answers = cedarpy.is_authorized_batch(
        requests,
        cedarpy.PolicySet.from_str(policies(resource_type.document)),
        cedarpy.Entities.from_json_str(json.dumps(_known_entities(resource_type, combinations))),
    )
    permitted = (_is_permitted(answer) for answer in answers)
    return tuple(resource_type.mask_of([a for a in resource_type.actions if next(permitted)]) for _ in combinations)


def _is_permitted(answer: cedarpy.AuthzResult) -> bool:
    if answer.decision is cedarpy.Decision.NoDecision or answer.diagnostics.errors:
        raise ValueError(f"Cedar could not decide: {answer.diagnostics.errors}")
    return answer.allowed


# What Cedar is told: facts about the member are attributes of the principal, facts about the resource attributes of the
# resource, and facts about both together the context of the request.

Attributes = dict[str, str | bool]


def _attributes(resource_type: ResourceType, index: int) -> dict[Side, Attributes]:
    words = resource_type.in_words(index)
    found: dict[Side, Attributes] = {side: {} for side in Side}
    for fact in resource_type.facts:
        value = words[fact.name]
        found[fact.side][slug(fact.name)] = value == "yes" if fact.values == NO_YES else value
    return found


def _entity(resource_type: ResourceType, kind: str, attributes: Attributes) -> dict[str, str]:
    return {"type": f"{resource_type.name}::{kind}", "id": json.dumps(attributes)}


def _known_entities(resource_type: ResourceType, combinations: list[dict[Side, Attributes]]) -> list[dict[str, Any]]:
    known = {}
    for facts in combinations:
        for kind, attributes in (("Member", facts[Side.MEMBER]), ("Resource", facts[Side.RESOURCE])):
            uid = _entity(resource_type, kind, attributes)
            known[kind, uid["id"]] = {"uid": uid, "attrs": attributes, "parents": []}
    return list(known.values())


def _declaration(resource_type: ResourceType) -> str:
    name = resource_type.name
    member, resource, pair = (_record(resource_type, side) for side in (Side.MEMBER, Side.RESOURCE, Side.PAIR))
    actions = ", ".join(json.dumps(f"{name}: {action}") for action in resource_type.actions)
    return f"""
        namespace {name} {{ entity Member {{ {member} }}; entity Resource {{ {resource} }}; }}
        action {actions}
        appliesTo {{ principal: [{name}::Member], resource: [{name}::Resource], context: {{ {pair} }} }};
    """


def _record(resource_type: ResourceType, side: Side) -> str:
    return ", ".join(f"{slug(fact.name)}: {_kind(fact)}" for fact in resource_type.facts if fact.side is side)


def _kind(fact: Fact) -> str:
    return "Bool" if fact.values == NO_YES else "String"

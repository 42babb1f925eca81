"""What every route may answer besides success, said once for the OpenAPI document."""

from __future__ import annotations

from typing import Any

# A component of the document, to which every route refers.
PROBLEM: dict[str, Any] = {
    "title": "Problem",
    "type": "object",
    "required": ["type", "title", "status", "detail", "request_id"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What is wrong and what to do, in a sentence."},
        "request_id": {"type": "string", "description": "The log has more under this id."},
        "decision": {"$ref": "#/components/schemas/DecisionOut"},
        "errors": {
            "type": "array",
            "description": "Of wrong input: each field, its problem and the fix.",
            "items": {
                "type": "object",
                "properties": {
                    "field": {"type": "string"},
                    "problem": {"type": "string"},
                    "fix": {"type": "string"},
                },
            },
        },
    },
}


def _said(description: str) -> dict[str, Any]:
    return {
        "description": description,
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }


PROBLEMS: dict[int | str, dict[str, Any]] = {
    401: _said("Not signed in, or the session or token is no longer valid."),
    403: _said("Seen but not allowed: the answer carries the decision."),
    404: _said("Not there, or not for you to see; both read the same."),
    409: _said("Stale, or its state does not allow it: the answer says what to do."),
    422: _said("Wrong input: the answer names each field and the fix."),
    503: _said("The database cannot be reached for the moment."),
}

# What those may be told besides who prove who they are, and who come with a link.
WHEN_PROVING: dict[int | str, dict[str, Any]] = {429: _said("Too many attempts: Retry-After says how long to wait.")}
WITH_A_LINK: dict[int | str, dict[str, Any]] = {
    410: _said("The link was used, expired or replaced, or never was one."),
    **WHEN_PROVING,
}

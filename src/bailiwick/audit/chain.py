"""The hash that ties an entry to the one before it."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from bailiwick.audit.models import AuditEntry

HASHED = (
    *("id", "at", "actor_id", "token_id", "request_id", "action", "outcome", "resource_type", "resource_id"),
    *("resource_name", "project_id", "seen_from", "about_id", "decision", "before", "after", "lane", "number"),
    "previous_hash",
)


def hash_of(entry: AuditEntry) -> str:
    """SHA-256 over every column of the entry but the hash itself, written the same way on every database."""
    content = {column: _plain(getattr(entry, column)) for column in HASHED}
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, str | int | dict):
        return value
    return value.isoformat() if hasattr(value, "isoformat") else str(value)

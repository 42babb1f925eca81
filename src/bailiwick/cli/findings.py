"""What `bailiwick doctor` finds: one thing that was looked at, how it is, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass

OK, WARN, FAIL = "ok", "warn", "fail"


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    check: str
    state: str
    found: str
    todo: str = ""

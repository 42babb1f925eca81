"""Columns' names as tables can keep them."""

from __future__ import annotations

import re
from collections.abc import Sequence

LONGEST = 255


def clean_names(names: Sequence[str]) -> list[str]:
    """Names of letters, digits and underscores, none twice; case is kept and does not tell two names apart."""
    found: list[str] = []
    taken: set[str] = set()
    for number, name in enumerate(names, 1):
        plain = re.sub(r"\W+", "_", name.strip()).strip("_")[: LONGEST - 10] or f"column_{number}"
        unique, again = plain, 1
        while unique.lower() in taken:
            again += 1
            unique = f"{plain}_{again}"
        taken.add(unique.lower())
        found.append(unique)
    return found

"""The allow-lists: which classes may be in a plan as Spark parses it and as Spark analyses it. All else is refused."""

from __future__ import annotations

from importlib import resources


def _listed(name: str) -> frozenset[str]:
    """A list as it is written down: a package at the margin, its classes indented below it."""
    found: set[str] = set()
    package = ""
    for line in resources.files(__package__).joinpath("allowed", name).read_text("utf-8").splitlines():
        words = line.split("#")[0]
        if not words.strip():
            continue
        if words[0] != " ":
            package = words.strip()
        else:
            found.update(f"{package}.{word}" if package != "-" else word for word in words.split())
    return frozenset(found)


PARSED_PLANS = _listed("parsed_plans.txt")
PARSED_EXPRESSIONS = _listed("parsed_expressions.txt")
PARSED_VALUES = _listed("parsed_values.txt")  # what sits in their fields and is neither plan nor expression
ANALYSED_PLANS = _listed("analysed_plans.txt")
ANALYSED_EXPRESSIONS = _listed("analysed_expressions.txt")
FUNCTIONS = _listed("functions.txt")
HINTS = _listed("hints.txt")
INVOKED = _listed("invoked.txt")

"""The decision on what a plan holds: everything on the lists passes, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bailiwick.spark.gate import allowed
from bailiwick.spark.gate.functions import check_function
from bailiwick.spark.gate.refusal import Refusal
from bailiwick.spark.gate.refused import refuse_expression, refuse_plan

HIDDEN_COLUMN = "_metadata"
MOST_RELATIONS = 400


def check_parsed(found: Mapping[str, Any]) -> None:
    """Refuse a parsed statement for its first class, function, hint or column that is not allowed."""
    for name in found["plans"]:
        if name not in allowed.PARSED_PLANS:
            refuse_plan(name)
    for called in found["functions"]:
        check_function(called)
    for name in found["expressions"]:
        if name not in allowed.PARSED_EXPRESSIONS:
            refuse_expression(name)
    for hint in found["hints"]:
        if hint.lower() not in allowed.HINTS:
            raise Refusal("hint", f"The hint {hint} is not allowed.", hint)
    if any(name.lower() == HIDDEN_COLUMN for name in found["attributes"]):
        _refuse_hidden_column()
    for name in found["others"]:
        if name not in allowed.PARSED_VALUES:
            refuse_expression(name)


def check_size(relations: int) -> None:
    """Refuse what would be analysed for minutes: analysis is no job, and nobody can stop it."""
    if relations > MOST_RELATIONS:
        message = f"The statement names more than {MOST_RELATIONS} tables, counting those behind each name of a WITH."
        raise Refusal("too_complex", f"{message} Do it in steps, with a table in between.")


def check_analysed(found: Mapping[str, Any]) -> None:
    """Refuse an analysed plan that holds anything but allowed classes over the tables that were decided upon."""
    for name in found["plans"]:
        if name not in allowed.ANALYSED_PLANS:
            refuse_plan(name)
    for name in found["expressions"]:
        if name not in allowed.ANALYSED_EXPRESSIONS:
            refuse_expression(name)
    for name in found["invoked"]:
        if name not in allowed.INVOKED:
            refuse_expression(name)
    # What else sits in fields here is the analyser's own, made for classes that are allowed. One thing shows files.
    if any(other.startswith("hidden column") for other in found["others"]):
        _refuse_hidden_column()
    for table in found["tables"]:
        if table["table"] is None or table["streaming"]:
            raise Refusal("undecided", "The statement reads something that was not decided upon.")


def _refuse_hidden_column() -> None:
    raise Refusal("hidden_column", "The column _metadata shows files, which is not allowed.", HIDDEN_COLUMN)

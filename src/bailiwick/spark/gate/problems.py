"""Spark's and Delta's own errors, in the gate's words: never with a plan or a path in them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from bailiwick.spark.errors import SparkProblem
from bailiwick.spark.gate.names import Use, layer_missing
from bailiwick.spark.gate.refusal import Refusal


def of_parsing(error: Mapping[str, Any], sql: str) -> Refusal:
    condition = error.get("condition") or ""
    if condition.startswith("UNSUPPORTED_FEATURE.SQL_SCRIPTING"):
        return Refusal("script", "Scripts are not allowed. Write one query.")
    if condition.startswith("PARSE_SYNTAX_ERROR") and _before(error, sql).endswith(";"):
        return Refusal("several_statements", "Only one statement at a time.")
    if error["class"].endswith("StackOverflowError") or condition.startswith("FAILED_TO_PARSE_TOO_COMPLEX"):
        return Refusal("too_complex", "The statement is nested too deeply.")
    return Refusal("invalid", _sentence(error))


def of_analysis(error: Mapping[str, Any]) -> Refusal:
    condition = error.get("condition") or ""
    if condition.startswith("TABLE_OR_VIEW_NOT_FOUND"):
        # What has a layer was decided before. What is left is a name that WITH gives somewhere else.
        return layer_missing(error["parameters"].get("relationName", "").replace("`", ""))
    if error["class"].endswith("StackOverflowError"):
        return Refusal("too_complex", "The statement is nested too deeply.")
    return Refusal("invalid", _sentence(error))


def of_loading(error: Mapping[str, Any], use: Use) -> SparkProblem:
    condition = error.get("condition") or ""
    if use.version is not None:
        return Refusal("no_such_version", f"{use.written} has no version {use.version} to be read.", use.written)
    if use.timestamp is not None and condition.startswith("DELTA_TIMESTAMP"):
        return Refusal("no_such_version", f"{use.written} has nothing to be read as of '{use.timestamp}'.", use.written)
    fix = f"Its data is missing or damaged ({condition or error['class'].rpartition('.')[2]})."
    return SparkProblem("table_unreadable", f"{use.written} cannot be read.", fix)


def _sentence(error: Mapping[str, Any]) -> str:
    message = error.get("message") or "The statement cannot be understood."
    message = re.sub(r"^\[[A-Z0-9_.]+\] ?", "", message)
    message = re.sub(r"\s*SQLSTATE: \w+\s*$", "", message).strip()
    # Spark's search path and its advice on catalogues say nothing about this platform.
    message = message.split("\n")[0]
    if "line" in error and "position" in error:
        message += f" (line {error['line']}, position {error['position'] + 1})"
    return message


def _before(error: Mapping[str, Any], sql: str) -> str:
    """What stands before the place of an error, but for comments. It only chooses the words of a refusal."""
    lines = sql.split("\n")
    line = error.get("line") or 1
    before = "\n".join([*lines[: line - 1], lines[line - 1][: error.get("position") or 0]])
    return re.sub(r"--[^\n]*|/\*.*?\*/", "", before, flags=re.DOTALL).rstrip()

"""Functions: those a query may call are listed by name; of those it may not, the reason is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bailiwick.spark.gate.allowed import FUNCTIONS
from bailiwick.spark.gate.refusal import Refusal

JVM = "it calls into the machine that runs the query"
FILES = "it reads or shows files of the machine that runs the query"
MACHINE = "it tells about the machine that runs the query, not about you"
TABLE_IN_TEXT = "it names its table in a text; read the table by its name, with VERSION AS OF for the past"
MISSING = "it is not part of this platform"

REFUSED: Mapping[str, str] = {
    "java_method": JVM,
    "reflect": JVM,
    "try_reflect": JVM,
    "from_protobuf": FILES,
    "to_protobuf": FILES,
    "from_avro": MISSING,
    "to_avro": MISSING,
    "schema_of_avro": MISSING,
    "measure": MISSING,
    "input_file_name": FILES,
    "input_file_block_start": FILES,
    "input_file_block_length": FILES,
    "python_worker_logs": FILES,
    "current_user": MACHINE,
    "session_user": MACHINE,
    "user": MACHINE,
    "current_catalog": MACHINE,
    "current_database": MACHINE,
    "current_schema": MACHINE,
    "current_path": MACHINE,
    "table_changes": TABLE_IN_TEXT,
    "table_changes_by_path": TABLE_IN_TEXT,
}

# Some of their options name files (rowValidationXSDPath), so they are had without options.
MOST_ARGUMENTS: Mapping[str, int] = {"from_xml": 2, "schema_of_xml": 1}

# Written without brackets these are columns to the parser, and functions only to the analyser.
REFUSED_CLASSES: Mapping[str, str] = {
    "CurrentUser": "current_user",
    "CurrentCatalog": "current_catalog",
    "CurrentDatabase": "current_database",
    "CurrentPath": "current_path",
}


def check_function(called: Mapping[str, Any]) -> None:
    """Refuse a call of a function that is not on the list."""
    parts: list[str] = called["name"]
    written = ".".join(parts)
    name = written.lower()
    if name in REFUSED:
        refuse_function(written, name)
    # `lower` maps a few letters of other alphabets to ours, so a name has to be ASCII as well.
    if len(parts) != 1 or name not in FUNCTIONS or not written.isascii():
        raise Refusal("function", f"There is no function {written}.", written)
    most = MOST_ARGUMENTS.get(name)
    if most is not None and called["arguments"] > most:
        raise Refusal("function", f"The function {written} is allowed without options only: some name files.", written)


def refuse_function(written: str, name: str) -> None:
    raise Refusal("function", f"The function {written} is not allowed: {REFUSED[name]}.", written)

"""What is refused by its class, in words: a command, a script, a name put together, …"""

from __future__ import annotations

import re
from collections.abc import Mapping

from bailiwick.spark.gate.functions import REFUSED_CLASSES, refuse_function
from bailiwick.spark.gate.refusal import Refusal

QUERIES = "Only queries run here: SELECT, WITH, FROM, VALUES and TABLE."

_SENTENCES: Mapping[str, str] = {
    "setting": "Settings and variables cannot be changed or read from SQL.",
    "script": "Scripts are not allowed. Write one query.",
    "dynamic": "Names and statements that are put together while a query runs are not allowed. Write the name itself.",
    "transform": "TRANSFORM … USING starts programs, which is not allowed.",
    "streaming": "Reading a table as a stream is not allowed here.",
    "changes": "Reading a table's changes is not allowed here. Read versions of it with VERSION AS OF.",
    "parameter": "There are no parameters here. Write the value itself.",
    "undecided": "The statement reads something that was not decided upon.",
    "udf": "Functions of one's own are not allowed in queries.",
}

_CODES: Mapping[str, str] = {
    "SetCommand": "setting",
    "ResetCommand": "setting",
    "SetCatalogCommand": "setting",
    "SetNamespaceCommand": "setting",
    "SetCatalogAndNamespace": "setting",
    "SetVariable": "setting",
    "CreateVariable": "setting",
    "DropVariable": "setting",
    "VariableReference": "setting",
    "CompoundBody": "script",
    "UnresolvedExecuteImmediate": "dynamic",
    "PlanWithUnresolvedIdentifier": "dynamic",
    "ExpressionWithUnresolvedIdentifier": "dynamic",
    "ScriptTransformation": "transform",
    "NamedStreamingRelation": "streaming",
    "RelationChanges": "changes",
    "NamedParameter": "parameter",
    "PosParameter": "parameter",
    "View": "undecided",
    "PythonUDF": "udf",
    "PythonUDAF": "udf",
    "PythonUDTF": "udf",
    "ScalaUDF": "udf",
    "SQLFunctionExpression": "udf",
    "SQLFunctionNode": "udf",
}


def refuse_plan(name: str) -> None:
    """Say why a plan of this class is not let through."""
    simple = _simple(name)
    _refuse_by_code(simple)
    words = _words(re.sub(r"(Command|Statement)$", "", simple))
    raise Refusal("command", f"{words} is not allowed here. {QUERIES}", words)


def refuse_expression(name: str) -> None:
    """Say why an expression of this class is not let through."""
    simple = _simple(name)
    if simple in REFUSED_CLASSES:
        refuse_function(REFUSED_CLASSES[simple], REFUSED_CLASSES[simple])
    _refuse_by_code(simple)
    raise Refusal("construct", f"{_words(simple)} is not allowed in a query here.", simple)


def _refuse_by_code(simple: str) -> None:
    code = _CODES.get(simple)
    if code:
        raise Refusal(code, _SENTENCES[code], simple)


def _simple(name: str) -> str:
    return name.rpartition(".")[2].split("$")[0]


def _words(simple: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", simple).upper()

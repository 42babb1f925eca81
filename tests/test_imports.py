"""The access core is pure: what import-linter cannot say about packages that are not ours."""

import ast
import sys
from pathlib import Path

import pytest

import bailiwick

ACCESS = Path(bailiwick.__file__).parent / "access"


@pytest.mark.parametrize("file", sorted(ACCESS.rglob("*.py")), ids=lambda file: str(file.relative_to(ACCESS)))
def test_the_access_core_imports_only_itself_and_the_standard_library(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text())):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [str(node.module)]
        for name in names:
            assert name.split(".")[0] in sys.stdlib_module_names or f"{name}.".startswith("bailiwick.access."), name

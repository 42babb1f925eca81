"""Settings of sources and destinations that nobody in their right mind would send."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from bailiwick.database.base import new_id
from bailiwick.errors import Invalid
from bailiwick.lakehouse.destinations.settings import TARGET, filled
from bailiwick.lakehouse.sources.settings import CONNECTION


@pytest.mark.parametrize(
    "path",
    [
        *("{date:{nosuch}}.csv", "{date:>99999999999999}.csv", "{date:{run.__class__}}.csv", "{date!r}.csv"),
        *("{}.csv", "{0}.csv", "{nosuch}.csv", "{date.csv", "date}.csv", "{{date}}.csv", "../{date}.csv", "a//b.csv"),
    ],
)
def test_a_path_holds_four_names_in_braces_and_nothing_else(path: str) -> None:
    with pytest.raises((ValidationError, Invalid)):
        TARGET.validate_python({"type": "file", "volume_id": new_id(), "path": path, "format": "csv"})


def test_what_stands_in_braces_is_filled_in() -> None:
    assert filled("out/{date}-{number}.csv", {"date": "2026-01-31", "number": "7"}) == "out/2026-01-31-7.csv"


@pytest.mark.parametrize(
    "url",
    ["http://a.example:abc/x", "http://a.example:99999/", "http://u:p@a.example/", "http://[::1/x", "ftp://a.example"],
)
def test_an_address_without_a_proper_host_and_port_is_refused(url: str) -> None:
    for form, type_ in ((TARGET, "webhook"), (CONNECTION, "http")):
        given: dict[str, Any] = {"type": type_, "url": url}
        with pytest.raises(ValidationError):
            form.validate_python(given)


@pytest.mark.parametrize("delimiter", ["", "\0", "\n", "\r", ";;"])
def test_a_delimiter_is_one_character_that_ends_no_line(delimiter: str) -> None:
    files = {"type": "files", "volume_id": new_id(), "format": "csv", "delimiter": delimiter}
    with pytest.raises(ValidationError):
        CONNECTION.validate_python(files)

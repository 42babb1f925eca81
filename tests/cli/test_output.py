"""What people read: columns that fit the screen, words in place of codes."""

from __future__ import annotations

from bailiwick.cli.output import widths_of
from bailiwick.cli.text import rejected, words

ROWS = [
    ["Name", "E-mail", "From"],
    ["Bella Moreau", "bella@fernhill.example", "Business User through the group Sales analysts"],
]


def test_columns_are_as_wide_as_they_need_where_there_is_room() -> None:
    assert widths_of(ROWS, 100) == [12, 22, 46]


def test_without_room_the_widest_gives_way_and_no_address_is_broken() -> None:
    assert widths_of(ROWS, 60) == [12, 22, 26]
    assert widths_of(ROWS, 40) == [9, 22, 9]


def test_words_are_broken_only_where_they_do_not_fit_at_all() -> None:
    widths = widths_of(ROWS, 30)
    assert sum(widths) <= 30
    assert widths[1] < 22


def test_empty_and_wide_letters_have_a_width() -> None:
    assert widths_of([["A"], [""], ["東京"]], 10) == [4]


def test_an_action_reads_like_the_document() -> None:
    assert words("ask_about_anybody_s_access") == "ask about anybody's access"
    assert words("see_sources") == "see sources"


def test_rows_put_aside_are_those_of_a_sync() -> None:
    """A look at a source tells of streams, too, which put nothing aside; a query tells of none."""
    streams = [{"name": "orders", "rows_rejected": 2}, {"name": "customers", "rows_rejected": None}]
    assert rejected({"result": {"streams": streams}}) == 2
    assert rejected({"result": {"streams": [{"name": "orders"}]}}) == 0
    assert rejected({"result": None}) == rejected({"result": {}}) == 0

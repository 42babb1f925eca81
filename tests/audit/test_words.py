"""What was done, in words: that every action has some is looked at whenever a test lets one happen (`conftest`)."""

from __future__ import annotations

from bailiwick.audit.words import WORDS, in_words


def test_what_was_done_is_told_and_what_was_tried_is_named_as_in_its_document() -> None:
    assert in_words("give_level", "done", "table") == "gave a level"
    assert in_words("manage_users_viewer_editor", "refused", "table") == "tried “Manage users (Viewer, Editor)”"
    assert in_words("GET /api/v1/tables", "refused", "api_token") == "tried “GET /api/v1/tables”"
    assert in_words("something_new", "done", "table") == "something new"


def test_words_are_words() -> None:
    assert len(set(WORDS.values())) == len(WORDS)
    assert not any("_" in said or said != said.strip() or said.endswith(".") for said in WORDS.values())

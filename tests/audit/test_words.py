"""What was done, in words: that every action has some is looked at whenever a test lets one happen (`conftest`)."""

from __future__ import annotations

from bailiwick.audit.words import WORDS, in_words


def test_what_was_done_is_told_and_what_was_tried_is_named_as_in_its_document() -> None:
    assert in_words("give_level", "done", "table") == "gave a level"
    assert in_words("manage_users_viewer_editor", "refused", "table") == "tried “Manage users (Viewer, Editor)”"
    assert in_words("POST /api/v1/tokens", "refused", "api_token") == (
        "came with a token, and tried what takes a session"
    )
    assert in_words("something_new", "done", "table") == "something new"
    assert in_words("manage_users_manager", "refused", "access_request") == "tried “Manage users (Manager)”"
    assert in_words("trigger_pipelines", "refused", "run") == "tried “Trigger pipelines”"


def test_what_is_refused_to_who_views_as_somebody_is_told_in_words() -> None:
    look, change = (
        in_words(f"{method} /api/v1/tables/{{table_id}}/sample", "refused", "member") for method in ("GET", "POST")
    )
    assert look == "viewed as somebody, and tried to look at what is not shown that way"
    assert change == "viewed as somebody, and tried to change or start something"


def test_words_are_words() -> None:
    assert len(set(WORDS.values())) == len(WORDS)
    assert not any("_" in said or said != said.strip() or said.endswith(".") for said in WORDS.values())

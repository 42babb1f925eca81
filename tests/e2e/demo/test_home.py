"""What each of the demo's people finds on their home page."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.conftest import Window


def test_who_sees_nothing_yet_is_told_what_to_do(window: Window) -> None:
    window.sign_in_as("Nina Okafor")
    expect(window.page.get_by_role("heading", name="Hello, Nina")).to_be_visible()
    window.look()

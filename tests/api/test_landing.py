"""What a browser finds when a link from an e-mail is opened."""

from __future__ import annotations

import pytest

from tests.people import TestClient


@pytest.mark.parametrize("path", ["/", "/sign-in", "/join", "/reset-password"])
def test_a_browser_is_told_how_to_go_on(app_client: TestClient, path: str) -> None:
    answer = app_client.get(path)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "bailiwick login --link" in answer.text
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert answer.headers["Referrer-Policy"] == "no-referrer"

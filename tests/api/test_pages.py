"""The web app's pages and files: one page for every address, a strict policy, and nothing else of the disk."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fastapi import FastAPI

from bailiwick.api import pages
from tests.people import TestClient

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A web app as it is built, with a file beside it that is nobody's business."""
    folder = tmp_path / "web"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text('<meta property="csp-nonce" nonce="__NONCE__"><i>__SIGNED_IN__</i>')
    (folder / "assets" / "index-1a2b.js").write_text("go()")
    (folder / "logo.svg").write_text("<svg/>")
    (tmp_path / "secret").write_text("secret")
    monkeypatch.setattr(pages, "BUILT", folder)
    return folder


@pytest.fixture
def client(app: FastAPI) -> TestClient:
    return TestClient(app, raise_server_exceptions=False)


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize("path", ["/", "/sign-in", "/tables/0192", "/index.html"])
def test_every_address_of_the_app_gets_its_page_with_a_nonce_of_its_own(client: TestClient, path: str) -> None:
    first, second = client.get(path), client.get(path)
    nonces = [re.findall(r'nonce="(.+?)"', answer.text)[0] for answer in (first, second)]
    assert len(set(nonces)) == 2
    for answer, nonce in zip((first, second), nonces, strict=True):
        assert answer.status_code == 200
        assert answer.headers["Cache-Control"] == "no-store"
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'; script-src 'self';" in policy
        assert f"style-src 'self' 'nonce-{nonce}'" in policy
        assert "unsafe" not in policy


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize("path", ["/" + "a" * 300, "/tables/" + "a" * 5000])
def test_an_address_longer_than_any_file_name_is_one_of_the_app(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 200
    assert client.get(f"/assets{path}").status_code == 404


@pytest.mark.usefixtures("built")
def test_the_page_says_whether_there_may_be_a_session(client: TestClient) -> None:
    assert "<i>no</i>" in client.get("/").text
    assert "<i>yes</i>" in client.get("/", headers={"Cookie": "bailiwick_session=anything"}).text


@pytest.mark.usefixtures("built")
def test_files_whose_name_changes_with_them_are_kept_for_ever_and_others_are_not(client: TestClient) -> None:
    script, logo = client.get("/assets/index-1a2b.js"), client.get("/logo.svg")
    assert (script.text, script.headers["Content-Type"]) == ("go()", "text/javascript; charset=utf-8")
    assert "immutable" in script.headers["Cache-Control"]
    assert (logo.status_code, logo.headers["Cache-Control"]) == (200, "no-cache")


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize("path", ["/../secret", "/%2e%2e/secret", "/assets/..%2f..%2fsecret", "//etc/passwd", "/%00"])
def test_nothing_else_of_the_disk_is_handed_out(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert "secret" not in answer.text
    assert "root:" not in answer.text
    assert answer.status_code in (200, 404)


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize("path", ["/api/v1/nothing", "/api/nothing", "/access/v1/nothing", "/assets/index-old.js"])
def test_programs_and_files_that_are_gone_get_no_page(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.headers["Content-Type"] == "application/problem+json"


def test_without_a_built_app_it_says_how_to_go_on(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "BUILT", tmp_path)
    answer = client.get("/join")
    assert "bailiwick login --link" in answer.text
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]

"""What is said when something is wrong: who, what and how to mend it; never a traceback."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from bailiwick.cli import logins
from bailiwick.cli.client import Client, is_this_computer
from bailiwick.cli.command import Here
from bailiwick.cli.failures import Failure, Problem, as_failure, tell
from bailiwick.cli.output import print_json
from bailiwick.cli.text import as_text, printable
from bailiwick.database.base import Base
from bailiwick.database.engine import Database, make_engine
from tests import people
from tests.cli.terminal import Platform, Terminal, serving
from tests.lakehouse.making import make_table


@pytest.fixture
def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    """Ada's terminal, at a platform with one table, which nothing here changes."""
    folder = tmp_path_factory.mktemp("company")
    database = Database(make_engine(f"sqlite:///{folder / 'bailiwick.db'}"))
    Base.metadata.create_all(database.engine)
    with serving(database, folder) as platform:
        with database.session() as session:
            make_table(session)
        yield platform.member("Ada Lovelace", "owner")


def test_a_server_that_does_not_run_is_said_to_be_started_with_up(terminal: Terminal, free_port: int) -> None:
    terminal.environment |= {"BAILIWICK_TOKEN": "bwt_x", "BAILIWICK_SERVER": f"127.0.0.1:{free_port}"}
    said = terminal.refused("members", "list")
    assert f"No answer from http://127.0.0.1:{free_port}" in said
    assert "bailiwick up" in said
    assert terminal.problem("members", "list")["title"] == "No answer"


def test_without_a_name_the_own_computer_is_called(terminal: Terminal, free_port: int) -> None:
    terminal.environment |= {"BAILIWICK_TOKEN": "bwt_x", "BAILIWICK_PORT": str(free_port)}
    assert f"http://127.0.0.1:{free_port}" in terminal.refused("whoami")


def test_who_is_not_signed_in_is_told_how(terminal: Terminal) -> None:
    assert "bailiwick login" in terminal.refused("members", "list")
    assert "not signed in" in terminal.refused("logout")
    assert "signed in nowhere" in terminal("servers")


def test_another_program_at_the_address_is_noticed(terminal: Terminal) -> None:
    class Stranger(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path.endswith("/session") else 404)
            self.end_headers()
            self.wfile.write(b"<html>")

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Stranger) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        terminal.environment |= {
            "BAILIWICK_TOKEN": "bwt_x",
            "BAILIWICK_SERVER": f"http://127.0.0.1:{server.server_port}",
        }
        assert "not as Bailiwick does" in terminal.refused("whoami")
        assert "not as Bailiwick does" in terminal.refused("members", "list")
        server.shutdown()


def test_a_wrong_value_is_named_with_the_field_and_the_fix(platform: Platform) -> None:
    ada = platform.member("Ada Lovelace", "owner")
    said = ada.refused("members", "add", "not-an-address", "--name", "Bo")
    assert "That cannot be taken" in said
    assert "email" in said
    assert ada.problem("members", "add", "not-an-address", "--name", "Bo")["errors"][0]["field"] == "email"


@pytest.mark.parametrize(
    ("typed", "code", "said"),
    [
        ("audit list --since yesterday", 2, "'--since': This is no day and no moment. Write it like 2027-01-31 or"),
        ("grants give raw ada@example.com Reader", 2, "'level': 'Reader' is not one of 'Viewer', 'Editor'"),
        ("members list --state foo", 2, "'--state': 'foo' is not one of 'waiting'"),
        ("members list --limit x", 2, "This is no whole number. Give a whole number."),
        ("triggers add source:uploads", 2, "Give --cron or --after, and not both."),
        ("grants give raw me Viewer --until 2020-01-01", 1, "--until: This has passed or is too far away."),
        ("runs list --state broken", 1, "--state: There is no such choice. Give 'queued', "),
        ("members add cy --name Cy", 1, "email: This is not an e-mail address. Write it like name@example.com."),
        ("flow --around nosuch", 1, "List them with: bailiwick flow"),
        ("tables show raw.ordrs", 1, "Did you mean raw.orders?"),
        ("tables show rw.orders", 1, "Did you mean raw?"),
        ("members show ada.lovlace@example.com", 1, "Did you mean ada.lovelace@example.com?"),
        ("members show somebody.else", 1, "List them with: bailiwick members list"),
    ],
)
def test_what_was_typed_wrong_is_told_by_its_option_and_in_our_words(
    company: Terminal, typed: str, code: int, said: str
) -> None:
    told = company.refused(*typed.split(), code=code)
    assert said in " ".join(told.replace("│", " ").split())
    assert "Value error" not in told
    assert "Input should" not in told


def test_somebody_who_is_a_member_already_is_a_conflict_that_says_what_to_do(platform: Platform) -> None:
    ada = platform.member("Ada Lovelace", "owner")
    assert "is a member already" in ada.refused("members", "add", "ada.lovelace@example.com", "--name", "Ada")


def test_a_bug_shows_no_traceback_unless_asked(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> logins.Logins:
        raise ZeroDivisionError("one by nothing")

    monkeypatch.setattr(logins, "read", broken)
    said = terminal.refused("whoami")
    assert "a mistake in Bailiwick" in said
    assert "BAILIWICK_DEBUG" in said
    terminal.environment["BAILIWICK_DEBUG"] = "1"
    assert isinstance(terminal.run("whoami").exception, ZeroDivisionError)


def test_names_cannot_reach_the_terminal(platform: Platform) -> None:
    ada = platform.member("Ada Lovelace", "owner")
    with platform.database.session() as session:
        people.make_member(session, "Eve \x1b[31m [bold]red", email="eve@example.com")
    listed = ada("members", "list")
    assert "\x1b" not in listed
    assert "[bold]red" in listed


def test_values_are_told_in_words() -> None:
    values: list[object] = [None, "", [], True, False, 3]
    assert [as_text(value) for value in values] == ["–", "–", "–", "yes", "no", "3"]
    assert as_text(["a", "b"]) == "a, b"
    assert as_text({"id": 1, "name": "Finance"}) == "Finance"
    assert printable("a\x07b\nc") == "a�b\nc"


def test_a_file_of_logins_that_is_broken_counts_as_none(terminal: Terminal) -> None:
    file = terminal.folder / "bailiwick" / "logins.json"
    file.parent.mkdir(parents=True)
    for broken in ("", "[]", "{", '{"servers": 3}'):
        file.write_text(broken)
        assert "signed in nowhere" in terminal("servers")


def test_the_own_computer_is_reached_past_any_proxy() -> None:
    assert all(map(is_this_computer, ["http://127.0.0.1:1", "http://localhost", "http://[::1]:8765"]))
    assert not any(map(is_this_computer, ["http://example.com", "https://10.0.0.1", "http://localhost.example.com"]))


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (PermissionError(13, "Permission denied", "/srv/x"), "Permission denied: /srv/x."),
        (ValueError("odd"), "a mistake in Bailiwick"),
    ],
)
def test_errors_of_the_computer_are_told_as_they_are(error: Exception, said: str) -> None:
    assert said in str(as_failure(error))


def test_a_problem_of_the_server_carries_its_request_id() -> None:
    problem = Problem({"status": 500, "detail": "Something went wrong.", "request_id": "abc"})
    assert "abc" in problem.lines()[-1]
    assert json.loads(json.dumps(problem.to_dict()))["status"] == 500
    assert Failure("No.", "Do.").to_dict()["hint"] == "Do."


def test_an_address_that_is_none_is_said_to_be_wrong() -> None:
    with pytest.raises(Failure, match=r"cannot be reached|No answer"):
        Client("http://no such host").get("/me")


@pytest.mark.parametrize("hostile", ["\x1b[2J", "\x9b2J", "\u202egnp.exe", "\x07", "a\u2028b"])
def test_nothing_that_is_printed_reaches_into_the_terminal(
    hostile: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = {"name": hostile, "group": {"name": hostile}, "groups": [{"name": hostile}], "more": {"other": hostile}}
    for value in answer.values():
        assert hostile not in as_text(value)
    print_json(answer)
    tell(Problem({"detail": hostile, "errors": [{"field": hostile, "problem": hostile}]}), as_json=True)
    tell(Problem({"detail": hostile, "errors": [{"field": hostile, "problem": hostile}]}), as_json=False)
    asked: list[str] = []

    def confirm(question: str, **_: object) -> bool:
        asked.append(question)
        return True

    monkeypatch.setattr("typer.confirm", confirm)
    Here(as_json=False).confirm(f"Delete {hostile}?", yes=False)
    written = capsys.readouterr()
    assert json.loads(written.out) == answer  # programs get what there is
    assert hostile not in written.out + written.err + asked[0]


def test_bytes_that_are_no_text_are_told_and_no_mistake_of_ours(platform: Platform) -> None:
    said = platform.member("Olga", role="owner").refused("members", "list", "--search", "\udcff")
    assert "no text" in said

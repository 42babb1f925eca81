"""Private addresses are out of reach unless an administrator allowed them, however they are written."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from bailiwick.notify import webhooks
from bailiwick.notify.addresses import AddressRefused, pin, refuse_private
from bailiwick.notify.webhooks import NotTold
from bailiwick.settings import load_settings


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://localhost:8765/",
        "http://0.0.0.0/",
        "http://10.1.2.3/",
        "http://172.16.0.1/",
        "https://192.168.1.1/admin",
        "http://169.254.169.254/latest/meta-data",
        "http://100.64.0.1/",
        "http://224.0.0.1/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:a9fe:a9fe]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[2002:7f00:1::]/",
        "http://[fe80::1]/",
        "http://[fc00::1]/",
        "http://[fec0::1]/",
        "http://[3fff::1]/",
        "http://user:secret@127.0.0.1/",
        "ftp://8.8.8.8/",
        "http:///path",
        "http://[::1/",
        "no address",
    ],
)
def test_these_are_refused(url: str) -> None:
    with pytest.raises(AddressRefused) as refused:
        refuse_private(url, load_settings())
    assert "secret" not in str(refused.value)


def test_the_open_internet_is_reached() -> None:
    found = refuse_private("https://8.8.8.8/hook", load_settings())
    assert (found.address, found.port, found.netloc) == ("8.8.8.8", 443, "8.8.8.8:443")
    assert pin("2001:4860:4860::8888", 5432, load_settings()).netloc == "[2001:4860:4860::8888]:5432"


def test_what_was_allowed_is_reached_and_nothing_beside_it() -> None:
    settings = load_settings(allowed_addresses="10.1.0.0/16, ::1")
    assert refuse_private("http://10.1.2.3/", settings).address == "10.1.2.3"
    assert refuse_private("http://[::1]:8000/", settings).netloc == "[::1]:8000"
    with pytest.raises(AddressRefused):
        refuse_private("http://10.2.2.3/", settings)


def test_a_name_with_one_private_address_among_others_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [(0, 0, 0, "", ("8.8.8.8", 80)), (0, 0, 0, "", ("10.0.0.1", 80))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    with pytest.raises(AddressRefused):
        refuse_private("http://both.example/", load_settings())


def test_a_name_that_nobody_has_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*_: Any, **__: Any) -> Any:
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", nothing)
    with pytest.raises(AddressRefused, match="no machine called"):
        refuse_private("http://nowhere.example/", load_settings())


# Web addresses -------------------------------------------------------------------------------------------------------


class Receiver(HTTPServer):
    """A web address that remembers what it was told."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.told: list[tuple[str, dict[str, str], Any]] = []
        self.answer = 204


class Answering(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.told.append((self.path, dict(self.headers), body))
        self.send_response(self.server.answer)
        self.send_header("Location", "http://127.0.0.1:1/")
        self.end_headers()

    def log_message(self, *_: Any) -> None: ...


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_a_message_arrives_under_the_name_it_was_sent_to(receiver: Receiver) -> None:
    settings = load_settings(allowed_addresses="127.0.0.1,::1")
    webhooks.post(f"http://localhost:{receiver.server_port}/hook?key=1", {"a": 1}, settings)
    ((path, headers, body),) = receiver.told
    assert (path, body) == ("/hook?key=1", {"a": 1})
    assert headers["Host"] == f"localhost:{receiver.server_port}"


def test_the_name_is_looked_up_once(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that leads inside at the second look is not followed there."""
    looked: list[str] = []
    real = socket.getaddrinfo

    def lookup(host: str, *rest: Any, **more: Any) -> Any:
        looked.append(host)
        return real("127.0.0.1" if host == "rebound.example" else host, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    webhooks.post(f"http://rebound.example:{receiver.server_port}/", {}, load_settings(allowed_addresses="127.0.0.1"))
    assert looked.count("rebound.example") == 1
    assert len(receiver.told) == 1


@pytest.mark.parametrize(("answer", "final"), [(302, False), (500, False), (429, False), (404, True), (410, True)])
def test_an_answer_that_is_no_success_is_told(receiver: Receiver, answer: int, final: bool) -> None:
    receiver.answer = answer
    settings = load_settings(allowed_addresses="127.0.0.1")
    with pytest.raises(NotTold) as problem:
        webhooks.post(f"http://127.0.0.1:{receiver.server_port}/secret", {}, settings)
    assert problem.value.final is final
    assert "secret" not in str(problem.value)
    assert len(receiver.told) == 1  # a redirect is not followed


def test_a_private_address_is_told_nothing(receiver: Receiver) -> None:
    with pytest.raises(NotTold, match="allowed_addresses"):
        webhooks.post(f"http://127.0.0.1:{receiver.server_port}/", {}, load_settings())
    assert receiver.told == []


def test_nobody_there_is_no_crash() -> None:
    with pytest.raises(NotTold, match="No answer"):
        webhooks.post("http://127.0.0.1:9/", {}, load_settings(allowed_addresses="127.0.0.1"))

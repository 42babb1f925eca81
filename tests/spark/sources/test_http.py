"""JSON over HTTP: page after page in every way, servers that are busy, break off or lead elsewhere."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from bailiwick.spark.engine import Engine
from bailiwick.spark.errors import SparkProblem
from bailiwick.spark.jobs import TableRef
from bailiwick.spark.sources import http
from bailiwick.spark.sources.jobs import HttpAt, LookJob, StreamJob
from bailiwick.spark.sources.looking import discover, try_connection
from tests.spark.contexts import Alone
from tests.spark.sources.making import Source, make_source

Answer = tuple[int, dict[str, str], bytes]
NOWHERE = TableRef("", "raw", "orders", "")


class Server:
    """An API that answers as the test says."""

    def __init__(self) -> None:
        self.answer: Callable[[str, dict[str, str]], Any] = lambda path, query: []
        self.asked: list[tuple[str, dict[str, str], dict[str, str]]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                parts = urlsplit(self.path)
                query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
                outer.asked.append((parts.path, query, dict(self.headers)))
                found = outer.answer(parts.path, query)
                if found is None:  # break off in the middle
                    self.send_response(200)
                    self.send_header("Content-Length", "1000000")
                    self.end_headers()
                    self.wfile.write(b'[{"id": 1')
                    self.wfile.flush()
                    self.connection.close()
                    return
                status, headers, body = found if isinstance(found, tuple) else (200, {}, json.dumps(found).encode())
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://shop.example.com:{self._http.server_port}"
        threading.Thread(target=self._http.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Wait for nothing, and remember how long it would have been."""
    waited: list[float] = []
    monkeypatch.setattr(http.Api, "_sleep", lambda self, seconds: waited.append(seconds))
    return waited


def at(server: Server, tmp_path: Path, **more: Any) -> HttpAt:
    return HttpAt(server.url, "127.0.0.1", str(tmp_path / "staging"), **more)


def stream(**read: Any) -> StreamJob:
    return StreamJob("id", "orders", {"type": "http", "path": "orders", **read}, NOWHERE, NOWHERE)


ROWS = [{"id": number, "v": f"v{number}"} for number in range(7)]


def by_page(path: str, query: dict[str, str]) -> Any:
    page = int(query["page"])
    return {"data": {"items": ROWS[(page - 1) * 3 : page * 3]}}


def by_offset(path: str, query: dict[str, str]) -> Any:
    return ROWS[int(query["from"]) : int(query["from"]) + int(query["size"])]


def by_cursor(path: str, query: dict[str, str]) -> Any:
    start = int(query.get("cursor", 0))
    return {"rows": ROWS[start : start + 3], "next": {"token": start + 3 if start + 3 < len(ROWS) else None}}


def by_link(path: str, query: dict[str, str]) -> Any:
    start = int(query.get("start", 0))
    link = {"Link": f'</orders?start={start + 3}>; rel="next"'} if start + 3 < len(ROWS) else {}
    return 200, link, json.dumps(ROWS[start : start + 3]).encode()


WAYS: dict[str, tuple[Callable[[str, dict[str, str]], Any], dict[str, Any]]] = {
    "none": (lambda path, query: ROWS, {}),
    "page": (by_page, {"pagination": {"kind": "page"}, "records": "data.items"}),
    "offset": (
        by_offset,
        {"pagination": {"kind": "offset", "parameter": "from", "size_parameter": "size", "size": 2}},
    ),
    "cursor": (by_cursor, {"pagination": {"kind": "cursor", "cursor_path": "next.token"}, "records": "rows"}),
    "link": (by_link, {"pagination": {"kind": "link"}}),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_of_paging_gives_every_record_once(server: Server, tmp_path: Path, way: str) -> None:
    server.answer, read = WAYS[way]
    with http.Api(at(server, tmp_path)) as api:
        assert [record for page in http.pages(api, stream(**read)) for record in page] == ROWS


def test_a_busy_server_is_asked_again_as_late_as_it_says(server: Server, tmp_path: Path, quick: list[float]) -> None:
    busy: list[Any] = [(429, {"Retry-After": "7"}, b""), (503, {}, b"")]
    server.answer = lambda path, query: busy.pop(0) if busy else ROWS
    with http.Api(at(server, tmp_path)) as api:
        assert list(http.pages(api, stream())) == [ROWS]
    assert quick[0] == 7


@pytest.mark.parametrize(
    ("answer", "code", "passing"),
    [
        (None, "connection_lost", True),
        ((500, {}, b""), "connection_lost", True),
        ((401, {}, b"secret details"), "sign_in_failed", False),
        ((404, {}, b"nothing here"), "http_error", False),
        ((302, {"Location": "http://169.254.169.254/"}, b""), "http_error", False),
        ((200, {}, b"<html>"), "not_json", False),
        (({"next": "http://169.254.169.254/latest"}), "leads_elsewhere", False),
        (({"next": "same"}), "pages_in_a_circle", False),
    ],
)
def test_what_goes_wrong_is_told_and_tried_again_only_if_it_may_pass(
    server: Server, tmp_path: Path, answer: Any, code: str, passing: bool
) -> None:
    server.answer = lambda path, query: answer
    read = {"pagination": {"kind": "cursor", "cursor_path": "next"}}
    with http.Api(at(server, tmp_path)) as api, pytest.raises(SparkProblem) as told:
        list(http.pages(api, stream(**read)))
    assert (told.value.code, told.value.passing) == (code, passing)


def test_secrets_go_where_they_belong_and_nowhere_else(server: Server, tmp_path: Path) -> None:
    server.answer = lambda path, query: ROWS
    for kind, more, header, value in (
        ("bearer", {}, "Authorization", "Bearer sesame"),
        ("basic", {"user": "ada"}, "Authorization", "Basic YWRhOnNlc2FtZQ=="),
        ("header", {"header": "X-Api-Key"}, "X-Api-Key", "sesame"),
    ):
        place = at(server, tmp_path, authentication=kind, secret="sesame", **more)
        assert "sesame" not in repr(place)
        with http.Api(place) as api:
            list(http.pages(api, stream()))
        assert server.asked[-1][2][header] == value
        assert server.asked[-1][2]["Host"].startswith("shop.example.com:")


def test_too_much_is_refused(server: Server, tmp_path: Path) -> None:
    server.answer = lambda path, query: [{"x": "y" * 1000}] * 100
    with http.Api(at(server, tmp_path, most_bytes=50_000)) as api, pytest.raises(SparkProblem) as told:
        http.staged(api, stream(), tmp_path / "staged", None)
    assert told.value.code == "too_large"


def source(engine: Engine, tmp_path: Path, server: Server, **more: Any) -> Source:
    read = {"type": "http", "path": "orders", "since_parameter": "since"}
    return make_source(engine, tmp_path, at(server, tmp_path), read, **more)


def test_records_land_and_go_on_by_their_cursor(engine: Engine, tmp_path: Path, server: Server) -> None:
    rows: list[Any] = [{"id": n, "at": f"2024-01-0{n}", "nested": {"x": n}} for n in (1, 2, 3)] + ["no record"]
    server.answer = lambda path, query: rows
    here = source(engine, tmp_path, server, mode="incremental", cursor_column="at", primary_key=("id",))
    outcome = here.run()
    assert (outcome.rows_written, outcome.rows_rejected) == (3, 1)
    assert outcome.state["cursor"] == "2024-01-03"
    rows[:] = [{"id": 3, "at": "2024-01-03", "nested": None, "new": True}, {"id": 4, "at": "2024-01-04"}]
    here.run()
    assert server.asked[-1][1]["since"] == "2024-01-03"
    assert here.rows("id", "nested", "new") == [
        (1, '{"x": 1}', None),
        (2, '{"x": 2}', None),
        (3, None, True),
        (4, None, None),
    ]
    seen = discover(engine, LookJob(at(server, tmp_path), (here.stream,), "look"), Alone()).streams[0]
    assert [column.name for column in seen.columns] == ["at", "id", "nested", "new"]
    assert seen.sample[1] == {"at": "2024-01-04", "id": 4, "nested": None, "new": None}
    assert "answers" in try_connection(engine, LookJob(at(server, tmp_path), (here.stream,)), Alone()).says

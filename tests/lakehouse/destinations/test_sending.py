"""Rows on their way out: to a database in one transaction and once, to a file that is never half there, to a web
address that may be busy."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import psycopg
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from python_calamine import CalamineWorkbook
from sqlalchemy import URL

from bailiwick.lakehouse.destinations import postgresql, sending, webhook
from bailiwick.spark.destinations.jobs import Delivery, Target, ToFile, ToPostgresql, ToWebhook
from bailiwick.spark.errors import Interrupted, SparkProblem
from bailiwick.spark.jobs import Column, Context
from bailiwick.spark.queries.jobs import ResultFiles
from bailiwick.spark.sources.jobs import HttpAt, PostgresqlAt
from tests import postgres
from tests.spark.contexts import Alone
from tests.spark.sources.proxy import proxy_to

Rows = Sequence[tuple[int, str | None]]
COLUMNS = (Column("id", "bigint", False), Column("name", "string"))


def delivered(target: Target, rows: Rows, folder: Path, id_: str = "run-1", context: Context | None = None) -> str:
    """Deliver these rows, as if Spark had spilled them in two files."""

    def spill(_: Context) -> ResultFiles:
        place = folder / "spill"
        place.mkdir(exist_ok=True)
        half = len(rows) // 2
        files = []
        for at, part in enumerate((rows[:half], rows[half:])):
            ids, names = pa.array([row[0] for row in part], pa.int64()), pa.array([row[1] for row in part], pa.string())
            pq.write_table(pa.table({"c0": ids, "c1": names}), place / f"part-{at}.parquet")
            if part:
                files.append((f"part-{at}.parquet", len(part)))
        return ResultFiles(COLUMNS, tuple(files))

    job = Delivery(id_, "raw.things", "", None, str(folder / "spill"), target)
    try:
        return sending.deliver(job, spill, context or Alone()).says
    finally:
        assert not (folder / "spill").exists()


# A database ----------------------------------------------------------------------------------------------------------


class There:
    """A database that rows are brought to."""

    def __init__(self, url: URL, port: int) -> None:
        self.connection = psycopg.connect(
            url.set(drivername="postgresql").render_as_string(hide_password=False), autocommit=True
        )
        at = PostgresqlAt(
            "shop.example.com", "127.0.0.1", port, url.database or "", url.username or "postgres", url.password
        )
        self.target = ToPostgresql(at, "public", "The things", "append")

    def rows(self, columns: str = "id, name") -> list[tuple[Any, ...]]:
        return sorted(self.connection.execute(f'SELECT {columns} FROM "The things"').fetchall())


@pytest.fixture
def there(postgres_server: URL) -> Iterator[There]:
    with postgres.new_database(postgres_server, "template1") as url, proxy_to(url) as proxy:
        found = There(url, proxy.port)
        yield found
        found.connection.close()


def test_rows_are_appended_to_a_table_that_is_made(there: There, tmp_path: Path) -> None:
    assert delivered(there.target, [(1, "a"), (2, None)], tmp_path) == "2 rows brought to public.The things"
    delivered(there.target, [(3, "c")], tmp_path, "run-2")
    assert there.rows() == [(1, "a"), (2, None), (3, "c")]


def test_a_delivery_arrives_once_however_often_it_is_tried(there: There, tmp_path: Path) -> None:
    for _ in range(3):
        delivered(there.target, [(1, "a")], tmp_path)
    assert there.rows() == [(1, "a")]


def test_overwriting_replaces_everything_at_once(there: There, tmp_path: Path) -> None:
    target = replace(there.target, mode="overwrite")
    delivered(target, [(1, "a"), (2, "b")], tmp_path)
    delivered(target, [(3, "c")], tmp_path, "run-2")
    assert there.rows() == [(3, "c")]
    delivered(target, [], tmp_path, "run-3")
    assert there.rows() == []


def test_upserting_keeps_what_the_rows_do_not_speak_of(there: There, tmp_path: Path) -> None:
    there.connection.execute('CREATE TABLE "The things" (id bigint, name text, note text)')
    there.connection.execute("""INSERT INTO "The things" VALUES (1, 'old', 'kept'), (2, 'two', 'two')""")
    target = replace(there.target, mode="upsert", keys=("id",))
    delivered(target, [(1, "new"), (3, "three")], tmp_path)
    assert there.rows("id, name, note") == [(1, "new", "kept"), (2, "two", "two"), (3, "three", None)]


def test_a_key_that_occurs_twice_is_said_and_nothing_changes(there: There, tmp_path: Path) -> None:
    target = replace(there.target, mode="upsert", keys=("id",))
    delivered(target, [(1, "a")], tmp_path)
    with pytest.raises(SparkProblem, match="id = 2 occurs 2 times"):
        delivered(target, [(2, "b"), (2, "c")], tmp_path, "run-2")
    assert there.rows() == [(1, "a")]


@pytest.mark.parametrize("mode", ["append", "overwrite"])
def test_rows_that_do_not_fit_change_nothing(there: There, tmp_path: Path, mode: Any) -> None:
    there.connection.execute('CREATE TABLE "The things" (id bigint PRIMARY KEY, name text NOT NULL)')
    there.connection.execute("""INSERT INTO "The things" VALUES (7, 'seven')""")
    with pytest.raises(SparkProblem) as problem:
        delivered(replace(there.target, mode=mode), [(1, "a"), (2, None)], tmp_path)
    assert (problem.value.code, problem.value.passing) == ("refused_rows", False)
    assert there.rows() == [(7, "seven")]
    delivered(replace(there.target, mode="append"), [(1, "a")], tmp_path)  # the same delivery, mended
    assert there.rows() == [(1, "a"), (7, "seven")]


def test_others_see_all_of_it_or_nothing(there: There, tmp_path: Path) -> None:
    delivered(there.target, [(1, "a")], tmp_path)
    seen: list[int] = []
    context = Alone()
    context.on_check = lambda: seen.append(len(there.rows()))
    delivered(replace(there.target, mode="overwrite"), [(n, "x") for n in range(100)], tmp_path, "run-2", context)
    assert set(seen) == {1}
    assert len(there.rows()) == 100


def test_a_delivery_that_is_stopped_leaves_nothing(there: There, tmp_path: Path) -> None:
    delivered(there.target, [(1, "a")], tmp_path)
    context = Alone()

    def stop() -> None:
        raise Interrupted

    context.on_check = stop
    with pytest.raises(Interrupted):
        delivered(there.target, [(2, "b")], tmp_path, "run-2", context)
    assert there.rows() == [(1, "a")]
    delivered(there.target, [(2, "b")], tmp_path, "run-2")
    assert there.rows() == [(1, "a"), (2, "b")]


def test_a_right_that_was_lost_meanwhile_sends_nothing(there: There, tmp_path: Path) -> None:
    class Lost(Exception):
        pass

    def lost() -> None:
        raise Lost

    context = Alone()
    context.on_confirm = lost
    with pytest.raises(Lost):
        delivered(there.target, [(1, "a")], tmp_path, context=context)
    assert there.connection.execute("SELECT to_regclass('\"The things\"')").fetchone() == (None,)


def test_a_database_that_is_away_may_be_back_later(there: There, tmp_path: Path) -> None:
    away = replace(there.target, at=replace(there.target.at, port=1))
    with pytest.raises(SparkProblem) as problem:
        delivered(away, [(1, "a")], tmp_path)
    assert (problem.value.code, problem.value.passing) == ("connection_lost", True)


def test_trying_tells_whether_it_answers(there: There) -> None:
    assert "is made at the first delivery" in postgresql.try_out(there.target)
    with pytest.raises(SparkProblem):
        postgresql.try_out(replace(there.target, at=replace(there.target.at, port=1)))


# A file --------------------------------------------------------------------------------------------------------------


def test_a_file_is_put_into_its_place_whole(tmp_path: Path) -> None:
    volume = tmp_path / "volume"
    target = ToFile(str(volume), ("exports", "things.csv"), "csv")
    says = delivered(target, [(1, "=cmd"), (2, "b, c")], tmp_path)
    assert says == "2 rows written to exports/things.csv"
    assert (volume / "exports" / "things.csv").read_bytes() == b'id,name\r\n1,\'=cmd\r\n2,"b, c"\r\n'
    delivered(target, [(3, "d")], tmp_path, "run-2")
    assert (volume / "exports" / "things.csv").read_bytes() == b"id,name\r\n3,d\r\n"
    assert [path.name for path in volume.iterdir()] == ["exports"]  # nobody who looks into the volume meets a draft
    assert list((tmp_path / ".drafts").iterdir()) == []


def test_files_of_every_format(tmp_path: Path) -> None:
    for kind in ("parquet", "xlsx"):
        delivered(ToFile(str(tmp_path), (f"things.{kind}",), kind), [(1, "a"), (2, None)], tmp_path)
    assert pq.read_table(tmp_path / "things.parquet").to_pylist() == [{"id": 1, "name": "a"}, {"id": 2, "name": None}]
    sheet = CalamineWorkbook.from_path(tmp_path / "things.xlsx").get_sheet_by_index(0).to_python()
    assert sheet == [["id", "name"], [1.0, "a"], [2.0, ""]]


def test_a_link_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "volume").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "volume" / "exports").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Exception, match="not a folder"):
        delivered(ToFile(str(tmp_path / "volume"), ("exports", "things.csv"), "csv"), [(1, "a")], tmp_path)
    assert list((tmp_path / "elsewhere").iterdir()) == []


# A web address -------------------------------------------------------------------------------------------------------


class Receiver:
    """Takes rows; `answers` are the statuses of its next answers, then 200."""

    def __init__(self) -> None:
        self.got: list[tuple[str, dict[str, Any], str | None]] = []
        self.answers: list[int] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                status = receiver.answers.pop(0) if receiver.answers else 200
                if status == 200:
                    receiver.got.append((self.headers["Idempotency-Key"], body, self.headers["Authorization"]))
                self.send_response(status)
                self.send_header("Retry-After", "0")
                self.end_headers()

            def do_HEAD(self) -> None:
                self.send_response(405)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()
        url = f"http://rows.example.com:{self.server.server_port}/in"
        at = HttpAt(url, "127.0.0.1", "", {}, "bearer", secret="the secret")
        self.target = ToWebhook(at, batch_rows=2)

    def close(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    found = Receiver()
    yield found
    found.close()


def test_rows_are_sent_some_at_a_time_with_a_key_each(receiver: Receiver, tmp_path: Path) -> None:
    says = delivered(receiver.target, [(1, "a"), (2, None), (3, "c")], tmp_path)
    assert says == "3 rows sent in 2 requests"
    (first_key, first, secret), (last_key, last, _) = receiver.got
    assert (first_key, last_key, secret) == ("run-1-1", "run-1-2", "Bearer the secret")
    assert first["rows"] == [{"id": 1, "name": "a"}, {"id": 2, "name": None}]
    assert (first["last"], last["last"], last["rows"]) == (False, True, [{"id": 3, "name": "c"}])


def test_no_rows_are_news_too(receiver: Receiver, tmp_path: Path) -> None:
    delivered(receiver.target, [], tmp_path)
    assert [(body["rows"], body["last"]) for _, body, _ in receiver.got] == [([], True)]


def test_a_busy_receiver_is_asked_again(receiver: Receiver, tmp_path: Path) -> None:
    receiver.answers = [429, 503, 200]
    delivered(receiver.target, [(1, "a")], tmp_path)
    assert [key for key, _, _ in receiver.got] == ["run-1-1"]


def test_what_is_sent_again_has_the_same_keys(receiver: Receiver, tmp_path: Path) -> None:
    receiver.answers = [200, *[503] * webhook.TRIES]
    with pytest.raises(SparkProblem) as problem:
        delivered(receiver.target, [(1, "a"), (2, "b"), (3, "c")], tmp_path)
    assert problem.value.passing
    delivered(receiver.target, [(1, "a"), (2, "b"), (3, "c")], tmp_path)
    assert [key for key, _, _ in receiver.got] == ["run-1-1", "run-1-1", "run-1-2"]


def test_a_refusal_is_final(receiver: Receiver, tmp_path: Path) -> None:
    receiver.answers = [400]
    with pytest.raises(SparkProblem) as problem:
        delivered(receiver.target, [(1, "a")], tmp_path)
    assert (problem.value.code, problem.value.passing) == ("refused_rows", False)
    assert "the secret" not in str(problem.value)


def test_any_answer_tells_that_somebody_is_there(receiver: Receiver) -> None:
    assert webhook.try_out(receiver.target) == "It answers (405)."

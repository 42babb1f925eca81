"""Files in volumes: streamed in and out, whole or not at all, and never out of their volume."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from fastapi import FastAPI

from bailiwick.api.app import create_app
from bailiwick.database.engine import Database
from bailiwick.database.paging import write_cursor
from bailiwick.errors import Invalid
from bailiwick.lakehouse import files
from bailiwick.lakehouse.paths import parts_of
from bailiwick.settings import Settings
from tests.lakehouse.company import API, Company

HOSTILE = [
    *(
        "..",
        ".",
        "",
        "/",
        "//",
        "/etc/passwd",
        "a//b",
        "a/",
        "/a",
        "../a",
        "a/../b",
        "a/..",
        "a/../../b",
        "./a",
        "a/./b",
    ),
    *("..\\a", "a\\..\\b", "C:\\a", "C:a", "a:b", "a\0b", "\0", "a\nb", "a\rb", "a\x1b[31mb", "a\x7f", "a\u202eb"),
    *(
        "a\u200bb",
        "\ufeffa",
        "a\u2028b",
        " a",
        "a ",
        "a.",
        "a/ b/c",
        "...",
        "a/.../b",
        "*.csv",
        "a?",
        "a|b",
        "<a>",
        '"a"',
    ),
    *("{a,b}", "[a-z]", "a" * 256, "ü" * 200, "a/" * 40 + "b", "a" * 1001, "\ud800", "a/\u0085/b", "\u2066a"),
]
HARMLESS = [
    "a",
    "a.csv",
    ".env",
    "_SUCCESS",
    "2026/07/orders 1 (final).csv",
    "überzählig.csv",
    "日本/注文.csv",
    "a%2fb",
    "~",
    "-rf",
    "..a",
    "a..b",
]


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"upload_megabytes": 3})


def at(company: Company, path: str = "") -> str:
    return f"{API}/volumes/{company.files.id}/files" + (f"/{quote(path, safe='/')}" if path else "")


def put(company: Company, who: str, path: str, content: Any = b"a,b\n1,2\n", **query: Any) -> Any:
    return company.as_(who).put(at(company, path), content=content, params=query)


def everything_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_a_file_is_put_listed_fetched_and_deleted(company: Company, settings: Settings) -> None:
    assert company.names("vic", f"/volumes/{company.files.id}/files") == []
    answer = put(company, "eve", "2026/orders.csv")
    assert answer.status_code == 201, answer.text
    assert (answer.json()["path"], answer.json()["bytes"]) == ("2026/orders.csv", 8)
    assert not answer.json()["replaced"]
    assert everything_in(settings.volumes_folder) == [f"{company.files.id}/2026/orders.csv"]
    top = company.as_("val").get(at(company)).json()["items"]
    assert [(item["kind"], item["name"], item["bytes"]) for item in top] == [("folder", "2026", None)]
    inner = company.as_("val").get(at(company), params={"folder": "2026"}).json()["items"]
    assert [(item["kind"], item["path"], item["bytes"]) for item in inner] == [("file", "2026/orders.csv", 8)]
    fetched = company.as_("val").get(at(company, "2026/orders.csv"))
    assert fetched.content == b"a,b\n1,2\n"
    assert fetched.headers["Content-Disposition"].startswith('attachment; filename="orders.csv"')
    assert fetched.headers["Content-Type"] == "application/octet-stream"
    assert fetched.headers["X-Content-Type-Options"] == "nosniff"
    assert company.as_("eve").delete(at(company, "2026/orders.csv")).status_code == 204
    assert company.as_("eve").get(at(company)).json()["items"] == []
    assert list((settings.volumes_folder / str(company.files.id)).iterdir()) == []
    (made,), (gone,) = company.audited("put_file"), company.audited("delete_file")
    assert made.after == gone.before == {"path": "2026/orders.csv", "bytes": 8}
    assert made.resource_name == "raw.files"


@pytest.mark.parametrize(
    ("who", "reading", "changing"),
    [
        ("nora", 404, 404),
        ("tab", 404, 404),
        ("val", 200, 403),
        ("vic", 200, 403),
        ("eve", 200, 201),
        ("adam", 200, 201),
    ],
)
def test_viewers_read_files_and_editors_change_them(company: Company, who: str, reading: int, changing: int) -> None:
    assert put(company, "mia", "there.csv").status_code == 201
    assert company.as_(who).get(at(company)).status_code == reading
    assert company.as_(who).get(at(company, "there.csv")).status_code == reading
    assert put(company, who, "new.csv").status_code == changing
    assert company.as_(who).delete(at(company, "there.csv")).status_code == (204 if changing == 201 else changing)


def test_a_file_is_replaced_only_on_purpose(company: Company, settings: Settings) -> None:
    put(company, "eve", "a.csv", b"one")
    refused = put(company, "eve", "a.csv", b"two")
    assert refused.status_code == 409
    assert company.as_("eve").get(at(company, "a.csv")).content == b"one"
    replaced = put(company, "eve", "a.csv", b"three", overwrite=True)
    assert (replaced.status_code, replaced.json()["replaced"]) == (201, True)
    assert company.as_("eve").get(at(company, "a.csv")).content == b"three"
    assert company.audited("put_file")[1].before == {"path": "a.csv", "bytes": 3}
    assert put(company, "eve", "a.csv/b.csv").status_code == 422
    put(company, "eve", "folder/b.csv")
    assert put(company, "eve", "folder", overwrite=True).status_code == 409
    assert company.as_("eve").get(at(company, "folder")).status_code == 404
    assert company.as_("eve").delete(at(company, "folder")).status_code == 404
    assert everything_in(settings.volumes_folder / ".drafts") == []


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_that_could_lead_elsewhere_is_refused(name: str) -> None:
    with pytest.raises(Invalid):
        parts_of(name)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_leads_out_of_a_volume(company: Company, settings: Settings, name: str) -> None:
    secret = settings.home / "secret.txt"
    secret.parent.mkdir(parents=True, exist_ok=True)
    secret.write_text("secret")
    # Every byte in its coded form, so that no client makes something else of it on the way.
    address = "".join(f"%{byte:02x}" for byte in name.encode(errors="surrogatepass"))
    for method in ("GET", "PUT", "DELETE"):
        answer = company.as_("adam").request(method, f"{at(company)}/{address}")
        assert answer.status_code in (404, 405, 422), (method, answer.text)
        assert "secret" not in answer.text
    listed = company.as_("adam").get(at(company), params={"folder": name.encode(errors="replace").decode()})
    assert listed.status_code == 422 or (name == "" and listed.json()["items"] == [])
    assert everything_in(settings.volumes_folder) == []
    assert everything_in(settings.home) == ["secret.txt"]


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
@pytest.mark.parametrize("name", HARMLESS)
def test_ordinary_names_are_taken_as_they_are(company: Company, name: str) -> None:
    assert put(company, "eve", name, name.encode()).status_code == 201
    fetched = company.as_("eve").get(at(company, name))
    assert fetched.content == name.encode()
    fetched.headers["Content-Disposition"].encode("ascii")


def test_no_link_leads_out_of_a_volume(company: Company, settings: Settings, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("secret")
    root = settings.volumes_folder / str(company.files.id)
    root.mkdir(parents=True)
    (root / "file").symlink_to(outside / "secret.txt")
    (root / "folder").symlink_to(outside, target_is_directory=True)
    os.mkfifo(root / "pipe")
    eve = company.as_("eve")
    assert eve.get(at(company)).json()["items"] == []
    for path in ("file", "folder", "folder/secret.txt", "pipe"):
        assert eve.get(at(company, path)).status_code == 404
        assert eve.delete(at(company, path)).status_code == 404
    assert eve.get(at(company), params={"folder": "folder"}).status_code == 404
    assert put(company, "eve", "folder/new.txt").status_code == 422
    assert put(company, "eve", "file").status_code == 409
    assert put(company, "eve", "file", b"mine", overwrite=True).status_code == 201  # in place of the link
    assert sorted(path.name for path in outside.iterdir()) == ["secret.txt"]
    assert (outside / "secret.txt").read_text() == "secret"


class Upload:
    """A client that sends a body piece by piece, as a server hands it on, and counts what was asked for."""

    def __init__(self, company: Company, app: FastAPI, path: str, piece: bytes, pieces: int | None) -> None:
        authorization = company.as_("eve").headers["Authorization"].encode()
        self.scope = {
            **{"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "PUT", "scheme": "http"},
            **{
                "path": f"{at(company)}/{path}",
                "raw_path": at(company, path).encode(),
                "query_string": b"",
                "root_path": "",
            },
            **{"headers": [(b"authorization", authorization)], "client": ("test", 1), "server": ("test", 80)},
        }
        self.app, self.piece, self.pieces = app, piece, pieces
        self.asked, self.status, self.body = 0, 0, b""

    async def receive(self) -> dict[str, Any]:
        self.asked += 1
        if self.pieces is not None and self.asked > self.pieces:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": self.piece, "more_body": True}

    async def send(self, message: Any) -> None:
        self.status = message.get("status", self.status)
        self.body += message.get("body", b"")

    def run(self) -> Upload:
        asyncio.run(self.app(self.scope, self.receive, self.send))
        return self


def test_a_file_that_is_too_large_is_cut_off_and_leaves_nothing_behind(
    company: Company, app: FastAPI, settings: Settings
) -> None:
    endless = Upload(company, app, "large.bin", b"x" * 100_000, None).run()
    assert endless.status == 413
    assert b"3 MiB" in endless.body
    assert endless.asked < 40
    announced = company.as_("eve").put(at(company, "large.bin"), content=b"x", headers={"Content-Length": "4000000"})
    assert announced.status_code == 413
    assert everything_in(settings.volumes_folder) == []
    assert put(company, "eve", "just.bin", b"x" * 3 * 1024 * 1024).status_code == 201
    assert company.as_("eve").get(at(company)).json()["items"][0]["bytes"] == 3 * 1024 * 1024


def test_an_upload_that_breaks_off_leaves_nothing_behind(company: Company, app: FastAPI, settings: Settings) -> None:
    broken = Upload(company, app, "half.bin", b"x" * 100_000, 15).run()
    assert broken.status == 400
    assert everything_in(settings.volumes_folder) == []
    assert company.as_("eve").get(at(company)).json()["items"] == []


def test_other_requests_keep_their_smaller_limit(company: Company) -> None:
    large = b"x" * 1024 * 1024 + b"x"
    for method, path in (("POST", f"{API}/volumes"), ("PUT", f"{API}/tenant/plan"), ("POST", at(company, "a"))):
        assert company.as_("adam").request(method, path, content=large).status_code == 413


def test_nothing_is_read_from_who_may_not_put_a_file(company: Company, app: FastAPI, settings: Settings) -> None:
    refused = Upload(company, app, "a:b", b"x" * 1000, None).run()
    assert (refused.status, refused.asked) == (422, 0)
    assert company.as_("val").put(at(company, "a.csv"), content=b"x").status_code == 403
    assert not settings.volumes_folder.exists()


def test_who_lost_their_level_during_an_upload_puts_nothing(
    company: Company, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish = files.Draft.finish

    def finish_slowly(draft: files.Draft) -> None:
        finish(draft)
        with company.database.session() as session:
            session.get_one(type(company.people["eve"]), company.id("eve")).state = "suspended"

    monkeypatch.setattr(files.Draft, "finish", finish_slowly)
    assert put(company, "eve", "late.csv").status_code == 401
    assert everything_in(settings.volumes_folder) == []


def test_a_full_disk_is_said_and_leaves_nothing_behind(
    company: Company, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(draft: files.Draft, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.Draft, "write", full)
    answer = put(company, "eve", "a.csv")
    assert (answer.status_code, "no room" in answer.json()["detail"]) == (507, True)
    assert everything_in(settings.volumes_folder) == []


def test_a_part_of_a_file_can_be_fetched(company: Company) -> None:
    put(company, "eve", "digits", b"0123456789")

    def part(asked: str, **more: str) -> tuple[int, bytes]:
        answer = company.as_("vic").get(at(company, "digits"), headers={"Range": asked, **more})
        return answer.status_code, answer.content

    assert part("bytes=2-4") == (206, b"234")
    assert part("bytes=7-") == (206, b"789")
    assert part("bytes=-3") == (206, b"789")
    assert part("bytes=0-99") == (206, b"0123456789")
    assert part("bytes=-99") == (206, b"0123456789")
    assert part("bytes=10-")[0] == 416
    assert part("bytes=5-2")[0] == 416
    for strange in ("bytes=-", "bytes=0-1,3-4", "lines=1-2", "bytes=a-b"):
        assert part(strange) == (200, b"0123456789")
    assert part("bytes=2-4", **{"If-Range": '"other"'}) == (200, b"0123456789")
    tag = company.as_("vic").get(at(company, "digits")).headers["ETag"]
    assert part("bytes=2-4", **{"If-Range": tag}) == (206, b"234")


def test_an_empty_file_is_a_file(company: Company) -> None:
    assert put(company, "eve", "empty", b"").status_code == 201
    assert company.as_("vic").get(at(company, "empty")).content == b""


def test_files_are_listed_in_the_order_that_is_asked_for(company: Company, settings: Settings) -> None:
    for name, size, at_second in (("b", 3, 10), ("a", 2, 30), ("c", 2, 20), ("d/e", 1, 0)):
        assert put(company, "eve", name, b"x" * size).status_code == 201
        os.utime(settings.volumes_folder / str(company.files.id) / name, (at_second, at_second))
    os.utime(settings.volumes_folder / str(company.files.id) / "d", (40, 40))
    orders = {"name": "abcd", "changed": "bcad", "size": "dacb"}
    for sort, names in orders.items():
        for backwards in (False, True):
            asked = {"sort": f"-{sort}" if backwards else sort}
            wanted = list(reversed(names)) if backwards else list(names)
            assert company.names("val", f"/volumes/{company.files.id}/files", **asked) == wanted
            seen: list[str] = []
            cursor: dict[str, str] = {}
            for _ in wanted:
                page = company.get("val", f"/volumes/{company.files.id}/files", limit=1, **asked, **cursor).json()
                seen += [one["name"] for one in page["items"]]
                cursor = {"cursor": page["next_cursor"]}
            assert (seen, page["next_cursor"]) == (wanted, None)
    first = company.get("val", f"/volumes/{company.files.id}/files", limit=1, sort="size").json()["next_cursor"]
    for wrong in (first, write_cursor("-size", "x", "a"), write_cursor("-size", "9" * 40, "a"), "x"):
        refused = company.get("val", f"/volumes/{company.files.id}/files", sort="-size", cursor=wrong)
        assert refused.status_code == 422


def test_a_folder_of_many_files_is_listed_in_pages(company: Company, settings: Settings) -> None:
    root = settings.volumes_folder / str(company.files.id)
    root.mkdir(parents=True)
    for number in range(25):
        (root / f"f{number:02}").write_bytes(b"x")
    seen: list[str] = []
    cursor = None
    while True:
        query = {"limit": 10} | ({"cursor": cursor} if cursor else {})
        page = company.as_("vic").get(at(company), params=query).json()
        seen += [item["name"] for item in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == [f"f{number:02}" for number in range(25)]
    assert company.as_("vic").get(at(company), params={"folder": "none"}).status_code == 404


def test_of_many_who_put_the_same_file_at_once_one_succeeds(company: Company, settings: Settings) -> None:
    clients = [company.sign_in_as(company.people["eve"]) for _ in range(6)]

    def upload(number: int) -> int:
        return int(clients[number].put(at(company, "a/b/c"), content=f"{number}" * 1000).status_code)

    with ThreadPoolExecutor(6) as pool:
        codes = sorted(pool.map(upload, range(6)))
    assert codes == [201, 409, 409, 409, 409, 409]
    content = company.as_("eve").get(at(company, "a/b/c")).text
    assert len(set(content)) == 1
    assert len(content) == 1000
    assert everything_in(settings.volumes_folder) == [f"{company.files.id}/a/b/c"]


def test_putting_and_deleting_in_one_folder_at_once_loses_nothing(company: Company) -> None:
    clients = [company.sign_in_as(company.people["eve"]) for _ in range(4)]

    def work(number: int) -> list[int]:
        codes = []
        for _ in range(5):
            path = at(company, f"deep/er/{number}")
            codes.append(clients[number].put(path, content=b"x").status_code)
            codes.append(clients[number].delete(path).status_code)
        return codes

    with ThreadPoolExecutor(4) as pool:
        codes = [code for each in pool.map(work, range(4)) for code in each]
    assert set(codes) == {201, 204}
    assert company.as_("eve").get(at(company)).json()["items"] == []


def test_what_an_upload_left_behind_long_ago_is_swept(company: Company, settings: Settings) -> None:
    drafts = settings.volumes_folder / ".drafts"
    drafts.mkdir(parents=True)
    for name, age in (("old", 2 * 24 * 3600), ("young", 60)):
        (drafts / name).write_bytes(b"x")
        moment = (drafts / name).stat().st_mtime - age
        os.utime(drafts / name, (moment, moment))
    put(company, "eve", "a.csv")
    assert everything_in(drafts) == ["young"]


def test_a_volume_that_is_deleted_takes_no_more_files(company: Company) -> None:
    put(company, "eve", "a.csv")
    assert company.as_("mia").delete(f"{API}/volumes/{company.files.id}?confirm=files").status_code == 200
    assert put(company, "eve", "b.csv").status_code == 404
    assert company.as_("adam").get(at(company, "a.csv")).status_code == 404


def test_the_limit_follows_the_setting(database: Database, settings: Settings) -> None:
    app: FastAPI = create_app(settings, database)
    (around,) = (one for one in app.user_middleware if "largest_file" in one.kwargs)
    assert around.kwargs["largest_file"] == 3 * 1024 * 1024

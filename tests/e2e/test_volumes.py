"""Files of a volume: dropped and chosen, replaced only when that is meant, fetched, deleted; some may only read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import pytest
from playwright.sync_api import Locator, Page, expect

from bailiwick.demo import people as p
from bailiwick.demo.story import member_of
from bailiwick.tenancy.models import Member
from tests.e2e.conftest import House, Window
from tests.lakehouse.making import make_grant, make_layer, make_pipeline, make_table, make_volume

# What a browser hands over when files are let go over the page; a script may make it by itself, too.
DROPPED = """([place, files]) => {
  const carried = new DataTransfer();
  for (const [name, text] of files) carried.items.add(new File([text], name));
  for (const type of ["dragenter", "dragover", "drop"])
    place.dispatchEvent(new DragEvent(type, { dataTransfer: carried, bubbles: true, cancelable: true }));
}"""


@dataclass(frozen=True)
class Shared:
    editor: Member
    viewer: Member
    volume: UUID
    name: str
    reader: str  # a pipeline


@pytest.fixture
def shared(house: House) -> Shared:
    """A volume with its Manager and its Viewer, from which a source reads."""
    with house.database.session() as session:
        editor, viewer = member_of(session, p.TESSA), member_of(session, p.BEN)
        name = "uploads"
        volume = make_volume(session, name)
        table = make_table(session, "landed")
        reader = make_pipeline(session, f"Receipts of {name}", editor, reads=[volume], output=table)
        make_grant(session, volume, editor, "Manager")
        make_grant(session, table, editor, "Manager")
        make_grant(session, volume, viewer, "Viewer")
    return Shared(editor, viewer, volume.id, f"raw.{name}", reader.name)


def drop(page: Page, files: dict[str, str]) -> None:
    place = page.get_by_test_id("drop-place").element_handle()
    page.evaluate(DROPPED, [place, list(files.items())])


def row(page: Page, file: str) -> Locator:
    return page.get_by_role("row", name=file)


def fetched(page: Page, file: str) -> str:
    with page.expect_download() as download:
        page.get_by_role("link", name=f"Download {file}").click()
    return Path(download.value.path()).read_text()


def test_files_come_by_drop_and_by_dialog_and_go(window: Window, another: Window, shared: Shared) -> None:
    page = window.page
    window.sign_in(shared.editor)
    page.get_by_role("link", name="Volumes", exact=True).click()
    page.get_by_role("link", name=shared.name).click()
    expect(page.get_by_text("No file is here yet")).to_be_visible()

    drop(page, {"monday.csv": "a,b\n1,2\n", "tuesday.csv": "a,b\n3,4\n"})
    expect(page.get_by_text("2 of 2 arrived")).to_be_visible()
    expect(row(page, "monday.csv")).to_be_visible()
    expect(row(page, "tuesday.csv")).to_be_visible()

    page.locator("input[type=file]").set_input_files(
        {"name": "wednesday.csv", "mimeType": "text/csv", "buffer": b"a,b\n5,6\n"}
    )
    expect(row(page, "wednesday.csv")).to_be_visible()
    window.look()
    page.get_by_role("button", name="Clear what is over").click()

    drop(page, {"bad:name.csv": "a,b\n"})
    window.expected = ["422"]
    expect(page.get_by_role("region", name="Uploads").get_by_text("A name holds", exact=False)).to_have_text(
        re.compile("^A name holds")
    )
    page.get_by_role("button", name="Clear what is over").click()

    # A file that is there is replaced only by who says so.
    drop(page, {"monday.csv": "a,b\n9,9\n"})
    expect(page.get_by_role("dialog")).to_contain_text("monday.csv")
    window.look()
    page.get_by_role("button", name="Keep what is there").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert fetched(page, "monday.csv") == "a,b\n1,2\n"
    drop(page, {"monday.csv": "a,b\n9,9\n"})
    page.get_by_role("button", name="Replace it").click()
    expect(page.get_by_text("1 of 1 arrived")).to_be_visible()
    assert fetched(page, "monday.csv") == "a,b\n9,9\n"

    another.sign_in(shared.viewer)
    another.go(f"/volumes/{shared.volume}")
    assert fetched(another.page, "tuesday.csv") == "a,b\n3,4\n"
    expect(another.page.get_by_role("button", name="Upload files")).to_be_hidden()
    expect(another.page.get_by_role("button", name="Delete tuesday.csv")).to_be_hidden()
    expect(another.page.get_by_role("button", name="Delete", exact=True)).to_be_disabled()
    another.look()

    page.get_by_role("button", name="Delete tuesday.csv").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete tuesday.csv").click()
    expect(row(page, "tuesday.csv")).to_be_hidden()
    expect(row(page, "wednesday.csv")).to_be_visible()


def test_a_large_file_is_stopped_on_its_way_and_sent_again(window: Window, shared: Shared) -> None:
    page = window.page
    window.sign_in(shared.editor)
    window.go(f"/volumes/{shared.volume}")
    devices = page.context.new_cdp_session(page)
    slowly = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 100_000}
    devices.send("Network.enable")
    devices.send("Network.emulateNetworkConditions", slowly)
    drop(page, {"large.bin": "x" * 2_000_000})
    expect(page.get_by_role("progressbar")).to_be_visible()
    # Going elsewhere would end it: one is asked.
    page.get_by_role("link", name="Tables", exact=True).click()
    page.get_by_role("button", name="Stay here").click()
    page.get_by_role("button", name="Stop large.bin").click()
    expect(page.get_by_text("stopped", exact=True)).to_be_visible()
    expect(page.get_by_text("No file is here yet")).to_be_visible()
    window.look()
    devices.send("Network.emulateNetworkConditions", {**slowly, "uploadThroughput": -1})
    page.get_by_role("button", name="Send large.bin again").click()
    expect(page.get_by_text("1 of 1 arrived")).to_be_visible()
    expect(row(page, "large.bin")).to_contain_text("2 MB")


def test_a_volume_is_made_and_deleted_by_its_name(window: Window, shared: Shared) -> None:
    page = window.page
    with window.house.database.session() as session:
        layer = make_layer(session, "dropped")
        make_grant(session, layer, shared.editor, "Manager")
    window.sign_in(shared.editor)
    window.go(f"/layers/{layer.id}?part=volumes")
    page.get_by_role("button", name="New volume").click()
    page.get_by_label("Name").fill("inbox")
    window.look()
    page.get_by_role("button", name="Create the volume").click()
    expect(page.get_by_role("heading", name=f"{layer.name}.inbox")).to_be_visible()

    window.go(f"/volumes/{shared.volume}?part=uses")
    expect(page.get_by_role("row", name=shared.reader)).to_contain_text("reads it")
    page.get_by_role("button", name="Delete", exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(shared.reader)
    for_good = dialog.get_by_role("button", name=f"Delete {shared.name}")
    expect(for_good).to_be_disabled()
    dialog.get_by_label("To be sure, type").fill(shared.name)
    window.look()
    for_good.click()
    expect(page.get_by_role("heading", name="Volumes")).to_be_visible()
    expect(page.get_by_role("link", name=f"{layer.name}.inbox")).to_be_visible()
    expect(page.get_by_role("link", name=shared.name)).to_be_hidden()

"""What several journeys do: choosing from a list, opening the link that came by e-mail, letting time pass."""

from __future__ import annotations

import re
from email import message_from_bytes

from playwright.sync_api import Page, expect
from sqlalchemy import update
from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_fixed

from bailiwick.database.base import utc_now
from bailiwick.lakehouse.models import Grant
from bailiwick.requests.models import AccessRequest
from bailiwick.tenancy.models import Member
from tests.e2e.conftest import House


def go_to(page: Page, place: str) -> None:
    """Over the bar at the side; what is looked for next may stand on the page before, too."""
    page.get_by_role("link", name=place, exact=True).click()
    expect(page.get_by_role("heading", name=place, exact=True)).to_be_visible()


def choose(page: Page, label: str, option: str, *, typed: str = "") -> None:
    """From a list that opens; one that is found while typing is typed first."""
    box = page.get_by_role("combobox", name=label, exact=True)
    if typed:
        box.fill(typed)
    else:
        box.click()
    page.get_by_role("option", name=option, exact=not typed).first.click()


def link_sent_to(house: House, address: str, *, after: str = "") -> str:
    """The path of the newest link that was sent to this address, as soon as its e-mail lies in the outbox.

    Where one was sent before, `after` is that one's path: its e-mail lies there already.
    """
    for attempt in Retrying(
        retry=retry_if_exception_type(LookupError), wait=wait_fixed(0.2), stop=stop_after_delay(30)
    ):
        with attempt:
            return _newest_link(house, address, after)
    raise AssertionError("not reached")


def time_is_up(house: House, member: Member) -> None:
    """Whatever level was given to them for a time: that time is over now."""
    with house.database.session() as session:
        given = update(Grant).where(Grant.member_id == member.id, Grant.expires_at.is_not(None))
        session.execute(given.values(expires_at=utc_now()))
        asked = update(AccessRequest).where(
            AccessRequest.member_id == member.id, AccessRequest.given_until.is_not(None)
        )
        session.execute(asked.values(given_until=utc_now()))


def _newest_link(house: House, address: str, after: str) -> str:
    for file in sorted((house.settings.home / "outbox").glob("*.eml"), reverse=True):
        message = message_from_bytes(file.read_bytes())
        found = re.search(r"https?://[^/\s]+(/\S+#\S+)", message.get_payload(decode=True).decode())  # type: ignore[union-attr]
        if message["To"] == address and found:
            if found.group(1) == after:
                break
            return found.group(1)
    raise LookupError(address)

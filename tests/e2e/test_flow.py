"""The whole flow, drawn: each sees what they may see of it, and goes from there to what it shows."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from playwright.sync_api import expect

from bailiwick.database.base import utc_now
from bailiwick.demo import people as p
from bailiwick.demo.story import member_of
from bailiwick.runs.models import Run
from bailiwick.tenancy.models import Member
from tests.e2e.conftest import House, Window
from tests.lakehouse.making import make_grant, make_layer, make_pipeline, make_stream, make_table


@dataclass(frozen=True)
class Chain:
    owner: Member
    reader: Member
    layer: str


@pytest.fixture
def chain(house: House) -> Chain:
    """A source lands orders, a query makes days of them; somebody reads only the days."""
    with house.database.session() as session:
        owner, reader = member_of(session, p.OLIVIA), member_of(session, p.BEN)
        layer = make_layer(session, "shop")
        orders, days = make_table(session, "orders", layer=layer), make_table(session, "days", layer=layer)
        tills = make_pipeline(session, "Tills", owner, kind="source", settings={"type": "table"})
        make_stream(session, tills, table=orders)
        query = make_pipeline(session, "Orders by day", owner, reads=[orders], output=days)
        finance = {"type": "webhook", "url": "https://finance.example.com/rows"}
        make_pipeline(session, "To finance", owner, kind="destination", reads=[days], settings=finance)
        session.add(
            Run(
                kind="pipeline_query",
                subject_type="pipeline",
                subject_id=query.id,
                subject_name=query.name,
                acts_as_id=owner.id,
                number=1,
                state="failed",
                ended_at=utc_now(),
            )
        )
        make_grant(session, days, reader, "Viewer")
    return Chain(owner, reader, layer.name)


def test_the_flow_shows_what_the_member_may_see(window: Window, another: Window, chain: Chain) -> None:
    page = window.page
    window.sign_in(chain.owner)
    page.get_by_role("link", name="Flow", exact=True).click()
    page.get_by_role("combobox", name="Layer").click()
    page.get_by_role("option", name=chain.layer).click()
    for name in ("Tills", f"{chain.layer}.orders", "Orders by day", f"{chain.layer}.days", "To finance"):
        expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Last run of Orders by day: failed")).to_be_visible()
    window.look()

    page.get_by_role("searchbox").fill("finance")
    expect(page.get_by_role("link", name="Tills", exact=True)).to_be_hidden()
    expect(page.get_by_role("link", name="To finance", exact=True)).to_be_visible()
    page.get_by_role("searchbox").fill("")
    page.get_by_role("button", name=f"Only around {chain.layer}.orders").click()
    expect(page.get_by_role("button", name="Not only around orders")).to_be_visible()
    page.get_by_role("link", name=f"{chain.layer}.days", exact=True).click()
    expect(page.get_by_role("heading", name=f"{chain.layer}.days")).to_be_visible()

    # Where somebody sees only the end, nothing says that there is a beginning.
    another.sign_in(chain.reader)
    another.go("/flow")
    expect(another.page.get_by_role("link", name=f"{chain.layer}.days", exact=True)).to_be_visible()
    expect(another.page.get_by_role("link", name="To finance", exact=True)).to_be_visible()
    expect(another.page.get_by_role("link", name="Tills", exact=True)).to_be_hidden()
    expect(another.page.get_by_role("link", name="Orders by day", exact=True)).to_be_hidden()
    another.look()

"""Requests for access at the terminal."""

from __future__ import annotations

import pytest

from tests.cli.terminal import Platform, Terminal
from tests.lakehouse.making import make_table, make_volume


@pytest.fixture
def ada(platform: Platform) -> Terminal:
    """An owner, with a table, a volume and a project."""
    terminal = platform.member("Ada Lovelace", "owner")
    with platform.database.session() as session:
        make_table(session, "orders")
        make_volume(session, "uploads")
    terminal("projects", "create", "Sales")
    return terminal


def test_a_level_is_asked_for_and_granted(platform: Platform, ada: Terminal) -> None:
    bo = platform.member("Bo Lund")
    said = bo("requests", "ask", "raw.orders", "--level", "Viewer", "--reason", "I build the report.", "--for", "30d")
    assert "You asked for Viewer on raw.orders" in said
    assert "raw.orders" in bo("requests", "list", "--mine")
    (own,) = bo.json("requests", "list", "--mine", "--state", "waiting")["items"]
    assert own["expires_at"] is not None
    assert "Waiting for you to decide: 1." in ada("requests", "list", "--count")
    assert ada.json("requests", "list", "--count") == {"count": 1, "more": False}
    assert "Bo Lund" in ada("requests", "list", "--waiting")
    shown = ada("requests", "show", own["id"])
    assert "I build the report." in shown
    assert "none there; tenant role none" in shown
    assert "grant, decline" in shown
    assert "Bo Lund has Viewer on raw.orders" in ada("requests", "grant", own["id"])
    assert "Viewer" in bo("grants", "mine", "raw.orders")
    assert "Viewer by Ada Lovelace" in bo("requests", "show", own["id"])
    assert "No request fits" in ada("requests", "list", "--waiting")
    assert "was granted already" in ada.refused("requests", "grant", own["id"])


def test_another_level_another_end_and_a_no(platform: Platform, ada: Terminal) -> None:
    bo = platform.member("Bo Lund")
    for where, level in (("volume:raw.uploads", "Editor"), ("layer:raw", "Manager"), ("trusted", "Viewer")):
        bo("requests", "ask", where, "--level", level, "--reason", "Because.", "--until", "2031-05-04")
    on_trusted, on_raw, on_volume = bo.json("requests", "list", "--mine")["items"]
    assert [it["resource"]["type"] for it in (on_volume, on_raw, on_trusted)] == ["volume", "layer", "layer"]
    assert on_volume["expires_at"].startswith("2031-05-04")
    given = ada.json("requests", "grant", on_volume["id"], "--level", "Viewer", "--for-good")
    assert (given["outcome"]["level"], given["outcome"]["expires_at"]) == ("Viewer", None)
    assert ada.json("requests", "grant", on_raw["id"], "--for", "12h")["outcome"]["expires_at"] is not None
    assert "declined" in ada("requests", "decline", on_trusted["id"], "--reason", "Not yet.")
    listed = bo("requests", "list", "--mine")
    assert listed.count("2031-05-04") == 1  # of what was declined; of what was granted, the end that was given
    assert "2031-05-04" in next(line for line in listed.splitlines() if "trusted" in line)
    assert "no, by Ada Lovelace: Not yet." in bo("requests", "show", on_trusted["id"])


def test_a_role_is_asked_for_and_withdrawn(platform: Platform, ada: Terminal) -> None:
    bo = platform.member("Bo Lund")
    ask = ("requests", "ask", "project:Sales", "--reason", "I look after it.")
    request = bo.json(*ask, "--role", "technical")
    assert (request["role"], request["resource"]["id"]) == ("Technical User", None)
    assert bo.problem(*ask, "--role", "Admin")["access_request_id"] == request["id"]
    assert "no longer ask for Technical User on Sales" in bo("requests", "withdraw", request["id"])
    again = bo.json(*ask, "--role", "Admin")
    assert ada.json("requests", "grant", again["id"], "--role", "business")["outcome"]["role"] == "Business User"
    assert bo.json("projects", "show", "Sales")["role"] == "Business User"


def test_what_is_typed_wrongly_is_said_to_be(platform: Platform, ada: Terminal) -> None:
    bo = platform.member("Bo Lund")
    why = ("--reason", "Because.")
    assert "--level" in bo.refused("requests", "ask", "raw.orders", "--role", "Admin", *why, code=2)
    assert "--role" in bo.refused("requests", "ask", "project:Sales", *why, code=2)
    assert "none of" in bo.refused("requests", "ask", "query:x", "--level", "Viewer", *why, code=2)
    viewer = ("requests", "ask", "raw.orders", "--level", "Viewer", *why)
    assert "no length of time" in bo.refused(*viewer, "--for", "soon", code=2)
    assert "not both" in bo.refused(*viewer, "--for", "1w", "--until", "2031-01-01", code=2)
    assert "id" in bo.refused("requests", "show", "raw.orders", code=2)
    assert "no such access request" in bo.refused("requests", "show", "0199c0de-0000-7000-8000-000000000001")
    request = bo.json(*viewer)
    assert "not both" in ada.refused("requests", "grant", request["id"], "--for", "1d", "--for-good", code=2)
    assert "Manage users" in bo.refused("requests", "grant", request["id"])

"""People at the terminal: joining by link, then everything about members, groups, tokens, sessions and the tenant."""

from __future__ import annotations

import json
import stat
from datetime import datetime
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select

from bailiwick.audit.commands import changes
from bailiwick.tenancy import links
from bailiwick.tenancy.models import LinkPurpose, Member, MemberState
from tests import people
from tests.cli.terminal import PASSWORD, Platform, Terminal

pytestmark = pytest.mark.usefixtures("quick_passwords")


def link_for(platform: Platform, email: str, purpose: LinkPurpose) -> str:
    """A fresh link of this member's, as they would find it in their mailbox."""
    with platform.database.session() as session:
        member = session.scalars(select(Member).where(Member.email == email)).one()
        return links.link_to(platform.settings, purpose, links.make_link(session, member, purpose))


def test_somebody_joins_by_link_and_stays_signed_in(platform_on_either: Platform) -> None:
    platform = platform_on_either
    owner = platform.member("Ada Lovelace", "owner")
    assert "bo@example.com" in owner("members", "add", "bo@example.com", "--name", "Bo Lund", "--role", "editor")

    bo = Terminal(platform.folder / "bo")
    link = link_for(platform, "bo@example.com", LinkPurpose.JOIN)
    said = bo("login", "--link", link, typed=f"{PASSWORD}\n")
    assert f"signed in to {platform.address} as Bo Lund" in said
    assert bo.json("whoami")["email"] == "bo@example.com"

    file = platform.folder / "bo" / "bailiwick" / "logins.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700

    assert "signed out" in bo("logout")
    assert "not signed in" in bo.refused("whoami", "--server", platform.address)
    bo("login", "--server", platform.address, "--email", "bo@example.com", typed=f"{PASSWORD}\n")
    assert bo.json("profile")["tenant_role"] == "editor"


def test_a_link_works_once_and_says_so(platform: Platform) -> None:
    platform.member("Bo Lund")
    link = link_for(platform, "bo.lund@example.com", LinkPurpose.SIGN_IN)
    terminal = platform.terminal("bo")
    assert "Nothing was changed" in terminal.refused("login", "--link", link, typed="n\n")
    terminal("login", "--link", link, "--yes")
    assert terminal.json("whoami")["name"] == "Bo Lund"
    assert "link" in terminal.refused("login", "--link", link, "--yes")


def test_a_forgotten_password_is_set_anew(platform: Platform) -> None:
    platform.member("Bo Lund")
    terminal = platform.terminal("bo")
    said = terminal("login", "--email", "bo.lund@example.com", "--forgot")
    assert "No mail server is set" in said
    assert said == terminal("login", "--email", "nobody@example.com", "--send-link")
    link = link_for(platform, "bo.lund@example.com", LinkPurpose.RESET_PASSWORD)
    assert "12" in terminal.refused("login", "--link", link, typed="short\n")
    terminal("login", "--link", link, typed=f"{PASSWORD}\n")
    terminal("password", typed=f"{PASSWORD}\nanother four words\n")
    assert "not your password" in terminal.refused("password", typed=f"{PASSWORD}\nmore words in a row\n")


def test_a_wrong_password_is_refused_without_saying_who_is_here(platform: Platform) -> None:
    platform.member("Bo Lund")
    terminal = platform.terminal("bo")
    wrong = terminal.refused("login", "--email", "bo.lund@example.com", typed="not the password\n")
    assert wrong == terminal.refused("login", "--email", "nobody@example.com", typed="not the password\n")
    assert "bailiwick login --forgot" in wrong


def test_a_token_signs_a_program_in(platform: Platform) -> None:
    ada = platform.member("Ada Lovelace", "owner")
    made = ada.json("tokens", "create", "nightly", "--read-only", "--for", "30d")
    assert "whole days" in ada.refused("tokens", "create", "hourly", "--for", "12h", code=2)
    assert "nightly" in ada("tokens", "list")
    program = platform.terminal("program")
    program.environment["BAILIWICK_TOKEN"] = made["secret"]
    assert program.json("whoami")["token"]["name"] == "nightly"
    refusal = program.refused("groups", "create", "Finance")
    assert "API tokens" in refusal
    assert "Given by" in refusal

    kept = platform.terminal("kept")
    kept("login", "--token", typed=made["secret"] + "\n")
    assert "the token nightly" in kept("whoami")
    assert "signed out" in kept("logout")

    assert "nightly" in ada("tokens", "list", "--of", "me")
    platform.member("Bo Lund")("tokens", "create", "Bo's own")
    assert "Bo's own" in ada("tokens", "list", "--of", "Bo Lund")
    ada("tokens", "revoke", "Bo's own", "--of", "Bo Lund", "--yes")
    assert "There is none" in ada("tokens", "list", "--of", "Bo Lund")
    assert "Nothing was changed" in ada.refused("tokens", "revoke", "nightly", typed="n\n")
    ada("tokens", "revoke", "nightly", "--yes")
    assert "no token" in ada.refused("tokens", "revoke", "nightly", "--yes")
    assert "Sign in" in program.refused("whoami")
    assert program.problem("whoami")["status"] == 401


def test_sessions_are_listed_and_ended(platform: Platform) -> None:
    with platform.database.session() as session:
        ada = people.make_member(session, "Ada Lovelace", role="owner")
        elsewhere, _ = people.make_session(session, ada)
    terminal = platform.signed_in(ada)
    listed = terminal.json("sessions", "list")["items"]
    assert [it["current"] for it in listed].count(True) == 1
    terminal("sessions", "end", str(elsewhere.id))
    assert len(terminal.json("sessions", "list")["items"]) == 1
    assert terminal.json("sessions", "end-others", "--yes") == {"ended": 0}


def test_a_member_from_invitation_to_removal(platform: Platform) -> None:
    ada = platform.member("Ada Lovelace", "owner")
    assert "nothing was sent" in ada("members", "add", "cy@example.com", "--name", "Cy Twombly")
    assert "/join#" in ada("members", "resend", "cy@example.com", "--show")
    ada("members", "withdraw", "cy@example.com", "--yes")

    bo = platform.member("Bo Lund")
    assert "editor" in ada("members", "role", "bo.lund@example.com", "editor")
    assert "data admin" in ada("members", "security-roles", "Bo Lund", "data admin")
    assert "none" in ada("members", "security-roles", "Bo Lund")
    assert "Editor" not in ada("members", "show", "Bo Lund")
    assert ada.json("members", "count")["active"] == 2
    assert "suspended" in ada("members", "suspend", "Bo Lund", typed="y\n")
    assert "Sign in" in bo.refused("whoami")
    ada("members", "reactivate", "Bo Lund")
    link = ada.json("members", "link", "Bo Lund", "--show")["link"]
    assert link.startswith(platform.address)
    assert "reset-password" in ada("members", "reset-password", "Bo Lund", "--show", "--yes")
    ada("members", "remove", "Bo Lund", "--yes")
    assert ada.json("members", "list", "--state", "removed")["items"][0]["name"] == "Bo Lund"


def test_a_newcomer_waits_until_an_admin_confirms(platform: Platform) -> None:
    ada = platform.member("Ada Lovelace", "owner")
    with platform.database.session() as session:
        for name in ("Di", "Ed"):
            people.make_member(session, name, state=MemberState.WAITING, email=f"{name.lower()}@example.com")
    assert {it["name"] for it in ada.json("members", "list", "--state", "waiting")["items"]} == {"Di", "Ed"}
    assert "confirmed" in ada("members", "confirm", "di@example.com")
    assert "declined" in ada("members", "decline", "ed@example.com", "--yes")


def test_asking_first_names_what_is_at_stake(platform: Platform) -> None:
    ada = platform.member("Ada Lovelace", "owner")
    platform.member("Bo Lund")
    result = ada.run("members", "remove", "Bo Lund", typed="n\n")
    assert result.exit_code == 1
    assert "Remove Bo Lund (bo.lund@example.com) from the tenant" in result.stderr
    assert ada.json("members", "show", "Bo Lund")["state"] == "active"


def test_groups_from_making_to_deleting(platform: Platform) -> None:
    ada = platform.member("Ada Lovelace", "owner")
    platform.member("Bo Lund")
    platform.member("Cy Twombly")
    ada("groups", "create", "Finance", "--description", "The books")
    assert ada.json("groups", "put", "Finance", "Bo Lund", "Cy Twombly", "me")["added"]
    ada("groups", "take", "Finance", "Bo Lund")
    ada("groups", "take", "Finance", "Cy Twombly", "me")
    assert "Nobody is in it yet" in ada("groups", "members", "Finance")
    ada("groups", "edit", "Finance", "--name", "Control")
    assert "granted nothing" in ada("groups", "grants", "Control")
    ada("projects", "create", "Sales")
    ada("projects", "grant", "Sales", "Control", "business")
    assert "Sales" in ada("groups", "grants", "Control")
    assert "Sales" in ada.run("groups", "delete", "Control", typed="n\n").stderr
    ada("groups", "delete", "Control", "--yes")
    assert [it["name"] for it in ada.json("groups", "list")["items"]] == ["All"]
    assert "All" in ada("groups", "show", "All")


def test_the_tenant_and_its_plan(platform: Platform) -> None:
    ada = platform.member("Ada Lovelace", "owner")
    platform.member("Bo Lund")
    ada("tenant", "settings", "--name", "Southwind", "--reading-needs-only-viewer")
    assert ada.json("tenant", "settings")["reading_needs_only_viewer"] is True
    assert "Southwind" in ada("tenant", "show")
    assert "Bo Lund" in ada("tenant", "preview", "starter")
    declined = ada.run("tenant", "plan", "starter", typed="n\n")
    assert declined.exit_code == 1
    assert "Manager level on all data" in declined.stderr
    assert ada.json("tenant", "show")["plan"] == "growth"
    ada("tenant", "plan", "starter", "--yes")
    ada("tenant", "plan", "custom")
    assert ada.json("tenant", "show")["plan"] == "custom"


def test_lists_go_on_where_they_ended(platform: Platform) -> None:
    ada = platform.member("Ada Lovelace", "owner")
    with platform.database.session() as session:
        for number in range(230):
            people.make_member(session, f"Member {number:03}")
    assert len(ada.json("members", "list")["items"]) == 50
    everybody = ada.json("members", "list", "--all")
    assert (len(everybody["items"]), everybody["next_cursor"]) == (231, None)
    first = ada.json("members", "list", "--limit", "210")
    rest = ada.json("members", "list", "--cursor", first["next_cursor"])
    assert first["items"] + rest["items"] == everybody["items"]
    assert "--all" in ada("members", "list")


def test_times_are_told_in_the_members_time_zone(platform: Platform) -> None:
    ada = platform.member("Ada Lovelace", "owner")
    assert ada.json("profile", "--time-zone", "Pacific/Kiritimati")["time_zone"] == "Pacific/Kiritimati"
    joined = ada.json("members", "show", "me")["joined_at"]
    there = datetime.fromisoformat(joined).astimezone(ZoneInfo("Pacific/Kiritimati"))
    assert f"{there:%Y-%m-%d %H:%M}" in ada("members", "show", "me")
    assert "no such time zone" in ada.refused("profile", "--time-zone", "Mars/Olympus").lower()


def test_a_name_of_two_is_said_to_be_ambiguous(platform: Platform) -> None:
    ada = platform.member("Ada Lovelace", "owner")
    with platform.database.session() as session:
        people.make_member(session, "Bo Lund", email="bo1@example.com")
        people.make_member(session, "Bo Lund", email="bo2@example.com")
    said = ada.refused("members", "show", "Bo Lund")
    assert "more than one" in said
    assert "bo2@example.com" in said
    assert ada.json("members", "show", "bo1@example.com")["email"] == "bo1@example.com"
    assert "Did you mean bo1@example.com" in ada.refused("members", "show", "bo")
    assert "no such member" in ada.refused("members", "show", str(uuid4()))


def test_several_servers_are_kept_apart(platform: Platform) -> None:
    ada = platform.member("Ada Lovelace", "owner")
    other = platform.address.replace("127.0.0.1", "localhost")
    token = ada.json("tokens", "create", "other")["secret"]
    ada("login", "--server", other, "--token", typed=token + "\n")
    listed = ada.json("servers")["items"]
    assert {it["server"]: it["current"] for it in listed} == {platform.address: False, other: True}
    ada("servers", "--use", platform.address)
    del ada.environment["BAILIWICK_SERVER"]
    assert ada.json("whoami")["session"] is not None
    assert ada.json("whoami", "--server", other)["token"]["name"] == "other"
    assert "not signed in" in ada.refused("servers", "--use", "http://elsewhere.example")


def test_an_owner_looks_with_somebody_elses_eyes(platform_on_either: Platform) -> None:
    platform = platform_on_either
    ada, bo = platform.member("Ada Lovelace", "owner"), platform.member("Bo Lund")
    ada("projects", "create", "Sales")
    ada("projects", "create", "Secret")
    ada("projects", "invite", "Sales", "bo.lund@example.com", "Business User")
    seen = ada.run("--as", "bo.lund@example.com", "projects", "list")
    assert "Sales" in seen.stdout
    assert "Secret" not in seen.stdout
    assert seen.stderr == "Viewing as Bo Lund (bo.lund@example.com); nothing can be changed.\n"
    looked = ada.run("--as", "Bo Lund", "projects", "list", "--json")
    assert (looked.stderr, json.loads(looked.stdout)) == ("", bo.json("projects", "list"))
    assert "cannot change anything" in ada.refused("--as", "Bo Lund", "projects", "create", "Mine")
    assert "theirs alone" in ada.refused("--as", "Bo Lund", "sessions", "list")
    assert "Not allowed" in ada.refused("--as", "Bo Lund", "members", "list")
    assert "this command is for yourself" in ada.refused("--as", "Bo Lund", "logout")
    assert "this command works here" in ada.refused("--as", "Bo Lund", "audit", "verify")
    assert "no member “Nobody”" in ada.refused("--as", "Nobody", "projects", "list")
    assert "Not allowed: view as another member" in bo.refused("--as", "me", "projects", "list")
    begun = [it for it in ada.json("audit", "list", "--action", "view_as", "--all")["items"] if it["outcome"] == "done"]
    assert {(it["actor"]["name"], it["about"]["name"]) for it in begun} == {("Ada Lovelace", "Bo Lund")}
    refused = ada.json("audit", "list", "--outcome", "refused", "--actor", "me", "--all")["items"]
    told = {entry["action"]: changes(entry, lambda: None) for entry in refused}
    assert told["see_members"].endswith("; viewing as Bo Lund")
    assert "viewing as: Bo Lund" in told["POST /api/v1/projects"]


def test_viewing_is_begun_and_ended(platform: Platform) -> None:
    ada = platform.member("Ada Lovelace", "owner")
    platform.member("Bo Lund", "viewer")
    shown = ada("members", "view-as", "bo.lund@example.com")
    assert "bailiwick --as bo.lund@example.com" in shown
    assert "see_groups" in shown
    assert "You may" not in shown
    assert ada.json("members", "view-as", "Bo Lund")["header"]["name"] == "X-View-As"
    assert "nobody" in ada("members", "stop-viewing")
    assert [it["action"] for it in ada.json("audit", "list", "--limit", "1")["items"]] == ["end_view_as"]

"""Projects, access questions and the audit at the terminal."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

from sqlalchemy import select

from bailiwick.database.base import utc_now
from bailiwick.tenancy.models import Member, MemberState
from tests import people
from tests.cli.terminal import Platform


def test_a_project_from_making_to_deleting(platform_on_either: Platform) -> None:
    ada = platform_on_either.member("Ada Lovelace", "owner")
    platform_on_either.member("Bo Lund")
    ada("projects", "create", "Sales", "--description", "Every morning")
    assert "Technical User" in ada("projects", "invite", "Sales", "bo.lund@example.com", "technical-user")
    assert "link to join" in ada("projects", "invite", "Sales", "new@example.com", "business", "--name", "Noor")
    assert "granted" in ada("projects", "member", "Sales", "Bo Lund")
    assert "granted" in ada("projects", "of", "Bo Lund")
    assert "inherited from the tenant role" in ada("projects", "members", "Sales")
    assert ada.json("projects", "role", "Sales", "Bo Lund", "Business User")["role"] == "Business User"
    assert len(ada.json("projects", "members", "Sales", "--role", "business")["items"]) == 2
    ada("groups", "create", "Finance")
    ada("groups", "put", "Finance", "Bo Lund")
    ada("projects", "grant", "Sales", "Finance", "admin")
    assert "Finance" in ada("projects", "groups", "Sales")
    assert "Finance" in ada("projects", "remove", "Sales", "Bo Lund", "--yes")
    ada("projects", "revoke", "Sales", "Finance", "--yes")
    ada("projects", "settings", "Sales", "--technical-users-control-all-reports")
    assert ada.json("projects", "settings", "Sales")["technical_users_control_all_reports"] is True
    ada("projects", "edit", "Sales", "--name", "Sales analytics")
    assert "Admin" in ada("projects", "list")
    assert "delete project" in ada("projects", "show", "Sales analytics")
    assert "Nothing was changed" in ada.refused("projects", "delete", "Sales analytics", typed="n\n")
    assert "--yes" in ada.refused("projects", "delete", "Sales analytics", typed="")
    assert ada.problem("projects", "delete", "Sales analytics")["title"] == "Not confirmed"
    ada("projects", "delete", "Sales analytics", "--yes")
    assert "bailiwick projects create" in ada("projects", "list")


def test_a_role_ends_after_some_days_or_never(platform: Platform) -> None:
    ada = platform.member("Ada Lovelace", "owner")
    platform.member("Bo Lund")
    ada("projects", "create", "Sales")
    ada("groups", "create", "Finance")
    assert ada.json("projects", "invite", "Sales", "bo.lund@example.com", "business", "--for", "30d")["expires_at"]
    assert "Business User granted until 20" in ada("projects", "members", "Sales")
    assert "Until" in ada("projects", "member", "Sales", "Bo Lund")
    changed = ada.json("projects", "role", "Sales", "Bo Lund", "technical", "--for-good")
    assert (changed["role"], changed["expires_at"]) == ("Technical User", None)
    changed = ada.json("projects", "role", "Sales", "Bo Lund", "--for", "12h")
    assert (changed["role"], bool(changed["expires_at"])) == ("Technical User", True)
    assert "nothing to change" in ada.refused("projects", "role", "Sales", "Bo Lund").lower()
    assert "not several" in ada.refused("projects", "role", "Sales", "Bo Lund", "--for", "1d", "--for-good", code=2)
    assert "ten years" in ada.refused("projects", "role", "Sales", "Bo Lund", "--for", "4000d", code=2)
    assert ada.json(
        "projects", "grant", "Sales", "Finance", "admin", "--until", f"{utc_now() + timedelta(days=7):%Y-%m-%d}"
    )["expires_at"]
    assert ada.json("projects", "grant", "Sales", "Finance", "business")["expires_at"]
    assert "Until" in ada("projects", "groups", "Sales")
    assert ada.json("projects", "grant", "Sales", "Finance", "admin", "--for-good")["expires_at"] is None


def test_notifications_are_set_up_and_opted_out_of(platform: Platform) -> None:
    ada = platform.member("Ada Lovelace", "owner")
    platform.member("Bo Lund")
    ada("projects", "create", "Sales")
    ada("projects", "invite", "Sales", "bo.lund@example.com", "business")
    assert "run failed" in ada("projects", "notifications", "Sales")
    channel = ada.json("projects", "channel", "Sales", "run-succeeded", "--on", "--delay", "15")
    assert (channel["is_on"], channel["delay_minutes"]) == (True, 15)
    ada("projects", "channel", "Sales", "run-failed", "--webhook", "https://example.com/hook")
    assert ada.json("projects", "channel", "Sales", "run-failed", "--no-webhook")["webhook_url"] is None
    ada("projects", "receive", "Sales", "run-failed", "--member", "Bo Lund")
    names = {it["name"] for it in ada.json("projects", "receivers", "Sales", "run-failed")["items"]}
    assert "Bo Lund" in names
    ada("projects", "receive", "Sales", "run-failed", "--member", "Bo Lund", "--stop")
    ada("projects", "receive", "Sales", "run-failed", "--stop")
    assert "Nobody receives it" in ada("projects", "receivers", "Sales", "run-failed")
    assert "no channel" in ada.refused("projects", "receivers", "Sales", "run-away", code=2)
    assert "no role here" in ada.refused("projects", "invite", "Sales", "x@example.com", "boss", code=2)


def test_a_refusal_names_the_cell_what_is_missing_and_who_gives_it(platform: Platform) -> None:
    ada = platform.member("Ada Lovelace", "owner")
    bo = platform.member("Bo Lund")
    ada("projects", "create", "Sales")
    ada("projects", "invite", "Sales", "bo.lund@example.com", "business")
    said = bo.refused("projects", "delete", "Sales", "--yes")
    assert "Not allowed: delete project" in said
    assert "document “projects”" in said
    assert "row “Delete project”, column “Business User”" in said
    assert "has to be “Admin”" in said
    assert "Given by" in said
    problem = bo.problem("projects", "delete", "Sales", "--yes")
    assert problem["status"] == 403
    assert problem["decision"]["allowed"] is False


def test_who_may_not_read_the_directory_still_finds_fellow_members(platform: Platform) -> None:
    ada = platform.member("Ada Lovelace", "owner")
    bo = platform.member("Bo Lund")
    platform.member("Cy Twombly")
    ada("projects", "create", "Sales")
    ada("projects", "invite", "Sales", "bo.lund@example.com", "business")
    assert bo.json("members", "show", "Ada Lovelace")["tenant_role"] == "owner"
    assert "none that you may see" in bo.refused("members", "show", "cy.twombly@example.com")
    assert "Not allowed: see members" in bo.refused("members", "list")


def test_access_is_asked_about_in_words(platform: Platform) -> None:
    ada = platform.member("Ada Lovelace", "owner")
    bo = platform.member("Bo Lund")
    ada("projects", "create", "Sales")
    ada("projects", "invite", "Sales", "bo.lund@example.com", "business")
    assert ada("access", "check", "delete_project", "project:Sales").startswith("Yes: Ada Lovelace may")
    said = bo("access", "check", "Delete project", "project:Sales")
    assert said.startswith("No: Bo Lund may not “Delete project” on Sales.")
    assert "has to be “Admin”" in said
    assert "Ada Lovelace" in said
    about = ada.json("access", "check", "delete_project", "project:Sales", "--member", "bo.lund@example.com")
    assert about["decision"]["allowed"] is False
    assert "Edit project metadata" in bo("access", "actions", "project:Sales")
    assert "Ada Lovelace" in ada("access", "who", "delete_project", "project:Sales")
    assert ada.json("access", "who", "manage_billing", "tenant")["items"][0]["name"] == "Ada Lovelace"
    assert "Sales" in ada("access", "what", "see_project", "project", "--member", "Bo Lund")
    assert ada.json("access", "what", "delete_project", "project", "-m", "Bo Lund")["items"] == []
    assert "no such action" in ada.refused("access", "check", "fly", "project:Sales")


def test_a_data_mart_that_is_not_stored_is_described(platform: Platform, tmp_path: Path) -> None:
    ada = platform.member("Ada Lovelace", "owner")
    project = ada.json("projects", "create", "Sales")["id"]
    file = tmp_path / "mart.json"
    file.write_text(json.dumps({"project": project}))
    assert "Yes" in ada("access", "check", "edit", "data_mart", "--describe", f"@{file}")
    assert "not JSON" in ada.refused("access", "check", "edit", "data_mart", "--describe", "{", code=2)
    assert "technical_owners" in ada("access", "types", "data_mart")
    assert "data_space" in ada("access", "types")
    assert "A data_project, described in its turn." in ada("access", "types", "data_task")
    assert "List them with" in ada.refused("access", "types", "datamart")
    assert "List them with" in ada.refused("access", "tables", "nonsense")


def test_a_description_takes_names_in_place_of_ids(platform: Platform) -> None:
    ada = platform.member("Ada Lovelace", "owner")
    bo = platform.member("Bo Lund")
    ada("projects", "create", "Sales")
    ada("projects", "invite", "Sales", "bo.lund@example.com", "technical")
    ada("groups", "create", "Finance")
    ada("groups", "put", "Finance", "Bo Lund")

    def may(action: str, type_: str, description: object) -> str:
        return bo("access", "check", action, type_, "--describe", json.dumps(description)).partition(":")[0]

    said = bo("access", "check", "edit", "data_mart", "--describe", '{"project": "Sales"}')
    assert said.startswith("No: Bo Lund may not “Edit” on this data mart.")
    assert may("edit", "data_mart", {"project": "sales", "technical_owners": ["bo.lund@example.com"]}) == "Yes"
    assert may("edit", "data_mart", {"project": "Sales", "technical_owners": ["me"]}) == "Yes"
    assert may("Execute queries", "table", {"layer": {"grants": {"group:Finance": "Viewer"}}}) == "Yes"
    assert may("Execute queries", "table", {"layer": {"grants": {"me": "Viewer"}}}) == "Yes"
    assert may("Execute queries", "table", {"layer": {}}) == "No"
    lost = ada.refused("access", "who", "use", "data_mart", "--describe", '{"project": "Sale"}')
    assert "Did you mean Sales?" in lost


def test_what_if_shows_who_would_gain_and_lose(platform: Platform) -> None:
    ada = platform.member("Ada Lovelace", "owner")
    platform.member("Bo Lund")
    ada("projects", "create", "Sales")
    ada("groups", "create", "Finance")
    ada("projects", "grant", "Sales", "Finance", "business")
    said = ada("access", "what-if", "--put", "Finance:Bo Lund")
    assert "Bo Lund" in said
    assert "see project" in said
    answer = ada.json(
        *("access", "what-if", "--tenant-role", "Bo Lund=editor", "--security-roles", "Bo Lund=data admin"),
        *("--grant", "Sales:bo.lund@example.com=Admin", "--change-role", "Sales:group:Finance=technical"),
        *("--switch", "Sales:technical-users-control-all-reports=on", "--on", "tenant"),
        *("--change", '{"change": "plan", "plan": "starter"}'),
    )
    assert answer["count"] > 0
    assert "Say what would be changed" in ada.refused("access", "what-if", code=2)
    assert "needs a =" in ada.refused("access", "what-if", "--tenant-role", "Bo", code=2)
    assert ada.json("members", "show", "Bo Lund")["tenant_role"] == "none"
    ada("access", "what-if", "--revoke", "Sales:group:Finance")


def test_the_tables_are_shown_as_the_documents_have_them(platform: Platform) -> None:
    ada = platform.member("Ada Lovelace")
    assert "tenant/members" in ada("access", "tables")
    shown = ada("access", "tables", "tenant")
    assert "Manage billing" in shown
    assert "✓" in shown
    assert "Somebody with a higher role" in ada("access", "tables", "tenant#members")
    assert ada.json("access", "tables")["items"]


def test_the_audit_is_listed_as_sentences(platform: Platform) -> None:
    ada = platform.member("Ada Lovelace", "owner")
    bo = platform.member("Bo Lund")
    ada("members", "role", "Bo Lund", "editor")
    bo.refused("members", "list")
    listed = ada("audit", "list")
    assert "changed a tenant role" in listed
    assert "tenant role: none → editor" in listed
    assert "table “Tenant roles”" in ada("audit", "list", "--outcome", "refused")
    assert [it["action"] for it in ada.json("audit", "list", "--about", "Bo Lund")["items"]] == ["change_tenant_role"]
    assert ada.json("audit", "list", "--until", "2020-01-01")["items"] == []
    assert [it["action"] for it in ada.json("audit", "list", "--search", "bo lund", "--outcome", "done")["items"]] == [
        "change_tenant_role"
    ]
    chain = ada.json("audit", "chain")
    assert (chain["whole"], chain["checked"]) == (True, chain["entries"])
    assert "Checked" in ada("audit", "chain")
    assert "Nothing has happened" in ada("audit", "list", "--actor", "Bo Lund", "--action", "nothing")


def test_whoever_waits_is_said_to_wait(platform: Platform) -> None:
    ada = platform.member("Ada Lovelace", "owner")
    bo = platform.member("Bo Lund")
    ada("projects", "create", "Sales")
    ada("projects", "invite", "Sales", "bo.lund@example.com", "business")
    assert "waits until" in bo("projects", "invite", "Sales", "new@example.com", "business", "--name", "Noor")
    with platform.database.read() as session:
        assert session.scalars(select(Member.state).where(Member.name == "Noor")).one() == MemberState.WAITING
        assert people.emails_to(session, "new@example.com") == []

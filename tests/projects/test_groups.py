"""Roles granted to groups."""

from __future__ import annotations

from uuid import uuid4

import pytest
from sqlalchemy import select

from bailiwick.audit.models import AuditEntry
from bailiwick.tenancy.caller import ALL_GROUP_ID
from tests.people import make_group
from tests.projects.company import ADMIN, BUSINESS, DONE, TECHNICAL, Company


def test_everybody_in_the_project_sees_which_groups_have_a_role(company: Company) -> None:
    for who in ("ann", "bea"):
        (found,) = company.as_(who).get(f"{company.at}/groups").json()["items"]
        assert (found["group"]["name"], found["role"], found["is_all"]) == ("Analysts", TECHNICAL, False)
        assert found["actions"] == (["change_a_member_s_role"] if who == "ann" else [])


def test_project_admins_grant_change_and_take_the_role_of_a_group(company: Company) -> None:
    with company.database.session() as session:
        readers = make_group(session, "Readers", company.people["nora"])
    path, ann, nora = f"{company.at}/groups/{readers.id}", company.as_("ann"), company.as_("nora")
    granted = ann.put(path, json={"role": BUSINESS})
    assert (granted.status_code, granted.headers["ETag"]) == (200, '"1"')
    assert nora.get(company.at).json()["role"] == BUSINESS
    changed = ann.put(path, json={"role": TECHNICAL}, headers={"If-Match": '"1"'})
    assert (changed.json()["role"], changed.json()["version"]) == (TECHNICAL, 2)
    assert nora.get(company.at).json()["role"] == TECHNICAL
    assert ann.put(path, json={"role": ADMIN}, headers={"If-Match": '"1"'}).status_code == 409
    assert ann.delete(path, headers={"If-Match": '"1"'}).status_code == 409
    assert ann.delete(path).status_code == 204
    assert nora.get(company.at).status_code == 404
    assert ann.delete(path).status_code == 404
    with company.database.read() as session:
        entries = session.scalars(
            select(AuditEntry).where(AuditEntry.action.contains("group"), DONE).order_by(AuditEntry.id)
        )
        said = [(entry.before and entry.before["role"], entry.after and entry.after["role"]) for entry in entries]
    assert said == [(None, BUSINESS), (BUSINESS, TECHNICAL), (TECHNICAL, None)]


@pytest.mark.parametrize("who", ["tim", "bea", "edda", "vera"])
def test_nobody_else_grants_to_groups(company: Company, who: str) -> None:
    path = f"{company.at}/groups/{company.analysts.id}"
    assert company.as_(who).put(path, json={"role": BUSINESS}).status_code == 403
    assert company.as_(who).delete(path).status_code == 403


def test_a_grant_to_all_reaches_everybody_until_it_is_taken(company: Company) -> None:
    path = f"{company.at}/groups/{ALL_GROUP_ID}"
    assert company.as_("nora").get(company.at).status_code == 404
    assert company.as_("adam").put(path, json={"role": BUSINESS}).json()["is_all"] is True
    assert company.as_("nora").get(company.at).json()["role"] == BUSINESS
    assert company.remove("nora").json()["detail"].startswith("Nora is Business User through the group All")
    assert company.as_("adam").delete(path).status_code == 204
    assert company.as_("nora").get(company.at).status_code == 404


def test_a_group_that_is_not_there_is_not_found(company: Company) -> None:
    assert company.as_("ann").put(f"{company.at}/groups/{uuid4()}", json={"role": BUSINESS}).status_code == 404


def test_a_group_deleted_while_it_holds_a_role_takes_it_along_after_asking(company: Company) -> None:
    path = f"/api/v1/groups/{company.analysts.id}"
    asked = company.as_("olga").delete(path)
    assert asked.status_code == 409
    (held,) = asked.json()["grants"]
    assert (held["project"], held["role"]) == ("Sales", TECHNICAL)
    assert company.as_("olga").delete(path, params={"confirm": "Analysts"}).is_success
    assert company.as_("gus").get(company.at).status_code == 404
    assert company.as_("ann").get(f"{company.at}/groups").json()["items"] == []

"""Reading the audit: members see the entries of what they may see, and no others."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy.orm import Session

from bailiwick.database.base import pretending
from bailiwick.database.engine import Database
from bailiwick.projects.models import Project
from bailiwick.tenancy.caller import ALL_GROUP_ID
from bailiwick.tenancy.models import Group, Member
from tests.people import SignInAs, as_caller, make_group, make_member, make_project

AUDIT = "/api/v1/audit"
ROLES = ("Business User", "Technical User", "Admin")


class Company:
    def __init__(self, database: Database) -> None:
        with database.session() as session:
            self.olga = make_member(session, "Olga", role="owner")
            self.adam = make_member(session, "Adam", role="admin")
            self.vera = make_member(session, "Vera", role="viewer")
            self.bea, self.tia, self.pia, self.nia = (
                make_member(session, name) for name in ("Bea", "Tia", "Pia", "Nia")
            )
            grants: dict[Member | Group, str] = {
                self.bea: "Business User",
                make_group(session, "Builders", self.tia): "Technical User",
                self.pia: "Admin",
            }
            self.sales = make_project(session, "Sales", self.olga, grants)
            self.other = make_project(session, "Other", self.olga)
            self.write(session, self.sales, "sales")
            self.write(session, self.other, "other")
            as_caller(self.olga).record(session, "tenant only", "tenant")
            as_caller(self.olga).record(session, "about Nia", "member", about_id=self.nia.id)
            as_caller(self.nia).record(session, "by Nia", "member", outcome="refused")

    def write(self, session: Session, project: Project, name: str) -> None:
        for role in ROLES:
            as_caller(self.olga).record(
                session, f"{name} from {role}", "project", project_id=project.id, seen_from=role
            )


@pytest.fixture
def company(database: Database, app: object) -> Company:
    return Company(database)


def test_members_read_what_they_may_see(company: Company, sign_in_as: SignInAs) -> None:
    def read(member: Member) -> set[str]:
        return {entry["action"] for entry in sign_in_as(member).get(AUDIT, params={"limit": 200}).json()["items"]}

    business, technical = {"sales from Business User"}, {"sales from Technical User"}
    everything = {f"{name} from {role}" for name in ("sales", "other") for role in ROLES}
    everything |= {"tenant only", "about Nia", "by Nia"}
    assert read(company.adam) == everything
    assert read(company.olga) == everything
    assert read(company.vera) == business | {"other from Business User"}  # a viewer inherits a role in every project
    assert read(company.bea) == business
    assert read(company.tia) == business | technical
    assert read(company.pia) == business | technical | {"sales from Admin"}
    assert read(company.nia) == {"about Nia", "by Nia"}


def test_a_grant_to_everyone_shows_everyone_the_projects_entries(
    database: Database, company: Company, sign_in_as: SignInAs
) -> None:
    as_owner = sign_in_as(company.olga)
    granted = as_owner.put(f"/api/v1/projects/{company.other.id}/groups/{ALL_GROUP_ID}", json={"role": "Business User"})
    assert granted.status_code == 200
    read = {entry["action"] for entry in sign_in_as(company.nia).get(AUDIT).json()["items"]}
    assert "other from Business User" in read
    assert "other from Technical User" not in read


def test_filters_find_and_leave_out(company: Company, sign_in_as: SignInAs) -> None:
    client = sign_in_as(company.olga)

    def found(**wanted: str) -> set[str]:
        answer = client.get(AUDIT, params=wanted)
        assert answer.status_code == 200, answer.text
        return {entry["action"] for entry in answer.json()["items"]}

    assert found(outcome="refused") == {"by Nia"}
    assert found(actor=str(company.nia.id)) == {"by Nia"}
    assert found(about=str(company.nia.id)) == {"about Nia"}
    assert found(project=str(company.sales.id)) == {f"sales from {role}" for role in ROLES}
    assert found(action="tenant only") == {"tenant only"}
    assert found(resource_type="tenant") == {"tenant only"}
    assert found(until="2001-01-01T00:00:00Z") == set()
    assert len(found(since="2001-01-01T00:00:00Z")) == 9
    assert len(found(until="9999-12-31T23:59:59.999999Z")) == 9
    assert len(found(since="0001-01-01T00:00:00Z")) == 9


def test_since_and_until_cut_at_the_moment_itself(database: Database, company: Company, sign_in_as: SignInAs) -> None:
    moments = [datetime(2021, 3, 4, 5, 6, 7, 500_000, UTC) + timedelta(milliseconds=20) * number for number in range(3)]
    for number, moment in enumerate(moments):
        with pretending(moment), database.session() as session:
            as_caller(company.olga).record(session, f"at {number}", "tenant")
    client = sign_in_as(company.olga)

    def found(**wanted: datetime) -> list[str]:
        asked = {name: moment.isoformat() for name, moment in wanted.items()}
        items = client.get(AUDIT, params={**asked, "resource_type": "tenant"}).json()["items"]
        return [entry["action"] for entry in items if entry["action"].startswith("at ")]

    kept = [entry["at"] for entry in client.get(AUDIT, params={"action": "at 1"}).json()["items"]]
    middle = datetime.fromisoformat(kept[0])
    assert found(since=middle) == ["at 2", "at 1"]
    assert found(until=middle) == ["at 0"]
    assert found(since=middle, until=middle + timedelta(microseconds=1)) == ["at 1"]


def test_a_search_finds_names_of_things_and_of_members(
    database: Database, company: Company, sign_in_as: SignInAs
) -> None:
    with database.session() as session:
        as_caller(company.olga).record(session, "named", "table", resource_name="Monthly Orders 100%")
        as_caller(company.bea).record(session, "by Bea", "table", resource_name="raw.orders")

    def found(member: Member, search: str) -> set[str]:
        answer = sign_in_as(member).get(AUDIT, params={"search": search})
        assert answer.status_code == 200, answer.text
        return {entry["action"] for entry in answer.json()["items"]}

    assert found(company.adam, "orders") == {"named", "by Bea"}
    assert found(company.adam, "100%") == {"named"}
    assert found(company.adam, "bea") == {"by Bea"}
    assert found(company.adam, "Nia") == {"about Nia", "by Nia"}
    assert found(company.adam, "example.com") == set()  # addresses are not searched
    assert found(company.adam, "_") == set()
    assert found(company.bea, "orders") == {"by Bea"}  # nobody finds more than they may see


def test_a_filter_shows_nobody_more_than_they_may_see(company: Company, sign_in_as: SignInAs) -> None:
    client = sign_in_as(company.bea)
    assert client.get(AUDIT, params={"project": str(company.other.id)}).json()["items"] == []
    assert client.get(AUDIT, params={"actor": str(company.nia.id)}).json()["items"] == []


def test_only_who_reads_everything_learns_how_much_there_is(company: Company, sign_in_as: SignInAs) -> None:
    """Between two entries of one's own, the numbers would count what others did, and what was tried in vain."""
    place = ("chain", "number", "previous_hash", "hash")
    for member, told in ((company.olga, True), (company.pia, False), (company.bea, False)):
        items = sign_in_as(member).get(AUDIT).json()["items"]
        assert items
        assert {entry[name] is not None for entry in items for name in place} == {told}


@pytest.mark.parametrize("sort", [None, "-created", "created"])
def test_pages_hold_every_entry_once_from_either_end(company: Company, sign_in_as: SignInAs, sort: str | None) -> None:
    for member, number in ((company.olga, 9), (company.pia, 3)):
        client, ids = sign_in_as(member), []
        asked = {"limit": "2", **({"sort": sort} if sort else {})}
        while True:
            page = client.get(AUDIT, params=asked).json()
            ids += [entry["id"] for entry in page["items"]]
            if page["next_cursor"] is None:
                break
            asked["cursor"] = page["next_cursor"]
        assert ids == sorted(set(ids), reverse=sort != "created")
        assert len(ids) == number


def test_whoever_is_in_very_many_projects_reads_them_all(
    database: Database, company: Company, sign_in_as: SignInAs
) -> None:
    roles = [ROLES[number % 3] for number in range(510)]
    with database.session() as session:
        bea, olga = session.merge(company.bea), session.merge(company.olga)
        for number, role in enumerate(roles):
            project = make_project(session, f"Project {number}", olga, {bea: role})
            company.write(session, project, f"p{number}")
    client = sign_in_as(company.bea)
    seen: list[str] = []
    asked: dict[str, str] = {"limit": "200"}
    while True:
        page = client.get(AUDIT, params=asked).json()
        seen += [entry["action"] for entry in page["items"]]
        if page["next_cursor"] is None:
            break
        asked["cursor"] = page["next_cursor"]
    wanted = {f"p{number} from {one}" for number, role in enumerate(roles) for one in ROLES[: ROLES.index(role) + 1]}
    assert set(seen) == wanted | {"sales from Business User"}
    assert len(seen) == len(wanted) + 1


@pytest.mark.parametrize(
    ("field", "value"),
    [("cursor", "nonsense"), ("outcome", "maybe"), ("since", "yesterday"), ("limit", "0"), ("sort", "at")],
)
def test_wrong_filters_are_named(company: Company, sign_in_as: SignInAs, field: str, value: str) -> None:
    answer = sign_in_as(company.olga).get(AUDIT, params={field: value})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == field


def test_a_refusal_in_a_project_is_read_by_its_admins_only(company: Company, sign_in_as: SignInAs) -> None:
    path = f"/api/v1/projects/{company.sales.id}"
    assert sign_in_as(company.bea).patch(path, json={"name": "Mine"}).status_code == 403

    def refusals(member: Member) -> list[str]:
        found = sign_in_as(member).get(AUDIT, params={"outcome": "refused"}).json()["items"]
        return [entry["actor"]["name"] for entry in found if entry["action"] == "edit_project_metadata"]

    assert refusals(company.pia) == refusals(company.adam) == refusals(company.bea) == ["Bea"]
    (entry,) = sign_in_as(company.bea).get(AUDIT, params={"action": "edit_project_metadata"}).json()["items"]
    assert (entry["resource_id"], entry["resource_name"]) == (str(company.sales.id), "Sales")
    assert refusals(company.tia) == refusals(company.vera) == refusals(company.nia) == []


def test_a_refusal_names_nothing_that_its_actor_may_not_see(company: Company, sign_in_as: SignInAs) -> None:
    client = sign_in_as(company.nia)
    assert client.get(f"/api/v1/projects/{company.sales.id}").status_code == 404
    assert client.get(f"/api/v1/members/{company.bea.id}").status_code == 404
    tried = client.get(AUDIT, params={"outcome": "refused"}).json()["items"]
    assert {entry["resource_name"] for entry in tried} == {""}

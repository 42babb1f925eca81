"""Asking and answering, as the tests do it over the API."""

from __future__ import annotations

from typing import Any

import pytest

from bailiwick.lakehouse.models import Table
from bailiwick.notify.models import OutgoingEmail
from bailiwick.projects.models import Project
from tests.lakehouse.company import API, Company
from tests.people import emails_to, make_member, make_project

AT = f"{API}/access-requests"
REASON = "I build the payroll report."


def ask(company: Company, who: str, name: Any, wanted: str = "Viewer", **more: Any) -> Any:
    """By name, `volume:raw.files` or `project:Sales`, or by the thing itself."""
    if isinstance(name, str):
        kind, _, own = name.rpartition(":")
        resource = {"type": kind or ("table" if "." in own else "layer"), "name": own}
    else:
        resource = {"type": kind_of(name), "id": str(name.id)}
    what = "role" if resource["type"] == "project" else "level"
    return company.as_(who).post(AT, json={"resource": resource, what: wanted, "reason": REASON, **more})


def kind_of(row: Any) -> str:
    return "table" if isinstance(row, Table) else str(row.__tablename__)


def asked(company: Company, who: str, name: Any, wanted: str = "Viewer", **more: Any) -> Any:
    """A request that was taken."""
    answer = ask(company, who, name, wanted, **more)
    assert answer.status_code == 201, answer.text
    return answer.json()


def do(company: Company, who: str, action: str, request: Any, **body: Any) -> Any:
    return company.as_(who).post(f"{AT}/{request['id']}/{action}", json=body)


def see(company: Company, who: str, request: Any) -> Any:
    return company.as_(who).get(f"{AT}/{request['id']}")


def listed(company: Company, who: str, **query: Any) -> list[str]:
    """The ids of a list."""
    answer = company.as_(who).get(AT, params=query)
    assert answer.status_code == 200, answer.text
    return [item["id"] for item in answer.json()["items"]]


def waiting(company: Company, who: str) -> list[str]:
    return listed(company, who, waiting_for_me=True)


def mail(company: Company, who: str) -> list[OutgoingEmail]:
    with company.database.read() as session:
        return emails_to(session, company.people[who].email)


def told(company: Company) -> set[str]:
    """Everybody who was sent something."""
    return {name for name in company.people if mail(company, name)}


@pytest.fixture
def sales(company: Company) -> Project:
    """The project Sales: Ann is its Admin, Tim Technical User."""
    with company.database.session() as session:
        company.people |= {name.lower(): make_member(session, name) for name in ("Ann", "Tim")}
        roles = {company.people["ann"]: "Admin", company.people["tim"]: "Technical User"}
        return make_project(session, "Sales", company.people["olga"], roles)  # type: ignore[arg-type]

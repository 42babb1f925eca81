"""Volumes: who sees, makes, describes and deletes them."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from bailiwick.lakehouse.models import Discarded, Volume
from tests.lakehouse.company import API, Company
from tests.lakehouse.making import make_pipeline


@pytest.mark.parametrize(
    ("who", "level"),
    [
        *(("olga", "none"), ("adam", "none"), ("vic", "Viewer"), ("eve", "Editor"), ("mia", "Manager")),
        *(("val", "Viewer"), ("tab", None), ("nora", None), ("edda", None)),
    ],
)
def test_volumes_are_seen_by_who_holds_a_level_on_them_or_on_their_layer(
    company: Company, who: str, level: str | None
) -> None:
    assert company.names(who, "/volumes") == ([] if level is None else ["raw.files"])
    answer = company.get(who, f"/volumes/{company.files.id}")
    assert answer.status_code == (404 if level is None else 200)
    assert answer.json().get("level") == level


def test_editors_of_a_layer_make_volumes_and_it_gives_no_level(company: Company) -> None:
    body = {"layer": str(company.raw.id), "name": "uploads", "description": "Every night."}
    for who, code in (("nora", 404), ("vic", 403), ("tab", 403), ("val", 403), ("eve", 201)):
        answer = company.as_(who).post(f"{API}/volumes", json=body)
        assert answer.status_code == code, who
    assert answer.json()["full_name"] == "raw.uploads"
    assert company.as_("eve").post(f"{API}/volumes", json=body).status_code == 409
    assert company.as_("eve").post(f"{API}/volumes", json={**body, "name": "Up loads"}).status_code == 422
    assert company.names("eve", "/volumes", search="up") == ["raw.uploads"]
    assert company.names("val", "/volumes", layer=str(company.raw.id)) == ["raw.files"]
    assert company.get("val", "/volumes", layer=str(company.trusted.id)).status_code == 404
    assert company.audited("create_volume")[0].resource_name == "raw.uploads"


def test_editors_describe_a_volume(company: Company) -> None:
    path = f"{API}/volumes/{company.files.id}"
    for who, code in (("nora", 404), ("val", 403), ("vic", 403), ("eve", 200)):
        assert company.as_(who).patch(path, json={"description": "From the shops."}).status_code == code
    stale = company.as_("eve").patch(path, json={"description": "Old."}, headers={"If-Match": '"1"'})
    assert stale.status_code == 409


def test_a_volume_is_deleted_by_its_manager_who_has_seen_what_depends_on_it(company: Company) -> None:
    adam = company.people["adam"]
    with company.database.session() as session:
        make_pipeline(session, "Shop", adam, kind="source", reads=[company.files], output_layer=company.raw)
        make_pipeline(session, "Out", adam, kind="destination", reads=[company.orders], writes=[company.files])
        make_pipeline(session, "Secret", adam, kind="destination", reads=[company.revenue], writes=[company.files])
    path = f"{API}/volumes/{company.files.id}"
    assert {*company.names("vic", f"/volumes/{company.files.id}/used-by")} == {"Shop", "Out"}
    assert {*company.names("val", f"/volumes/{company.files.id}/used-by")} == {"Shop"}
    for who, code in (("nora", 404), ("val", 403), ("eve", 403)):
        assert company.as_(who).delete(f"{path}?confirm=files").status_code == code
    asked = company.as_("mia").delete(path)
    assert asked.status_code == 409
    assert {one["name"] for one in asked.json()["depends_on_it"]} == {"Shop", "Out"}
    assert asked.json()["depends_on_it_more"]
    assert company.as_("mia").delete(f"{path}?confirm=raw.files").status_code == 200
    with company.database.read() as session:
        assert session.get(Volume, company.files.id) is None
        assert session.scalars(select(Discarded.location)).all() == [f"volumes/{company.files.id}"]
    assert company.names("val", "/layers") == []

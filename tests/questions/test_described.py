"""Resources that are described in the question: every type, and the examples of document “lakehouse”."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bailiwick.questions.descriptions import DESCRIPTIONS
from bailiwick.tenancy.models import Tenant
from tests.questions.company import Company, Json, described

Describe = Callable[[Company], Json]


def in_atlas(company: Company) -> Json:
    return {"project": str(company.atlas.id)}


def mart(company: Company, **more: object) -> Json:
    return {**in_atlas(company), **more}


# For each type: how it is described, and who of the company may do what.
CASES: dict[str, tuple[Describe, dict[str, str]]] = {
    "storage": (
        lambda c: in_atlas(c) | {"owners": [c.id("tim")], "available_for_use": True},
        {"manage_owners": "adam olga paula tim", "use": "adam edda olga paula tim", "see": "adam edda olga paula tim"},
    ),
    "destination": (
        lambda c: in_atlas(c) | {"owners": [c.id("bea")]},
        {"manage_owners": "adam bea olga paula", "see": "adam bea olga paula"},
    ),
    "data_mart": (
        lambda c: mart(c, technical_owners=[c.id("tim")], business_owners=[c.id("gus")], available_for_reporting=True),
        {"edit": "adam olga paula tim", "use": "adam bea edda gus olga paula tim vera"},
    ),
    "data_mart_trigger": (
        lambda c: {"data_mart": mart(c, technical_owners=[c.id("tim")])},
        {"see": "adam olga paula tim", "manage": "adam olga paula tim"},
    ),
    "report": (
        lambda c: {"data_mart": mart(c, available_for_reporting=True), "owners": [c.id("bea")]},
        {"run": "adam bea olga paula", "see": "adam bea edda gus olga paula tim vera"},
    ),
    "report_trigger": (
        lambda c: {"report": {"data_mart": mart(c), "owners": [c.id("bea")], "destination_exists": False}},
        {"see": "adam bea olga paula", "manage": "adam olga paula"},
    ),
    "data_product": (
        lambda c: in_atlas(c) | {"grants": {str(c.pilots.id): ["curator"]}},
        {"override_attributes": "adam edda nils olga paula tim", "delete_the_data_product": "adam olga paula"},
    ),
    "layer": (
        lambda c: {"grants": {c.id("tim"): "Editor"}, "granted_below": [c.id("bea")]},
        {"see_layers": "adam bea olga tim", "add_pipelines": "adam olga tim"},
    ),
    "table": (
        lambda c: {"layer": {"grants": {c.id("tim"): "Viewer"}}, "grants": {str(c.pilots.id): "Manager"}},
        {"see_tables": "adam nils olga tim", "delete_the_resource": "adam nils olga"},
    ),
    "volume": (
        lambda c: {"layer": {}, "grants": {"All": "Viewer", c.id("tim"): "Editor"}},
        {
            "see_tables": "adam bea edda gus nils olga paula quinn tim vera",
            "change_descriptions": "adam olga tim",
        },
    ),
    "pipeline": (
        lambda c: {
            "inputs": [{"layer": {"grants": {c.id("tim"): "Editor", c.id("bea"): "Viewer"}}}],
            "outputs": [{"layer": {}, "grants": {"All": "Editor"}}, {"grants": {"All": "Manager"}}],
        },
        {"see_pipelines": "adam bea olga tim", "edit_pipelines": "adam olga tim", "delete_pipelines": "adam olga"},
    ),
    "integration": (
        lambda c: {"output_layer": {"grants": {c.id("tim"): "Manager"}}},
        {"see_pipelines": "adam olga tim", "add_edit_activate_trigger_and_delete_integrations": "adam olga"},
    ),
    "query": (
        lambda c: {"reads": [{"layer": {"grants": {c.id("tim"): "Viewer"}}}]},
        {"execute_queries": "adam olga tim"},
    ),
    "saved_query": (
        lambda c: {
            "author": c.id("bea"),
            "shared": True,
            "reads": [{"layer": {"grants": {c.id("bea"): "Viewer", c.id("tim"): "Viewer"}}}],
        },
        {"execute": "adam bea olga tim", "edit": "bea"},
    ),
    "data_space": (
        lambda c: {"owner": c.id("tim"), "roles": {str(c.analysts.id): ["Can view"], c.id("bea"): ["Can manage"]}},
        {"delete_space": "adam bea olga tim", "see_data_space_in_data_integration_home": "adam bea gus olga tim"},
    ),
    "data_project": (
        lambda c: {"space": {"roles": {c.id("bea"): ["Can edit"]}}, "owner": c.id("tim")},
        {"create_project": "bea", "open_project": "adam bea olga"},
    ),
    "data_task": (
        lambda c: {"data_project": {"space": {"owner": c.id("tim"), "roles": {c.id("bea"): ["Can operate"]}}}},
        {"control_data_task": "bea tim", "delete_data_task": "adam olga tim"},
    ),
    "data_connection": (
        lambda c: {"space": {"roles": {"All": ["Can view"]}}, "owner": c.id("gus")},
        {"edit_data_connection": "gus", "delete_data_connection": "adam olga"},
    ),
    "gateway": (
        lambda c: {"space": {"owner": c.id("tim")}, "owner": c.id("gus")},
        {"edit_data_connection": "", "add_data_connection": "tim"},
    ),
}


def test_every_type_has_a_case() -> None:
    assert set(CASES) == set(DESCRIPTIONS)


@pytest.mark.parametrize("type_", CASES)
def test_a_described_resource_is_decided_like_a_stored_one(company: Company, type_: str) -> None:
    describe, expected = CASES[type_]
    resource = {"type": type_, "properties": describe(company)}
    for action, names in expected.items():
        assert company.who("olga", action, resource) == names.split(), action
        for name in ("tim", "bea", "gus", "adam"):
            assert company.may(name, action, resource) == (name in names.split()), (name, action)


def test_a_deleted_destination_has_the_actions_of_one(company: Company) -> None:
    properties = {"project": str(company.atlas.id), "owners": [company.id("bea")]}
    for resource in (
        {"type": "destination", "properties": {**properties, "deleted": True}},
        {"type": "deleted_destination", "properties": properties},
    ):
        answer = company.ask("bea", "actions", resource=resource)
        assert answer["resource"]["type"] == "deleted_destination"
        assert [decision["action"] for decision in answer["decisions"]] == ["see", "restore"]


def test_project_switches_count_for_what_is_described_in_the_project(company: Company) -> None:
    report = described("report", data_mart=mart(company, available_for_reporting=True))
    assert not company.may("tim", "run", report)
    answer = company.as_("paula").patch(
        f"/api/v1/projects/{company.atlas.id}/settings", json={"technical_users_control_all_reports": True}
    )
    assert answer.status_code == 200
    assert company.may("tim", "run", report)


# Document “lakehouse”, its examples ---------------------------------------------------------------------------------


def levels(company: Company, level: str | None) -> Json:
    return {"grants": {company.id("tim"): level} if level else {}}


def table(company: Company, own: str | None = None, layer: str | None = None) -> Json:
    return {"layer": levels(company, layer), **levels(company, own)}


EXAMPLES: dict[str, tuple[str, str, Describe, bool]] = {
    "a Member with Manager on every layer creates a layer": (
        "lakehouse",
        "create_layers",
        lambda c: {},
        False,
    ),
    "a Member without any level on a layer sees the layer": (
        "layer",
        "see_layers",
        lambda c: levels(c, None),
        False,
    ),
    "a Member without any level on a layer sees a source that writes only there": (
        "pipeline",
        "see_pipelines",
        lambda c: {"outputs": [table(c)], "output_layer": levels(c, None)},
        False,
    ),
    "a Member with Viewer on a layer sees a source that writes only there": (
        "pipeline",
        "see_pipelines",
        lambda c: {"outputs": [table(c, layer="Viewer")], "output_layer": levels(c, "Viewer")},
        True,
    ),
    "a Member with Viewer on the output layer creates a source": (
        "layer",
        "add_pipelines",
        lambda c: levels(c, "Viewer"),
        False,
    ),
    "a Member with Editor on the output layer creates a source": (
        "layer",
        "add_pipelines",
        lambda c: levels(c, "Editor"),
        True,
    ),
    "a Member with Editor on a layer edits a source that writes there": (
        "pipeline",
        "edit_pipelines",
        lambda c: {"outputs": [table(c, layer="Editor")], "output_layer": levels(c, "Editor")},
        True,
    ),
    "a Member with Editor on a layer adds a stream to a source that writes there": (
        "layer",
        "create_tables_and_volumes",
        lambda c: levels(c, "Editor"),
        True,
    ),
    "a Member with Editor on all output tables of a source, and not on the layer, edits the source": (
        "pipeline",
        "edit_pipelines",
        lambda c: {"outputs": [table(c, "Editor"), table(c, "Editor")], "output_layer": levels(c, None)},
        True,
    ),
    "the same Member adds a stream to it": (
        "layer",
        "create_tables_and_volumes",
        lambda c: {"granted_below": [c.id("tim")]},
        False,
    ),
    "a Member with Editor on one of two output tables edits the source": (
        "pipeline",
        "edit_pipelines",
        lambda c: {"outputs": [table(c, "Editor"), table(c)]},
        False,
    ),
    "the same Member edits it when the stream of the other table is disabled": (
        "pipeline",
        "edit_pipelines",
        lambda c: {"outputs": [table(c, "Editor")]},
        True,
    ),
    "a grant on a table makes the layer visible": (
        "layer",
        "see_layers",
        lambda c: {"granted_below": [c.id("tim")]},
        True,
    ),
    "a grant on a layer counts on its tables": (
        "table",
        "delete_the_resource",
        lambda c: table(c, layer="Manager"),
        True,
    ),
    "the highest of several grants wins": (
        "table",
        "change_descriptions",
        lambda c: {"layer": {"grants": {"All": "Editor"}}, **levels(c, "Viewer")},
        True,
    ),
}


@pytest.mark.parametrize("example", EXAMPLES)
def test_example_of_the_lakehouse(company: Company, example: str) -> None:
    type_, action, describe, expected = EXAMPLES[example]
    properties = describe(company)
    resource = {"type": type_, **({"properties": properties} if type_ != "lakehouse" else {})}
    assert company.may("tim", action, resource) is expected


def test_on_starter_every_member_manages_all_data_and_creates_no_layers(company: Company) -> None:
    with company.database.session() as session:
        session.get_one(Tenant, 1).plan = "starter"
    assert company.may("nils", "delete_the_resource", described("table", layer={}))
    assert not company.may("nils", "create_layers", {"type": "lakehouse"})
    assert "sam" not in company.who("olga", "delete_the_resource", described("table", layer={}))


def test_reading_needs_only_viewer_where_the_tenant_says_so(company: Company) -> None:
    pipeline = described("pipeline", inputs=[table(company, "Viewer")], outputs=[table(company, "Editor")])
    assert not company.may("tim", "edit_pipelines", pipeline)
    with company.database.session() as session:
        session.get_one(Tenant, 1).reading_needs_only_viewer = True
    assert company.may("tim", "edit_pipelines", pipeline)

"""Layers, tables, volumes and levels from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.terminal import Platform, Terminal
from tests.lakehouse.making import make_grant, make_layer, make_pipeline, make_table
from tests.people import make_group, make_member


@pytest.fixture
def ada(platform: Platform) -> Terminal:
    """An admin, in a lakehouse with one table."""
    terminal = platform.member("Ada", role="admin")
    with platform.database.session() as session:
        make_table(session, "orders", rows=12)
    return terminal


def test_layers_are_made_described_and_deleted(ada: Terminal, platform: Platform) -> None:
    listed = ada("layers", "list")
    assert "raw" in listed
    assert "everything, by your role" in listed  # an admin needs no level
    assert "finance is there" in ada("layers", "create", "finance", "--description", "Books.")
    assert "Books." in ada("layers", "show", "finance")
    ada("layers", "edit", "finance", "--name", "books")
    assert "not empty" in ada.refused("layers", "delete", "raw", "--yes")
    assert "deleted" in ada("layers", "delete", "books", "--yes")
    bo = platform.member("Bo")
    assert "You see no layer" in bo("layers", "list")
    assert "Create layers" in bo.refused("layers", "create", "mine")


def test_tables_are_listed_described_and_deleted_by_the_name_that_statements_write(
    ada: Terminal, platform: Platform
) -> None:
    with platform.database.session() as session:
        owner = make_member(session, "Owen")
        make_pipeline(session, "Clean", owner, reads=[make_table(session, "input")], output_layer=make_layer(session))
    assert [it["full_name"] for it in ada.json("tables", "list", "--layer", "raw")["items"]] == [
        "raw.input",
        "raw.orders",
    ]
    backwards = ada.json("tables", "list", "--layer", "raw", "--sort", "-name")
    assert [it["full_name"] for it in backwards["items"]] == ["raw.orders", "raw.input"]
    assert [it["name"] for it in ada.json("layers", "list", "--sort=-name")["items"]] == ["trusted", "service", "raw"]
    assert "--sort" in ada.refused("tables", "list", "--sort", "size", code=2)
    shown = ada("tables", "show", "raw.orders")
    assert "decimal(10,2)" in shown
    assert "12" in shown
    ada("tables", "edit", "orders", "--description", "One row an order.", "--field", "amount=In EUR.")
    assert "In EUR." in ada("tables", "show", "raw.orders")
    assert "Clean" in ada("tables", "uses", "raw.input")
    assert "Nothing that you may see" in ada("tables", "lineage", "raw.orders")
    assert "raw.input" in ada("flow", "--layer", "raw")
    assert "raw.orders" in ada("search", "ord")
    assert [(it["type"], it["name"]) for it in ada.json("search", "clean")["items"]] == [("query", "Clean")]
    assert "Nothing that you may see" in ada("search", "nowhere")
    assert [it["name"] for it in ada.json("flow", "--around", "raw.input")["nodes"]] == ["input", "Clean"]
    assert "There is more" in ada("flow", "--search", "clean", "--limit", "1")
    assert "raw.orders" in ada("tables", "complete", "raw.or")
    asked = ada.refused("tables", "delete", "raw.input", typed="n\n")
    assert "depends on it: pipeline query Clean" in asked
    assert "deleted" in ada("tables", "delete", "raw.input", "--yes")
    assert "There is no table" in ada.refused("tables", "show", "raw.input")


def test_files_go_into_a_volume_and_come_back(ada: Terminal, tmp_path: Path) -> None:
    assert "raw.uploads is there" in ada("volumes", "create", "raw.uploads", "--description", "From the shops.")
    ada("volumes", "edit", "raw.uploads", "--description", "Every night.")
    assert "Every night." in ada("volumes", "list")
    file = tmp_path / "orders 1.csv"
    file.write_bytes(b"a,b\n1,2\n" * 300_000)  # more than a request may be otherwise
    assert "2400000 bytes" in ada("volumes", "put", "raw.uploads", str(file), "--as", "2026/Bestellungen für Juli.csv")
    assert "already" in ada.refused(
        "volumes", "put", "raw.uploads", str(file), "--as", "2026/Bestellungen für Juli.csv"
    )
    ada("volumes", "put", "raw.uploads", str(file), "--as", "2026/Bestellungen für Juli.csv", "--overwrite")
    assert "Bestellungen für Juli.csv" in ada("volumes", "files", "raw.uploads", "--folder", "2026")
    back = tmp_path / "back.csv"
    ada("volumes", "get", "raw.uploads", "2026/Bestellungen für Juli.csv", "--to", str(back))
    assert back.read_bytes() == file.read_bytes()
    assert "--overwrite" in ada.refused(
        "volumes", "get", "raw.uploads", "2026/Bestellungen für Juli.csv", "--to", str(back)
    )
    assert "no such file" in ada.refused("volumes", "get", "raw.uploads", "nothing.csv", "--to", str(tmp_path / "no"))
    assert not (tmp_path / "no").exists()
    for path in ("../secret", "..", "a/../../b", "/etc/passwd"):
        ada.refused("volumes", "put", "raw.uploads", str(file), "--as", path)
    assert "is gone" in ada("volumes", "remove", "raw.uploads", "2026/Bestellungen für Juli.csv", "--yes")
    assert "There is no file" in ada("volumes", "files", "raw.uploads")
    assert "Nothing that you may see" in ada("volumes", "uses", "raw.uploads")
    assert "uploads" in ada("volumes", "show", "uploads")
    assert "deleted" in ada("volumes", "delete", "raw.uploads", "--yes")


def test_levels_are_given_changed_and_taken(ada: Terminal, platform: Platform) -> None:
    bo = platform.member("Bo")
    with platform.database.session() as session:
        make_group(session, "Finance")
    assert "none that you may see" in bo.refused("grants", "mine", "raw.orders")
    assert "holds Viewer" in ada("grants", "give", "raw.orders", "bo@example.com", "Viewer", "--for", "30d")
    assert "Viewer" in bo("grants", "mine", "raw.orders")
    assert "only on some of it" in bo("layers", "list")
    assert "only on some of it" in bo("grants", "mine", "layer:raw")
    assert "holds Editor" in ada("grants", "change", "raw.orders", "bo@example.com", "Editor", "--for-good")
    listed = ada.json("grants", "list", "raw.orders")["items"]
    assert [(it["holder"]["name"], it["level"], it["expires_at"]) for it in listed] == [("Bo", "Editor", None)]
    ada("grants", "give", "raw", "group:Finance", "Manager")
    assert "group Finance" in ada("grants", "list", "raw.orders")
    assert "Manage users" in bo.refused("grants", "list", "raw.orders")
    assert "was given no level" in ada.refused("grants", "take", "raw.orders", "group:Finance", "--yes")
    assert "no longer holds Editor" in ada("grants", "take", "raw.orders", "bo@example.com", "--yes")


def test_a_manager_who_sees_no_addresses_names_them(ada: Terminal, platform: Platform) -> None:
    bo = platform.member("Bo")
    platform.member("Cy")
    ada("grants", "give", "raw.orders", "bo@example.com", "Manager")
    bo("grants", "give", "raw.orders", "cy@example.com", "Viewer")
    listed = bo("grants", "list", "raw.orders")
    assert "Cy" in listed
    assert "cy@example.com" not in listed
    assert "holds Editor" in bo("grants", "change", "raw.orders", "cy@example.com", "Editor")
    assert "no longer holds Editor" in bo("grants", "take", "raw.orders", "cy@example.com", "--yes")


def test_tokens_are_made_for_tables_by_name(ada: Terminal, platform: Platform) -> None:
    with platform.database.session() as session:
        make_table(session, "customers")
    token = ada.json("tokens", "create", "orders only", "--table", "raw.orders", "--read-only")
    program = platform.terminal("program")
    program.environment["BAILIWICK_TOKEN"] = token["secret"]
    assert [it["full_name"] for it in program.json("tables", "list")["items"]] == ["raw.orders"]
    assert "decimal(10,2)" in program("tables", "show", "raw.orders")
    assert "There is no table" in program.refused("tables", "show", "raw.customers")
    assert "Chosen tables" in program.refused("layers", "list")


def test_questions_about_data_are_asked_by_name(ada: Terminal, platform: Platform) -> None:
    bo = platform.member("Bo")
    with platform.database.session() as session:
        group = make_group(session, "Finance")
        make_grant(session, make_layer(session), group, "Viewer")
        owner = make_member(session, "Owen")
        make_pipeline(session, "Clean", owner, reads=[make_table(session, "input")], output_layer=make_layer(session))
    answer = ada.json("access", "check", "see_tables", "table:raw.orders", "--member", "bo@example.com")
    assert not answer["decision"]["allowed"]
    assert "Clean" in ada("access", "check", "see_pipelines", "pipeline:Clean")
    assert "raw.orders" in ada("access", "what", "see_tables", "table")
    gained = ada("access", "what-if", "--give", "raw.orders:bo@example.com=Viewer", "--put", "Finance:bo@example.com")
    assert "table raw.orders" in gained
    taken = ada("access", "what-if", "--take-level", "raw:group:Finance")
    assert "Nobody would gain or lose anything" in taken
    stops = ada("access", "what-if", "--give", "raw:owen@example.com=Editor")
    assert "The query Clean would work again: Owen would have at least Editor on" in stops
    assert "none that you may see" in bo.refused("access", "check", "see_tables", "table:raw.orders")

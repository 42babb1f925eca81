"""Sources at the terminal, from adding one to deleting it."""

from __future__ import annotations

from pathlib import Path

from bailiwick.cli.command import COMMANDS
from tests.cli.terminal import Platform


def test_a_source_from_adding_to_deleting(platform_on_either: Platform) -> None:
    ada = platform_on_either.member("Ada Lovelace", "owner")
    platform_on_either.member("Bo Lund", "admin")
    where = "host=db.example.com port=5433 dbname=shop user=reader"
    added = ada("sources", "add", "shop", "--postgresql", where, "--layer", "raw", "--secret", typed="sesame\n")
    assert "bailiwick sources discover shop" in added
    assert "sesame" not in added
    shown = ada("sources", "show", "shop")
    assert "reader@db.example.com:5433/shop" in shown
    assert "delete pipelines" in shown
    ada("sources", "add-stream", "shop", "sales.orders", "--incremental", "updated_at", "--key", "id")
    stream = ada.json("sources", "stream", "shop", "sales.orders")
    assert stream["settings"]["read"] | {"type": "postgresql"} == stream["settings"]["read"]
    assert (stream["settings"]["read"]["schema"], stream["settings"]["mode"]) == ("sales", "incremental")
    assert "raw.sales_orders" in ada("sources", "streams", "shop")
    ada("sources", "edit-stream", "shop", "sales.orders", "--disable", "--type", "amount=double", "--full")
    assert ada.json("sources", "stream", "shop", "sales.orders")["enabled"] is False
    ada("sources", "start-over", "shop", "sales.orders", "--yes")
    assert ada.json("sources", "stream", "shop", "sales.orders")["starts_over"] is True
    moved = ada.json("sources", "edit", "shop", "--postgresql", "postgresql://reader@new.example.com/shop")
    assert moved["has_secret"] is False
    assert "rests" in ada("sources", "deactivate", "shop")
    assert "not active" in ada.refused("sources", "sync", "shop")
    ada("sources", "activate", "shop")
    assert "Add a stream first, or switch one on." in ada.refused("sources", "sync", "shop")
    ada("sources", "edit-stream", "shop", "sales.orders", "--enable")
    assert "bailiwick runs watch" in ada("sources", "sync", "shop")
    assert "acts as Bo Lund" in ada("sources", "owner", "shop", "Bo Lund")
    ada("sources", "delete-stream", "shop", "sales.orders", "--yes")
    refused = ada.refused("sources", "delete", "shop", typed="n\n")
    assert "Tables that it wrote stay" in refused
    ada("sources", "delete", "shop", "--yes")
    assert "bailiwick sources add" in ada("sources", "list")


def test_passwords_are_not_typed_and_one_place_is_enough(platform: Platform) -> None:
    ada = platform.member("Ada Lovelace", "owner")
    typed = ("sources", "add", "shop", "--layer", "raw", "--postgresql")
    assert "--secret" in ada.refused(*typed, "host=x password=sesame")
    assert "--secret" in ada.refused(*typed, "postgresql://a:sesame@x/y")
    assert "one place" in ada.refused(*typed, "host=x", "--http", "https://example.com")
    assert "where it points" in ada.refused("sources", "add", "shop", "--layer", "raw")
    assert "no layer" in ada.refused("sources", "add", "shop", "--layer", "nowhere", "--tables")


def test_the_page_about_sources_shows_commands_there_are() -> None:
    page = (Path(__file__).parents[2] / "docs" / "use" / "sources.md").read_text()
    typed = [line.split()[1:3] for line in page.splitlines() if line.strip().startswith("bailiwick sources")]
    assert typed
    assert all(" ".join(words) in COMMANDS for words in typed)

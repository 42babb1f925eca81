"""From an empty folder to a platform that could run: init, doctor, settings, and the audit's proof."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Sink
from sqlalchemy import URL, text

from bailiwick.cli import doctor
from bailiwick.cli.failures import Failure
from bailiwick.cli.home import opened_database, running_alone, running_on
from bailiwick.cli.serving import listen
from bailiwick.settings import Settings, load_settings
from tests.cli.terminal import Terminal

OWNER = ("--email", "ada@example.com", "--name", "Ada Lovelace", "--company", "Northwind")


@pytest.fixture
def port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


@pytest.fixture
def settings(port: int, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("BAILIWICK_PORT", str(port))
    return load_settings()


@pytest.fixture
def initialised(terminal: Terminal, settings: Settings) -> Settings:
    terminal("init", *OWNER)
    return settings


def states(terminal: Terminal) -> dict[str, str]:
    answer = json.loads(terminal.run("doctor", "--json").stdout)
    return {it["check"]: it["state"] for it in answer["items"]}


def forge(settings: Settings, change: str) -> None:
    """Change the audit as somebody could who has the database in their hands."""
    with opened_database(settings) as database, database.session() as session:
        session.execute(text("DROP TRIGGER audit_entry_no_update"))
        session.execute(text(f"UPDATE audit_entry SET {change}"))


def test_init_asks_for_what_it_is_not_told(terminal: Terminal, settings: Settings) -> None:
    said = terminal("init", typed="ada@example.com\nAda Lovelace\nNorthwind\n")
    assert f"{settings.public_url}/join#bwl_" in said
    assert "bailiwick up" in said
    assert settings.home.stat().st_mode & 0o777 == 0o700
    assert (settings.home / "secret.key").stat().st_mode & 0o777 == 0o600


def test_init_a_second_time_leaves_everything_as_it_is(terminal: Terminal, initialised: Settings) -> None:
    said = terminal.refused("init", *OWNER)
    assert "left as it is" in said
    assert "--new-link" in said
    assert terminal.problem("init", *OWNER)["title"] == "Initialised already"


def test_a_lost_link_is_replaced_until_an_owner_has_joined(terminal: Terminal, initialised: Settings) -> None:
    first, second = (terminal.json("init", "--new-link")["link"] for _ in range(2))
    assert first != second
    with opened_database(initialised) as database, database.session() as session:
        session.execute(text("UPDATE member SET state = 'active'"))
    assert "--forgot" in terminal.refused("init", "--new-link")


def test_there_is_no_new_link_before_there_is_an_owner(terminal: Terminal) -> None:
    assert "bailiwick init" in terminal.refused("init", "--new-link")


def test_init_refuses_an_address_that_is_none(terminal: Terminal) -> None:
    said = terminal.refused("init", "--email", "ada", "--name", "Ada", "--company", "Northwind")
    assert "email" in said
    terminal("init", *OWNER)


@pytest.mark.parametrize(
    ("option", "text", "said"),
    [
        ("--name", " ", "--name: It is empty. Give something."),
        ("--company", "   ", "--company: It is empty. Give something."),
        ("--company", "x" * 201, "--company: It is too long. Give at most 200 characters."),
        ("--name", "A\x1bda", "--name: It holds characters that are not allowed here. Leave out control characters"),
        ("--email", "ada", "--email: This is not an e-mail address."),
    ],
)
def test_init_refuses_what_the_api_refuses(
    terminal: Terminal, settings: Settings, option: str, text: str, said: str
) -> None:
    assert said in terminal.refused("init", *OWNER, option, text)
    assert not settings.home.exists()


def test_init_asks_again_for_what_it_cannot_take(terminal: Terminal) -> None:
    said = terminal.run("init", typed="ada\nada@example.com\n \nAda\nNorthwind\n")
    assert said.exit_code == 0
    assert "--email: This is not an e-mail address." in said.stderr
    assert "--name: It is empty." in said.stderr


def test_a_wrong_setting_is_told_by_its_name(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAILIWICK_PORT", "ninety")
    assert "BAILIWICK_PORT" in terminal.refused("up")
    assert states(terminal)["settings"] == "fail"
    assert terminal.run("doctor").exit_code == 1


def test_up_is_for_who_has_initialised_and_for_one_at_a_time(terminal: Terminal, settings: Settings) -> None:
    with running_alone(settings):
        said = terminal.refused("up")
        assert "is running on" in said
        assert settings.public_url in said
        assert terminal.problem("up")["title"] == "Already running"
    assert running_on(settings) == {}


def test_a_port_in_use_is_said_and_another_one_offered(
    terminal: Terminal, initialised: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", initialised.port)):
        for command in ("serve", "up"):
            said = terminal.refused(command)
            assert f"Port {initialised.port} is in use" in said
            assert f"BAILIWICK_PORT={initialised.port + 1}" in said
            assert str(initialised.home / "bailiwick.toml") in said
        assert states(terminal)["port"] == "fail"


def test_an_address_that_is_not_ours_is_said_to_be_wrong() -> None:
    with pytest.raises(Failure, match="Cannot listen"):
        listen(load_settings(host="203.0.113.1"))


def test_settings_say_where_each_comes_from_and_hide_secrets(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = load_settings().home
    home.mkdir()
    (home / "bailiwick.toml").write_text(
        'smtp_host = "mail.example.com"\nsmtp_user = "me"\nsmtp_password = "hunter2"\n'
    )
    monkeypatch.setenv("BAILIWICK_DATABASE_URL", "postgresql://me:sesame@db.example.com/bailiwick")
    found = {it["setting"]: it for it in terminal.json("settings")["items"]}
    assert found["home"]["from"] == found["database_url"]["from"] == "environment"
    assert found["smtp_host"]["from"] == "file"
    assert found["port"]["from"] == "default"
    shown = terminal("settings")
    assert "hunter2" not in shown
    assert "sesame" not in shown
    assert "db.example.com" in shown
    assert set(found) == set(Settings.model_fields)


def test_doctor_finds_an_empty_place_healthy_enough_to_begin(terminal: Terminal, settings: Settings) -> None:
    found = states(terminal)
    assert "fail" not in found.values()
    assert found["home folder"] == found["database"] == "warn"
    assert not settings.home.exists()


def test_doctor_finds_a_good_platform_healthy(terminal: Terminal, initialised: Settings) -> None:
    found = states(terminal)
    assert {check: state for check, state in found.items() if state != "ok"} == {"spark jars": "warn"}
    assert {"java", "spark", "memory"} < set(found)
    assert "is free" in terminal("doctor")


def test_doctor_names_what_is_wrong_and_what_to_do(terminal: Terminal, initialised: Settings) -> None:
    key, home = initialised.home / "secret.key", initialised.home
    key.chmod(0o644)
    home.chmod(0o755)
    result = terminal.run("doctor")
    assert result.exit_code == 1
    assert f"chmod 600 {key}" in result.stdout
    assert f"chmod 700 {home}" in result.stdout
    key.chmod(0o600)
    home.chmod(0o700)
    with opened_database(initialised) as database, database.session() as session:
        session.execute(text("UPDATE alembic_version SET version_num = 'of_the_future'"))
    assert states(terminal)["migrations"] == "fail"
    (home / "bailiwick.db").write_bytes(b"no database, and long enough to be seen as none" * 100)
    assert states(terminal)["database"] == "fail"


def test_doctor_says_when_the_first_owner_is_missing(terminal: Terminal, settings: Settings) -> None:
    with opened_database(settings):
        pass
    assert states(terminal)["first owner"] == "fail"


def test_doctor_notices_a_disk_that_fills(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "LITTLE_ROOM", 10**18)
    assert states(terminal)["disk"] == "warn"
    monkeypatch.setattr(doctor, "NO_ROOM", 10**18)
    assert states(terminal)["disk"] == "fail"


def test_doctor_notices_a_clock_that_went_back(terminal: Terminal, initialised: Settings) -> None:
    forge(initialised, "at = '2999-01-01 00:00:00.000000'")
    assert states(terminal)["clock"] == "fail"


def test_doctor_greets_the_mail_server(terminal: Terminal, monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    monkeypatch.setenv("BAILIWICK_SMTP_HOST", "127.0.0.1")
    monkeypatch.setenv("BAILIWICK_SMTP_PORT", str(port))
    monkeypatch.setenv("BAILIWICK_SMTP_SECURITY", "none")
    assert states(terminal)["e-mail"] == "fail"
    controller = Controller(Sink(), hostname="127.0.0.1", port=port)
    controller.start()
    try:
        assert states(terminal)["e-mail"] == "ok"
    finally:
        controller.stop()


def test_doctor_looks_at_a_server_of_postgresql(
    terminal: Terminal, postgres_server: URL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BAILIWICK_DATABASE_URL", postgres_server.render_as_string(hide_password=False))
    assert states(terminal)["database"] == "ok"
    assert states(terminal)["migrations"] == "warn"
    monkeypatch.setenv("BAILIWICK_DATABASE_URL", "postgresql://127.0.0.1:1/bailiwick")
    assert states(terminal)["database"] == "fail"


def test_the_audit_is_proved_whole_and_a_change_is_found(
    terminal: Terminal, initialised: Settings, tmp_path: Path
) -> None:
    checkpoint = tmp_path / "checkpoint.json"
    terminal("audit", "checkpoint", "--to", str(checkpoint))
    assert json.loads(checkpoint.read_text()) | {"at": ""} == terminal.json("audit", "checkpoint") | {"at": ""}
    assert "The audit is whole and continues the checkpoint" in terminal(
        "audit", "verify", "--checkpoint", str(checkpoint)
    )
    assert terminal.json("audit", "verify") == {"whole": True, "entries": 2, "chains": 1, "problems": []}
    forge(initialised, "resource_name = 'Eve' WHERE number = 2")
    result = terminal.run("audit", "verify")
    assert result.exit_code == 1
    assert "its content is not what was written" in result.stdout
    assert "cannot be read" in terminal.refused("audit", "verify", "--checkpoint", str(tmp_path / "none.json"))


def test_the_audit_of_no_database_is_not_made_up(terminal: Terminal, settings: Settings) -> None:
    assert "There is no database" in terminal.refused("audit", "verify")
    assert not settings.home.exists()

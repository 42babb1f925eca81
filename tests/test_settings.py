"""Settings: precedence, clear errors, and a page that says the same as the code."""

import re
from pathlib import Path

import pytest

from bailiwick.settings import PREFIX, Settings, SettingsError, load_settings

PAGE = Path(__file__).parent.parent / "docs" / "operate" / "settings.md"


def rows_of_the_page() -> dict[str, tuple[str, str, str]]:
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \| (.*?) \| (.*) \|$", PAGE.read_text(), re.MULTILINE)
    return {name: (variable, default, meaning) for name, variable, default, meaning in rows}


def write(home: Path, text: str) -> Path:
    home.mkdir(exist_ok=True)
    (home / "bailiwick.toml").write_text(text)
    return home


def test_the_page_lists_every_setting_in_the_order_of_the_code() -> None:
    assert list(rows_of_the_page()) == list(Settings.model_fields)


@pytest.mark.parametrize("name", Settings.model_fields)
def test_the_page_and_the_code_say_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BAILIWICK_HOME")
    settings = Settings()
    variable, default, meaning = rows_of_the_page()[name]
    value = getattr(settings, name)

    assert variable == PREFIX + name.upper()
    assert meaning == Settings.model_fields[name].description
    if default == "–":
        assert value in (None, ())
    else:
        written = default.strip("`").format(home=settings.home, host=settings.host, port=settings.port)
        assert str(value) == (str(Path(written).expanduser()) if name == "home" else written)


def test_the_environment_wins_over_the_file_and_the_file_over_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = write(tmp_path, 'port = 1111\nhost = "0.0.0.0"')
    monkeypatch.setenv("BAILIWICK_HOME", str(home))
    monkeypatch.setenv("BAILIWICK_PORT", "2222")
    settings = load_settings()

    assert (settings.port, settings.host, settings.link_minutes) == (2222, "0.0.0.0", 60)
    assert settings.public_url == "http://localhost:2222"
    assert settings.database_url == f"sqlite:///{tmp_path}/bailiwick.db"
    assert load_settings(port=3333).port == 3333


def test_a_home_given_by_the_caller_is_where_the_file_is_read(tmp_path: Path) -> None:
    assert load_settings(home=write(tmp_path / "other", "port = 1111")).port == 1111


def test_an_empty_variable_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAILIWICK_PORT", "")
    assert load_settings().port == 8765


def test_trusted_proxies_are_written_with_commas_or_as_a_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_file = load_settings(home=write(tmp_path, 'trusted_proxies = ["10.0.0.1", "192.168.0.0/16"]'))
    monkeypatch.setenv("BAILIWICK_TRUSTED_PROXIES", "10.0.0.1, 192.168.0.0/16")

    assert load_settings().trusted_proxies == in_file.trusted_proxies
    assert [str(network) for network in in_file.trusted_proxies] == ["10.0.0.1/32", "192.168.0.0/16"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("prot = 80", r"There is no setting prot, set in .*/bailiwick.toml. Did you mean port\?"),
        ("colour = 'red'", r"There is no setting colour, set in .*/bailiwick.toml. Remove it"),
        (
            "port = 99999",
            r"The setting port, set in .*/bailiwick.toml, is wrong: .* 65535 or less. The port the API listens on",
        ),
        ("port = = 1", r"bailiwick.toml is not valid TOML: .*line 1"),
        ("database_url = 'mysql://x'", r"database_url, .* begin with sqlite:/// or postgresql://"),
        ("home = '/elsewhere'", r"home in .*/bailiwick.toml is not read from a file: set BAILIWICK_HOME"),
        ("smtp_password = 'hunter2'", r"smtp_password is set and smtp_user is not"),
    ],
)
def test_a_mistake_in_the_file_is_named_with_its_place_and_its_fix(tmp_path: Path, text: str, message: str) -> None:
    write(tmp_path / "home", text)
    with pytest.raises(SettingsError, match=message):
        load_settings()


def test_a_mistake_in_the_environment_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAILIWICK_LOG_FORMAT", "xml")
    with pytest.raises(SettingsError, match=r"log_format, set by BAILIWICK_LOG_FORMAT in the environment, is wrong"):
        load_settings()


def test_every_mistake_is_named_at_once(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as error:
        load_settings(home=write(tmp_path, "port = 0\nprot = 1\nsession_days = 'many'"))
    assert len(str(error.value).splitlines()) == 3


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("SPARK_MEMORY", "lots", "This is no size. Write it like 512m or 2g. The memory of each"),
        ("PORT", "x", "This is no whole number. Give a whole number. The port the API"),
        ("PUBLIC_URL", "x", "This is no web address. Write it like https://example.org/path. The address"),
        ("SPARK_MAVEN_URL", "x", "This is no address. Begin it with https://, http:// or file://. The Maven"),
        ("TRUSTED_PROXIES", "x", "This is no address or network. Write it like 10.0.0.1 or 10.0.0.0/8. Proxies"),
        ("SPARK_ARCHIVE", "x", "This is neither yes nor no. Give `true` or `false`. "),
    ],
)
def test_a_wrong_value_is_told_in_our_words(name: str, value: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"BAILIWICK_{name}", value)
    with pytest.raises(SettingsError) as error:
        load_settings()
    assert f"is wrong: {said}" in str(error.value)


def test_neither_messages_nor_representations_repeat_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAILIWICK_DATABASE_URL", "mysql://root:hunter2@db/x")
    with pytest.raises(SettingsError) as error:
        load_settings()
    assert "hunter2" not in str(error.value)

    monkeypatch.setenv("BAILIWICK_DATABASE_URL", "postgresql://root:hunter2@db/x")
    monkeypatch.setenv("BAILIWICK_SECRET_KEY", "hunter2")
    assert "hunter2" not in repr(load_settings())

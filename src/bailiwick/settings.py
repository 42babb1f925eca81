"""The platform's settings: typed, read from the environment and one file, wrong values refused by name."""

import difflib
import os
from collections.abc import Mapping
from pathlib import Path
from tomllib import TOMLDecodeError
from typing import Annotated, Any, Literal, Self

from pydantic import Field, IPvAnyNetwork, SecretStr, ValidationError, field_validator, model_validator
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from bailiwick.wrong_input import said_of

PREFIX = "BAILIWICK_"
FILE_NAME = "bailiwick.toml"
DEFAULT_HOME = Path("~/.bailiwick")


class SettingsError(Exception):
    """A setting is wrong; the message names it, where it was read and what to do."""


def _database_in_home(values: dict[str, Any]) -> str:
    return f"sqlite:///{values['home'] / 'bailiwick.db'}"


def _address_in_a_browser(values: dict[str, Any]) -> str:
    host = "localhost" if values["host"] in ("0.0.0.0", "::") else values["host"]  # noqa: S104 - compared, not bound
    return f"http://[{host}]:{values['port']}" if ":" in host else f"http://{host}:{values['port']}"


class Settings(BaseSettings):
    """Every setting, in the order of the page docs/operate/settings.md."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_ignore_empty=True,
        extra="forbid",
        frozen=True,
        validate_default=True,
        # What was typed may be a password: messages name the setting and never repeat the value.
        hide_input_in_errors=True,
    )

    home: Path = Field(DEFAULT_HOME, description="The folder that holds all data and the settings file.")
    database_url: str = Field(
        default_factory=_database_in_home,
        repr=False,
        description="Where the database is: `sqlite:///…` or `postgresql://…`.",
    )
    host: str = Field("127.0.0.1", min_length=1, description="The address the API listens on.")
    port: int = Field(8765, ge=1, le=65535, description="The port the API listens on.")
    public_url: str = Field(
        default_factory=_address_in_a_browser,
        pattern=r"^https?://[^/\s]+(/\S*)?$",
        description="The address people type in their browser; links in e-mails begin with it.",
    )
    trusted_proxies: Annotated[tuple[IPvAnyNetwork, ...], NoDecode] = Field(
        (),
        description="Proxies whose `X-Forwarded-*` headers are believed: addresses or networks, separated by commas.",
    )
    log_format: Literal["auto", "json", "console"] = Field(
        "auto",
        description="`json` for programs, `console` for people, `auto` to choose by whether a terminal looks on.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="The least important log lines still written: `debug`, `info`, `warning` or `error`."
    )
    smtp_host: str | None = Field(
        None,
        description="The mail server; without one, e-mails go to the folder `outbox` in the home folder and the log.",
    )
    smtp_port: int = Field(587, ge=1, le=65535, description="The mail server's port.")
    smtp_security: Literal["starttls", "tls", "none"] = Field(
        "starttls", description="How the connection to the mail server is encrypted: `starttls`, `tls` or `none`."
    )
    smtp_user: str | None = Field(None, description="The name to sign in to the mail server with.")
    smtp_password: SecretStr | None = Field(None, description="The password to sign in to the mail server with.")
    smtp_from: str = Field("bailiwick@localhost", min_length=3, description="The sender of e-mails.")
    secret_key: SecretStr | None = Field(
        None,
        description="The key credentials are encrypted with; several, separated by commas, while changing it (the "
        "first encrypts). Without it, a key is made at the first start in the file `secret.key` in the home folder.",
    )
    session_days: int = Field(14, ge=1, le=365, description="Days after which a member has to sign in again.")
    link_minutes: int = Field(
        60, ge=1, le=60, description="Minutes for which a magic link or a password reset link works."
    )
    sign_in_attempts_per_account: int = Field(
        10, ge=1, description="Failed sign-ins or requested links for one account before it has to wait."
    )
    sign_in_attempts_per_address: int = Field(
        50, ge=1, description="Failed sign-ins or requested links from one address before it has to wait."
    )
    sign_in_window_minutes: int = Field(
        15, ge=1, description="Minutes over which sign-in attempts are counted, and the wait at most."
    )

    warehouse: str = Field(
        default_factory=lambda values: str(values["home"] / "lakehouse"),
        min_length=1,
        description="Where tables lie: a folder, or an address that Spark can write to (`s3a://…`, `hdfs://…`).",
    )
    volumes_folder: Path = Field(
        default_factory=lambda values: values["home"] / "volumes",
        description="The folder of the volumes' files; API and workers share it.",
    )
    results_folder: Path = Field(
        default_factory=lambda values: values["home"] / "results",
        description="The folder of query results; API and workers share it.",
    )
    result_hours: int = Field(24, ge=1, description="Hours after which the result of a query is removed.")
    result_rows: int = Field(1_000_000, ge=1, description="Rows of a query's result that are kept at most.")
    result_megabytes: int = Field(2048, ge=1, description="Megabytes of a query's result; a larger one is refused.")
    query_minutes: int = Field(30, ge=1, description="Minutes after which a query is stopped.")
    run_minutes: int = Field(720, ge=1, description="Minutes after which the run of a pipeline is stopped.")
    worker_slots: int = Field(2, ge=1, le=64, description="Runs of pipelines that a worker does at the same time.")
    interactive_slots: int = Field(
        4,
        ge=1,
        le=64,
        description="Queries that a worker does at the same time, apart from pipelines; half of them for one member.",
    )
    upload_megabytes: int = Field(1024, ge=1, description="The largest file that can be put into a volume.")
    source_folders: Annotated[tuple[Path, ...], NoDecode] = Field(
        (), description="Folders outside volumes that sources may read files from, separated by commas."
    )
    allowed_addresses: Annotated[tuple[IPvAnyNetwork, ...], NoDecode] = Field(
        (),
        description="Private addresses or networks that sources, destinations and webhooks may reach, separated by "
        "commas.",
    )

    spark_master: str = Field(
        "local[*]",
        min_length=1,
        description="Where Spark runs: `local[*]` for this machine, or a cluster (`spark://…`, `yarn`, `k8s://…`).",
    )
    spark_memory: str = Field(
        "2g", pattern=r"^[1-9][0-9]*[mg]$", description="The memory of each worker's Spark driver: `512m`, `2g`."
    )
    spark_properties: Path | None = Field(
        None, description="A file of further Spark properties, written like Spark's `spark-defaults.conf`."
    )
    spark_jars: Path | None = Field(
        None, description="A folder that holds the jars Spark needs, for machines that cannot fetch them."
    )
    spark_maven_url: str = Field(
        "https://repo1.maven.org/maven2",
        pattern=r"^(https?|file)://\S+$",
        description="The Maven repository that the jars are fetched from, once.",
    )
    spark_archive: bool = Field(
        True, description="Whether an archive of Spark's classes is made after the first start, for quicker ones."
    )
    java_home: Path | None = Field(
        None,
        description="The Java (17 or newer) to run Spark with; without it, the one of `JAVA_HOME`, of the `PATH`, or "
        "the one that is installed with Bailiwick.",
    )

    @field_validator("home")
    @classmethod
    def _make_home_absolute(cls, home: Path) -> Path:
        return home.expanduser().absolute()

    @field_validator("spark_properties", "spark_jars", "java_home")
    @classmethod
    def _make_absolute(cls, path: Path | None) -> Path | None:
        return path and path.expanduser().absolute()

    @field_validator("database_url")
    @classmethod
    def _check_database_url(cls, url: str) -> str:
        if not url.startswith(("sqlite:///", "postgresql://", "postgresql+psycopg://")):
            raise ValueError("It has to begin with sqlite:/// or postgresql://")
        return url

    @field_validator("public_url")
    @classmethod
    def _drop_last_slash(cls, url: str) -> str:
        return url.rstrip("/")

    @field_validator("trusted_proxies", "source_folders", "allowed_addresses", mode="before")
    @classmethod
    def _split_at_commas(cls, value: object) -> object:
        return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value

    @property
    def sends_email(self) -> bool:
        """Whether e-mails leave this machine; without a mail server they are kept in a folder."""
        return self.smtp_host is not None

    @model_validator(mode="after")
    def _check_mail_sign_in(self) -> Self:
        if self.smtp_password and not self.smtp_user:
            raise ValueError("The setting smtp_password is set and smtp_user is not: set both, or neither")
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        given = init_settings.init_kwargs if isinstance(init_settings, InitSettingsSource) else {}
        path = settings_file(given.get("home"))
        file = TomlConfigSettingsSource(settings_cls, path)
        if "home" in file.toml_data:
            raise SettingsError(f"home in {path} is not read from a file: set {PREFIX}HOME in the environment instead.")
        return init_settings, env_settings, file


def settings_file(home: Path | None = None) -> Path:
    """The one settings file, in the given home folder or the one the environment names."""
    return Path(home or os.environ.get(f"{PREFIX}HOME") or DEFAULT_HOME).expanduser().absolute() / FILE_NAME


def load_settings(**given: Any) -> Settings:
    """Read the settings: what is given here, over the environment, over the file, over the defaults."""
    file = settings_file(given.get("home"))
    try:
        return Settings(**given)
    except ValidationError as error:
        problems = [problem for problem in error.errors() if problem["type"] != "default_factory_not_called"]
        raise SettingsError("\n".join(_explain(problem, file, given) for problem in problems)) from None
    except TOMLDecodeError as error:
        raise SettingsError(f"{file} is not valid TOML: {error}. Correct that line.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file} cannot be read: {error}. Correct the file or its permissions.") from None


def _explain(problem: ErrorDetails, file: Path, given: Mapping[str, Any]) -> str:
    said = " ".join(said_of(problem)).rstrip(" .")
    if not problem["loc"]:
        return f"{said} (in the environment or {file})."
    name = str(problem["loc"][0])
    if problem["type"] == "extra_forbidden":
        near = difflib.get_close_matches(name, Settings.model_fields, 1)
        fix = f"Did you mean {near[0]}?" if near else "Remove it; docs/operate/settings.md lists every setting."
        return f"There is no setting {name}, set in {file}. {fix}"
    variable = PREFIX + name.upper()
    if name in given:
        place = "given to this command"
    elif any(key.upper() == variable for key in os.environ):
        place = f"set by {variable} in the environment"
    else:
        place = f"set in {file}"
    return f"The setting {name}, {place}, is wrong: {said}. {Settings.model_fields[name].description}"

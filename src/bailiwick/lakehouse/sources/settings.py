"""What can be set about a source: where it points, what a stream reads there, and how. Secrets are apart."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, field_validator, model_validator

from bailiwick.tenancy.listing import PLAIN
from bailiwick.wrong_input import WrongValue

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500, pattern=PLAIN)]
ColumnName = Annotated[str, StringConstraints(min_length=1, max_length=255, pattern=PLAIN)]
Identifier = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,62}$")]
TYPE = r"^(tinyint|smallint|int|bigint|float|double|boolean|string|date|timestamp|binary|decimal\(\d{1,2},\d{1,2}\))$"
ColumnType = Annotated[str, StringConstraints(pattern=TYPE)]
HeaderName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$")]
HeaderValue = Annotated[str, StringConstraints(max_length=1000, pattern=r"^[\x20-\x7e]*$")]

# A header of this kind is a secret, and settings are shown to whoever sees the source.
SECRET_HEADERS = {"authorization", "proxy-authorization", "cookie", "x-api-key", "api-key", "x-auth-token"}


class Settings(BaseModel):
    model_config = ConfigDict(extra="forbid")


# Where a source points -----------------------------------------------------------------------------------------------


class Files(Settings):
    """Files in a volume, or in a folder that the setting source_folders allows."""

    type: Literal["files"]
    volume_id: UUID | None = None
    folder: Annotated[str | None, Field(max_length=1000, pattern=r"^/[^\x00-\x1f]*$")] = None
    format: Literal["csv", "json_lines", "parquet", "excel"]
    delimiter: Annotated[str, StringConstraints(pattern=r"^[^\x00\r\n]$")] = ","
    quote: Annotated[str, StringConstraints(pattern=r"^[^\x00\r\n]$")] = '"'
    header: bool = True
    encoding: Literal["utf-8", "iso-8859-1", "windows-1252", "utf-16"] = "utf-8"
    sheet: Annotated[str | None, Field(max_length=100, description="Of a workbook; else its first.")] = None

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if (self.volume_id is None) == (self.folder is None):
            raise WrongValue("Files lie in one place.", "Give either volume_id or folder.", "volume_id")
        return self


class Postgresql(Settings):
    """A PostgreSQL database; the secret is the user's password."""

    type: Literal["postgresql"]
    host: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._:-]{1,253}$")]
    port: Annotated[int, Field(ge=1, le=65535)] = 5432
    database: Text
    user: Text
    encryption: Literal["prefer", "require", "disable"] = "prefer"


class Http(Settings):
    """JSON over HTTP; the secret is the token, the password or the header's value."""

    type: Literal["http"]
    url: Annotated[str, StringConstraints(max_length=2000, pattern=r"^https?://[^\s\x00-\x1f]+$")]
    headers: Annotated[dict[HeaderName, HeaderValue], Field(max_length=20)] = {}
    authentication: Literal["none", "bearer", "basic", "header"] = "none"
    user: Annotated[str | None, Field(max_length=200, description="For basic authentication.")] = None
    header: Annotated[HeaderName | None, Field(description="Which header holds the secret.")] = None
    most_megabytes: Annotated[int, Field(ge=1, le=10_000, description="Of one reading of a stream.")] = 500

    @field_validator("url")
    @classmethod
    def _has_a_host_and_no_secret(cls, url: str) -> str:
        parts = urlsplit(url)
        if not parts.hostname or parts.username or parts.password:
            fix = "Write it like https://example.org/path, without user name and password."
            raise WrongValue("It names no host, or a user or a password.", fix)
        try:
            _ = parts.port
        except ValueError:
            raise WrongValue("There is no such port.", "Give a number up to 65535.") from None
        return url

    @field_validator("headers")
    @classmethod
    def _hold_no_secret(cls, headers: dict[str, str]) -> dict[str, str]:
        if secret := [name for name in headers if name.lower() in SECRET_HEADERS]:
            raise WrongValue(f"{secret[0]} is a secret.", "Use authentication and secret, which nobody is shown.")
        return headers

    @model_validator(mode="after")
    def _says_who(self) -> Self:
        if self.authentication == "basic" and not self.user:
            raise WrongValue("Basic authentication needs a user.", "Give it.", "user")
        if self.authentication == "header" and not self.header:
            fix = "Give the name of the header that holds the secret."
            raise WrongValue("Authentication by header needs one.", fix, "header")
        return self


class Tables(Settings):
    """Other tables of the lakehouse."""

    type: Literal["table"]


Connection = Annotated[Files | Postgresql | Http | Tables, Field(discriminator="type")]
CONNECTION: TypeAdapter[Files | Postgresql | Http | Tables] = TypeAdapter(Connection)


def target_of(connection: Files | Postgresql | Http | Tables) -> tuple[Any, ...]:
    """Where a secret goes. When this changes the secret is asked for again, so that nobody sends it elsewhere."""
    if isinstance(connection, Postgresql):
        return ("postgresql", connection.host.lower(), connection.port, connection.encryption == "disable")
    if isinstance(connection, Http):
        parts = urlsplit(connection.url)
        return ("http", parts.scheme, (parts.hostname or "").lower(), parts.port)
    return (connection.type,)


def needs_secret(connection: Files | Postgresql | Http | Tables) -> bool:
    return isinstance(connection, Http) and connection.authentication != "none"


# What a stream reads -------------------------------------------------------------------------------------------------


class ReadFiles(Settings):
    type: Literal["files"]
    pattern: Annotated[
        str, Field(min_length=1, max_length=500, pattern=r"^[^\x00-\x1f]*$", examples=["orders/*.csv", "**/*.csv"])
    ]

    @field_validator("pattern")
    @classmethod
    def _stays_inside(cls, pattern: str) -> str:
        parts = pattern.split("/")
        if pattern.startswith("/") or ".." in parts or any("**" in part and part != "**" for part in parts):
            fix = "Write it like orders/*.csv, without .. and with ** only as a folder of its own: **/*.csv."
            raise WrongValue("This is no pattern below the folder.", fix)
        return pattern


class ReadPostgresql(Settings):
    type: Literal["postgresql"]
    db_schema: Annotated[Text, Field(alias="schema", serialization_alias="schema")] = "public"
    table: Text
    partition_column: ColumnName | None = None
    partitions: Annotated[int, Field(ge=1, le=64)] = 4

    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class Pagination(Settings):
    """How an API hands out its pages."""

    kind: Literal["none", "page", "offset", "cursor", "link"] = "none"
    parameter: Annotated[str | None, Field(max_length=100, description="Of the page, offset or cursor.")] = None
    size_parameter: Annotated[str | None, Field(max_length=100)] = None
    size: Annotated[int, Field(ge=1, le=10_000)] = 100
    first: Annotated[int, Field(ge=0, le=1, description="The number of the first page.")] = 1
    cursor_path: Annotated[
        str | None, Field(max_length=200, description="Where the next cursor stands in the answer: meta.next")
    ] = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.kind == "cursor" and not self.cursor_path:
            fix = "Give where the next cursor stands in the answer, such as meta.next."
            raise WrongValue("A cursor needs cursor_path.", fix, "cursor_path")
        return self


class ReadHttp(Settings):
    type: Literal["http"]
    path: Annotated[str, Field(max_length=1000, pattern=r"^[^\x00-\x20]*$", examples=["orders"])] = ""
    query: Annotated[dict[str, Annotated[str, Field(max_length=1000)]], Field(max_length=30)] = {}
    records: Annotated[
        str, Field(max_length=200, description="Where the records stand in the answer: data.items; empty: all of it.")
    ] = ""
    pagination: Pagination = Pagination()
    since_parameter: Annotated[
        str | None, Field(max_length=100, description="The parameter that takes the last cursor value, if there is.")
    ] = None

    @field_validator("path")
    @classmethod
    def _stays_there(cls, path: str) -> str:
        if "://" in path or path.startswith("//") or "?" in path or "#" in path:
            fix = "Write it like orders; what follows a ? goes to query."
            raise WrongValue("This is no path below the source's address.", fix)
        return path


class ReadTable(Settings):
    type: Literal["table"]
    table_id: UUID


Read = Annotated[ReadFiles | ReadPostgresql | ReadHttp | ReadTable, Field(discriminator="type")]


class StreamSettings(Settings):
    """How one stream is read."""

    read: Read
    mode: Literal["full", "incremental"] = "full"
    cursor_column: ColumnName | None = None
    primary_key: Annotated[list[ColumnName], Field(max_length=10)] = []
    only_columns: Annotated[
        list[ColumnName] | None, Field(min_length=1, max_length=2000, description="Those to read; else all.")
    ] = None
    types: Annotated[
        dict[ColumnName, ColumnType],
        Field(max_length=2000, description="Types of columns, where the discovered ones do not fit."),
    ] = {}

    @model_validator(mode="after")
    def _can_go_on(self) -> Self:
        by_file = isinstance(self.read, ReadFiles)
        if self.mode == "incremental" and not by_file and self.cursor_column is None:
            fix = "Give a column whose values grow, or read in full."
            raise WrongValue("Incremental reading needs a cursor_column.", fix, "cursor_column")
        wanted = {*self.primary_key, *([self.cursor_column] if self.cursor_column else [])}
        if self.only_columns is not None and not wanted <= set(self.only_columns):
            fix = f"Add {', '.join(sorted(wanted - set(self.only_columns)))}."
            raise WrongValue("It leaves out the primary key or the cursor column.", fix, "only_columns")
        return self

    def stored(self) -> dict[str, Any]:
        return self.model_dump(mode="json", by_alias=True)


def table_name(stream: str) -> str:
    """A table's name made from a stream's: “Orders 2024.csv” lands in orders_2024_csv."""
    plain = re.sub(r"[^a-z0-9]+", "_", stream.lower()).strip("_")
    named = plain if plain[:1].isalpha() else f"t_{plain}"
    return named[:50].rstrip("_") or "stream"

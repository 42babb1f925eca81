"""What can be set about a lakehouse destination: where the rows go, and how. Secrets are apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, field_validator, model_validator

from bailiwick.errors import Invalid
from bailiwick.lakehouse.paths import parts_of
from bailiwick.lakehouse.sources.settings import ColumnName, Http, Postgresql, Text
from bailiwick.wrong_input import WrongValue

PLACEHOLDERS = ("date", "time", "run", "number")


def filled(path: str, values: Mapping[str, str]) -> str:
    """The path with what stands in braces put in: by plain replacing, because a format could do much more."""
    for name, value in values.items():
        path = path.replace(f"{{{name}}}", value)
    return path


class PostgresqlTarget(Postgresql):
    """A table of a PostgreSQL database, made if there is none; the secret is the user's password."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    db_schema: Annotated[Text, Field(alias="schema", serialization_alias="schema")] = "public"
    table: Text
    mode: Annotated[
        Literal["append", "upsert", "overwrite"],
        Field(description="Add the rows, replace those with the same keys and add the others, or replace all."),
    ] = "append"
    keys: Annotated[list[ColumnName], Field(max_length=32, default_factory=list)]

    @model_validator(mode="after")
    def _has_keys_to_upsert_by(self) -> Self:
        if (self.mode == "upsert") != bool(self.keys):
            fix = "Leave them out." if self.keys else "Give the columns that identify a row."
            raise WrongValue("Keys are needed for upsert, and for nothing else.", fix, "keys")
        return self


class FileTarget(BaseModel):
    """A file in a volume, replaced as a whole."""

    model_config = ConfigDict(extra="forbid")

    type: Literal["file"]
    volume_id: UUID
    path: Annotated[
        str,
        Field(
            min_length=1,
            max_length=500,
            description="Folders and name in the volume; {date}, {time}, {run} and {number} are filled in.",
            examples=["exports/orders-{date}.csv"],
        ),
    ]
    format: Literal["csv", "parquet", "xlsx"]
    escape_formulas: Annotated[
        bool, Field(description="In CSV, put an apostrophe before text that a spreadsheet would take for a formula.")
    ] = True

    @field_validator("path")
    @classmethod
    def _is_a_path(cls, path: str) -> str:
        rest = filled(path, dict.fromkeys(PLACEHOLDERS, "x"))
        if "{" in rest or "}" in rest:
            fix = "Write them only around date, time, run or number, such as {date}."
            raise WrongValue("Braces stand around something else.", fix)
        try:
            parts_of(rest)
        except Invalid as wrong:
            raise WrongValue(wrong.problem, wrong.fix) from None
        return path


class WebhookTarget(Http):
    """A web address that takes rows as JSON; the secret is the token, the password or the header's value."""

    type: Literal["webhook"]  # type: ignore[assignment]
    batch_rows: Annotated[int, Field(ge=1, le=10_000, description="Rows in one request.")] = 1000


Target = Annotated[PostgresqlTarget | FileTarget | WebhookTarget, Field(discriminator="type")]
TARGET: TypeAdapter[PostgresqlTarget | FileTarget | WebhookTarget] = TypeAdapter(Target)


def place_of(target: PostgresqlTarget | FileTarget | WebhookTarget) -> tuple[Any, ...]:
    """Where a secret goes. When this changes the secret is asked for again, so that nobody sends it elsewhere."""
    if isinstance(target, PostgresqlTarget):
        return ("postgresql", target.host.lower(), target.port, target.encryption == "disable")
    if isinstance(target, WebhookTarget):
        parts = urlsplit(target.url)
        return ("webhook", parts.scheme, (parts.hostname or "").lower(), parts.port)
    return ("file",)


def stored(target: PostgresqlTarget | FileTarget | WebhookTarget) -> dict[str, Any]:
    return target.model_dump(mode="json", by_alias=True)

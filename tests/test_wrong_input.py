"""Wrong input is told in our words: the field as in the body, what is wrong with it, and how to mend it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from pydantic import (
    AnyHttpUrl,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    TypeAdapter,
    UrlConstraints,
    ValidationError,
    field_validator,
)

import bailiwick
from bailiwick.api.errors import install
from bailiwick.audit.routes import Moment
from bailiwick.lakehouse.destinations.settings import Target
from bailiwick.lakehouse.schemas.pipeline_queries import PipelineQueryChange, Statement
from bailiwick.lakehouse.sources.settings import Connection, StreamSettings
from bailiwick.questions.descriptions import DESCRIPTIONS
from bailiwick.requests.schemas import NewRequest
from bailiwick.runs.schemas.notifications import ChannelChange
from bailiwick.tenancy.schemas.fields import Secret
from bailiwick.wrong_input import PATTERNS, first_in_words, in_words

JSON = {"Content-Type": "application/json"}
NO_BODY = "The body is no JSON object. Send an object, with Content-Type: application/json."
NO_OBJECT = "This is no JSON object. Give an object."
NO_LIST = "This is no list. Give a list."
NO_NUMBER = "This is no number. Give a number."
NO_ADDRESS = "This is no web address. Write it like https://example.org/path."
NO_TYPE = "There is no such 'type'. Give one of 'postgresql', 'file', 'webhook'."
WEBHOOK = {"type": "webhook", "url": "https://example.org"}


class Inner(BaseModel):
    name: str


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")

    inner: Inner | None = None
    anything: dict[str, Any] = {}
    some: list[int] = []
    several: set[int] = set()
    frozen: frozenset[int] = frozenset()
    text: Annotated[str, Field(max_length=10)] = ""
    number: Annotated[float, Field(allow_inf_nan=False)] = 0
    address: Annotated[AnyHttpUrl, UrlConstraints(max_length=30)] | None = None
    target: Target | None = None
    targets: list[Target] = []
    connection: Connection | None = None
    stream: StreamSettings | None = None
    either: dict[str, float | bool] = {}
    own: str = ""
    secret: Annotated[Secret, Field(max_length=10)] = SecretStr("")
    email: Annotated[str, Field(min_length=3)] = ""
    name: Annotated[str, Field(min_length=1)] = ""

    @field_validator("own")
    @classmethod
    def _says(cls, own: str) -> str:
        raise ValueError(own)


@pytest.fixture(scope="module")
def client() -> TestClient:
    app = FastAPI()
    install(app)

    @app.post("/")
    def take(body: Body) -> None: ...

    return TestClient(app)


def told(answer: Any) -> list[str]:
    assert answer.headers["Content-Type"] == "application/problem+json"
    return [f"{one['field']}: {one['problem']} {one['fix']}".strip() for one in answer.json()["errors"]]


@pytest.mark.parametrize(
    ("body", "headers", "status", "said"),
    [
        (b"[]", JSON, 422, NO_BODY),
        (b'"x"', JSON, 422, NO_BODY),
        (b"1", JSON, 422, NO_BODY),
        (b"{}", {}, 422, NO_BODY),
        (b"{}", {"Content-Type": "text/plain"}, 422, NO_BODY),
        (b"", JSON, 422, "It is missing. Give it."),
        (b'{"text": "x", "te', JSON, 422, "The body is no JSON from character 15 on. Send JSON."),
        (b"[" * 100_000, JSON, 400, "The body is nested too deeply. Send JSON with fewer levels."),
        (
            b'{"number": ' + b"9" * 5000 + b"}",
            JSON,
            400,
            "The body holds a number of too many digits. Send it with fewer digits, or as a text.",
        ),
        (b'{"text": "\xff\xfe"}', JSON, 400, "The body is no UTF-8. Send JSON, written in UTF-8."),
    ],
    ids=["list", "text", "number", "no type", "other type", "none", "broken", "deep", "digits", "not UTF-8"],
)
def test_a_body_that_is_none(client: TestClient, body: bytes, headers: dict[str, str], status: int, said: str) -> None:
    answer = client.post("/", content=body, headers=headers)
    assert answer.status_code == status
    assert told(answer) == [f"body: {said}"]
    assert answer.json()["detail"] == f"body: {said}"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"inner": []}, [f"inner: {NO_OBJECT}"]),
        ({"inner": {}}, ["inner.name: It is missing. Give it."]),
        ({"anything": 1}, [f"anything: {NO_OBJECT}"]),
        ({"some": 1}, [f"some: {NO_LIST}"]),
        ({"some": ["x"]}, ["some.0: This is no whole number. Give a whole number."]),
        ({"several": 1}, [f"several: {NO_LIST}"]),
        ({"frozen": 1}, [f"frozen: {NO_LIST}"]),
        ({"email": "cy"}, ["email: This is not an e-mail address. Write it like name@example.com."]),
        ({"name": ""}, ["name: It is empty. Give something."]),
        ({"text": "\ud800"}, ["text: It holds half a character. Send whole characters, in UTF-8."]),
        ({"number": "x"}, [f"number: {NO_NUMBER}"]),
        ({"number": []}, [f"number: {NO_NUMBER}"]),
        ({"number": float("inf")}, [f"number: {NO_NUMBER}"]),
        ({"address": "x"}, [f"address: {NO_ADDRESS}"]),
        ({"address": 1}, [f"address: {NO_ADDRESS}"]),
        ({"address": "ftp://x"}, ["address: It begins with another scheme. Begin it with 'http' or 'https'."]),
        ({"address": "http://" + "x" * 30}, ["address: It is too long. Give at most 30 characters."]),
        ({"target": {"type": "<swordfish>"}}, [f"target: {NO_TYPE}"]),
        ({"target": {}}, ["target: Its 'type' is missing. Give it."]),
        ({"target": {**WEBHOOK, "url": "ftp://x"}}, [f"target.url: {NO_ADDRESS}"]),
        ({"target": {"type": "webhook"}}, ["target.url: It is missing. Give it."]),
        ({"target": {**WEBHOOK, "more": 1}}, ["target.more: There is no such field. Leave it out."]),
        ({"targets": [WEBHOOK, {**WEBHOOK, "url": "ftp://x"}]}, [f"targets.1.url: {NO_ADDRESS}"]),
        (
            {"target": {**WEBHOOK, "headers": {"a b": "x"}}},
            ["target.headers.a b.[key]: This is no name of a header. Use letters, digits and hyphens; 100 at most."],
        ),
        (
            {"target": {**WEBHOOK, "authentication": "basic"}},
            ["target.user: Basic authentication needs a user. Give it."],
        ),
        (
            # A field that is called like the member: rather its name twice than another field's.
            {"target": {**WEBHOOK, "url": "ftp://x", "webhook": 1}},
            [f"target.webhook.url: {NO_ADDRESS}", "target.webhook: There is no such field. Leave it out."],
        ),
        (
            {"target": {**WEBHOOK, "headers": {"Cookie": "x"}}},
            ["target.headers: Cookie is a secret. Use authentication and secret, which nobody is shown."],
        ),
        (
            {"connection": {"type": "files", "format": "csv"}},
            ["connection.volume_id: Files lie in one place. Give either volume_id or folder."],
        ),
        (
            {"stream": {"read": {"type": "table"}}},
            ["stream.read.table_id: It is missing. Give it."],
        ),
        (
            {"either": {"a": []}},
            [f"either.a: {NO_NUMBER}", "either.a: This is neither yes nor no. Give `true` or `false`."],
        ),
        ({"secret": "\ud800"}, ["secret: It holds half a character. Send whole characters, in UTF-8."]),
        ({"secret": "x" * 11}, ["secret: It is too long. Give at most 10 characters."]),
        ({"own": "the port is a number"}, ["own: The port is a number."]),
        ({"x" * 5000: 1}, [f"{'x' * 100}: There is no such field. Leave it out."]),
    ],
)
def test_a_field_is_told_as_in_the_body(client: TestClient, body: dict[str, Any], said: list[str]) -> None:
    answer = client.post("/", content=json.dumps(body), headers=JSON)
    assert answer.status_code == 422
    assert told(answer) == said
    assert "swordfish" not in answer.text


TABLE, FOLDER = {"read": {"type": "table", "table_id": str(UUID(int=1))}}, {"type": "files", "format": "csv"}
ORDERS = {"sql": "SELECT 1", "output_layer_id": str(UUID(int=1)), "output_name": "orders"}
DATABASE = {"type": "postgresql", "host": "h", "database": "d", "user": "u", "table": "t"}
FILE = {"type": "file", "volume_id": str(UUID(int=1)), "format": "csv"}
HTTP = {"type": "http", "url": "https://example.org"}
LAYER = {"type": "layer", "name": "raw"}


@pytest.mark.parametrize(
    ("kind", "sent", "field"),
    [
        (Statement, {**ORDERS, "mode": "merge"}, "keys"),
        (Statement, {**ORDERS, "keys": ["id"]}, "keys"),
        *(
            (Statement, {**ORDERS, "expectations": [expectation]}, f"expectations.0.{field}")
            for expectation, field in (
                ({"kind": "unique"}, "column"),
                ({"kind": "row_count", "column": "id"}, "column"),
                ({"kind": "accepted_values", "column": "id"}, "values"),
                ({"kind": "row_count"}, "least"),
                ({"kind": "row_count", "most": "many"}, "most"),
                ({"kind": "range", "column": "id", "least": 1, "most": "many"}, "most"),
                ({"kind": "freshness", "column": "id"}, "minutes"),
            )
        ),
        (Target, {**DATABASE, "mode": "upsert"}, "keys"),
        (Target, {**DATABASE, "keys": ["id"]}, "keys"),
        (Target, {**FILE, "path": "{day}.csv"}, "path"),
        (Target, {**FILE, "path": "../x.csv"}, "path"),
        (Target, {**WEBHOOK, "authentication": "basic"}, "user"),
        (Target, {**WEBHOOK, "authentication": "header"}, "header"),
        (Connection, FOLDER, "volume_id"),
        (Connection, {**HTTP, "url": "https://me@example.org"}, "url"),
        (Connection, {**HTTP, "url": "https://example.org:99999"}, "url"),
        (Connection, {**HTTP, "headers": {"Cookie": "x"}}, "headers"),
        (StreamSettings, {"read": {"type": "files", "pattern": "../*"}}, "read.pattern"),
        (StreamSettings, {"read": {"type": "http", "path": "a?b"}}, "read.path"),
        (StreamSettings, {"read": {"type": "http", "pagination": {"kind": "cursor"}}}, "read.pagination.cursor_path"),
        (StreamSettings, {**TABLE, "mode": "incremental"}, "cursor_column"),
        (StreamSettings, {**TABLE, "primary_key": ["id"], "only_columns": ["day"]}, "only_columns"),
        (NewRequest, {"resource": {**LAYER, "name": "a b"}, "level": "Viewer", "reason": "x"}, "resource.name"),
        (NewRequest, {"resource": {"type": "table"}, "level": "Viewer", "reason": "x"}, "resource.name"),
        (NewRequest, {"resource": {"type": "table", "name": "raw"}, "role": "Admin", "reason": "x"}, "resource.name"),
        (NewRequest, {"resource": LAYER, "role": "Admin", "reason": "x"}, "level"),
        (NewRequest, {"resource": {"type": "project", "name": "x"}, "level": "Viewer", "reason": "x"}, "role"),
        (ChannelChange, {"webhook_url": "https://me@example.org"}, "webhook_url"),
        (ChannelChange, {"webhook_url": "https://example.org/" + "ö" * 1000}, "webhook_url"),
        (PipelineQueryChange, {}, ""),
        (Moment, "9999-12-31T23:59:59-14:00", ""),
        (DESCRIPTIONS["saved_query"], {"author": "me"}, "author"),
    ],
)
def test_our_own_validators_name_the_field_and_the_fix(kind: Any, sent: Any, field: str) -> None:
    with pytest.raises(ValidationError) as wrong:
        TypeAdapter(kind).validate_python(sent)
    said = first_in_words(wrong.value, sent, "here")
    assert said["field"] == f"here.{field}".rstrip(".")
    for words in (said["problem"], said["fix"]):
        assert re.fullmatch(r"\S.*\.", words), said


def test_no_validator_leaves_out_the_fix() -> None:
    for module in Path(bailiwick.__file__).parent.rglob("*.py"):
        code = module.read_text()
        if "_validator" in code or "AfterValidator" in code:
            plain = re.findall("raise (?:ValueError|AssertionError).*", code)
            assert (module.name == "settings.py" and module.parent.name == "bailiwick") or not plain, module


def test_only_the_first_errors_are_told(client: TestClient) -> None:
    answer = client.post("/", json={"some": ["x"] * 1000})
    assert [one["field"] for one in answer.json()["errors"]] == [f"some.{number}" for number in range(50)]


def test_every_pattern_of_the_api_has_its_words(app: FastAPI) -> None:
    def patterns(part: Any) -> Iterator[str]:
        for key, value in part.items() if isinstance(part, dict) else enumerate(part if isinstance(part, list) else ()):
            if key == "pattern" and isinstance(value, str):
                yield value
            yield from patterns(value)

    wordless = {one for one in patterns(app.openapi()) if one not in PATTERNS and not one.startswith("^[^")}
    assert not wordless


@pytest.mark.parametrize(
    "kind", ["less_than", "enum", "url_scheme", "union_tag_invalid", "json_invalid", "value_error"]
)
def test_what_a_later_pydantic_leaves_out_is_told_in_its_words(kind: str) -> None:
    (one,) = in_words([{"type": kind, "loc": ("body", "a"), "msg": "Its words", "input": 1}])
    assert (one["problem"], one["fix"]) == ("Its words", "")

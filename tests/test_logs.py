"""Logs: one JSON line an event, with the request's id, from every logger, without secrets."""

import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from bailiwick.logs import configure_logs, request
from bailiwick.settings import load_settings


@pytest.fixture(autouse=True)
def logging_as_it_was() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    yield
    root.handlers = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, str]]:
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def test_every_line_of_a_request_carries_its_id(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs(load_settings(log_format="json"))
    with request("r-1"):
        structlog.get_logger("bailiwick").info("member.invited", member="m-1")
        logging.getLogger("uvicorn.error").warning("slow %s", "client")
    structlog.get_logger("bailiwick").info("outside")

    ours, theirs, outside = lines(capsys)
    assert (ours["event"], ours["member"], ours["request_id"]) == ("member.invited", "m-1", "r-1")
    assert (theirs["event"], theirs["level"], theirs["request_id"]) == ("slow client", "warning", "r-1")
    assert "request_id" not in outside
    assert ours["timestamp"].endswith("Z")


def test_colour_codes_of_uvicorn_stay_out(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs(load_settings(log_format="json"))
    logging.getLogger("uvicorn.error").info("Started %d", 7, extra={"color_message": "Started \x1b[36m%d\x1b[0m"})

    (line,) = lines(capsys)
    assert (line["event"], "color_message" in line) == ("Started 7", False)


def test_fields_that_hold_secrets_are_hidden(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs(load_settings(log_format="json"))
    structlog.get_logger().info(
        "x", new_password="hunter2", Authorization="hunter2", api_token="hunter2", token_id="t-1"
    )
    logging.getLogger("other").warning("x", extra={"smtp_password": "hunter2"})

    ours, theirs = lines(capsys)
    assert "hunter2" not in str([ours, theirs])
    assert ours["token_id"] == "t-1"


def test_a_traceback_shows_no_local_variables(capsys: pytest.CaptureFixture[str]) -> None:
    for log_format in ("json", "console"):
        configure_logs(load_settings(log_format=log_format))
        try:
            credential = "hunter" + str(2)
            raise RuntimeError(len(credential))
        except RuntimeError:
            structlog.get_logger().exception("failed")
        written = capsys.readouterr().err
        assert "RuntimeError" in written
        assert "hunter2" not in written


def test_lines_below_the_level_are_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs(load_settings(log_format="json", log_level="warning"))
    structlog.get_logger().info("quiet")
    logging.getLogger("alembic").info("quiet")
    logging.getLogger("uvicorn.access").error("GET /?token=hunter2")
    assert lines(capsys) == []


def test_without_a_terminal_the_format_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs(load_settings())
    structlog.get_logger().info("hello")
    assert lines(capsys)[0]["event"] == "hello"

"""Structured logs: one line an event, as JSON or for people, each with the id of the request it belongs to."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from bailiwick.settings import Settings

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)

SECRET_WORDS = ("password", "secret", "token", "authorization", "cookie", "csrf")


@contextmanager
def request(identifier: str) -> Iterator[None]:
    """Put this request id on every log line written inside."""
    before = request_id.set(identifier)
    try:
        yield
    finally:
        request_id.reset(before)


def configure_logs(settings: Settings) -> None:
    """Send structlog and the standard library's loggers, uvicorn's and Alembic's too, to one stream: standard error."""
    as_json = settings.log_format == "json" or (settings.log_format == "auto" and not sys.stderr.isatty())
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        add_request_id,
        hide_secrets,
    ]
    # Tracebacks never show local variables: those may hold credentials.
    renderers: list[Processor] = (
        [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
        if as_json
        else [structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
    )
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.stdlib.PositionalArgumentsFormatter(),
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.ExtraAdder(), drop_colours, *shared],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderers],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(settings.log_level.upper())
    for name in ("uvicorn", "uvicorn.error", "alembic"):
        logging.getLogger(name).handlers = []
        logging.getLogger(name).propagate = True
    # uvicorn's own access lines repeat query strings; the API writes its own line a request, without them.
    logging.getLogger("uvicorn.access").disabled = True
    for name in ("alembic", "httpx", "httpcore"):
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))


def add_request_id(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Add the current request's id, if there is a request."""
    if (current := request_id.get()) is not None:
        event.setdefault("request_id", current)
    return event


def drop_colours(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """uvicorn repeats its lines with colour codes in them, for another formatter than ours."""
    event.pop("color_message", None)
    return event


def hide_secrets(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Blank every field whose name says that it holds a secret; ids of such things stay."""
    for key in event:
        if any(word in key.lower() for word in SECRET_WORDS) and not key.endswith("_id"):
            event[key] = "[hidden]"
    return event

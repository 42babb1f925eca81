"""Rows to a web address, as JSON, some at a time. Each request carries a key, by which the receiver knows it again."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit, urlunsplit

import httpx
from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential_jitter

from bailiwick import __version__
from bailiwick.lakehouse.queries import results
from bailiwick.spark.destinations.jobs import ToWebhook
from bailiwick.spark.errors import SparkProblem
from bailiwick.spark.jobs import Context
from bailiwick.spark.words import how_many

SECONDS = 30.0
TRIES = 5
LONGEST_WAIT = 60.0
PASSING = {408, 425, 429, 500, 502, 503, 504}
BACK_OFF = wait_exponential_jitter(multiplier=0.5, max=LONGEST_WAIT, jitter=0.5)


class NotNow(Exception):
    """It may take it later."""

    def __init__(self, problem: str, after: float | None = None) -> None:
        super().__init__(problem)
        self.after = after


def send(target: ToWebhook, delivery: str, table: str, result: results.Result, context: Context) -> str:
    """One request after the other; a receiver that keeps the keys it has seen takes every row once."""
    names, sent, batch = result.names, 0, 0
    with _client(target) as client:
        while True:
            context.check()
            rows = results.page(result, sent, target.batch_rows)
            sent += len(rows)
            batch += 1
            message = {
                "delivery": delivery,
                "table": table,
                "batch": batch,
                "last": sent >= result.rows,
                "columns": result.columns,
                "rows": [dict(zip(names, row, strict=True)) for row in rows],
            }
            _post(client, target, message, f"{delivery}-{batch}")
            context.progress(rows_written=sent)
            if sent >= result.rows:
                return f"{how_many(sent, 'row')} sent in {how_many(batch, 'request')}"


def try_out(target: ToWebhook) -> str:
    """Knock without a message: any answer tells that somebody is there."""
    with _client(target) as client:
        try:
            answer = client.request("HEAD", _url(target))
        except httpx.HTTPError as error:
            message = f"There is no answer: {type(error).__name__}."
            raise SparkProblem("no_answer", message, "See that the address is right.") from None
    if answer.status_code in (401, 403):
        raise SparkProblem("sign_in_failed", f"It answers {answer.status_code}.", "Correct the secret.")
    return f"It answers ({answer.status_code})."


def _client(target: ToWebhook) -> httpx.Client:
    at = target.at
    headers = {**at.headers, "Host": urlsplit(at.url).netloc, "User-Agent": f"bailiwick {__version__}"}
    auth: Any = None
    if at.authentication == "bearer":
        headers["Authorization"] = f"Bearer {at.secret}"
    elif at.authentication == "header" and at.header:
        headers[at.header] = at.secret or ""
    elif at.authentication == "basic":
        auth = (at.user or "", at.secret or "")
    return httpx.Client(headers=headers, auth=auth, timeout=SECONDS, trust_env=False, follow_redirects=False)


def _url(target: ToWebhook) -> str:
    """The address that was looked at, whatever its name leads to by now."""
    parts = urlsplit(target.at.url)
    host = f"[{target.at.address}]" if ":" in target.at.address else target.at.address
    netloc = f"{host}:{parts.port}" if parts.port else host
    return urlunsplit((parts.scheme, netloc, parts.path or "/", parts.query, ""))


def _post(client: httpx.Client, target: ToWebhook, message: dict[str, Any], key: str) -> None:
    try:
        for attempt in Retrying(
            retry=retry_if_exception_type(NotNow), stop=stop_after_attempt(TRIES), wait=_wait, reraise=True
        ):
            with attempt:
                _post_once(client, target, message, key)
    except NotNow as error:
        raise SparkProblem(
            "not_taken", str(error), "The rest is sent again, with the same keys.", passing=True
        ) from None


def _post_once(client: httpx.Client, target: ToWebhook, message: dict[str, Any], key: str) -> None:
    host = urlsplit(target.at.url).hostname or ""
    try:
        answer = client.post(
            _url(target), json=message, headers={"Idempotency-Key": key}, extensions={"sni_hostname": host}
        )
    except httpx.HTTPError as error:
        raise NotNow(f"There was no answer: {type(error).__name__}.") from None
    if answer.is_success:
        return
    if answer.status_code in PASSING:
        after = answer.headers.get("Retry-After", "")
        raise NotNow(f"It answered {answer.status_code}.", float(after) if after.isdecimal() else None)
    fix = "See what the receiver expects, and whether the secret is right."
    raise SparkProblem("refused_rows", f"It answered {answer.status_code} and did not take the rows.", fix)


def _wait(state: RetryCallState) -> float:
    """As long as the receiver asks for, or longer each time."""
    error = state.outcome.exception() if state.outcome else None
    if isinstance(error, NotNow) and error.after is not None:
        return min(error.after, LONGEST_WAIT)
    return BACK_OFF(state)

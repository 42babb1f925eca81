"""JSON over HTTP: page after page, put into a file of one record a line."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx
from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential_jitter
from tenacity.wait import wait_base

from bailiwick.spark.errors import SparkProblem
from bailiwick.spark.sources.jobs import HttpAt, StreamJob

SECONDS = httpx.Timeout(60, connect=15)
TRIES = 5
LONGEST_WAIT = 120.0
MOST_PAGES = 100_000
LARGEST_PAGE = 100_000_000
BUSY = {408, 425, 429, 500, 502, 503, 504}
SHOWN = 200  # characters of an answer that is an error


class TryAgain(Exception):
    """The server is busy, or the connection broke."""

    def __init__(self, message: str, seconds: float | None = None) -> None:
        super().__init__(message)
        self.seconds = seconds


class AsTold(wait_base):
    """As long as the server asks for, or else longer each time."""

    own = wait_exponential_jitter(multiplier=0.5, max=30)

    def __call__(self, retry_state: Any) -> float:
        told = getattr(retry_state.outcome.exception(), "seconds", None)
        return min(LONGEST_WAIT, told) if told is not None else self.own(retry_state)


@dataclass(frozen=True)
class Staged:
    """Records in a file."""

    path: str
    records: int
    pages: int


class Api:
    """One server, by the address that was allowed for it; nothing it says leads us elsewhere."""

    def __init__(self, at: HttpAt, check: Callable[[], None] = lambda: None) -> None:
        self.at = at
        self.check = check
        self.origin = _origin(at.url)
        parts = urlsplit(at.url)
        self.host = parts.netloc
        self.name = parts.hostname or ""
        headers = {"User-Agent": "bailiwick", "Accept": "application/json", **at.headers}
        auth: httpx.Auth | None = None
        if at.authentication == "basic":
            auth = httpx.BasicAuth(at.user or "", at.secret or "")
        elif at.authentication == "bearer":
            headers["Authorization"] = f"Bearer {at.secret or ''}"
        elif at.authentication == "header" and at.header:
            headers[at.header] = at.secret or ""
        self._client = httpx.Client(headers=headers, auth=auth, timeout=SECONDS, trust_env=False)

    def __enter__(self) -> Api:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def get(self, url: str, query: Mapping[str, Any]) -> tuple[Any, httpx.Response]:
        """An answer, decoded; asked for again while the server is busy."""
        if _origin(url) != self.origin:
            message = f"The server's answer leads to {urlsplit(url).netloc}, which is another server."
            raise SparkProblem("leads_elsewhere", message, "Make a source of its own for that server.")
        tries = Retrying(
            retry=retry_if_exception_type(TryAgain), stop=stop_after_attempt(TRIES), wait=AsTold(), sleep=self._sleep
        )
        try:
            return tries(self._once, url, query)
        except Exception as error:
            cause = getattr(error, "last_attempt", None)
            last = cause.exception() if cause else error
            if isinstance(last, TryAgain):
                fix = "See that the server answers, and run it again."
                raise SparkProblem("connection_lost", str(last), fix, passing=True) from None
            raise

    def _once(self, url: str, query: Mapping[str, Any]) -> tuple[Any, httpx.Response]:
        self.check()
        parts = urlsplit(url)
        pinned = f"[{self.at.address}]" if ":" in self.at.address else self.at.address
        port = f":{parts.port}" if parts.port else ""
        target = httpx.URL(parts._replace(netloc=f"{pinned}{port}").geturl())
        if query:
            target = target.copy_merge_params(dict(query))
        extensions = {"sni_hostname": self.name} if parts.scheme == "https" else {}
        request = self._client.build_request("GET", target, headers={"Host": self.host}, extensions=extensions)
        try:
            answer = self._client.send(request, stream=True)
            try:
                body = _body(answer)
            finally:
                answer.close()
        except httpx.TransportError as error:
            raise TryAgain(f"{self.name} cannot be reached, or broke off: {type(error).__name__}.") from None
        if answer.status_code in BUSY:
            raise TryAgain(f"{self.name} answered {answer.status_code}.", _retry_after(answer))
        if answer.status_code in (401, 403):
            message = f"{self.name} does not let us in: it answered {answer.status_code}."
            raise SparkProblem("sign_in_failed", message, "Correct the secret and the way of authentication.")
        if not answer.is_success:
            said = body[:SHOWN].decode(errors="replace").strip()
            message = f"{self.name} answered {answer.status_code} to {parts.path}: {said}"
            raise SparkProblem("http_error", message, "Correct the path and the parameters.")
        try:
            return json.loads(body), answer
        except ValueError:
            message = f"What {self.name} answered to {parts.path} is no JSON."
            raise SparkProblem("not_json", message, "Correct the path, or ask for JSON by a header.") from None

    def _sleep(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.check()
            time.sleep(min(left, 0.5))


def pages(api: Api, stream: StreamJob, since: str | None = None) -> Iterator[list[Any]]:
    """The records of each page, until there are no more."""
    read = stream.read
    how: Mapping[str, Any] = read.get("pagination") or {"kind": "none"}
    kind = how["kind"]
    url = f"{api.at.url.rstrip('/')}/{read.get('path', '').lstrip('/')}" if read.get("path") else api.at.url
    query: dict[str, Any] = dict(read.get("query") or {})
    if since is not None and read.get("since_parameter"):
        query[read["since_parameter"]] = since
    size = int(how.get("size", 100))
    if kind != "none" and how.get("size_parameter"):
        query[how["size_parameter"]] = size
    parameter = how.get("parameter") or {"page": "page", "offset": "offset", "cursor": "cursor"}.get(kind, "")
    at = int(how.get("first", 1)) if kind == "page" else 0
    seen: set[str] = set()
    for _ in range(MOST_PAGES):
        if kind in ("page", "offset"):
            query[parameter] = at
        answer, response = api.get(url, query)
        records = _records(answer, read.get("records", ""))
        yield records
        if kind == "none" or (kind in ("page", "offset") and not records):
            return
        if kind == "page":
            at += 1
        elif kind == "offset":
            at += len(records)
        else:
            following = _next_link(response) if kind == "link" else _at(answer, how["cursor_path"])
            if following in (None, "", False):
                return
            if str(following) in seen:
                message = f"The pages of {stream.name} go in a circle: the same next page came twice."
                raise SparkProblem("pages_in_a_circle", message, "Correct how its pages are asked for.")
            seen.add(str(following))
            if kind == "link" or str(following).startswith(("http://", "https://")):
                url, query = urljoin(url, str(following)), {}
            else:
                query[parameter] = following
    raise SparkProblem("too_many_pages", f"{stream.name} has more than {MOST_PAGES} pages.", "Ask for larger pages.")


def staged(api: Api, stream: StreamJob, folder: Path, since: str | None) -> Staged:
    """All records, one a line."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "records.jsonl"
    records = count = size = 0
    with path.open("w", encoding="utf-8") as file:
        for page in pages(api, stream, since):
            count += 1
            records += len(page)
            for record in page:
                size += file.write(as_line(record) + "\n")
            if size > api.at.most_bytes:
                message = f"{stream.name} is larger than {api.at.most_bytes // 1_000_000} MB."
                raise SparkProblem("too_large", message, "Raise most_megabytes of the source, or read incrementally.")
    return Staged(str(path), records, count)


def as_line(record: Any) -> str:
    return json.dumps(record, ensure_ascii=False)


def _body(answer: httpx.Response) -> bytes:
    body = bytearray()
    for chunk in answer.iter_bytes():
        body += chunk
        if len(body) > LARGEST_PAGE:
            message = f"An answer is larger than {LARGEST_PAGE // 1_000_000} MB."
            raise SparkProblem("too_large", message, "Ask for smaller pages.")
    return bytes(body)


def _records(answer: Any, path: str) -> list[Any]:
    found = _at(answer, path)
    if found is None:
        return []
    if isinstance(found, list):
        return found
    if isinstance(found, dict):
        return [found]
    message = f"There is no list of records at {path or 'the top of the answer'}."
    raise SparkProblem("no_records", message, "Say where the records stand in the answer, such as data.items.")


def _at(answer: Any, path: str) -> Any:
    for part in path.split(".") if path else ():
        answer = answer.get(part) if isinstance(answer, dict) else None
    return answer


def _next_link(response: httpx.Response) -> str | None:
    return response.links.get("next", {}).get("url")


def _retry_after(answer: httpx.Response) -> float | None:
    told = answer.headers.get("Retry-After", "")
    if told.isdigit():
        return float(told)
    try:
        return max(0.0, parsedate_to_datetime(told).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _origin(url: str) -> tuple[str, str, int | None]:
    parts = urlsplit(url)
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    return parts.scheme, (parts.hostname or "").lower(), port

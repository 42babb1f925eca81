"""The API as the command line calls it: answers as they come, errors as failures with words."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from bailiwick import __version__
from bailiwick.cli.failures import Failure, Problem
from bailiwick.cli.output import progress, waiting

if TYPE_CHECKING:
    import httpx

PREFIX = "/api/v1"
PAGE = 200
PIECE = 1024 * 1024
SECONDS = 60.0


class Client:
    """One server, called as whoever the secret belongs to."""

    def __init__(self, server: str, secret: str | None = None, view_as: str | None = None) -> None:
        # Imported when first needed: it takes as long to load as the whole command line.
        import httpx

        self.server = server.rstrip("/")
        headers = {"User-Agent": f"bailiwick {__version__}", "Accept": "application/json"}
        self._signed_in = bool(secret)
        if secret:
            headers["Authorization"] = f"Bearer {secret}"
        if view_as:
            headers["X-View-As"] = view_as
        self._http = httpx.Client(
            base_url=self.server, headers=headers, timeout=SECONDS, trust_env=not is_this_computer(self.server)
        )

    def get(self, path: str, **query: Any) -> Any:
        return self.call("GET", path, query=query)

    def post(self, path: str, body: object = None, **how: Any) -> Any:
        return self.call("POST", path, body, **how)

    def put(self, path: str, body: object = None, **how: Any) -> Any:
        return self.call("PUT", path, body, **how)

    def patch(self, path: str, body: object = None, **how: Any) -> Any:
        return self.call("PATCH", path, body, **how)

    def delete(self, path: str, **how: Any) -> Any:
        return self.call("DELETE", path, **how)

    def call(
        self,
        method: str,
        path: str,
        body: object = None,
        query: Mapping[str, Any] | None = None,
        version: int | None = None,
    ) -> Any:
        """The decoded answer of `/api/v1` + path; what is None in the query is left out."""
        import httpx

        given = {name: _plain(value) for name, value in (query or {}).items() if value is not None}
        headers = {} if version is None else {"If-Match": f'"{version}"'}
        try:
            with waiting(f"Waiting for {self.server} …"):
                answer = self._http.request(
                    method, PREFIX + path, params=given, json=body, headers=headers, follow_redirects=False
                )
        except httpx.ConnectError:
            start = "Start it with: bailiwick up" if is_this_computer(self.server) else "Is the address right?"
            raise Failure(f"No answer from {self.server}.", start, "No answer") from None
        except httpx.TimeoutException:
            raise Failure(f"{self.server} did not answer in time.", "Try again.", "No answer") from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise Failure(f"{self.server} cannot be reached: {error}", title="No answer") from None
        if not answer.is_success:
            raise self._problem(answer)
        if not answer.content:
            return None
        return self._decoded(answer)

    def upload(self, path: str, source: Path, **query: Any) -> Any:
        """A file, sent as a stream; the decoded answer."""
        import httpx

        given = {name: _plain(value) for name, value in query.items() if value is not None}
        size = source.stat().st_size

        def pieces(tell: Callable[[int, int], None]) -> Iterator[bytes]:
            with source.open("rb") as file:
                while piece := file.read(PIECE):
                    yield piece
                    tell(file.tell(), size)

        try:
            with progress(f"Sending {source.name}") as tell:
                headers = {"Content-Type": "application/octet-stream", "Content-Length": str(size)}
                answer = self._http.put(
                    PREFIX + path, params=given, content=pieces(tell), headers=headers, follow_redirects=False
                )
        except httpx.HTTPError as error:
            raise Failure(f"{self.server} stopped listening: {error}", "Try again.", "No answer") from None
        if not answer.is_success:
            raise self._problem(answer)
        return self._decoded(answer)

    def pages(
        self,
        path: str,
        most: int | None,
        cursor: str | None = None,
        body: Mapping[str, Any] | None = None,
        **query: Any,
    ) -> dict[str, Any]:
        """The items of a list, over as many pages as it takes; with `most` None, all of them. With a body, by POST."""
        items: list[Any] = []
        while True:
            size = PAGE if most is None else min(PAGE, most - len(items))
            where = {"limit": size, **({"cursor": cursor} if cursor else {})}
            page = self.get(path, **where, **query) if body is None else self.post(path, {**body, **where})
            items += page["items"]
            cursor = page.get("next_cursor")
            if cursor is None or (most is not None and len(items) >= most):
                return {**page, "items": items, "next_cursor": cursor}

    def events(self, path: str, last: str | None = None) -> Iterator[tuple[str, str, Any]]:
        """Events as they come, each with its name, id and data, until the server or the line says that it is over."""
        import httpx

        headers = {"Accept": "text/event-stream", **({"Last-Event-ID": last} if last else {})}
        try:
            with self._http.stream("GET", PREFIX + path, headers=headers, follow_redirects=False) as answer:
                if not answer.is_success:
                    answer.read()
                    raise self._problem(answer)
                fields: dict[str, str] = {}
                for line in answer.iter_lines():
                    name, _, value = line.partition(": ")
                    if name:
                        fields[name] = value
                    elif "data" in fields:
                        yield fields.get("event", ""), fields.get("id", ""), json.loads(fields["data"])
                        fields = {}
        except (httpx.HTTPError, ValueError) as error:
            raise Failure(f"{self.server} stopped telling: {error}", "Try again.", "No answer") from None

    def download(self, path: str, to: Path, **query: Any) -> None:
        """What the server sends, into a file: whole, or not at all."""
        import httpx

        given = {name: _plain(value) for name, value in query.items() if value is not None}
        draft = to.with_name(f".{to.name}.part")
        try:
            with self._http.stream("GET", PREFIX + path, params=given, follow_redirects=False) as answer:
                if not answer.is_success:
                    answer.read()
                    raise self._problem(answer)
                with waiting(f"Writing {to} …"), draft.open("wb") as file:
                    for block in answer.iter_bytes():
                        file.write(block)
            draft.replace(to)
        except httpx.HTTPError as error:
            raise Failure(f"{self.server} stopped sending: {error}", "Try again.", "No answer") from None
        finally:
            draft.unlink(missing_ok=True)

    def close(self) -> None:
        self._http.close()

    def _decoded(self, answer: httpx.Response) -> Any:
        try:
            return answer.json()
        except ValueError:
            raise Failure(
                f"{self.server} answered, and not as Bailiwick does.", "Is the address right?", "No Bailiwick"
            ) from None

    def _problem(self, answer: httpx.Response) -> Failure:
        if not answer.headers.get("Content-Type", "").startswith("application/problem+json"):
            return Failure(
                f"{self.server} answered {answer.status_code} {answer.reason_phrase}, and not as Bailiwick does.",
                "Is the address right?",
                "No Bailiwick",
            )
        hints = {
            401: "Sign in with: bailiwick login" if self._signed_in else "Forgotten it? bailiwick login --forgot",
            429: _wait(answer),
            503: "The server runs, its database does not.",
        }
        return Problem(self._decoded(answer), hints.get(answer.status_code, ""))


def is_this_computer(server: str) -> bool:
    """Whether the address leads back here, past any proxy."""
    host = urlsplit(server).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _plain(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _wait(answer: httpx.Response) -> str:
    seconds = answer.headers.get("Retry-After", "")
    return f"It takes at most {-(-int(seconds) // 60)} minutes." if seconds.isdigit() else ""

"""Telling a web address: one JSON message, to the address that was looked at and no other."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

import httpx

from bailiwick import __version__
from bailiwick.notify.addresses import AddressRefused, refuse_private
from bailiwick.settings import Settings

SECONDS = 10.0


class NotTold(Exception):
    """It did not arrive. `final` when no later try would change that; the message never holds the address's secret."""

    def __init__(self, problem: str, *, final: bool = False) -> None:
        super().__init__(problem)
        self.final = final


def post(url: str, message: dict[str, Any], settings: Settings) -> None:
    """Send it. Redirects are not followed, and no proxy of the environment stands between."""
    try:
        place = refuse_private(url, settings)
    except AddressRefused as error:
        raise NotTold(str(error)) from None
    parts = urlsplit(url)
    headers = {"Host": parts.netloc.rpartition("@")[2], "User-Agent": f"bailiwick {__version__}"}
    sign_in = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
    try:
        with httpx.Client(auth=sign_in, timeout=SECONDS, trust_env=False, follow_redirects=False) as client:
            answer = client.post(
                urlunsplit((parts.scheme, place.netloc, parts.path or "/", parts.query, "")),
                json=message,
                headers=headers,
                extensions={"sni_hostname": place.host},
            )
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise NotTold(f"No answer: {type(error).__name__}.") from None
    if not answer.is_success:
        gone = answer.status_code in (400, 401, 403, 404, 405, 410)
        raise NotTold(f"It answered {answer.status_code}.", final=gone)

"""The web app's pages and files, as `make` built them into `bailiwick/web`, under a strict content security policy.

Any address that is not the API's is one of the app's own: it gets the one page, and the app shows what is there."""

from __future__ import annotations

import secrets
from pathlib import Path

from fastapi import HTTPException, Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from starlette.concurrency import run_in_threadpool
from starlette.types import Receive, Scope, Send

import bailiwick
from bailiwick.tenancy.calling import COOKIE

BUILT = Path(bailiwick.__file__).parent / "web"
PAGE = "index.html"
# These stand in the built page: a fresh nonce goes into each answer, and whether a session may be there.
NONCE, SIGNED_IN = "__NONCE__", "__SIGNED_IN__"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
OF_PROGRAMS = ("api/", "access/v1/", ".well-known/")
NAMED_BY_CONTENT = "assets/"
FOR_EVER = "public, max-age=31536000, immutable"
NOT_BUILT = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Bailiwick</title>
<h1>Bailiwick is running</h1>
<p>Its pages were not built here; <code>make</code> builds them. Meanwhile it is used on the command line and over its
API. If a link brought you here, copy the whole address of this page and sign in, join, or set a new password with it;
the link works once:</p>
<pre>bailiwick login --link '…'</pre>
<p>Everything else is in <code>bailiwick --help</code>, and the API describes itself in
<a href="{root}/api/v1/openapi.json">openapi.json</a>.</p>
</html>
"""


async def serve(scope: Scope, receive: Receive, send: Send) -> None:
    """What is asked for where the API has no route."""
    request = Request(scope)
    path = scope["path"].removeprefix(scope.get("root_path", "")).lstrip("/")
    if request.method not in ("GET", "HEAD") or path.startswith(OF_PROGRAMS):
        raise HTTPException(404, "There is no such address. See /api/v1/openapi.json.")
    answer = await run_in_threadpool(_answer, request, path)
    await answer(scope, receive, send)


def _answer(request: Request, path: str) -> Response:
    file = _built_file(path)
    if file is not None:
        return FileResponse(
            file, headers={"Cache-Control": FOR_EVER if path.startswith(NAMED_BY_CONTENT) else "no-cache"}
        )
    if path.startswith(NAMED_BY_CONTENT):
        raise HTTPException(404, "There is no such file. Load the page again: it may be a newer one.")
    nonce = secrets.token_urlsafe(18)
    headers = {"Content-Security-Policy": POLICY.format(nonce=nonce), "Cache-Control": "no-store"}
    page = BUILT / PAGE
    if not page.is_file():
        return HTMLResponse(NOT_BUILT.format(root=request.scope.get("root_path", "")), headers=headers)
    signed_in = "yes" if COOKIE in request.cookies else "no"
    return HTMLResponse(page.read_text().replace(NONCE, nonce).replace(SIGNED_IN, signed_in), headers=headers)


def _built_file(path: str) -> Path | None:
    if "\0" in path or path in ("", PAGE):
        return None
    try:
        file = (BUILT / path).resolve()
        return file if file.is_relative_to(BUILT) and file.is_file() else None
    except OSError:  # a name longer than any file's
        return None

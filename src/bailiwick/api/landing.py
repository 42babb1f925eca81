"""What a browser finds: that the platform runs, and how to use the link that led here on the command line."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

router = APIRouter(include_in_schema=False)

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Bailiwick</title>
<h1>Bailiwick is running</h1>
<p>It is used on the command line and over its API. If a link brought you here, copy the whole address of this page
and sign in, join, or set a new password with it; the link works once:</p>
<pre>bailiwick login --link '…'</pre>
<p>Everything else is in <code>bailiwick --help</code>, and the API describes itself in
<a href="{root}/api/v1/openapi.json">openapi.json</a>.</p>
</html>
"""


@router.get("/")
@router.get("/sign-in")
@router.get("/join")
@router.get("/reset-password")
def land(request: Request) -> HTMLResponse:
    csp = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    return HTMLResponse(PAGE.format(root=request.scope.get("root_path", "")), headers={"Content-Security-Policy": csp})

"""`bailiwick login` and what belongs to yourself: signing out, who you are, your profile and password."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urldefrag

import typer

from bailiwick.cli.client import Client, is_this_computer
from bailiwick.cli.command import TOKEN_VARIABLE, Here, Yes, command
from bailiwick.cli.failures import Failure, Problem
from bailiwick.cli.output import Columns, print_json

PAGES = ("/join", "/sign-in", "/reset-password")
ME: Columns = {
    "Name": "name",
    "E-mail": "email",
    "Tenant": lambda me: f"{me['tenant']['name']} (plan {me['tenant']['plan']})",
    "Tenant role": "tenant_role",
    "Security roles": "security_roles",
    "Groups": "groups",
    "Time zone": "time_zone",
}


def add_to(app: typer.Typer, panel: str) -> None:
    @command(
        app,
        "login",
        routes=[
            "POST /api/v1/session",
            "POST /api/v1/links",
            "POST /api/v1/links/look",
            "POST /api/v1/links/sign-in",
            "POST /api/v1/links/join",
            "POST /api/v1/links/reset-password",
        ],
        examples=[
            "bailiwick login --email ada@example.com",
            "bailiwick login --link 'http://127.0.0.1:8765/join#bwl_…'",
            "bailiwick login --server https://data.example.com --token",
            "bailiwick login --email ada@example.com --forgot",
        ],
        panel=panel,
    )
    def login(
        here: Here,
        email: Annotated[str | None, typer.Option(help="Your e-mail address.")] = None,
        link: Annotated[str | None, typer.Option(help="A link you were given: to join, to sign in, to reset.")] = None,
        token: Annotated[bool, typer.Option("--token", help="Sign in with an API token, which is asked for.")] = False,
        send_link: Annotated[
            bool, typer.Option("--send-link", help="Have a link to sign in sent to your address.")
        ] = False,
        forgot: Annotated[
            bool, typer.Option("--forgot", help="Have a link to set a new password sent to your address.")
        ] = False,
        yes: Yes = False,
    ) -> None:
        """Sign in by password, link or token, and stay signed in on this computer.

        Passwords and tokens are asked for, or read from a pipe: they are never typed into the command itself.
        The session is kept in a file that only you may read. Programs set BAILIWICK_SERVER and BAILIWICK_TOKEN."""
        if link is not None:
            page, secret = urldefrag(link)
            server = here.named or _server_of(page) or here.server
            signed_in = _by_link(here, here.connect(server), secret or link, yes)
        else:
            server = here.server
            _warn_of_plain_http(server)
            if token:
                signed_in = {"secret": here.secret("Token")}
            else:
                email = email or str(typer.prompt("E-mail", err=True))
                if send_link or forgot:
                    body = {"email": email, "purpose": "reset_password" if forgot else "sign_in"}
                    answer = here.connect(server).post("/links", body)
                    here.done(answer, f"{answer['detail']} Then: bailiwick login --link '…'")
                    return
                body = {"email": email, "password": here.secret("Password"), "as": "bearer"}
                signed_in = here.connect(server).post("/session", body)
        me = here.connect(server, signed_in["secret"]).get("/me")
        kept = {key: me[key] for key in ("id", "name", "email", "time_zone")}
        here.logins.sign_in(server, {**kept, "secret": signed_in["secret"], "by_token": token})
        here.done({"server": server, **kept}, f"You are signed in to {server} as {me['name']} ({me['email']}).")
        if os.environ.get(TOKEN_VARIABLE):
            here.say(f"But {TOKEN_VARIABLE} is set in the environment, and goes before: unset it.")

    @command(
        app,
        "logout",
        routes=["DELETE /api/v1/session"],
        examples=["bailiwick logout", "bailiwick logout --server https://data.example.com"],
        panel=panel,
    )
    def logout(here: Here) -> None:
        """Sign out: the session ends on the server and is forgotten here."""
        kept = here.login
        if not kept:
            raise Failure(f"You are not signed in to {here.server}.", title="Not signed in")
        try:
            if not kept.get("by_token"):
                here.connect(here.server, kept["secret"]).delete("/session")
        except Problem as problem:
            if problem.status != 401:  # It has ended already.
                raise
        here.logins.sign_out(here.server)
        here.done(None, f"You are signed out of {here.server}.")

    @command(
        app,
        "servers",
        examples=["bailiwick servers", "bailiwick servers --use https://data.example.com"],
        panel=panel,
    )
    def servers(
        here: Here,
        use: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Call this one from now on.")] = None,
    ) -> None:
        """List the servers you are signed in to, and choose the one that is called."""
        if use is not None:
            if use.rstrip("/") not in here.logins.servers:
                raise Failure(f"You are not signed in to {use}.", f"Sign in with: bailiwick login --server {use}")
            here.logins.current = use.rstrip("/")
            here.logins.save()
        found = [
            {"server": server, "email": kept.get("email"), "current": server == here.logins.current}
            for server, kept in here.logins.servers.items()
        ]
        if here.as_json:
            print_json({"items": found})
            return
        columns: Columns = {"Server": "server", "As": "email", "Called": "current"}
        here.rows(found, columns, "You are signed in nowhere. Sign in with: bailiwick login")

    @command(
        app,
        "whoami",
        routes=["GET /api/v1/session"],
        examples=["bailiwick whoami", "bailiwick whoami --json"],
        panel=panel,
    )
    def whoami(here: Here) -> None:
        """Say who you are, on which server, and through which session or token."""
        answer = here.client.get("/session")
        answer.pop("csrf_token", None)
        columns: Columns = {
            "Name": "name",
            "E-mail": "email",
            "Server": lambda _: here.server,
            "Through": lambda me: f"the token {me['token']['name']}" if me["token"] else "a session",
        }
        here.show({**answer, "server": here.server}, columns)

    @command(
        app,
        "profile",
        routes=["GET /api/v1/me", "PATCH /api/v1/me"],
        examples=[
            "bailiwick profile",
            "bailiwick profile --time-zone Europe/Berlin",
            "bailiwick profile --name 'Ada King'",
        ],
        panel=panel,
    )
    def profile(
        here: Here,
        name: Annotated[str | None, typer.Option(help="Your new name.")] = None,
        time_zone: Annotated[str | None, typer.Option(help="Your time zone, like Europe/Berlin.")] = None,
    ) -> None:
        """See your roles, groups and what you may do, or change your name and time zone."""
        changes = {key: value for key, value in (("name", name), ("time_zone", time_zone)) if value is not None}
        me = here.client.patch("/me", changes) if changes else here.me
        if changes and here.server in here.logins.servers:
            kept = here.logins.servers[here.server]
            kept.update({key: me[key] for key in ("name", "time_zone")})
            here.logins.save()
        may = list(dict.fromkeys([*me["actions"], *me["tenant"]["actions"]]))
        here.show(me if here.as_json else {**me, "actions": may}, ME)

    @command(
        app,
        "password",
        routes=["POST /api/v1/me/password"],
        examples=["bailiwick password"],
        panel=panel,
    )
    def password(here: Here) -> None:
        """Change your password; every other session of yours ends."""
        old = here.secret("Your password now")
        new = here.secret("Your new password", twice=True)
        answer = here.client.post("/me/password", {"old_password": old, "new_password": new})
        here.done(answer, "Your password is changed, and your other sessions have ended.")


def _by_link(here: Here, client: Client, secret: str, yes: bool) -> Mapping[str, Any]:
    """Use a link up, after saying whose it is and what it does."""
    _warn_of_plain_http(client.server)
    found = client.post("/links/look", {"secret": secret})
    whose = f"{found['name']} ({found['email']})"
    body: dict[str, Any] = {"secret": secret, "as": "bearer"}
    if found["purpose"] == "sign_in":
        here.confirm(f"Sign in as {whose}? The link works once.", yes)
        return _mapping(client.post("/links/sign-in", body))
    if found["purpose"] == "reset_password":
        typer.echo(f"Setting a new password for {whose}.", err=True)
        body["password"] = here.secret("New password", twice=True)
        return _mapping(client.post("/links/reset-password", body))
    typer.echo(f"Welcome, {whose}. Choose a password of 12 characters or more.", err=True)
    body["password"] = here.secret("Password", twice=True)
    if (zone := time_zone_here()) is not None:
        body["time_zone"] = zone
    return _mapping(client.post("/links/join", body))


def time_zone_here() -> str | None:
    """The name of this computer's time zone, where it can be told."""
    from zoneinfo import available_timezones

    _, _, linked = str(Path("/etc/localtime").resolve()).partition("/zoneinfo/")
    name = os.environ.get("TZ") or linked
    return name if name in available_timezones() else None


def _server_of(page: str) -> str | None:
    """The server a link leads to."""
    ending = next((ending for ending in PAGES if page.endswith(ending)), None)
    return page.removesuffix(ending) if ending else None


def _warn_of_plain_http(server: str) -> None:
    if server.startswith("http://") and not is_this_computer(server):
        typer.echo(f"Warning: {server} is not encrypted; what you type can be read on the way.", err=True)


def _mapping(answer: Any) -> Mapping[str, Any]:
    assert isinstance(answer, dict)
    return answer

"""A platform that answers over a real socket, and people who sit at terminals before it."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import structlog
import uvicorn
from typer import testing
from typer.testing import CliRunner, Result

from bailiwick.cli.main import app
from bailiwick.database.engine import Database
from bailiwick.settings import Settings, load_settings
from bailiwick.tenancy.models import Member
from tests import people

PASSWORD = "four words in a row"
# Made once: two hundred commands take a tenth of a second, at every call.
testing._get_command = as_click = cache(testing._get_command)  # type: ignore[attr-defined]


@dataclass
class Terminal:
    """Where somebody types commands; what they are signed in to is kept in a folder of their own."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)

    def run(self, *arguments: str, typed: str | None = None) -> Result:
        """Run a command, whatever comes of it."""
        env = {"XDG_CONFIG_HOME": str(self.folder), **self.environment}
        return CliRunner().invoke(app, list(arguments), input=typed, env=env, prog_name="bailiwick")

    def __call__(self, *arguments: str, typed: str | None = None) -> str:
        """Run a command that works; what it prints."""
        result = self.run(*arguments, typed=typed)
        assert result.exit_code == 0, result.output
        return result.stdout

    def json(self, *arguments: str, typed: str | None = None) -> Any:
        """Run a command that works, for a program; its answer."""
        return json.loads(self(*arguments, "--json", typed=typed))

    def refused(self, *arguments: str, typed: str | None = None, code: int = 1) -> str:
        """Run a command that does not work; what it says."""
        result = self.run(*arguments, typed=typed)
        assert result.exit_code == code, result.output
        assert "Traceback" not in result.output
        return result.stderr

    def problem(self, *arguments: str, typed: str | None = None, code: int = 1) -> Any:
        """Run a command that does not work, for a program; the problem on standard error, and nothing else."""
        result = self.run(*arguments, "--json", typed=typed)
        assert (result.exit_code, result.stdout) == (code, "")
        return json.loads(result.stderr)


@dataclass
class Platform:
    """A running API, and a way to sit down before it as somebody."""

    address: str
    settings: Settings
    database: Database
    folder: Path

    def terminal(self, name: str = "somebody") -> Terminal:
        return Terminal(self.folder / name, {"BAILIWICK_SERVER": self.address})

    def member(self, name: str, role: str = "none", **more: Any) -> Terminal:
        """A new member of this name, signed in at their terminal."""
        with self.database.session() as session:
            member = people.make_member(session, name, role=role, **more)
        return self.signed_in(member)

    def signed_in(self, member: Member) -> Terminal:
        with self.database.session() as session:
            _, secret = people.make_session(session, member)
        terminal = self.terminal(str(member.id))
        kept = {"secret": secret, "email": member.email, "time_zone": member.time_zone}
        file = terminal.folder / "bailiwick" / "logins.json"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps({"current": self.address, "servers": {self.address: kept}}))
        return terminal


@contextmanager
def serving(database: Database, folder: Path) -> Iterator[Platform]:
    """The API over this database, on a port of its own, in a thread."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        url = database.engine.url.set(drivername=database.engine.url.get_backend_name())
        settings = load_settings(
            home=folder / "home", port=port, database_url=url.render_as_string(hide_password=False)
        )
        with database.session() as session:
            people.make_tenant(session)
        # What the server logs must not get into what a command prints.
        structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
        config = uvicorn.Config(people.make_app(settings, database), log_config=None, access_log=False)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            end = time.monotonic() + 30
            while not server.started:
                assert thread.is_alive()
                assert time.monotonic() < end
                time.sleep(0.01)
            yield Platform(f"http://127.0.0.1:{port}", settings, database, folder)
        finally:
            server.should_exit = True
            thread.join(20)
            structlog.reset_defaults()
            assert not thread.is_alive()

"""Where the command line is signed in: one session a server, in a file that only its owner may read."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FILE_NAME = "logins.json"


@dataclass
class Logins:
    """The saved sessions by server, and the server that is meant when none is named."""

    current: str | None = None
    servers: dict[str, dict[str, Any]] = field(default_factory=dict)

    def save(self) -> None:
        """Write the file whole under another name first, so that it is never half there."""
        path = file()
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.parent.chmod(0o700)
        draft = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w") as stream:
                json.dump({"current": self.current, "servers": self.servers}, stream, indent=2)
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)

    def sign_in(self, server: str, login: Mapping[str, Any]) -> None:
        self.servers[server] = dict(login)
        self.current = server
        self.save()

    def sign_out(self, server: str) -> None:
        self.servers.pop(server, None)
        if self.current == server:
            self.current = next(iter(self.servers), None)
        self.save()


def file() -> Path:
    folder = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    return Path(folder).expanduser() / "bailiwick" / FILE_NAME


def read() -> Logins:
    """The saved sessions; a file that cannot be understood counts as none."""
    try:
        saved = json.loads(file().read_text())
        return Logins(saved.get("current"), dict(saved.get("servers") or {}))
    except (OSError, ValueError, AttributeError, TypeError):
        return Logins()

"""The API as it is, with one more route beside it: the same page of members for anybody, asked nothing.

`python -m tests.bench.server home database-url` prints its port when it is ready."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import uvicorn
from fastapi import FastAPI, Request

from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.api.app import create_app
from bailiwick.database.engine import Database, open_database
from bailiwick.database.listing import page_by_name
from bailiwick.database.paging import Page
from bailiwick.logs import configure_logs
from bailiwick.settings import load_settings
from bailiwick.tenancy.directory import SeenMember
from bailiwick.tenancy.listing import Cursor, Limit
from bailiwick.tenancy.models import Member, MemberState
from bailiwick.tenancy.schemas.members import MembersOut

GUARDED, BARE = "/api/v1/members", "/bare/members"
SOME_ACTIONS = tuple(RESOURCE_TYPES["member"].by_slug)  # so that the answer is as long


def main(home: Path, database_url: str) -> None:
    settings = load_settings(home=home, database_url=database_url, log_format="json")
    configure_logs(settings)
    app = create_app(settings, open_database(settings))
    add_bare_route(app)
    listener = socket.create_server(("127.0.0.1", 0))
    # asyncio does so only for sockets that name their protocol; without it every answer waits 40 ms for the client.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sys.stdout.write(f"{listener.getsockname()[1]}\n")
    sys.stdout.flush()
    uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, server_header=False)).run([listener])


def add_bare_route(app: FastAPI) -> None:
    @app.get(BARE)
    def list_members(request: Request, cursor: Cursor = None, limit: Limit = 50) -> MembersOut:
        database: Database = request.app.state.database
        with database.read() as session:
            page = page_by_name(session, Member, cursor, limit, Member.state != MemberState.REMOVED)
            seen = [SeenMember(member, SOME_ACTIONS) for member in page.items]
            return MembersOut.of(Page(seen, page.next_cursor))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])

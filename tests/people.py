"""Made-up people for the tests, and the API as each of them sees it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from anyio.from_thread import start_blocking_portal
from argon2 import PasswordHasher
from fastapi import FastAPI
from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.routing import BaseRoute

from bailiwick.api.app import create_app
from bailiwick.database.base import new_id, utc_now
from bailiwick.database.engine import Database
from bailiwick.notify.models import OutgoingEmail
from bailiwick.projects.models import Project, ProjectGrant
from bailiwick.projects.service import new_project
from bailiwick.settings import Settings, load_settings
from bailiwick.tenancy import passwords, secrets
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.calling import COOKIE, CSRF_HEADER
from bailiwick.tenancy.models import (
    ApiToken,
    Group,
    GroupMembership,
    Member,
    MemberState,
    SignInSession,
    Tenant,
)

with warnings.catch_warnings():
    # It asks for the successor of httpx, which the tests do not need.
    warnings.simplefilter("ignore")
    from fastapi.testclient import TestClient as TestClient

SignInAs = Callable[..., TestClient]
ROUTES: list[BaseRoute] = []


# Builders: each adds rows to the session it is given and flushes, so that ids and versions are known -----------------


def make_tenant(session: Session, plan: str = "growth") -> Tenant:
    """The one tenant, made when first asked for."""
    tenant = session.get(Tenant, 1)
    if tenant is None:
        tenant = Tenant(id=1, name="Northwind", plan=plan)
        session.add(tenant)
        session.flush()
    session.info["tenant"] = tenant  # or else it is forgotten, and read again for every member that is made
    return tenant


def make_member(
    session: Session,
    name: str = "",
    *,
    role: str = "none",
    state: str = MemberState.ACTIVE,
    email: str | None = None,
    data_admin: bool = False,
    data_space_creator: bool = False,
    password_hash: str | None = None,
    time_zone: str = "UTC",
    invited_by: Member | None = None,
) -> Member:
    """A member with this tenant role; without a name, one that nobody else has."""
    make_tenant(session)
    id_ = new_id()
    name = name or f"Member {id_.hex[-8:]}"
    member = Member(
        id=id_,
        name=name,
        email=email or f"{name.lower().replace(' ', '.')}@example.com",
        state=state,
        tenant_role=role,
        data_admin=data_admin,
        data_space_creator=data_space_creator,
        password_hash=password_hash,
        time_zone=time_zone,
        invited_by_id=invited_by.id if invited_by else None,
        joined_at=utc_now() if state in (MemberState.ACTIVE, MemberState.SUSPENDED) else None,
    )
    session.add(member)
    session.flush()
    return member


def make_group(session: Session, name: str, *members: Member) -> Group:
    """A group with these members in it."""
    group = Group(id=new_id(), name=name)
    session.add(group)
    session.flush()
    session.add_all(GroupMembership(group_id=group.id, member_id=member.id) for member in members)
    session.flush()
    return group


def make_project(
    session: Session, name: str, maker: Member, roles: Mapping[Member | Group, str] | None = None
) -> Project:
    """A project in which these members and groups are granted these roles."""
    project = new_project(session, name=name, created_by_id=maker.id)
    for holder, role in (roles or {}).items():
        grant = ProjectGrant(project_id=project.id, role=role, granted_by_id=maker.id)
        if isinstance(holder, Member):
            grant.member_id = holder.id
        else:
            grant.group_id = holder.id
        session.add(grant)
    session.flush()
    return project


def make_session(session: Session, member: Member) -> tuple[SignInSession, str]:
    """A signed-in browser of this member, and its secret."""
    secret, digest = secrets.new_secret(secrets.SESSION)
    signed_in = SignInSession(
        member_id=member.id, secret_hash=digest, csrf_token="csrf", expires_at=utc_now() + timedelta(days=1)
    )
    session.add(signed_in)
    session.flush()
    return signed_in, secret


def make_token(
    session: Session,
    member: Member,
    *,
    name: str = "A program",
    read_only: bool = False,
    tables: list[str] | None = None,
) -> tuple[ApiToken, str]:
    """An API token of this member, and its secret."""
    secret, digest = secrets.new_secret(secrets.TOKEN)
    token = ApiToken(
        member_id=member.id, name=name, secret_hash=digest, hint=secret[:8], read_only=read_only, tables=tables
    )
    session.add(token)
    session.flush()
    return token, secret


def as_caller(member: Member, *groups: Group | UUID) -> Caller:
    """The member as the use cases know them, without the API between."""
    return Caller(member, frozenset(group if isinstance(group, UUID) else group.id for group in groups))


def emails_to(session: Session, address: str) -> list[OutgoingEmail]:
    """What waits in the queue for this address, oldest first."""
    found = select(OutgoingEmail).where(OutgoingEmail.recipient == address).order_by(OutgoingEmail.id)
    return list(session.scalars(found))


@pytest.fixture
def quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords with next to no work, where a test is not about that work."""
    hash_quickly(monkeypatch)


def hash_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


# The API ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def settings(database: Database, tmp_path: Path) -> Settings:
    """Settings that point to the test's own database and home folder."""
    return load_settings(
        home=tmp_path / "home",
        database_url=database.engine.url.set(drivername=database.engine.url.get_backend_name()).render_as_string(
            hide_password=False
        ),
    )


@pytest.fixture
def app(settings: Settings, database: Database, monkeypatch: pytest.MonkeyPatch) -> Iterator[FastAPI]:
    """The API over the test's database. Its background work is not started: e-mails stay in the queue."""
    with database.session() as session:
        make_tenant(session)
    with start_blocking_portal() as one_loop:  # or else every request starts a loop and threads of its own
        monkeypatch.setattr(TestClient, "portal", one_loop)
        yield make_app(settings, database)


def make_app(settings: Settings, database: Database) -> FastAPI:
    """The API. Its first request works out all the routes, which takes longer than most tests: that is done once a
    process."""
    made = create_app(settings, database)
    if not ROUTES:
        ROUTES.extend(made.router.routes)
    made.router.routes[:] = ROUTES
    return made


@pytest.fixture
def app_client(app: FastAPI) -> TestClient:
    """Somebody who has not signed in. Errors come as the answers they become, bugs as a 500."""
    return TestClient(app, raise_server_exceptions=False)


@pytest.fixture
def sign_in_as(app: FastAPI, database: Database) -> SignInAs:
    """`sign_in_as(member)`: the API for this member, as a program, or with `browser=True` by cookie and CSRF token;
    `sign_in_as(member, token={"read_only": True})`: through a token of theirs."""

    def client_of(member: Member, *, browser: bool = False, token: Mapping[str, object] | None = None) -> TestClient:
        client = TestClient(app, raise_server_exceptions=False)
        with database.session() as session:
            if token is not None:
                _, secret = make_token(session, member, **token)  # type: ignore[arg-type]
            else:
                signed_in, secret = make_session(session, member)
        if browser:
            client.cookies.set(COOKIE, secret)
            client.headers[CSRF_HEADER] = signed_in.csrf_token
        else:
            client.headers["Authorization"] = f"Bearer {secret}"
        return client

    return client_of

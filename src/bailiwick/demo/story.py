"""Nine days in the life of a company, told through the same use cases the doors call."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

import bailiwick.areas  # noqa: F401 - ties the areas to the tenancy
from bailiwick.access.decision import Refused
from bailiwick.database.base import pretending, utc_now
from bailiwick.database.engine import Database
from bailiwick.demo import people as p
from bailiwick.demo.people import Person
from bailiwick.notify.models import OutgoingEmail
from bailiwick.projects import group_grants, invitations, notifications
from bailiwick.projects import members as project_members
from bailiwick.projects import service as projects
from bailiwick.projects.models import Project
from bailiwick.runs.models import ChannelKind
from bailiwick.settings import Settings
from bailiwick.tenancy import groups, links, members, sign_in, tenant, tokens
from bailiwick.tenancy.authentication import groups_of
from bailiwick.tenancy.caller import Caller, Knock
from bailiwick.tenancy.models import Group, LinkPurpose, Member

DAYS = 9  # the story takes a little less, so that the last invitations still work
Progress = Callable[[str], None]


class Story:
    """Tells one thing after another, each at its own pretended moment and in its own transaction."""

    def __init__(self, database: Database, settings: Settings, progress: Progress = lambda title: None) -> None:
        self.database = database
        self.settings = settings
        self.progress = progress
        self.moment = utc_now() - timedelta(days=DAYS)

    def tell(self) -> None:
        with pretending(self.moment):
            with self.database.session() as session:
                _, secret = tenant.create_tenant(session, p.COMPANY, p.OLIVIA.email, p.OLIVIA.name)
            self._join(p.OLIVIA, secret)
        self._people()
        self._groups()
        self._projects()
        self._project_roles()
        self._newcomers()
        self._changes()
        with self.database.session() as session:
            session.execute(delete(OutgoingEmail))  # nobody reads the mail of a company that does not exist

    # Chapters ----------------------------------------------------------------------------------------------------

    def _people(self) -> None:
        self.progress("People")
        for person in p.EVERYBODY:
            if person not in (p.OLIVIA, p.RITA):
                self._add(p.OLIVIA if person.tenant_role in ("owner", "admin") else p.ADA, person)
                self._accept(person)

    def _groups(self) -> None:
        self.progress("Groups")
        for name, (description, inside) in p.GROUPS.items():

            def make(session: Session, caller: Caller, name: str = name, description: str = description) -> None:
                groups.create_group(session, caller, name, description)

            def fill(session: Session, caller: Caller, name: str = name, inside: tuple[Person, ...] = inside) -> None:
                ids = [member_of(session, person).id for person in inside]
                groups.add_to_group(session, caller, _group(session, name).id, ids)

            self._do(p.ADA, hours=1, act=make)
            self._do(p.ADA, hours=1, act=fill)

    def _projects(self) -> None:
        self.progress("Projects")
        for name, description in p.PROJECTS.items():

            def make(session: Session, caller: Caller, name: str = name, description: str = description) -> None:
                projects.create_project(session, caller, name=name, description=description)

            self._do(p.BRUNO, hours=5, act=make)

    def _project_roles(self) -> None:
        self._invite(p.BRUNO, p.SALES, p.TESSA, "Technical User")
        self._invite(p.BRUNO, p.SUPPLY, p.TESSA, "Admin")
        self._invite(p.TESSA, p.SUPPLY, p.SVEN, "Business User")
        self._invite(p.BRUNO, p.CUSTOMERS, p.THEO, "Admin")
        self._grant_group(p.BRUNO, p.SALES, "Sales analysts", "Business User")
        self._grant_group(p.TESSA, p.SUPPLY, "Data engineers", "Technical User")
        self._grant_group(p.THEO, p.CUSTOMERS, "Finance", "Business User")
        self._invite(p.TESSA, p.SALES, p.TOMAS, "Technical User")

    def _newcomers(self) -> None:
        """One whom an admin confirmed and who has yet to join, one who still waits, and one who was declined."""
        self.progress("Newcomers")
        ravi = Person("Ravi Menon")
        wanda = Person("Wanda Zielinska")
        dodgy = Person("Dean Dodd")
        for inviter, newcomer in ((p.TESSA, ravi), (p.BEN, wanda), (p.BEN, dodgy)):
            self._invite(inviter, p.SALES, newcomer, "Business User")
        self._do(
            p.ADA,
            hours=3,
            act=lambda session, caller: members.confirm_member(
                session, caller, member_of(session, ravi).id, if_match=None, settings=self.settings
            ),
        )
        self._do(
            p.ADA,
            hours=1,
            act=lambda session, caller: members.decline_member(
                session, caller, member_of(session, dodgy).id, if_match=None
            ),
        )
        self._add(p.ADA, p.RITA)

    def _changes(self) -> None:
        """Roles rise and fall, tokens come and go, and some try what they may not."""
        self.progress("Changes")
        self._do(
            p.BEN,
            hours=9,
            act=lambda session, caller: invitations.invite(
                session,
                caller,
                self.settings,
                _project(session, p.SALES).id,
                email=p.CARLO.email,
                name=None,
                role="Technical User",
            ),
        )
        self._do(
            p.VIKRAM,
            hours=2,
            act=lambda session, caller: projects.edit_project(
                session, caller, _project(session, p.SUPPLY).id, {"description": "Mine now"}, if_match=None
            ),
        )
        self._do(
            p.ADA,
            hours=2,
            act=lambda session, caller: tenant.change_plan(session, caller, "custom", confirm=False, if_match=None),
        )
        self._do(
            p.OMAR,
            hours=4,
            act=lambda session, caller: tenant.change_settings(
                session, caller, {"reading_needs_only_viewer": True}, if_match=None
            ),
        )
        self._do(
            p.TESSA,
            hours=6,
            act=lambda session, caller: project_members.change_role(
                session,
                caller,
                _project(session, p.SUPPLY).id,
                member_of(session, p.SVEN).id,
                "Technical User",
                if_match=None,
            ),
        )
        self._do(
            p.THEO,
            hours=3,
            act=lambda session, caller: projects.set_switches(
                session,
                caller,
                _project(session, p.CUSTOMERS).id,
                {"technical_users_control_all_reports": True},
                if_match=None,
            ),
        )
        self._do(
            p.TESSA,
            hours=1,
            act=lambda session, caller: notifications.set_channel(
                session,
                caller,
                _project(session, p.SUPPLY).id,
                ChannelKind.RUN_SUCCEEDED,
                {"is_on": True, "delay_minutes": 15},
                if_match=None,
                settings=self.settings,
            ),
        )
        self._do(
            p.BRUNO,
            hours=2,
            act=lambda session, caller: notifications.add_receiver(
                session, caller, _project(session, p.SALES).id, ChannelKind.RUN_FAILED, member_of(session, p.BEN).id
            ),
        )
        self._do(
            p.TESSA,
            hours=2,
            act=lambda session, caller: tokens.create_token(
                session, caller, "Nightly export", read_only=True, expires_in_days=90
            ),
        )
        self._do(p.EMIL, hours=1, act=lambda session, caller: tokens.create_token(session, caller, "Deployment"))
        self._do(
            p.EMIL,
            hours=20,
            act=lambda session, caller: tokens.revoke_token(
                session, caller, tokens.list_tokens(session, caller, limit=1).items[0].id
            ),
        )
        self._do(
            p.OLIVIA,
            hours=5,
            act=lambda session, caller: members.grant_security_roles(
                session, caller, member_of(session, p.EDITH).id, ["data admin", "data space creator"], if_match=None
            ),
        )
        self._do(
            p.ADA,
            hours=9,
            act=lambda session, caller: members.suspend_member(
                session, caller, member_of(session, p.BORIS).id, if_match=None
            ),
        )
        self._do(
            p.ADA,
            hours=9,
            act=lambda session, caller: members.remove_member(
                session, caller, member_of(session, p.CLARA).id, if_match=None
            ),
        )

    # How it is told ----------------------------------------------------------------------------------------------

    def _do(self, actor: Person, *, hours: int, act: Callable[[Session, Caller], Any]) -> None:
        """One use case, some hours after the last one. A refusal is part of the story: it goes on record."""
        self.moment = min(self.moment + timedelta(hours=hours), datetime.now(self.moment.tzinfo))
        with pretending(self.moment):
            try:
                with self.database.session() as session:
                    caller = caller_of(session, actor)
                    act(session, caller)
            except Refused as refused:
                with self.database.session() as session:
                    caller.record_refusal(session, refused.decision)

    def _add(self, admin: Person, person: Person) -> None:
        self._do(
            admin,
            hours=2,
            act=lambda session, caller: members.add_member(
                session,
                caller,
                email=person.email,
                name=person.name,
                tenant_role=person.tenant_role,
                security_roles=person.security_roles,
                settings=self.settings,
            ),
        )

    def _invite(self, inviter: Person, project: str, invited: Person, role: str) -> None:
        self._do(
            inviter,
            hours=3,
            act=lambda session, caller: invitations.invite(
                session,
                caller,
                self.settings,
                _project(session, project).id,
                email=invited.email,
                name=invited.name,
                role=role,
            ),
        )

    def _grant_group(self, admin: Person, project: str, group: str, role: str) -> None:
        self._do(
            admin,
            hours=2,
            act=lambda session, caller: group_grants.grant_role(
                session, caller, _project(session, project).id, _group(session, group).id, role, if_match=None
            ),
        )

    def _accept(self, person: Person) -> None:
        self.moment += timedelta(hours=1)
        with pretending(self.moment):
            with self.database.session() as session:
                secret = links.make_link(session, member_of(session, person), LinkPurpose.JOIN)
            self._join(person, secret)

    def _join(self, person: Person, secret: str) -> None:
        """Everybody chooses a password nobody knows: in the demo one signs in by link."""
        knock = Knock(self.database, self.settings, secrets.token_hex(8), "192.0.2.7", "Demo")
        sign_in.join(knock, secret, secrets.token_urlsafe(24), person.name, person.time_zone)


def sign_in_link(session: Session, settings: Settings, person: Person) -> str:
    """A fresh link, as if the member had asked for one."""
    secret = links.make_link(session, member_of(session, person), LinkPurpose.SIGN_IN, minutes=settings.link_minutes)
    return links.link_to(settings, LinkPurpose.SIGN_IN, secret)


def caller_of(session: Session, person: Person) -> Caller:
    """The member as the use cases know them."""
    member = member_of(session, person)
    return Caller(member, groups_of(session, member), request_id=secrets.token_hex(8))


def member_of(session: Session, person: Person) -> Member:
    """The member that this person is."""
    return session.scalars(select(Member).where(Member.email == person.email)).one()


def _project(session: Session, name: str) -> Project:
    return session.scalars(select(Project).where(Project.name == name)).one()


def _group(session: Session, name: str) -> Group:
    return session.scalars(select(Group).where(Group.name == name)).one()

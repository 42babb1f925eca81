"""What would change if: the same people and resources placed twice, before and after, and compared; nothing written."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from uuid import UUID

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session

from bailiwick.access.world import records
from bailiwick.access.world.people import World
from bailiwick.access.world.placing import place
from bailiwick.errors import Invalid, NotFound
from bailiwick.lakehouse.models import Grant, Layer, Table, Volume
from bailiwick.lakehouse.standing import holds_now, tenant_of
from bailiwick.lakehouse.targets import Target, granted_on
from bailiwick.projects.models import Project, ProjectGrant
from bailiwick.projects.roles import ROLES, gets
from bailiwick.projects.standing import as_record, reaching
from bailiwick.projects.standing import holds_now as role_holds_now
from bailiwick.questions import asking, lakehouse, resources
from bailiwick.questions import schemas as wire
from bailiwick.questions.ahead import Ahead
from bailiwick.questions.asking import Reach
from bailiwick.questions.descriptions import DESCRIPTIONS
from bailiwick.questions.listed import ACTIVE, AT_ONCE, in_chunks
from bailiwick.questions.resources import Asked
from bailiwick.questions.sharing import Sharing
from bailiwick.questions.stopping import Stopping, stopping
from bailiwick.tenancy.caller import ALL_GROUP_ID, Caller, holder
from bailiwick.tenancy.models import Group, GroupMembership, Member
from bailiwick.tenancy.standing import standing_of
from bailiwick.tenancy.tenant import data_grants_refused

OF_THE_TENANT = (wire.IfTenantRole, wire.IfSecurityRoles, wire.IfInGroup, wire.IfPlan)
CANNOT_BE_EMPTIED = ("owners", "technical_owners")


@dataclass(frozen=True)
class Difference:
    """What one member would gain and lose on one resource."""

    member: Member
    resource: Asked
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    with_address: bool = True  # whether the member's e-mail address is for the caller to know


@dataclass(frozen=True)
class Outlook:
    """The first differences, and how many there are; pipelines that would stop or work again."""

    items: Sequence[Difference]
    count: int
    pipelines: Sequence[Stopping]
    more_pipelines: bool
    hidden_members: bool  # a group is concerned into which the caller does not see


def what_if(session: Session, caller: Caller, question: wire.WhatIfQuestion) -> Outlook:
    """Who gains and loses what, by name: the first `limit` differences and the number of all; and which pipelines would
    stop or work again."""
    inquiry = _Inquiry(session, caller, question)
    shown: list[Difference] = []
    count = 0
    for difference in inquiry.differences():
        count += 1
        if len(shown) < question.limit:
            shown.append(difference)
    pipelines = list(islice(inquiry.stopping(), question.limit + 1))
    hidden = inquiry.sharing is not None and inquiry.sharing.hidden_members
    return Outlook(shown, count, pipelines[: question.limit], len(pipelines) > question.limit, hidden)


class _Inquiry:
    """One question, from what the caller may ask to the pairs that are compared."""

    def __init__(self, session: Session, caller: Caller, question: wire.WhatIfQuestion) -> None:
        self.session = session
        self.caller = caller
        self.ahead = Ahead(tenant_of(session))
        self.compared: dict[tuple[str, ...], tuple[Asked, Asked]] = {}
        anybody = caller.on_tenant(asking.ASK_ABOUT_ANYBODY).allowed
        if not anybody and any(isinstance(change, OF_THE_TENANT) for change in question.changes):
            raise asking.refuse(caller)
        self.projects = {
            change.project: resources.find_project(session, caller, change.project)
            for change in question.changes
            if isinstance(change, wire.IfProjectRole | wire.IfSwitch)
        }
        self.targets = {
            position: self._target(f"changes.{position}", change)
            for position, change in enumerate(question.changes)
            if isinstance(change, wire.IfLevel)
        }
        self._describe(question)
        self.sharing = None if anybody else self._sharing(question)
        if self.sharing is not None:
            self.reach = Reach.SHARING
            self.ahead.base = self.sharing.known
        else:
            self.reach = Reach.EVERYBODY if anybody else self._reach_in_projects(question)
        for position, change in enumerate(question.changes):
            if isinstance(change, wire.IfLevel):
                self._level(f"changes.{position}", change, self.targets[position])
            else:
                self._take(f"changes.{position}", change)
        self._check_owners()
        self._compare_what_is_concerned(question)

    # What may be asked -------------------------------------------------------------------------------------------

    def _describe(self, question: wire.WhatIfQuestion) -> None:
        """The resources named and described, as they are and as they would be."""
        for position, change in enumerate(question.changes):
            if isinstance(change, wire.IfResource):
                self.compared[("changes", str(position))] = self._described(f"changes.{position}", change)
                self.ahead.everybody = True
        for position, named in enumerate(question.resources):
            try:
                asked = named.as_question().find(self.session, self.caller)
            except Invalid as wrong:
                at = f"resources.{position}{wrong.field.removeprefix('resource')}"
                raise Invalid(at, wrong.problem, wrong.fix) from None
            if asked.person is not None:
                problem = "What members may do with each other is not compared."
                raise Invalid(f"resources.{position}.type", problem, "Ask about a project, a group, or a description.")
            key = ("resources", str(position)) if asked.described else (asked.type.name, asked.id)
            self.compared[key] = asked, asked

    def _described(self, at: str, change: wire.IfResource) -> tuple[Asked, Asked]:
        type_ = change.resource.type
        if type_ not in DESCRIPTIONS:
            raise Invalid(f"{at}.resource.type", "Only a described resource can be changed so.", f"Use {_types()}.")
        now_properties = change.resource.properties or {}
        now = resources.describe(type_, now_properties, at=f"{at}.resource")
        then = resources.describe(type_, {**now_properties, **change.properties}, at=at)
        if now.lies_in() != then.lies_in():
            raise Invalid(f"{at}.properties.project", "A resource does not move to another project.", "Leave it out.")
        for name in CANNOT_BE_EMPTIED:
            if getattr(now, name, ()) and not getattr(then, name, ()):
                raise Invalid(f"{at}.properties.{name}", "This list cannot be emptied.", "Name at least one owner.")
        id_ = change.resource.id or ""
        before, after = (
            resources.of_description(self.session, self.caller, type_, id_, description) for description in (now, then)
        )
        return before, after

    def _sharing(self, question: wire.WhatIfQuestion) -> Sharing | None:
        """Levels for others on what the caller manages, and nothing else."""
        if question.resources or not all(isinstance(change, wire.IfLevel) for change in question.changes):
            return None
        if all(self._is_for_oneself(change) for change in question.changes):
            return None
        return Sharing(self.session, self.caller, list(self.targets.values()))

    def _is_for_oneself(self, change: wire.Change) -> bool:
        named = isinstance(change, wire.IfProjectRole | wire.IfLevel) and change.group is None and change.member
        return bool(named) and asking.is_oneself(self.caller, named or None)

    def _reach_in_projects(self, question: wire.WhatIfQuestion) -> Reach:
        """Everybody in the project, for who runs all projects concerned; otherwise only the caller themselves."""
        named = [*chain.from_iterable(self.compared.values())]
        wide = all(asking.reach(self.session, self.caller, asked) is not Reach.ONESELF for asked in named)
        wide = wide and not self.targets  # whom a group's level reaches is for who may ask about anybody
        for change in question.changes:
            if isinstance(change, wire.IfProjectRole | wire.IfSwitch):
                project = self.projects[change.project]
                group = change.group if isinstance(change, wire.IfProjectRole) else None
                holders = frozenset({holder(group)} if group else ())
                wide = wide and asking.runs(self.session, self.caller, project)
                wide = wide and asking.sees_into(self.session, self.caller, project, holders)
        if wide:
            return Reach.PROJECT
        for change in question.changes:
            if isinstance(change, wire.IfProjectRole | wire.IfLevel) and not self._is_for_oneself(change):
                raise asking.refuse(self.caller)
        return Reach.ONESELF

    # What would be different -------------------------------------------------------------------------------------

    def _take(self, at: str, change: wire.Change) -> None:
        ahead = self.ahead
        if isinstance(change, wire.IfProjectRole):
            self._project_role(at, change)
        elif isinstance(change, wire.IfSwitch):
            ahead.switches[change.project, change.switch] = change.on
            ahead.everybody = True
        elif isinstance(change, wire.IfTenantRole):
            member = self._member(change.member)
            if ahead.tenant_roles.get(member.id, member.tenant_role) == change.role:
                raise Invalid(f"{at}.role", "That is the tenant role they have.", "Choose another.")
            ahead.tenant_roles[member.id] = change.role
            ahead.touched.add(member.id)
        elif isinstance(change, wire.IfSecurityRoles):
            member = self._member(change.member)
            if ahead.security_roles.get(member.id, member.security_roles) == change.roles:
                raise Invalid(f"{at}.roles", "Those are the security roles they have.", "Choose others.")
            ahead.security_roles[member.id] = frozenset(change.roles)
            ahead.touched.add(member.id)
        elif isinstance(change, wire.IfInGroup):
            self._group_change(at, change)
        elif isinstance(change, wire.IfPlan):
            if ahead.tenant.plan == change.plan:
                raise Invalid(f"{at}.plan", "That is the plan you have.", "Choose another.")
            ahead.tenant = replace(ahead.tenant, plan=change.plan)
            ahead.everybody = True

    def _project_role(self, at: str, change: wire.IfProjectRole) -> None:
        if (change.member is None) == (change.group is None):
            raise Invalid(f"{at}.member", "A role is for one member or one group.", "Give `member` or `group`.")
        revoked = change.change == "revoke_project_role"
        if revoked != (change.role is None):
            fix = "Leave it out to revoke." if revoked else "Give the role."
            raise Invalid(f"{at}.role", "A role goes with granting and changing, not with revoking.", fix)
        if change.group is not None:
            who = self._group(change.group).id
            self.ahead.touched_groups.add(who)
            self.ahead.everybody |= who == ALL_GROUP_ID
        else:
            who = self._member(change.member or "").id
            self.ahead.touched.add(who)
        key = change.project, holder(who)
        has = self.ahead.grants[key] if key in self.ahead.grants else self._granted(change.project, who)
        if change.change == "grant_project_role" and has is not None:
            raise Invalid(f"{at}.change", f"They are granted {has} here already.", "Use change_project_role.")
        if change.change != "grant_project_role" and has is None:
            fix = "Use grant_project_role." if change.role else "A role from elsewhere is not taken by revoking here."
            raise Invalid(f"{at}.change", "They are granted no role here.", fix)
        if change.role == has:
            raise Invalid(f"{at}.role", "That is the role they are granted.", "Choose another.")
        self.ahead.grants[key] = change.role

    def _target(self, at: str, change: wire.IfLevel) -> Target:
        named = [(kind, id_) for kind in ("layer", "table", "volume") if (id_ := getattr(change, kind)) is not None]
        if len(named) != 1:
            raise Invalid(at, "A level is on one layer, table or volume.", "Give `layer`, `table` or `volume`.")
        found = lakehouse.find_row(self.session, self.caller, *named[0])
        assert isinstance(found, Layer | Table | Volume)
        return found

    def _level(self, at: str, change: wire.IfLevel, target: Target) -> None:
        if (change.member is None) == (change.group is None):
            raise Invalid(f"{at}.member", "A level is for one member or one group.", "Give `member` or `group`.")
        taken = change.change == "take_level"
        if taken != (change.level is None):
            fix = "Leave it out to take." if taken else "Give the level."
            raise Invalid(f"{at}.level", "A level goes with giving and changing, not with taking.", fix)
        if refused := data_grants_refused(self.session):
            raise Invalid(f"{at}.change", refused)
        group = None if change.group is None else self._group(change.group)
        member = None if group else self._level_holder(at, change.member or "")
        who = group.id if group else member.id if member else None
        assert who is not None
        key = target.id, holder(who)
        theirs = or_(Grant.member_id == who, Grant.group_id == who)
        grant = self.session.scalars(select(Grant).where(granted_on(target), theirs, holds_now())).one_or_none()
        has = self.ahead.levels[key][1] if key in self.ahead.levels else grant.level if grant else None
        if change.change == "give_level" and has is not None:
            raise Invalid(f"{at}.change", f"They hold {has} here already.", "Use change_level.")
        if change.change != "give_level" and has is None:
            fix = "Use give_level." if change.level else "A level from elsewhere is not taken by taking it here."
            raise Invalid(f"{at}.change", "They hold no level of their own here.", fix)
        if change.level == has:
            raise Invalid(f"{at}.level", "That is the level they hold.", "Choose another.")
        if self.sharing is not None:
            self.sharing.require(target.id, (has, change.level))
        if group is not None and not self._touch_group(group):
            return
        if member is not None:
            self.ahead.touched.add(member.id)
        self.ahead.levels[key] = target, change.level
        if grant is not None:
            self.ahead.given.add(grant.id)

    def _level_holder(self, at: str, given: str) -> Member:
        return self._member(given) if self.sharing is None else self.sharing.member(at, given)

    def _touch_group(self, group: Group) -> bool:
        """Whether its level counts: not that of a group into which the caller does not see, for it would tell of whom
        they name whether they are in it. That everybody is in All is known."""
        if self.sharing is None or self.sharing.sees_into(group):
            self.ahead.touched_groups.add(group.id)
            self.ahead.everybody |= group.is_all
            return True
        return group.is_all

    def _granted(self, project: UUID, who: UUID) -> str | None:
        theirs = or_(ProjectGrant.member_id == who, ProjectGrant.group_id == who)
        found = select(ProjectGrant.role).where(ProjectGrant.project_id == project, theirs, role_holds_now())
        return self.session.scalars(found).one_or_none()

    def _group_change(self, at: str, change: wire.IfInGroup) -> None:
        group, member = self._group(change.group), self._member(change.member)
        if group.is_all:
            raise Invalid(f"{at}.group", "The group All always holds everyone.", "Choose another group.")
        inside = self.ahead.in_group.get((group.id, member.id))
        if inside is None:
            inside = self.session.get(GroupMembership, (group.id, member.id)) is not None
        wanted = change.change == "add_to_group"
        if inside == wanted:
            problem = "They are in the group already." if inside else "They are not in the group."
            raise Invalid(f"{at}.member", problem, "Choose somebody else.")
        self.ahead.in_group[group.id, member.id] = wanted
        self.ahead.touched.add(member.id)
        self.compared["group", str(group.id)] = (resources.of_group(group),) * 2
        granting = select(Project).join(ProjectGrant).where(ProjectGrant.group_id == group.id, role_holds_now())
        for project in self.session.scalars(granting):
            self._compare_project(project)
        for target in lakehouse.held_by_group(self.session, group.id):
            self._compare_rows(lakehouse.concerned_by(self.session, self.caller, target))

    def _check_owners(self) -> None:
        if not self.ahead.tenant_roles:
            return
        others = select(Member).where(ACTIVE, Member.tenant_role == "owner", Member.id.not_in(self.ahead.tenant_roles))
        made = [id_ for id_, role in self.ahead.tenant_roles.items() if role == "owner"]
        stays = or_(Member.id.in_(made), Member.id.in_(others.with_only_columns(Member.id)))
        if self.session.scalars(select(Member).where(ACTIVE, stays).limit(1)).one_or_none() is None:
            raise Invalid("changes", "The last active owner cannot be demoted.", "Make somebody else an owner first.")

    def _member(self, given: str) -> Member:
        return asking.find_subject(self.session, self.caller, given, self.reach)

    def _group(self, id_: UUID) -> Group:
        group = self.session.get(Group, id_)
        if group is None:
            raise NotFound("group")
        return group

    # On what -----------------------------------------------------------------------------------------------------

    def _compare_what_is_concerned(self, question: wire.WhatIfQuestion) -> None:
        for project in self.projects.values():
            self._compare_project(project)
        for target in self.targets.values():
            concerned = lakehouse.concerned_by if self.sharing is None else lakehouse.and_inside
            self._compare_rows(concerned(self.session, self.caller, target))
        if self.ahead.tenant_roles or any(isinstance(change, wire.IfPlan) for change in question.changes):
            self._compare_rows(self.session.scalars(select(Layer).order_by(Layer.name, Layer.id)))
        if self.ahead.tenant_roles:
            self.compared["tenant", "tenant"] = (resources.the_tenant_itself(self.session),) * 2
            self.compared["lakehouse", "lakehouse"] = (resources.the_lakehouse(),) * 2
            for group in self.session.scalars(select(Group).order_by(Group.name, Group.id)):
                self.compared["group", str(group.id)] = (resources.of_group(group),) * 2
            for project in self.session.scalars(select(Project).order_by(Project.name, Project.id)):
                self._compare_project(project)

    def _compare_project(self, project: Project) -> None:
        self.compared["project", str(project.id)] = (resources.of_project(project),) * 2
        self.compared["project_membership", str(project.id)] = (resources.of_membership(project),) * 2

    def _compare_rows(self, rows: Iterable[lakehouse.Row]) -> None:
        """Of the lakehouse, what the caller sees."""
        found = list(rows)
        placed_for = World([self.caller.standing], tenant_of(self.session))
        for id_, record in lakehouse.records_of(self.session, [self.caller.standing], found).items():
            row = next(row for row in found if row.id == id_)
            placed = place(placed_for, record)
            if placed.type.see is not None and placed.allows(self.caller.id, placed.type.see):
                self.compared[placed.type.name, str(id_)] = (resources.of_row(self.session, row),) * 2

    # The comparison ----------------------------------------------------------------------------------------------

    def differences(self) -> Iterator[Difference]:
        for members in in_chunks(self.session, *self._whose(), counting=self._counting()):
            yield from self._of(members)

    def stopping(self) -> Iterator[Stopping]:
        """Pipelines whose owner would lose, or regain, what they need."""
        known = None if self.sharing is None else self._people
        return stopping(self.session, self.caller, self.ahead, [self._counting(), *self._whose()], known)

    def _counting(self) -> ColumnElement[bool]:
        return ACTIVE if self.sharing is None else self.sharing.counting(self.ahead.touched)

    def _people(self, members: Sequence[Member]) -> list[records.Member]:
        """As far as the caller knows them."""
        people = standing_of(self.session, members)
        return people if self.sharing is None else self.sharing.as_known(people, self.sharing.seen(members))

    def _whose(self) -> list[ColumnElement[bool]]:
        if self.reach is Reach.ONESELF:
            return [Member.id == self.caller.member.id]
        inside = select(GroupMembership.member_id).where(GroupMembership.group_id.in_(self.ahead.touched_groups))
        added = {member for (group, member) in self.ahead.in_group if group in self.ahead.touched_groups}
        named = or_(Member.id.in_(self.ahead.touched | added), Member.id.in_(inside))
        if not self.ahead.everybody:
            return [named]
        if self.reach is Reach.EVERYBODY:
            return []
        lying_in = {asked.project.id for asked, _ in self.compared.values() if asked.project is not None}
        return [or_(named, *(gets(project, ROLES) for project in lying_in))]

    def _of(self, members: Sequence[Member]) -> Iterator[Difference]:
        now = self._people(members)
        seen = self.sharing.seen(members) if self.sharing else {member.id for member in members}
        then = [self.ahead.person(person) for person in now]
        records_now = self._projects([*now, *then])
        tenant = tenant_of(self.session)
        rows = {asked.row.id: asked.row for asked, _ in self.compared.values() if asked.row is not None}
        stored_now = lakehouse.records_of(self.session, now, rows.values(), self.ahead.base)
        stored_then = lakehouse.records_of(self.session, then, rows.values(), self.ahead.supposed)
        found: dict[UUID, list[Difference]] = {member.id: [] for member in members}
        for before, after in self.compared.values():
            project = records_now[before.project.id] if before.project else None
            is_, becomes = (stored_now[before.row.id], stored_then[before.row.id]) if before.row else (None, None)
            placed = resources.arrange(before, now, tenant, project, is_).placed
            in_project = None if project is None else self.ahead.project(project)
            would_be = resources.arrange(after, then, self.ahead.tenant, in_project, becomes).placed
            for member in members:
                had, has = placed.actions(str(member.id)), would_be.actions(str(member.id))
                if had != has:
                    gained = tuple(action for action in has if action not in had)
                    lost = tuple(action for action in had if action not in has)
                    found[member.id].append(Difference(member, after, gained, lost, member.id in seen))
        for member in members:
            yield from found[member.id]

    def _projects(self, people: Collection[records.Member]) -> dict[UUID, records.Project]:
        rows = {asked.project.id: asked.project for asked, _ in self.compared.values() if asked.project is not None}
        projects = list(rows.values())
        grants: dict[UUID, list[ProjectGrant]] = {id_: [] for id_ in rows}
        for start in range(0, len(projects), AT_ONCE):
            for grant in self.session.scalars(reaching(projects[start : start + AT_ONCE], people)):
                grants[grant.project_id].append(grant)
        return {id_: as_record(project, grants[id_]) for id_, project in rows.items()}


def _types() -> str:
    return ", ".join(DESCRIPTIONS)

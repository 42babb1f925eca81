"""From the resource a question names or describes to what the access core decides about."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from pydantic import ValidationError
from sqlalchemy.orm import Session

from bailiwick.access.compiled import ResourceType
from bailiwick.access.decision import require, slug
from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.world import records
from bailiwick.access.world.people import World
from bailiwick.access.world.placing import Placed, place
from bailiwick.errors import Invalid, NotFound
from bailiwick.lakehouse.standing import tenant_of
from bailiwick.projects.models import Project
from bailiwick.projects.standing import as_record, on_project, reaching
from bailiwick.questions import lakehouse
from bailiwick.questions.descriptions import DESCRIPTIONS, Description
from bailiwick.tenancy import directory
from bailiwick.tenancy.caller import Caller, holder
from bailiwick.tenancy.models import Group, Member, MemberState
from bailiwick.tenancy.standing import standing_of, the_tenant, world_around
from bailiwick.wrong_input import first_in_words

STORED = ("tenant", "lakehouse", "member", "group", "project", "project_membership", *lakehouse.KINDS)
ASKABLE = tuple(dict.fromkeys((*STORED, *DESCRIPTIONS)))


@dataclass(frozen=True)
class Asked:
    """What a question is about, before anybody is placed towards it."""

    type: ResourceType
    id: str
    name: str
    record_in: Callable[[records.Project | None], records.Resource]
    project: Project | None = None  # where it lies, if it lies in one
    holders: frozenset[str] = frozenset()  # whom a description names as holders of grants
    person: Member | None = None  # for a question about what others may do with a member
    row: lakehouse.Row | None = None  # of the lakehouse: it is placed with the grants that reach whom one asks about
    described: bool = False

    @property
    def listed_by(self) -> str:
        """What a list is sorted by: its own name, without that of its layer."""
        return self.name if self.row is None else self.row.name

    def action(self, given: str) -> str:
        """The document's words for an action given as such or in its short form."""
        return action_of(self.type, given)


def action_of(resource_type: ResourceType, given: str) -> str:
    found = resource_type.by_slug.get(slug(given))
    if found is None:
        known = ", ".join(resource_type.by_slug)
        raise Invalid("action", f"A {resource_type.name.replace('_', ' ')} has no such action.", f"It has: {known}.")
    return found


# Finding -------------------------------------------------------------------------------------------------------------


def find(
    session: Session,
    caller: Caller,
    type_: str,
    id_: str | None,
    properties: Mapping[str, Any] | None = None,
    *,
    lenient: bool = False,
) -> Asked:
    """The resource, if the caller may see it. A described one lies in a project that the caller may see."""
    if type_ in lakehouse.KINDS and id_ is not None and not _is_described(type_, properties, lenient):
        return of_row(session, lakehouse.find_row(session, caller, type_, _uuid(id_, type_.replace("_", " "))))
    if type_ in DESCRIPTIONS or type_ == "deleted_destination":
        return _described(session, caller, type_, id_ or "", properties or {}, lenient)
    finders: Mapping[str, Callable[[], Asked]] = {
        "tenant": lambda: the_tenant_itself(session),
        "lakehouse": the_lakehouse,
        "member": lambda: of_member(directory.find_member(session, caller, _uuid(id_, "member"))[0]),
        "group": lambda: of_group(_group(session, _uuid(id_, "group"))),
        "project": lambda: of_project(find_project(session, caller, _uuid(id_, "project"))),
        "project_membership": lambda: of_membership(find_project(session, caller, _uuid(id_, "project"))),
    }
    if type_ not in finders:
        raise Invalid("resource.type", "There is no such type of resource to ask about.", f"Use {', '.join(ASKABLE)}.")
    return finders[type_]()


def find_project(session: Session, caller: Caller, id_: UUID) -> Project:
    project = session.get(Project, id_)
    if project is None:
        raise NotFound("project")
    require(on_project(session, caller, project).check(caller.id, "See project"))
    return project


def the_tenant_itself(session: Session) -> Asked:
    tenant = the_tenant(session)
    return Asked(RESOURCE_TYPES["tenant"], "tenant", tenant.name, lambda _: records.Tenant())


def the_lakehouse() -> Asked:
    return Asked(RESOURCE_TYPES["lakehouse"], "lakehouse", "Lakehouse", lambda _: records.Lakehouse())


def of_member(member: Member) -> Asked:
    return Asked(RESOURCE_TYPES["member"], str(member.id), member.name, _no_record, person=member)


def of_group(group: Group) -> Asked:
    record = records.Group(holder(group.id), is_all=group.is_all)
    return Asked(RESOURCE_TYPES["group"], str(group.id), group.name, lambda _: record)


def of_project(project: Project) -> Asked:
    return Asked(RESOURCE_TYPES["project"], str(project.id), project.name, _certain, project)


def of_membership(project: Project) -> Asked:
    def membership(placed: records.Project | None) -> records.Resource:
        return records.ProjectMembership(_certain(placed))

    return Asked(RESOURCE_TYPES["project_membership"], str(project.id), project.name, membership, project)


def of_row(session: Session, row: lakehouse.Row) -> Asked:
    type_ = RESOURCE_TYPES[lakehouse.type_of(row)]
    return Asked(type_, str(row.id), lakehouse.name_of(session, row), _no_record, row=row)


def _is_described(type_: str, properties: Mapping[str, Any] | None, lenient: bool) -> bool:
    """What is stored can be described too, as it might be; properties that say nothing about it do not."""
    if properties is None:
        return False
    return not lenient or any(name in DESCRIPTIONS[type_].model_fields for name in properties)


def _described(
    session: Session, caller: Caller, type_: str, id_: str, properties: Mapping[str, Any], lenient: bool
) -> Asked:
    if type_ == "deleted_destination":
        type_, properties = "destination", {**properties, "deleted": True}
    description = describe(type_, properties, lenient)
    return of_description(session, caller, type_, id_, description)


def describe(type_: str, properties: Mapping[str, Any], lenient: bool = False, at: str = "resource") -> Description:
    """The description, complete and of the right form; lenient passes over what it does not know."""
    try:
        return DESCRIPTIONS[type_].model_validate(properties, extra="ignore" if lenient else "forbid")
    except ValidationError as error:
        wrong = first_in_words(error, properties, *at.split("."), "properties")
        field = wrong["field"][:200].encode(errors="replace").decode()
        how = f"How to describe it: GET /api/v1/access/types, or bailiwick access types {type_}."
        raise Invalid(field, wrong["problem"], f"{wrong['fix']} {how}") from None


def of_description(session: Session, caller: Caller, type_: str, id_: str, description: Description) -> Asked:
    lies_in = description.lies_in()
    project = None if lies_in is None else find_project(session, caller, lies_in)
    kind = "deleted_destination" if getattr(description, "deleted", False) else type_

    def record_in(placed: records.Project | None) -> records.Resource:
        record: records.Resource = description.record(id_, placed)
        return record

    holders = description.holders()
    return Asked(RESOURCE_TYPES[kind], id_, id_ or type_, record_in, project, holders, described=True)


def _group(session: Session, id_: UUID) -> Group:
    group = session.get(Group, id_)
    if group is None:
        raise NotFound("group")
    return group


def _uuid(given: str | None, what: str) -> UUID:
    if given is None:
        raise Invalid("resource.id", "It is missing.", f"Give the id of the {what}.")
    try:
        return UUID(given)
    except ValueError:
        raise NotFound(what) from None  # whatever it is, nothing has such an id


def _certain(project: records.Project | None) -> records.Project:
    assert project is not None
    return project


def _no_record(_project: records.Project | None) -> records.Resource:
    raise AssertionError("this is placed together with the people around it")


# Placing -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scene:
    """A resource with some people placed towards it, and what lies around it."""

    world: World
    record: records.Resource
    placed: Placed
    project: records.Project | None = None

    def lineage(self) -> Iterator[records.Resource]:
        """The resource, what it belongs to, the people of its project, the tenant."""
        record: Any = self.record
        while record is not None:
            yield record
            record = next((getattr(record, up) for up in ("report", "data_mart", "space") if hasattr(record, up)), None)
        if self.project is not None:
            yield records.ProjectMembership(self.project)
        yield records.Tenant()


def scene(session: Session, asked: Asked, people: Collection[records.Member]) -> Scene:
    """The resource as it stands now, with these people placed towards it."""
    if asked.person is not None:
        return _around_person(session, asked.person, people)
    if asked.row is not None:
        (record,) = lakehouse.records_of(session, people, [asked.row]).values()
        world = World(people, tenant_of(session))
        return Scene(world, record, place(world, record))
    project = None
    if asked.project is not None:
        project = as_record(asked.project, session.scalars(reaching([asked.project], people)))
    tenant = the_tenant(session)
    return arrange(asked, people, records.Tenant(tenant.plan, tenant.reading_needs_only_viewer), project)


def arrange(
    asked: Asked,
    people: Collection[records.Member],
    tenant: records.Tenant,
    project: records.Project | None,
    record: records.Resource | None = None,
) -> Scene:
    record = record or asked.record_in(project)
    products = [record] if isinstance(record, records.DataProduct) else []
    world = World(people, tenant, [project] if project else [], products)
    return Scene(world, record, place(world, record), project)


def _around_person(session: Session, person: Member, people: Collection[records.Member]) -> Scene:
    """Everybody towards one member, whose roles count even while they are not active; who left has none."""
    if person.state == MemberState.REMOVED:
        gone = records.Member(str(person.id))
        world = World(people)
        return Scene(world, gone, place(world, gone))
    (target,) = standing_of(session, [person], as_if_active=True)
    world = world_around(session, [target, *(one for one in people if one.id != target.id)])
    return Scene(world, target, place(world, target))

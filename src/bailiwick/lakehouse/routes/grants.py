"""Levels on layers, tables and volumes over HTTP: the same five routes for each of them."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response

from bailiwick.lakehouse import grants, origins
from bailiwick.lakehouse.schemas.grants import AccessOut, GrantChange, GrantOut, GrantsOut, NewGrant
from bailiwick.lakehouse.targets import Kind
from bailiwick.problems import PROBLEMS
from bailiwick.tenancy.calling import Changing, Reading, ReadingTables
from bailiwick.tenancy.listing import PLAIN, Cursor, Limit, Search, SortByAge
from bailiwick.tenancy.versions import IfMatch, tag

OfAnybody = Annotated[
    Search, Query(description="Part of a member's or group's name; for owners and admins, or of an address.")
]
OfMember = Annotated[
    str | None,
    Query(max_length=300, pattern=PLAIN, description="Only those of this member: an id or a whole e-mail address."),
]

router = APIRouter(prefix="/api/v1", tags=["grants"], responses=PROBLEMS)


def _routes_on(kind: Kind) -> None:
    target = f"/{kind}s/{{target_id}}"

    def my_access(call: Reading, target_id: UUID) -> AccessOut:
        return AccessOut.of(origins.my_access(call.session, call.caller, kind, target_id))

    def my_access_to_table(call: ReadingTables, target_id: UUID) -> AccessOut:
        return AccessOut.of(origins.my_access(call.session, call.caller, kind, target_id))

    def list_grants(
        call: Reading,
        target_id: UUID,
        member: OfMember = None,
        search: OfAnybody = None,
        sort: SortByAge = "created",
        cursor: Cursor = None,
        limit: Limit = 50,
    ) -> GrantsOut:
        """For those who may hand out levels on it; with the levels on its layer."""
        found = grants.list_grants(
            call.session,
            call.caller,
            kind,
            target_id,
            member=member,
            search=search,
            sort=sort,
            cursor=cursor,
            limit=limit,
        )
        return GrantsOut.of(found)

    def give_level(call: Changing, target_id: UUID, body: NewGrant, response: Response) -> GrantOut:
        """Managers give Viewer and Editor, owners and admins every level. On the plan starter nobody does."""
        given = grants.give_level(
            call.session,
            call.caller,
            kind,
            target_id,
            member=body.member,
            group=body.group,
            level=body.level,
            expires_at=body.expires_at,
        )
        return _answer(response, given)

    def change_level(
        call: Changing,
        target_id: UUID,
        grant_id: UUID,
        body: GrantChange,
        response: Response,
        if_match: IfMatch = None,
    ) -> GrantOut:
        """What is Manager, or would become it, is for owners and admins."""
        changed = grants.change_level(
            call.session, call.caller, kind, target_id, grant_id, **body.changes(), if_match=if_match
        )
        return _answer(response, changed)

    def take_level(call: Changing, target_id: UUID, grant_id: UUID, if_match: IfMatch = None) -> None:
        """What reaches its holder from elsewhere stays."""
        grants.take_level(call.session, call.caller, kind, target_id, grant_id, if_match=if_match)

    where_from = f"See your level on a {kind}, and where it comes from"
    router.get(f"{target}/access", summary=where_from)(my_access_to_table if kind == "table" else my_access)
    router.get(f"{target}/grants", summary=f"List the levels that were given on a {kind}")(list_grants)
    router.post(f"{target}/grants", summary=f"Give a level on a {kind}", status_code=201)(give_level)
    router.patch(f"{target}/grants/{{grant_id}}", summary=f"Change a level on a {kind}")(change_level)
    router.delete(f"{target}/grants/{{grant_id}}", summary=f"Take a level on a {kind}", status_code=204)(take_level)


def _answer(response: Response, seen: grants.SeenGrant) -> GrantOut:
    tag(response, seen.grant.version)
    return GrantOut.of(seen)


for each in ("layer", "table", "volume"):
    _routes_on(each)

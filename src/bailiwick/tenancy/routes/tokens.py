"""API tokens over HTTP: one's own, and for owners and admins those of a member."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter

from bailiwick.problems import PROBLEMS
from bailiwick.tenancy import tokens
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.calling import Changing, ReadingAsOneself
from bailiwick.tenancy.listing import Cursor, Limit, PartOfName, TokenSort
from bailiwick.tenancy.models import ApiToken
from bailiwick.tenancy.schemas.tokens import NewTokenOut, TokenIn, TokenOut, TokensOut

router = APIRouter(prefix="/api/v1", tags=["tokens"], responses=PROBLEMS)


@router.post("/tokens", status_code=201, summary="Make a token; its secret is in this answer and nowhere else")
def create_token(call: Changing, body: TokenIn) -> NewTokenOut:
    token, secret = tokens.create_token(
        call.session,
        call.caller,
        body.name,
        read_only=body.read_only,
        tables=body.tables,
        expires_at=body.expires_at,
        expires_in_days=body.expires_in_days,
    )
    return NewTokenOut.made(token, secret)


@router.get("/tokens", summary="List your tokens")
def list_tokens(
    call: ReadingAsOneself,
    search: PartOfName = None,
    sort: TokenSort = "-created",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> TokensOut:
    page = tokens.list_tokens(call.session, call.caller, search=search, sort=sort, cursor=cursor, limit=limit)
    items = [TokenOut.of(row, _actions(call.caller, row)) for row in page.items]
    return TokensOut(items=items, next_cursor=page.next_cursor)


@router.delete("/tokens/{token_id}", status_code=204, summary="Revoke one of your tokens")
def revoke_token(call: Changing, token_id: UUID) -> None:
    tokens.revoke_token(call.session, call.caller, token_id)


@router.get("/members/{member_id}/tokens", summary="List a member's tokens")
def list_tokens_of(
    call: ReadingAsOneself,
    member_id: UUID,
    search: PartOfName = None,
    sort: TokenSort = "-created",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> TokensOut:
    page = tokens.list_tokens(
        call.session, call.caller, member_id, search=search, sort=sort, cursor=cursor, limit=limit
    )
    return TokensOut(items=[TokenOut.of(row, ["revoke"]) for row in page.items], next_cursor=page.next_cursor)


@router.delete("/members/{member_id}/tokens/{token_id}", status_code=204, summary="Revoke a member's token")
def revoke_token_of(call: Changing, member_id: UUID, token_id: UUID) -> None:
    tokens.revoke_token_of(call.session, call.caller, member_id, token_id)


def _actions(caller: Caller, row: ApiToken) -> list[str]:
    may_revoke = caller.token is None or (caller.token.id == row.id and not row.read_only)
    return ["revoke"] if may_revoke else []

"""Signing in and out over HTTP: by password, by link, for the first time; and links made for somebody else."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from fastapi import APIRouter, BackgroundTasks, Response

from bailiwick.problems import PROBLEMS, WHEN_PROVING, WITH_A_LINK
from bailiwick.settings import Settings
from bailiwick.tenancy import sessions, sign_in
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.calling import COOKIE, Changing, Knocking, Proving, ReadingAsOneself
from bailiwick.tenancy.models import LinkPurpose
from bailiwick.tenancy.schemas.sessions import SessionOut
from bailiwick.tenancy.schemas.sign_in import (
    Answer,
    As,
    AskForLink,
    ChangePassword,
    Join,
    LinkOut,
    LookAtLink,
    MadeLinkOut,
    MakeLink,
    MeOut,
    ResetPassword,
    SignedInOut,
    SignIn,
    SignInByLink,
)
from bailiwick.tenancy.schemas.tokens import TokenInUseOut
from bailiwick.tenancy.sessions import SignedIn

router = APIRouter(prefix="/api/v1", tags=["signing in"], responses=PROBLEMS)


@router.get("/session", summary="Who is signed in, and the CSRF token")
def see_session(call: ReadingAsOneself) -> MeOut:
    return MeOut(**_me(call.caller))


@router.post("/session", summary="Sign in by password", responses=WHEN_PROVING)
def sign_in_by_password(knock: Knocking, body: SignIn, response: Response) -> SignedInOut:
    signed_in = sign_in.sign_in(knock, body.email, body.password.get_secret_value())
    return _let_in(response, knock.settings, signed_in, body.as_)


@router.delete("/session", status_code=204, summary="Sign out")
def sign_out(call: Changing, response: Response) -> None:
    sessions.sign_out(call.session, call.caller)
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax", secure=_is_secure(call.settings))


@router.post(
    "/links", status_code=202, summary="Ask for a link to sign in or to set a new password", responses=WHEN_PROVING
)
def ask_for_link(knock: Knocking, body: AskForLink, later: BackgroundTasks) -> Answer:
    """The answer is the same for everybody, and leaves before anybody is looked up: neither it nor its time tells
    whether there is such an account."""
    sign_in.count_asking(knock, body.email)
    later.add_task(sign_in.ask_for_link, knock, body.email, LinkPurpose(body.purpose))
    if knock.settings.sends_email:
        return Answer(detail="If there is an account with this address, a link is on its way to it.")
    return Answer(
        detail="No mail server is set here, so no link can be sent to you. Ask a tenant owner or admin for one."
    )


@router.post("/links/look", summary="What a link is for; looking does not use it up", responses=WITH_A_LINK)
def look_at_link(knock: Knocking, body: LookAtLink) -> LinkOut:
    link = sign_in.look(knock, body.secret.get_secret_value())
    local, _, domain = link.member.email.partition("@")
    return LinkOut(
        purpose=LinkPurpose(link.purpose),
        name=" ".join(map(_hint, link.member.name.split())),
        email=f"{_hint(local)}@{domain}",
        expires_at=link.expires_at,
    )


@router.post("/links/sign-in", summary="Confirm a magic link: sign in", responses=WITH_A_LINK)
def sign_in_by_link(knock: Knocking, body: SignInByLink, response: Response) -> SignedInOut:
    signed_in = sign_in.sign_in_by_link(knock, body.secret.get_secret_value())
    return _let_in(response, knock.settings, signed_in, body.as_)


@router.post(
    "/links/reset-password", summary="Confirm a reset link: set a new password and sign in", responses=WITH_A_LINK
)
def reset_password(knock: Knocking, body: ResetPassword, response: Response) -> SignedInOut:
    signed_in = sign_in.reset_password(knock, body.secret.get_secret_value(), body.password.get_secret_value())
    return _let_in(response, knock.settings, signed_in, body.as_)


@router.post("/links/join", summary="Confirm an invitation: choose a password and come in", responses=WITH_A_LINK)
def join(knock: Knocking, body: Join, response: Response) -> SignedInOut:
    secret, password = body.secret.get_secret_value(), body.password.get_secret_value()
    signed_in = sign_in.join(knock, secret, password, body.name, body.time_zone)
    return _let_in(response, knock.settings, signed_in, body.as_)


@router.post(
    "/members/{member_id}/links", status_code=201, summary="Send somebody a magic link or reset their password"
)
def make_link_for(call: Changing, member_id: UUID, body: MakeLink) -> MadeLinkOut:
    purpose = LinkPurpose(body.purpose)
    made = sign_in.make_link_for(call.session, call.settings, call.caller, member_id, purpose, show=body.show)
    return MadeLinkOut(detail=made.said, link=made.link)


@router.post("/me/password", status_code=204, summary="Change your own password", responses=WHEN_PROVING)
def change_password(proof: Proving, body: ChangePassword) -> None:
    old, new = body.old_password.get_secret_value(), body.new_password.get_secret_value()
    sign_in.change_password(proof.knock, proof.caller, old, new)


def _let_in(response: Response, settings: Settings, signed_in: SignedIn, way: As) -> SignedInOut:
    by_cookie = way == As.BROWSER
    if by_cookie:
        response.set_cookie(
            COOKIE,
            signed_in.secret,
            max_age=settings.session_days * 24 * 60 * 60,
            path="/",
            httponly=True,
            samesite="lax",
            secure=_is_secure(settings),
        )
    me = _me(Caller(signed_in.member, session=signed_in.session))
    return SignedInOut(secret=None if by_cookie else signed_in.secret, **me)


def _me(caller: Caller) -> dict[str, Any]:
    token = caller.token
    return {
        "member_id": caller.member.id,
        "name": caller.member.name,
        "email": caller.member.email,
        "session": SessionOut.of(caller.session, caller.session) if caller.session else None,
        "token": TokenInUseOut.model_validate(token, from_attributes=True) if token else None,
        "csrf_token": caller.session.csrf_token if caller.session else None,
    }


def _is_secure(settings: Settings) -> bool:
    return settings.public_url.startswith("https://")


def _hint(word: str) -> str:
    """The first letter, and as many dots for everybody."""
    return f"{word[:1]}•••"

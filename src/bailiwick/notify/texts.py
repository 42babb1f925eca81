"""The e-mails' words: plain, short, and clear about what to do when they come unexpected."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

# What can end with whoever saw a link.
LOST = {"passwords": "your password", "sessions": "where you were signed in", "tokens": "tokens made there"}


@dataclass(frozen=True)
class Text:
    subject: str
    body: str


def sign_in_link(name: str, tenant: str, link: str, minutes: int, maker: str | None = None) -> Text:
    asked = f"{maker} made this link for you" if maker else "You asked for this link"
    return Text(
        f"Your sign-in link for {tenant}",
        f"Hello {name},\n\n{asked}. It signs you in to {tenant}, once, within {minutes} minutes:\n\n{link}\n\n"
        "If you did not expect it, leave it alone: nothing happens without you.\n",
    )


def reset_link(name: str, tenant: str, link: str, minutes: int, maker: str | None = None) -> Text:
    asked = (
        f"{maker} reset your password for {tenant} and you were signed out everywhere"
        if maker
        else f"You asked for a new password for {tenant}"
    )
    unexpected = (
        "Your old password no longer works."
        if maker
        else "If you did not ask for it, leave it alone: your password stays as it is."
    )
    return Text(
        f"Set a new password for {tenant}",
        f"Hello {name},\n\n{asked}. Choose a new password here, within {minutes} minutes:\n\n{link}\n\n{unexpected}\n",
    )


def join_link(name: str, tenant: str, link: str, days: int, maker: str | None = None) -> Text:
    invited = f"{maker} invites you to {tenant}" if maker else f"You are invited to {tenant}"
    return Text(
        f"You are invited to {tenant}",
        f"Hello {name},\n\n{invited}. Choose a password and come in, within {days} days:\n\n{link}\n\n"
        "If you do not know what this is about, leave it alone: nothing happens without you.\n",
    )


def password_changed(name: str, tenant: str) -> Text:
    return Text(
        f"Your password for {tenant} was changed",
        f"Hello {name},\n\nyour password for {tenant} was changed just now, and every other session was ended.\n\n"
        "If that was not you, tell an admin at once: they can reset your password.\n",
    )


def begin_anew(name: str, tenant: str) -> Text:
    return Text(
        f"Sign in to {tenant} anew",
        f"Hello {name},\n\nyour role in {tenant} has risen. Somebody below it had seen the link you joined with, so "
        "you were signed out everywhere, your tokens ended, and your password no longer works.\n\n"
        "Ask for a new link on the sign-in page, or have an owner make one for you.\n",
    )


def link_was_seen(name: str, tenant: str, ended: Collection[str]) -> Text:
    what = [said for key, said in LOST.items() if key in ended]
    anew = (
        "To set a new password, ask for a link on the sign-in page, or have an owner or admin make one for you."
        if "passwords" in ended
        else "Sign in as usual, and make new tokens where programs of yours need them."
    )
    return Text(
        f"Something of yours in {tenant} ended",
        f"Hello {name},\n\nsomebody in {tenant} had made a link for you and seen it, and no longer has the role they "
        f"made it in. So what was opened with it ended: {', '.join(what)}.\n\n{anew}\n",
    )


def run_ended(name: str, subject: str, number: int, state: str, problem: str, link: str) -> Text:
    """News of a run, to somebody who receives its channel and may see it."""
    said = f"\n\n{problem}" if problem else ""
    return Text(
        f"{subject}: run {number} {state}",
        f"Hello {name},\n\nrun {number} of {subject} {state}.{said}\n\n{link}\n\n"
        "You receive this because you are on the list of this channel. To opt out: bailiwick notifications receive "
        "--stop, or bailiwick projects receive --stop for a project's.\n",
    )


def access_asked(
    name: str, who: str, wish: str, until: datetime | None, reason: str, lapses_at: datetime, link: str
) -> Text:
    """A request for access, to somebody who can give it."""
    return Text(
        f"{who} asks to be {wish}",
        f"Hello {name},\n\n{who} asks to be {wish}{_until(until)}:\n\n{_quoted(reason)}\n\nGrant or decline it here, "
        f"before {lapses_at:%d %B %Y}:\n\n{link}\n\nYou receive this because you can give it; others may be quicker.\n",
    )


def access_granted(name: str, wish: str, by: str, until: datetime | None, link: str) -> Text:
    return Text(
        f"You are now {wish}",
        f"Hello {name},\n\n{by} granted what you asked for: you are {wish}{_until(until)}.\n\n{link}\n",
    )


def access_declined(name: str, wish: str, by: str, reason: str, link: str) -> Text:
    return Text(
        f"You were not made {wish}",
        f"Hello {name},\n\n{by} declined your request to be {wish}:\n\n{_quoted(reason)}\n\n{link}\n",
    )


def _until(moment: datetime | None) -> str:
    return f" until {moment:%d %B %Y, %H:%M} UTC" if moment else ""


def _quoted(text: str) -> str:
    """What somebody wrote, marked as theirs on every line: nobody puts words into our mouth."""
    return "\n".join(f"> {line}" for line in text.splitlines())

"""Delivering queued e-mail: to the mail server, or without one into a folder."""

from __future__ import annotations

import os
import smtplib
import ssl
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import structlog
from sqlalchemy import Select, delete, or_, select, update
from sqlalchemy.orm import Session

from bailiwick.background import Background
from bailiwick.database.base import utc_now
from bailiwick.database.encryption import EncryptionError
from bailiwick.database.engine import Database
from bailiwick.database.locks import LOCKED
from bailiwick.notify import service
from bailiwick.notify.models import OutgoingEmail
from bailiwick.settings import Settings

log = structlog.get_logger(__name__)

LOOK_EVERY_SECONDS = 15
SERVER_SECONDS = 30
# Longer than a delivery can take: whoever claimed an e-mail and died gives it up to the next one after this time.
CLAIM = timedelta(minutes=10)
FIRST_WAIT, LONGEST_WAIT = timedelta(seconds=30), timedelta(hours=4)
GIVE_UP_AFTER = timedelta(days=3)
FORGET_AFTER = timedelta(days=30)
NEVER = datetime(9999, 1, 1, tzinfo=UTC)


class Deliverer:
    """Sends what is due. Several processes may do so at once; each e-mail is claimed by one of them."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database = database
        self._settings = settings
        self._background = Background("deliver e-mail", self.deliver, LOOK_EVERY_SECONDS)

    def start(self) -> None:
        service.queued.append(self._background.wake)
        self._background.start()

    def stop(self) -> None:
        service.queued.remove(self._background.wake)
        self._background.stop()

    def deliver(self) -> None:
        """Deliver everything that is due, one after the other, and forget what is long done."""
        while not self._background.stopping and (email_id := self._claim()) is not None:
            self._try(email_id)
        self._forget_old()

    def _claim(self) -> UUID | None:
        """Take the e-mail that waits longest. The claim is committed before the sending, so that no transaction is
        held open meanwhile and a crash only delays; an e-mail may come twice then, but is never lost."""
        with self._database.read() as session:  # most of the time nothing is due, and nobody should wait for that
            if session.scalars(_due()).first() is None:
                return None
        with self._database.session() as session:
            email_id = session.scalars(_due().with_for_update(skip_locked=True, **LOCKED)).first()
            if email_id is not None:
                self._change(session, email_id, try_at=utc_now() + CLAIM, attempts=OutgoingEmail.attempts + 1)
            return email_id

    def _try(self, email_id: UUID) -> None:
        try:
            with self._database.read() as session:
                email = session.get(OutgoingEmail, email_id)
            if email is None or email.text is None:
                return
            self._send(email)
        except (OSError, smtplib.SMTPException, ValueError, EncryptionError) as error:
            self._put_back(email_id, error)
        else:
            with self._database.session() as session:
                self._change(session, email_id, sent_at=utc_now(), text=None, problem="")

    def _send(self, email: OutgoingEmail) -> None:
        message = write_message(email, self._settings)
        if self._settings.smtp_host is None:
            file = write_file(self._settings.home / "outbox", f"{email.id}.eml", message.as_bytes())
            log.info("e-mail written", file=str(file), recipient=email.recipient, subject=email.subject)
        else:
            send_message(message, self._settings)
            log.info("e-mail sent", email_id=str(email.id))

    def _put_back(self, email_id: UUID, error: Exception) -> None:
        # The server's words may repeat what was sent; the kind of error is enough to act on.
        problem = f"{type(error).__name__} {_code(error) or ''}".rstrip()
        with self._database.session() as session:
            tried = select(OutgoingEmail.attempts, OutgoingEmail.created_at).where(OutgoingEmail.id == email_id)
            attempts, created_at = session.execute(tried).one()
            gives_up = _is_final(error) or utc_now() - created_at > GIVE_UP_AFTER
            if gives_up:
                self._change(session, email_id, problem=problem, text=None, try_at=NEVER)
            else:
                wait = min(FIRST_WAIT * 2 ** min(attempts - 1, 20), LONGEST_WAIT)
                self._change(session, email_id, problem=problem, try_at=utc_now() + wait)
        log.warning("e-mail not delivered", email_id=str(email_id), problem=problem, gives_up=gives_up)

    def _change(self, session: Session, email_id: UUID, **values: Any) -> None:
        unsent = update(OutgoingEmail).where(OutgoingEmail.id == email_id, OutgoingEmail.sent_at.is_(None))
        session.execute(unsent.values(**values).execution_options(synchronize_session=False))

    def _forget_old(self) -> None:
        long_ago = utc_now() - FORGET_AFTER
        given_up = OutgoingEmail.sent_at.is_(None) & (OutgoingEmail.try_at == NEVER)
        old = or_(OutgoingEmail.sent_at < long_ago, given_up & (OutgoingEmail.created_at < long_ago))
        with self._database.read() as session:
            if session.scalars(select(OutgoingEmail.id).where(old).limit(1)).first() is None:
                return
        with self._database.session() as session:
            session.execute(delete(OutgoingEmail).where(old))


def write_message(email: OutgoingEmail, settings: Settings) -> EmailMessage:
    text = email.text or ""
    message = EmailMessage(policy=SMTP)
    message["From"] = settings.smtp_from
    message["To"] = email.recipient
    message["Subject"] = email.subject
    message["Date"] = format_datetime(email.created_at)
    # The same at every attempt, so that a mailbox can recognise an e-mail that came twice.
    message["Message-ID"] = f"<{email.id}@{settings.smtp_from.partition('@')[2] or 'localhost'}>"
    message["Auto-Submitted"] = "auto-generated"
    # Not wrapped or encoded, so that a link in the folder can be copied as it stands.
    message.set_content(text, cte="7bit" if text.isascii() else "8bit")
    return message


def send_message(message: EmailMessage, settings: Settings) -> None:
    """Hand it to the mail server, over a connection whose certificate is checked."""
    assert settings.smtp_host is not None
    where = (settings.smtp_host, settings.smtp_port)
    server: smtplib.SMTP
    if settings.smtp_security == "tls":
        server = smtplib.SMTP_SSL(*where, timeout=SERVER_SECONDS, context=ssl.create_default_context())
    else:
        server = smtplib.SMTP(*where, timeout=SERVER_SECONDS)
    with server:
        if settings.smtp_security == "starttls":
            server.starttls(context=ssl.create_default_context())
        if settings.smtp_user and settings.smtp_password:
            server.login(settings.smtp_user, settings.smtp_password.get_secret_value())
        server.ehlo_or_helo_if_needed()
        server.send_message(message, mail_options=["BODY=8BITMIME"] if server.has_extn("8bitmime") else [])


def write_file(folder: Path, name: str, content: bytes) -> Path:
    """Write it whole or not at all, for the owner's eyes only: it may hold a link that lets somebody in."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft, file = folder / f".{name}", folder / name
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    draft.replace(file)
    return file


def _due() -> Select[UUID]:
    # The id alone: a text that cannot be decrypted must not hold up the others.
    waiting = select(OutgoingEmail.id).where(OutgoingEmail.sent_at.is_(None), OutgoingEmail.try_at <= utc_now())
    return waiting.order_by(OutgoingEmail.try_at).limit(1)


def _code(error: Exception) -> int | None:
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return max(code for code, _ in error.recipients.values())
    return error.smtp_code if isinstance(error, smtplib.SMTPResponseException) else None


def _is_final(error: Exception) -> bool:
    """The server knows no such mailbox, or the address cannot be written: no later attempt changes that."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return (_code(error) or 0) >= 500
    # A certificate that cannot be trusted is a wrong value too, to Python, but one that somebody can mend.
    return isinstance(error, ValueError) and not isinstance(error, OSError)

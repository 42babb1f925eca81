"""E-mail: queued with its cause, delivered once, tried again, and into a folder where there is no mail server."""

import asyncio
import ipaddress
import ssl
import threading
from collections.abc import Iterator
from datetime import timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from pydantic import SecretStr
from sqlalchemy import select, update

from bailiwick.database import encryption
from bailiwick.database.base import utc_now
from bailiwick.database.engine import Database
from bailiwick.notify import deliverer as deliverer_module
from bailiwick.notify.deliverer import CLAIM, GIVE_UP_AFTER, NEVER, Deliverer, send_message
from bailiwick.notify.models import OutgoingEmail
from bailiwick.notify.service import queue_length, queued, send
from bailiwick.settings import Settings

TEXT = "Hello Zoë,\n\nhttps://data.example.com/sign-in#bwl_" + "x" * 60 + "\n"


class Mailbox:
    """A mail server's other side: keeps what it takes, or answers as it is told."""

    def __init__(self) -> None:
        self.taken: list[EmailMessage] = []
        self.senders: list[str] = []
        self.refuse_recipients = ""
        self.refuse_data = ""

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        if self.refuse_recipients:
            return self.refuse_recipients
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if self.refuse_data:
            return self.refuse_data
        self.senders.append(envelope.mail_from)
        message = message_from_bytes(envelope.content, policy=default)
        assert isinstance(message, EmailMessage)
        self.taken.append(message)
        return "250 OK"


class Server(Controller):
    """A mail server at whatever port is free."""

    def __init__(self, mailbox: Mailbox, **more: Any) -> None:
        super().__init__(mailbox, hostname="127.0.0.1", port=0, **more)

    def _trigger_server(self) -> None:
        assert isinstance(self.server, asyncio.Server)
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()  # type: ignore[no-untyped-call]


@pytest.fixture
def mailbox() -> Mailbox:
    return Mailbox()


@pytest.fixture
def server(mailbox: Mailbox) -> Iterator[Server]:
    controller = Server(mailbox)
    controller.start()
    yield controller
    controller.stop()


def deliverer_to(controller: Server, database: Database, settings: Settings, **more: Any) -> Deliverer:
    there = {"smtp_host": "127.0.0.1", "smtp_port": controller.port, "smtp_security": "none", **more}
    return Deliverer(database, settings.model_copy(update={**there, "smtp_from": "platform@example.com"}))


def queue(database: Database, to: str = "mia@example.com", text: str = TEXT) -> None:
    with database.session() as session:
        send(session, to, "Grüße\r\nBcc: eve@example.com", text)


def the_row(database: Database) -> OutgoingEmail:
    with database.read() as session:
        return session.scalars(select(OutgoingEmail)).one()


def test_an_email_arrives_whole_and_its_text_is_wiped(
    database: Database, settings: Settings, server: Server, mailbox: Mailbox
) -> None:
    queue(database)
    deliverer_to(server, database, settings).deliver()
    (message,) = mailbox.taken
    assert message["To"] == "mia@example.com"
    assert message["From"] == "platform@example.com"
    assert message["Subject"] == "Grüße Bcc: eve@example.com"
    assert message["Bcc"] is None
    assert message["Auto-Submitted"] == "auto-generated"
    assert message.get_content().replace("\r\n", "\n") == TEXT
    row = the_row(database)
    assert row.sent_at is not None
    assert row.text is None
    with database.read() as session:
        assert queue_length(session) == 0
    deliverer_to(server, database, settings).deliver()
    assert len(mailbox.taken) == 1


def test_a_rolled_back_transaction_sends_nothing(
    database: Database, settings: Settings, server: Server, mailbox: Mailbox
) -> None:
    def fail() -> None:
        with database.session() as session:
            send(session, "mia@example.com", "Hello", TEXT)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    deliverer_to(server, database, settings).deliver()
    assert not mailbox.taken


def test_whoever_delivers_is_woken_after_the_commit_and_not_before(database: Database) -> None:
    woken = []
    queued.append(lambda: woken.append(True))
    try:
        with database.session() as session:
            send(session, "mia@example.com", "Hello", TEXT)
            session.flush()
            with session.begin_nested():
                pass
            assert not woken
        assert woken == [True]
        with database.session() as session:
            session.execute(select(OutgoingEmail))
        assert woken == [True]
    finally:
        queued.clear()


def test_what_a_terminal_would_obey_is_not_sent(database: Database) -> None:
    """An e-mail may quote what went wrong, and lies in a folder where there is no mail server."""
    with database.session() as session:
        send(session, "zoe@example.com", "Ended\x1b[2J", "It\tsaid:\r\n\x1b]0;x\x07 \u202eno\r👩‍💻\n")
    with database.read() as session:
        sent = session.scalars(select(OutgoingEmail)).one()
        assert (sent.subject, sent.text) == ("Ended�[2J", "It\tsaid:\r\n�]0;x� �no�👩‍💻\n")


def test_the_queue_keeps_no_readable_text(database: Database) -> None:
    queue(database)
    with database.engine.connect() as connection:
        kept = connection.exec_driver_sql("SELECT text FROM outgoing_email").scalar_one()
    assert "bwl_" not in kept


def test_two_who_deliver_at_the_same_time_send_each_email_once(
    database: Database, settings: Settings, server: Server, mailbox: Mailbox
) -> None:
    for number in range(12):
        queue(database, f"member{number}@example.com")
    threads = [threading.Thread(target=deliverer_to(server, database, settings).deliver) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(message["To"] for message in mailbox.taken) == sorted(f"member{n}@example.com" for n in range(12))


def test_a_server_that_is_busy_is_tried_again_later_and_later(
    database: Database, settings: Settings, server: Server, mailbox: Mailbox
) -> None:
    mailbox.refuse_data = "451 busy with secrets"
    queue(database)
    waits = []
    for _ in range(3):
        deliverer_to(server, database, settings).deliver()
        row = the_row(database)
        waits.append((row.try_at - utc_now()).total_seconds())
        assert row.problem == "SMTPDataError 451"
        assert row.text == TEXT
        with database.session() as session:
            session.execute(update(OutgoingEmail).values(try_at=utc_now()))
    assert 15 < waits[0] < 31 < waits[1] < 61 < waits[2] < 121
    mailbox.refuse_data = ""
    deliverer_to(server, database, settings).deliver()
    assert len(mailbox.taken) == 1
    assert the_row(database).problem == ""


def test_a_server_that_is_not_there_keeps_the_email_waiting(database: Database, settings: Settings) -> None:
    gone = Server(Mailbox())
    gone.start()
    nobody_there = deliverer_to(gone, database, settings)
    gone.stop()
    queue(database)
    nobody_there.deliver()
    row = the_row(database)
    assert row.problem == "ConnectionRefusedError"
    assert row.text == TEXT
    assert row.sent_at is None


def test_after_days_of_trying_it_gives_up_and_wipes_the_text(
    database: Database, settings: Settings, server: Server, mailbox: Mailbox
) -> None:
    mailbox.refuse_data = "451 busy"
    queue(database)
    with database.session() as session:
        session.execute(update(OutgoingEmail).values(created_at=utc_now() - GIVE_UP_AFTER - timedelta(seconds=1)))
    deliverer_to(server, database, settings).deliver()
    row = the_row(database)
    assert (row.text, row.sent_at, row.try_at) == (None, None, NEVER)


def test_an_unknown_mailbox_is_not_tried_again(
    database: Database, settings: Settings, server: Server, mailbox: Mailbox
) -> None:
    mailbox.refuse_recipients = "550 no such mailbox"
    queue(database)
    deliverer_to(server, database, settings).deliver()
    row = the_row(database)
    assert row.problem == "SMTPRecipientsRefused 550"
    assert row.text is None


def test_one_bad_email_does_not_hold_up_the_others(
    database: Database, settings: Settings, server: Server, mailbox: Mailbox
) -> None:
    queue(database, "bad address\n@example.com")
    encryption.use_keys(["YW5vdGhlciBrZXkgYW5vdGhlciBrZXkgYW5vdGhlciE="])
    queue(database, "other-key@example.com")
    encryption.use_keys(["dGVzdHMgdGVzdHMgdGVzdHMgdGVzdHMgdGVzdHMgISE="])
    queue(database, "mia@example.com")
    deliverer_to(server, database, settings).deliver()
    assert [message["To"] for message in mailbox.taken] == ["mia@example.com"]


def test_a_crash_between_sending_and_marking_sends_again_and_loses_nothing(
    database: Database, settings: Settings, server: Server, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    class PowerCut(BaseException):
        pass

    def send_and_die(message: EmailMessage, where: Settings) -> None:
        send_message(message, where)
        raise PowerCut

    queue(database)
    with monkeypatch.context() as patched:
        patched.setattr(deliverer_module, "send_message", send_and_die)
        with pytest.raises(PowerCut):
            deliverer_to(server, database, settings).deliver()
    deliverer_to(server, database, settings).deliver()
    assert len(mailbox.taken) == 1  # still claimed by the one who died
    with database.session() as session:
        claimed_until = session.scalars(select(OutgoingEmail.try_at)).one()
        session.execute(update(OutgoingEmail).values(try_at=claimed_until - CLAIM))
    deliverer_to(server, database, settings).deliver()
    first, second = mailbox.taken
    assert first["Message-ID"] == second["Message-ID"]  # so that a mailbox can tell


def test_delivered_emails_are_forgotten_after_a_month(database: Database, settings: Settings) -> None:
    queue(database)
    Deliverer(database, settings).deliver()
    with database.session() as session:
        session.execute(update(OutgoingEmail).values(sent_at=utc_now() - timedelta(days=31)))
    Deliverer(database, settings).deliver()
    with database.read() as session:
        assert session.scalars(select(OutgoingEmail)).all() == []


# Without a mail server -----------------------------------------------------------------------------------------------


def test_without_a_mail_server_it_goes_into_a_folder_for_the_owners_eyes_only(
    database: Database, settings: Settings
) -> None:
    queue(database)
    Deliverer(database, settings).deliver()
    outbox = settings.home / "outbox"
    (file,) = outbox.iterdir()
    assert file.suffix == ".eml"
    assert file.stat().st_mode & 0o777 == 0o600
    assert outbox.stat().st_mode & 0o777 == 0o700
    assert "/sign-in#bwl_" + "x" * 60 + "\n" in file.read_text()  # whole, to be copied as it stands
    assert the_row(database).text is None


def test_a_folder_that_cannot_be_written_keeps_the_email_waiting(database: Database, settings: Settings) -> None:
    settings.home.mkdir(parents=True)
    (settings.home / "outbox").write_text("a file in the way")
    queue(database)
    Deliverer(database, settings).deliver()
    assert the_row(database).text == TEXT


# Encryption and signing in -------------------------------------------------------------------------------------------


def make_certificate(folder: Path) -> tuple[Path, Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(utc_now() - timedelta(days=1))
        .not_valid_after(utc_now() + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (folder / "certificate.pem").write_bytes(certificate.public_bytes(pem))
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "key.pem").write_bytes(private)
    return folder / "certificate.pem", folder / "key.pem"


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_it_signs_in_over_an_encrypted_connection_to_a_server_it_can_trust_and_to_no_other(
    database: Database,
    settings: Settings,
    mailbox: Mailbox,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    security: str,
) -> None:
    certificate, key = make_certificate(tmp_path)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    given = []

    def authenticate(server: Any, session: Any, envelope: Any, mechanism: str, data: LoginPassword) -> AuthResult:
        given.append((data.login, data.password))
        return AuthResult(success=True)

    more: dict[str, Any] = {"authenticator": authenticate}
    if security == "tls":
        more |= {"ssl_context": context, "auth_require_tls": False}
    else:
        more |= {"tls_context": context, "require_starttls": True, "auth_required": True}
    controller = Server(mailbox, **more)
    controller.start()
    try:
        there = {"smtp_security": security, "smtp_user": "platform", "smtp_password": SecretStr("swordfish")}
        queue(database)
        deliverer_to(controller, database, settings, **there).deliver()
        assert the_row(database).problem == "SSLCertVerificationError"
        assert not given
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        with database.session() as session:
            session.execute(update(OutgoingEmail).values(try_at=utc_now()))
        deliverer_to(controller, database, settings, **there).deliver()
        assert the_row(database).problem == ""
        assert given == [(b"platform", b"swordfish")]
        assert len(mailbox.taken) == 1
    finally:
        controller.stop()

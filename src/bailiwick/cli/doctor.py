"""`bailiwick doctor`: looks at everything the platform stands on, and says what to do about what is wrong."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from bailiwick.cli.command import Here, command
from bailiwick.cli.doctor_spark import examine_spark
from bailiwick.cli.findings import FAIL, OK, WARN, Finding
from bailiwick.cli.output import console, print_json, waiting

if TYPE_CHECKING:
    from bailiwick.database.engine import Database
    from bailiwick.settings import Settings

COLOURS = {OK: "green", WARN: "yellow", FAIL: "bold red"}
OLDEST_PYTHON = (3, 11)
LITTLE_ROOM, NO_ROOM = 2_000_000_000, 200_000_000
SMTP_SECONDS = 5
CLOCK_SLACK = timedelta(minutes=2)
RELEASED = datetime(2025, 1, 1, tzinfo=UTC)


def add_to(app: typer.Typer, panel: str) -> None:
    @command(app, "doctor", examples=["bailiwick doctor", "bailiwick doctor --json"], panel=panel, local=True)
    def doctor(here: Here) -> None:
        """Check Python, the home folder, disk, database, key, port, e-mail, clock and Spark, and say what to do.

        Ends with code 1 if something keeps the platform from running."""
        with waiting("Looking …"):
            findings = list(examine())
        sick = any(finding.state == FAIL for finding in findings)
        if here.as_json:
            print_json({"healthy": not sick, "items": [asdict(finding) for finding in findings]})
        else:
            for finding in findings:
                _say(finding)
        if sick:
            raise typer.Exit(1)


def examine() -> Iterator[Finding]:
    """Every check, in the order in which things are needed."""
    from bailiwick.settings import SettingsError, load_settings

    yield python_version()
    yield time_zones()
    try:
        settings = load_settings()
    except SettingsError as error:
        yield Finding("settings", FAIL, str(error), "Correct it, then run bailiwick doctor again.")
        return
    yield Finding("settings", OK, "All are valid.")
    yield from home_folder(settings)
    yield from database(settings)
    yield port(settings)
    yield email(settings)
    yield from examine_spark(settings)


def python_version() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info[:2] < OLDEST_PYTHON:
        return Finding("python", FAIL, version, "Install Python 3.11 or newer, and Bailiwick with it.")
    return Finding("python", OK, version)


def time_zones() -> Finding:
    from zoneinfo import available_timezones

    if not available_timezones():
        return Finding("time zones", FAIL, "This computer knows none.", "Install the package tzdata.")
    return Finding("time zones", OK, "Known.")


def home_folder(settings: Settings) -> Iterator[Finding]:
    """The folder, the room on its disk, and the key in it."""
    import tempfile

    home = settings.home
    if not home.is_dir():
        yield Finding("home folder", WARN, f"{home} does not exist yet.", "Make it with: bailiwick init")
        yield disk(_existing(home))
        return
    try:
        with tempfile.TemporaryFile(dir=home):
            pass
    except OSError as error:
        todo = f"Give this user the right to write there: chown -R {_user()} {home}"
        yield Finding("home folder", FAIL, f"{home} cannot be written: {error.strerror or error}.", todo)
    else:
        mode = home.stat().st_mode & 0o777
        if mode & 0o077:
            yield Finding("home folder", WARN, f"Others can look into {home} (mode {mode:o}).", f"chmod 700 {home}")
        else:
            yield Finding("home folder", OK, f"{home} can be written, by its owner only.")
    yield disk(home)
    yield key(settings)


def disk(folder: Path) -> Finding:
    free = shutil.disk_usage(folder).free
    found = f"{free / 1e9:.1f} GB free."
    if free < NO_ROOM:
        return Finding("disk", FAIL, found, "Make room, or move the home folder with BAILIWICK_HOME.")
    if free < LITTLE_ROOM:
        return Finding("disk", WARN, found, "Make room soon.")
    return Finding("disk", OK, found)


def key(settings: Settings) -> Finding:
    """The encryption key: there, right, and for its owner's eyes only."""
    from bailiwick.database import encryption

    file = settings.home / encryption.FILE_NAME
    if settings.secret_key is None and not file.exists():
        return Finding("key", WARN, "There is none yet.", "It is made by: bailiwick init")
    try:
        encryption.use_key(settings)
    except encryption.EncryptionError as error:
        return Finding("key", FAIL, str(error), "Without the right key, stored credentials cannot be read.")
    return Finding("key", OK, "From the settings." if settings.secret_key else f"{file}, readable by its owner only.")


def database(settings: Settings) -> Iterator[Finding]:
    """Reachable, of this version's shape, with an owner, and a clock that agrees with ours."""
    from sqlalchemy import make_url
    from sqlalchemy.exc import DBAPIError

    from bailiwick.database import migrate
    from bailiwick.database.engine import Database, DatabaseUnavailable, make_engine

    address = make_url(settings.database_url)
    shown = address.render_as_string(hide_password=True)
    if address.get_backend_name() == "sqlite" and not Path(address.database or "").exists():
        yield Finding("database", WARN, f"{shown} does not exist yet.", "Make it with: bailiwick init")
        return
    opened = Database(make_engine(settings.database_url))
    try:
        current = migrate.is_current(opened.engine)
        yield Finding("database", OK, f"{shown} answers.")
        if not current:
            yield Finding(
                "migrations", WARN, "Some are still to run.", "The next bailiwick up runs them; back up first."
            )
            return
        yield Finding("migrations", OK, "All have run.")
        yield tenant(opened)
        yield clock(opened)
    except DatabaseUnavailable as error:
        yield Finding(
            "database", FAIL, f"{shown}: {error}", "Is the server running, and the setting database_url right?"
        )
    except DBAPIError as error:
        yield Finding("database", FAIL, f"{shown}: {error.orig}", "Restore a backup: docs/operate/running.md says how.")
    except migrate.MigrationError as error:
        yield Finding("migrations", FAIL, str(error), "Nothing was changed.")
    finally:
        opened.close()


def tenant(opened: Database) -> Finding:
    from bailiwick.cli.home import has_tenant

    with opened.read() as session:
        if has_tenant(session):
            return Finding("first owner", OK, "Made.")
    return Finding("first owner", FAIL, "There is none yet.", "Make one with: bailiwick init")


def clock(opened: Database) -> Finding:
    """Our clock against the newest thing that is known to have happened, and against the database's own."""
    from sqlalchemy import func, select

    from bailiwick.audit.models import AuditEntry

    now = datetime.now(UTC)
    with opened.read() as session:
        newest = session.scalar(select(AuditEntry.at).order_by(AuditEntry.id.desc()).limit(1))
        theirs = now
        if opened.engine.dialect.name == "postgresql":
            theirs = session.scalar(select(func.clock_timestamp())) or now
    todo = "Set the clock, or let it be set: timedatectl set-ntp true"
    if now < RELEASED or (newest is not None and newest > now + CLOCK_SLACK):
        return Finding("clock", FAIL, f"It says {now:%Y-%m-%d %H:%M} UTC, which has been before.", todo)
    if abs(theirs - now) > CLOCK_SLACK:
        return Finding("clock", WARN, f"It differs from the database's by {abs(theirs - now)}.", todo)
    return Finding("clock", OK, f"It says {now:%Y-%m-%d %H:%M} UTC.")


def port(settings: Settings) -> Finding:
    """Free, or taken by this very platform."""
    from bailiwick.cli.failures import Failure
    from bailiwick.cli.home import running_on
    from bailiwick.cli.serving import listen

    who = running_on(settings)
    try:
        listen(settings).close()
    except Failure as failure:
        if who.get("port") == settings.port:
            return Finding("port", OK, f"{settings.port}: Bailiwick itself, process {who['process']}.")
        return Finding("port", FAIL, str(failure), failure.hint)
    return Finding("port", OK, f"{settings.port} is free.")


def email(settings: Settings) -> Finding:
    """The mail server, greeted and signed in to; no e-mail is sent."""
    if settings.smtp_host is None:
        return Finding("e-mail", OK, f"No mail server is set: e-mails are kept in {settings.home / 'outbox'}.")
    import smtplib

    where = f"{settings.smtp_host}:{settings.smtp_port}"
    try:
        greet(settings)
    except smtplib.SMTPAuthenticationError:
        todo = "Correct the settings smtp_user and smtp_password."
        return Finding("e-mail", FAIL, f"{where} does not let us sign in.", todo)
    except (OSError, smtplib.SMTPException) as error:
        todo = "Correct the settings smtp_host, smtp_port and smtp_security, or start the mail server."
        return Finding("e-mail", FAIL, f"{where}: {error}", todo)
    return Finding("e-mail", OK, f"{where} answers.")


def greet(settings: Settings) -> None:
    import smtplib
    import ssl

    assert settings.smtp_host is not None
    secure = ssl.create_default_context()
    if settings.smtp_security == "tls":
        server: smtplib.SMTP = smtplib.SMTP_SSL(
            settings.smtp_host, settings.smtp_port, timeout=SMTP_SECONDS, context=secure
        )
    else:
        server = smtplib.SMTP(settings.smtp_host, settings.smtp_port, timeout=SMTP_SECONDS)
    with server:
        if settings.smtp_security == "starttls":
            server.starttls(context=secure)
        if settings.smtp_user and settings.smtp_password:
            server.login(settings.smtp_user, settings.smtp_password.get_secret_value())
        server.noop()


def _say(finding: Finding) -> None:
    """A line for what was found, one for what to do: whole lines, which can be copied."""
    from rich.text import Text

    line = Text(f"{finding.state:<5}", style=COLOURS[finding.state])
    line.append(f"{finding.check:<13}{finding.found}", style="default")
    if finding.todo:
        line.append(f"\n{'':<18}→ {finding.todo}", style="bold default")
    console().print(line, soft_wrap=True)


def _existing(folder: Path) -> Path:
    return next(parent for parent in (folder, *folder.parents) if parent.is_dir())


def _user() -> str:
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())

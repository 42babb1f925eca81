"""`bailiwick init`, `up` and `serve`: from an empty folder to a running platform."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from bailiwick.cli.command import Here, called_as, command
from bailiwick.cli.failures import Failure
from bailiwick.cli.output import print_json, waiting

if TYPE_CHECKING:
    from bailiwick.settings import Settings

Host = Annotated[str | None, typer.Option(help="The address to listen on, in place of the setting.")]
Port = Annotated[int | None, typer.Option(min=1, max=65535, help="The port to listen on, in place of the setting.")]


def add_to(app: typer.Typer, panel: str) -> None:
    @command(
        app,
        "init",
        examples=[
            "bailiwick init",
            "bailiwick init --email ada@example.com --name 'Ada Lovelace' --company Northwind",
            "bailiwick init --new-link",
        ],
        panel=panel,
        local=True,
    )
    def init(
        here: Here,
        email: Annotated[str | None, typer.Option(help="The first owner's e-mail address.")] = None,
        name: Annotated[str | None, typer.Option(help="The first owner's name.")] = None,
        company: Annotated[str | None, typer.Option(help="The company's name.")] = None,
        new_link: Annotated[
            bool, typer.Option("--new-link", help="Make a new link for the first owner, who has not joined yet.")
        ] = False,
    ) -> None:
        """Prepare the home folder and make the first owner, who joins with a one-time link.

        It asks for what is not given. There is no default password: whoever has the link chooses one."""
        from bailiwick.settings import load_settings

        settings = load_settings()
        if new_link:
            with waiting("Preparing the database …"):
                link = first_link(settings)
        else:
            link = first_owner(settings, email, name, company)
        if here.as_json:
            print_json({"link": link, "home": str(settings.home)})
            return
        here.say(f"The platform is in {settings.home}. Start it with: {called_as()} up")
        here.say("Then join: open this link in your browser. It works once, for seven days:\n")
        here.say(f"  {link}\n")
        here.say(f"On the command line, in another terminal: {called_as()} login --link 'LINK'")

    @command(
        app,
        "up",
        examples=["bailiwick up", "bailiwick up --port 9000", "BAILIWICK_HOME=/srv/bailiwick bailiwick up"],
        panel=panel,
        local=True,
    )
    def up(here: Here, host: Host = None, port: Port = None) -> None:
        """Start the platform and keep it running: a part that dies is started again. Ctrl-C stops everything."""
        settings = _settings(host, port)
        run_platform(here, settings)

    @command(
        app,
        "serve",
        examples=["bailiwick serve", "bailiwick serve --host 0.0.0.0 --port 80"],
        panel=panel,
        local=True,
    )
    def serve_api(
        here: Here,
        host: Host = None,
        port: Port = None,
        socket_: Annotated[int | None, typer.Option("--socket", hidden=True)] = None,
        watch: Annotated[int | None, typer.Option("--watch", hidden=True)] = None,
    ) -> None:
        """Run the API alone, as one process, for those who have a supervisor of their own (systemd, a container)."""
        from bailiwick.cli.serving import listen, serve
        from bailiwick.cli.supervisor import end_with_supervisor

        settings = _settings(host, port)
        if watch is not None:
            end_with_supervisor(watch)
        with listen(settings) if socket_ is None else socket.socket(fileno=socket_) as listener:
            serve(settings, listener)


def run_platform(
    here: Here,
    settings: Settings,
    ready: Mapping[str, object] | None = None,
    say: str = "",
    then: Callable[[], None] | None = None,
) -> None:
    """Keep the platform running until it is stopped; once it answers, say where, and whatever else there is to say,
    and `then` do something beside it."""
    from bailiwick.cli.home import running_alone
    from bailiwick.cli.serving import listen, until_ready
    from bailiwick.cli.supervisor import NeverReady, Part, Supervisor, python_command

    def announce() -> None:
        if here.as_json:
            print_json({"address": settings.public_url, "home": str(settings.home), **(ready or {})})
        else:
            here.say(f"Bailiwick is ready at {settings.public_url} (Ctrl-C stops it).")
            if settings.smtp_host is None:
                here.say(f"No mail server is set: e-mails are kept in {settings.home / 'outbox'}.")
            if say:
                here.say(f"\n{say}")
        sys.stdout.flush()
        if then is not None:
            threading.Thread(target=then, name="after the start", daemon=True).start()

    # The socket is held here and not by the API: while that is started again, callers wait and are not turned away.
    with running_alone(settings), listen(settings, patience=3.0) as listener:
        own = [f"--host={settings.host}", f"--port={settings.port}", f"--socket={listener.fileno()}"]
        api = Part(
            "API",
            python_command("serve", *own, *(["--json"] if here.as_json else [])),
            lambda: until_ready(listener),
            pass_fds=[listener.fileno()],
        )
        # It warms Spark up; the platform is ready when the API answers.
        worker = Part("worker", python_command("worker", *(["--json"] if here.as_json else [])), lambda: None)
        try:
            Supervisor([api, worker], announce, lambda sentence: typer.echo(sentence, err=True)).run()
        except NeverReady:
            raise typer.Exit(1) from None  # The API has said why.
    here.say("Stopped.")


def first_owner(settings: Settings, email: str | None, name: str | None, company: str | None) -> str:
    """Make the tenant and its first owner, asking for what is not known; the link they join with."""
    import bailiwick.areas  # noqa: F401 - ties the areas to the tenancy
    from bailiwick.cli.home import has_tenant, opened_database
    from bailiwick.tenancy.addresses import normal_email
    from bailiwick.tenancy.links import link_to
    from bailiwick.tenancy.models import LinkPurpose
    from bailiwick.tenancy.tenant import create_tenant

    questions: dict[str, tuple[str | None, str, Callable[[str], str]]] = {
        "--email": (email, "Your e-mail address", normal_email),
        "--name": (name, "Your name", _name),
        "--company": (company, "Your company's name", _name),
    }
    given = {option: _taken(option, text, as_) for option, (text, _, as_) in questions.items() if text is not None}
    with opened_database(settings) as database:
        with database.read() as session:
            if has_tenant(session):
                raise Failure(
                    f"The platform in {settings.home} has its first owner already, and is left as it is.",
                    "Start it with: bailiwick up. Was the link lost? bailiwick init --new-link",
                    "Initialised already",
                )
        for option, (_, question, as_) in questions.items():
            if option not in given:
                given[option] = _asked(question, option, as_)
        with database.session() as session:
            _, secret = create_tenant(session, given["--company"], given["--email"], given["--name"])
    return link_to(settings, LinkPurpose.JOIN, secret)


def first_link(settings: Settings) -> str:
    """A new link for the first owner, as long as no owner has joined."""
    from sqlalchemy import select

    from bailiwick.audit import service as audit
    from bailiwick.cli.home import opened_database, require_tenant
    from bailiwick.tenancy.links import link_to, make_link
    from bailiwick.tenancy.models import LinkPurpose, Member, MemberState

    with opened_database(settings) as database:
        require_tenant(database)
        with database.session() as session:
            owners = session.scalars(select(Member).where(Member.tenant_role == "owner").order_by(Member.id)).all()
            owner = owners[0]
            if any(other.state != MemberState.INVITED for other in owners):
                raise Failure(
                    "An owner has joined already.",
                    "They sign in with bailiwick login; without their password with bailiwick login --forgot.",
                    "Joined already",
                )
            secret = make_link(session, owner, LinkPurpose.JOIN)
            audit.record(
                session,
                action="resend_invitation",
                resource_type="member",
                resource_id=owner.id,
                resource_name=owner.name,
                about_id=owner.id,
            )
    return link_to(settings, LinkPurpose.JOIN, secret)


def _asked(question: str, option: str, as_: Callable[[str], str]) -> str:
    """What somebody answers; what cannot be taken is asked for again."""

    def taken(text: str) -> str:
        try:
            return _taken(option, text, as_)
        except Failure as failure:
            raise typer.BadParameter(str(failure)) from None

    return str(typer.prompt(question, value_proc=taken, err=True))


def _taken(option: str, text: str, as_: Callable[[str], str]) -> str:
    """What was typed, as it is kept; what the API would refuse is refused, by the option's name."""
    from bailiwick.errors import Invalid

    try:
        return as_(text)
    except Invalid as error:
        raise Failure(f"{option}: {error.problem} {error.fix}".rstrip(), title="Usage") from None


def _name(text: str) -> str:
    """A name such as the API takes."""
    from pydantic import TypeAdapter, ValidationError

    from bailiwick.errors import Invalid
    from bailiwick.tenancy.schemas.fields import Name
    from bailiwick.wrong_input import said_of

    try:
        return str(TypeAdapter(Name).validate_python(text))
    except ValidationError as error:
        raise Invalid("name", *said_of(error.errors()[0])) from None


def _settings(host: str | None, port: int | None) -> Settings:
    from bailiwick.settings import load_settings

    return load_settings(**{name: value for name, value in (("host", host), ("port", port)) if value is not None})

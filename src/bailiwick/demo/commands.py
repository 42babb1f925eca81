"""`bailiwick demo`: the made-up company, running."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bailiwick.cli.command import Here, called_as, command
from bailiwick.cli.failures import Failure
from bailiwick.cli.output import print_json, steps, waiting
from bailiwick.cli.start import Host, Port, run_platform

if TYPE_CHECKING:
    from bailiwick.settings import Settings

HOME = Path(".bailiwick/demo")
DATABASE = "bailiwick.db"
FIRST_LOOK = "SELECT * FROM service.daily_sales ORDER BY turnover DESC LIMIT 5"


def add_to(app: typer.Typer, panel: str) -> None:
    @command(
        app,
        "demo",
        examples=["bailiwick demo", "bailiwick demo --members 1000", "bailiwick demo --port 9000 --home /tmp/demo"],
        panel=panel,
        local=True,
    )
    def demo(
        here: Here,
        members: Annotated[int, typer.Option(min=0, max=1_000_000, help="Grow the company to so many members.")] = 0,
        seed: Annotated[int, typer.Option(help="What chance begins with; the same seed makes the same company.")] = 1,
        home: Annotated[
            Path, typer.Option(help="The folder to keep the company in; your own platform's stays as it is.")
        ] = HOME,
        host: Host = None,
        port: Port = None,
        prepare_only: Annotated[
            bool, typer.Option("--prepare-only", help="Make the company, do not start it.")
        ] = False,
    ) -> None:
        """Start the platform with a small made-up company: members of every role, groups, three projects, a past, and
        a month of sales on its way from files to tables and a spreadsheet.

        The company is made at the first start and kept; remove the folder to begin again."""
        from bailiwick.settings import load_settings

        # For the parts of the platform too; and a demo never touches the database of a real company.
        os.environ["BAILIWICK_HOME"] = str(home.absolute())
        os.environ["BAILIWICK_DATABASE_URL"] = f"sqlite:///{home.absolute() / DATABASE}"
        os.environ.setdefault("BAILIWICK_LOG_LEVEL", "warning")  # A line a request would push the links off the screen.
        given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
        settings = load_settings(**given)
        links = prepare(settings, members, seed)
        if prepare_only:
            print_json({"links": links}) if here.as_json else here.say(_guide(links))
            return
        run_platform(
            here, settings, ready={"links": links}, say=_guide(links), then=lambda: _let_data_flow(here, settings)
        )


def prepare(settings: Settings, members: int, seed: int) -> list[dict[str, str]]:
    """Make the company if it is not there yet, and a fresh sign-in link for each of five people."""
    from sqlalchemy import func, select

    from bailiwick.cli.home import opened_database
    from bailiwick.demo.generator import grow
    from bailiwick.demo.people import COMPANY, GUIDES
    from bailiwick.demo.story import sign_in_link
    from bailiwick.tenancy.models import Member, Tenant

    if not (settings.home / DATABASE).exists():
        with waiting(f"Making {COMPANY} …"):
            _make(settings)
    with opened_database(settings) as database:
        with database.read() as session:
            tenant = session.get(Tenant, 1)
            if tenant is None or tenant.name != COMPANY:
                raise Failure(f"{settings.home} holds something else.", "Choose another folder with --home.")
            here = session.scalar(select(func.count()).select_from(Member)) or 0
        if here < members:
            with waiting(f"Growing it to {members:,} members …"):
                grow(database, members, seed)
        with database.session() as session:
            return [
                {"name": person.name, "sees": sees, "link": sign_in_link(session, settings, person)}
                for person, sees in GUIDES.items()
            ]


def _make(settings: Settings) -> None:
    """Tell the company's story in a folder beside, which takes its place when the story is told to the end."""
    from bailiwick.cli.home import opened_database
    from bailiwick.demo.story import Story
    from bailiwick.settings import load_settings

    settings.home.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"{settings.home.name}-", dir=settings.home.parent) as folder:
        draft = Path(folder) / settings.home.name
        beside = load_settings(home=draft, database_url=f"sqlite:///{draft / DATABASE}")
        with opened_database(beside) as database:
            Story(database, beside).tell()
        draft.replace(settings.home)


def _let_data_flow(here: Here, settings: Settings) -> None:
    """Run the company's pipelines for the first time, with a bar to look at."""
    from bailiwick.cli.home import opened_database
    from bailiwick.demo.running import has_flown, let_data_flow

    with opened_database(settings) as database:
        with database.read() as session:
            if has_flown(session):
                return
        try:
            with steps("Data") as tell:
                let_data_flow(database, settings.public_url, tell)
        except Exception as error:
            here.say(f"The data did not flow to the end: {error} Start the demo again to go on.")
            return
    if here.as_json:
        print_json({"data": "ready"})
    else:
        here.say(f"The data is there. Signed in as Ben, look at it: {called_as()} sql '{FIRST_LOOK}'")


def _guide(links: list[dict[str, str]]) -> str:
    name = called_as()
    lines = ["Sign in as one of five people who see different things: open a link in your browser.", ""]
    for guide in links:
        lines += [f"  {guide['name']}, {guide['sees']}", f"    {guide['link']}", ""]
    lines += [
        f"On the command line, in another terminal: {name} login --yes --link 'LINK', then {name} projects list",
        f"Each link works once, for an hour. New ones: {name} demo --prepare-only",
    ]
    return "\n".join(lines)

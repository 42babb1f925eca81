"""Housekeeping: what expired or was deleted leaves no files, and nothing else loses any."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update

from bailiwick.database.base import new_id, utc_now
from bailiwick.database.engine import Database
from bailiwick.lakehouse.models import Discarded, Grant
from bailiwick.projects.models import ProjectGrant, ReceiverChoice
from bailiwick.runs.models import Run, WorkerBeat
from bailiwick.settings import Settings
from bailiwick.spark.errors import SparkProblem
from bailiwick.worker.housekeeping import folder_of, keep_house
from tests.lakehouse.making import make_grant, make_table, make_volume
from tests.people import make_member, make_project
from tests.runs.making import make_run
from tests.worker.test_working import PretendedSpark

LONG_AGO = timedelta(days=2)


def filled(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "part-0.parquet").write_text("rows")
    return folder


def test_results_go_when_they_expire_or_their_run_is_deleted(database: Database, settings: Settings) -> None:
    with database.session() as session:
        ada = make_member(session, "Ada")
        kept, over, gone = (make_run(session, ada) for _ in range(3))
        for run, hours in ((kept, 1), (over, -1), (gone, 1)):
            run.result, run.result_expires_at = {"rows": 1}, utc_now() + timedelta(hours=hours)
        session.flush()
        session.delete(gone)
    folders = {run.id: filled(settings.results_folder / str(run.id)) for run in (kept, over, gone)}
    other = filled(settings.results_folder / "delivery-1")
    keep_house(database, settings)
    assert {id_ for id_, folder in folders.items() if folder.exists()} == {kept.id}
    assert other.exists()
    with database.read() as session:
        assert session.get_one(Run, over.id).result_expires_at is None


def test_levels_and_roles_go_when_they_expire(database: Database, settings: Settings) -> None:
    with database.session() as session:
        ada, bo = make_member(session, "Ada"), make_member(session, "Bo")
        project = make_project(session, "Sales", ada, {ada: "Admin", bo: "Business User"})
        table = make_table(session)
        for member, hours in ((ada, 1), (bo, -1)):
            end = utc_now() + timedelta(hours=hours)
            make_grant(session, table, member, "Viewer", expires_at=end)
            session.execute(update(ProjectGrant).where(ProjectGrant.member_id == member.id).values(expires_at=end))
        session.add(ReceiverChoice(project_id=project.id, kind="run_failed", member_id=bo.id, receives=True))
    keep_house(database, settings)
    with database.read() as session:
        for kind in (Grant, ProjectGrant):
            assert session.scalars(select(kind.member_id)).all() == [ada.id]
        assert session.scalars(select(ReceiverChoice)).all() == []


def test_files_of_what_was_deleted_go_after_a_while(database: Database, settings: Settings) -> None:
    with database.session() as session:
        table, volume = make_table(session), make_volume(session)
        dead, fresh, dead_volume = (new_id() for _ in range(3))
        discarded = {
            f"tables/{dead}": LONG_AGO,
            f"tables/{fresh}": timedelta(0),
            f"volumes/{dead_volume}": LONG_AGO,
            table.location: LONG_AGO,  # by mistake: it is there
            f"volumes/{volume.id}": LONG_AGO,
            "../outside": LONG_AGO,
        }
        for location, ago in discarded.items():
            session.add(Discarded(location=location, discarded_at=utc_now() - ago))
    warehouse = Path(settings.warehouse)
    outside = filled(warehouse.parent / "outside")
    folders = {location: filled(warehouse / location) for location in discarded if location.startswith("tables")}
    folders |= {f"volumes/{id_}": filled(settings.volumes_folder / str(id_)) for id_ in (dead_volume, volume.id)}
    keep_house(database, settings)
    left = {location for location, folder in folders.items() if folder.exists()}
    assert left == {f"tables/{fresh}", table.location, f"volumes/{volume.id}"}
    assert outside.exists()
    with database.read() as session:
        assert set(session.scalars(select(Discarded.location))) == {f"tables/{fresh}", "../outside"}


class Unwilling(PretendedSpark):
    def remove(self, location: str) -> None:
        raise SparkProblem("network", "The bucket cannot be reached.")


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_tables_beyond_this_machine_are_removed_by_spark(database: Database, settings: Settings) -> None:
    remote = settings.model_copy(update={"warehouse": "s3a://bucket/lakehouse/"})
    location = f"tables/{new_id()}"
    with database.session() as session:
        for one in (location, "tables/../../elsewhere"):
            session.add(Discarded(location=one, discarded_at=utc_now() - LONG_AGO))

    def left() -> set[str]:
        with database.read() as session:
            return set(session.scalars(select(Discarded.location)))

    keep_house(database, remote)
    keep_house(database, remote, Unwilling())
    assert location in left()
    spark = PretendedSpark()
    keep_house(database, remote, spark)
    assert spark.asked == [(f"s3a://bucket/lakehouse/{location}",)]
    assert left() == {"tables/../../elsewhere"}


def test_a_warehouse_may_be_written_as_an_address(settings: Settings) -> None:
    local = settings.model_copy(update={"warehouse": "file:///srv/lakehouse"})
    id_ = new_id()
    assert folder_of(local, f"tables/{id_}") == Path(f"/srv/lakehouse/tables/{id_}")


def test_workers_that_are_long_gone_are_forgotten(database: Database, settings: Settings) -> None:
    with database.session() as session:
        session.add(WorkerBeat(name="old", seen_at=utc_now() - LONG_AGO))
        session.add(WorkerBeat(name="new"))
    keep_house(database, settings)
    with database.read() as session:
        assert session.scalars(select(WorkerBeat.name)).all() == ["new"]

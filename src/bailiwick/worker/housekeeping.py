"""Housekeeping: results, levels and roles that expired, files of what was deleted, the names of workers long gone."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID

import structlog
from sqlalchemy import delete, select

from bailiwick.database.base import utc_now
from bailiwick.database.engine import Database
from bailiwick.lakehouse import grants
from bailiwick.lakehouse.models import Discarded, Table, Volume
from bailiwick.lakehouse.queries.adhoc import forget_results
from bailiwick.projects import expired
from bailiwick.runs.models import Run, WorkerBeat
from bailiwick.settings import Settings
from bailiwick.worker.engine import Engine

log = structlog.get_logger(__name__)

LONG_GONE = timedelta(days=1)
# Whoever reads a deleted table at this moment reads to the end.
STAY = timedelta(minutes=15)
BATCH = 100
TABLES, VOLUMES = "tables/", "volumes/"


def keep_house(database: Database, settings: Settings, engine: Engine | None = None) -> None:
    """Everything that is due; without Spark, what does not need it. Several workers may do so at once."""
    with database.session() as session:
        forget_results(session, settings)
        grants.drop_expired(session)
        expired.drop_expired(session)
        session.execute(delete(WorkerBeat).where(WorkerBeat.seen_at < utc_now() - LONG_GONE))
    sweep_results(database, settings)
    sweep_discarded(database, settings, engine)


def sweep_results(database: Database, settings: Settings) -> None:
    """Remove the results of runs that were deleted."""
    folders = {id_: entry for entry in _entries(settings.results_folder) if (id_ := _as_id(entry.name))}
    with database.read() as session:
        kept = set(session.scalars(select(Run.id).where(Run.id.in_(list(folders)))))
    for id_, folder in folders.items():
        if id_ not in kept:
            shutil.rmtree(folder, ignore_errors=True)


def sweep_discarded(database: Database, settings: Settings, engine: Engine | None) -> None:
    """Remove the files of tables and volumes that were deleted, a while ago. What is beyond this machine's own disks,
    Spark removes."""
    due = select(Discarded.location).where(Discarded.discarded_at < utc_now() - STAY)
    with database.read() as session:
        locations = session.scalars(due.order_by(Discarded.discarded_at).limit(BATCH)).all()
        used = set(session.scalars(select(Table.location).where(Table.location.in_(locations))))
        used |= {f"{VOLUMES}{id_}" for id_ in session.scalars(select(Volume.id))} & set(locations)
    for location in locations:
        if location in used or _removed(settings, location, engine):
            with database.session() as session:
                session.execute(delete(Discarded).where(Discarded.location == location))
            log.info("files of something deleted were removed", location=location)


def _removed(settings: Settings, location: str, engine: Engine | None) -> bool:
    if not _is_ours(location):
        return False
    folder = folder_of(settings, location)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)
        return not folder.exists()
    if engine is None:
        return False
    try:
        engine.remove(f"{settings.warehouse.rstrip('/')}/{location}")
    except Exception as error:
        log.warning("files of something deleted could not be removed", location=location, problem=str(error))
        return False
    return True


def _is_ours(location: str) -> bool:
    prefix = next((known for known in (TABLES, VOLUMES) if location.startswith(known)), "")
    return bool(prefix) and _as_id(location.removeprefix(prefix)) is not None


def folder_of(settings: Settings, location: str) -> Path | None:
    """Where this is on the disk; None where it is beyond."""
    if location.startswith(VOLUMES):
        return settings.volumes_folder / location.removeprefix(VOLUMES)
    parts = urlsplit(settings.warehouse)
    if parts.scheme not in ("", "file"):
        return None
    return Path(parts.path if parts.scheme else settings.warehouse) / location


def _entries(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []


def _as_id(name: str) -> UUID | None:
    try:
        return UUID(name)
    except ValueError:
        return None

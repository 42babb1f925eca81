"""Compacting, vacuuming, listing the versions of a table and going back to one."""

from __future__ import annotations

from pyspark.sql import SparkSession

from bailiwick.spark.engine import Engine
from bailiwick.spark.errors import Interrupted, SparkProblem
from bailiwick.spark.jobs import Context, TableRef, Written
from bailiwick.spark.maintenance.jobs import ListVersions, Maintain, Maintained, Restore, Version
from bailiwick.spark.problems import explain, explained
from bailiwick.spark.writing import (
    MARK,
    USER_METADATA,
    commit_info,
    find,
    log_of,
    marked,
    rows_changed,
    said_in,
    state_of,
)

FEW_COMMITS = 100  # of others, since an attempt before this one
SHORTEST_DAYS = 7  # what is younger may still be read by a query that runs, or written by a run that is tried again


def maintain(engine: Engine, job: Maintain, context: Context) -> list[Maintained]:
    """One table after the other; a problem with one does not keep the others from it."""
    session = engine.session_for(context.run_id)
    done = []
    for number, table in enumerate(job.tables, start=1):
        context.check()
        context.progress(note=f"{table.layer}.{table.name} ({number} of {len(job.tables)})")
        try:
            done.append(_maintain(session, table, job))
        except Interrupted:
            raise
        except Exception as error:
            context.check()  # it may be that the run was stopped
            problem = explain(error)
            if problem.code == "spark_stopped":
                raise problem from error
            context.log(f"{table.layer}.{table.name}: {problem.message}", "warning")
            done.append(Maintained(table.id, None, problem=problem.message))
    return done


def _maintain(session: SparkSession, table: TableRef, job: Maintain) -> Maintained:
    from delta.tables import DeltaTable

    delta = DeltaTable.forPath(session, table.location)
    before = int(log_of(session, table.location).unsafeVolatileSnapshot().numOfFiles())
    if job.compact and before > 1:
        delta.optimize().executeCompaction()
    delta.vacuum(24.0 * max(job.keep_days, SHORTEST_DAYS))
    after = int(log_of(session, table.location).unsafeVolatileSnapshot().numOfFiles())
    return Maintained(table.id, state_of(session, table.location), before, after)


def versions(engine: Engine, job: ListVersions, context: Context) -> list[Version]:
    """The latest commits, or those before one, the newest first, as far as the table's log reaches."""
    session = engine.session_for(context.run_id)
    found = []
    with explained():
        log = log_of(session, job.location)
        first = log.unsafeVolatileSnapshot().version()
        if job.before is not None:
            first = min(first, job.before - 1)
        for version in range(first, max(-1, first - job.most), -1):
            context.check()
            commit = commit_info(session, log, version)
            if commit is None:
                break
            said = said_in(commit)
            mark = said.get(MARK) or {}
            found.append(
                Version(
                    version,
                    int(commit.get("timestamp") or 0),
                    str(commit.get("operation") or ""),
                    rows_changed(commit.get("operationMetrics") or {}),
                    mark.get("app"),
                    mark.get("version"),
                    said.get("restored"),
                )
            )
    return found


def restore(engine: Engine, job: Restore, context: Context) -> Written:
    """Write a new version that is like the old one. Trying again what was done changes nothing."""
    from delta.tables import DeltaTable

    session = engine.session_for(context.run_id)
    with explained():
        done = find(session, job.location, job.id, 1, again=True, look_back=FEW_COMMITS)
        if done is not None:
            return done
        latest = log_of(session, job.location).unsafeVolatileSnapshot().version()
        if job.version > latest:
            message = f"There is no version {job.version}; the latest is {latest}."
            raise SparkProblem("no_such_version", message, "List the table's versions.")
        context.confirm()
        session.conf.set(USER_METADATA, marked(job.id, 1, {"restored": job.version}))
        try:
            DeltaTable.forPath(session, job.location).restoreToVersion(job.version)
        except Exception as error:
            if "FileNotFound" in str(error) or "DELTA_MISSING" in str(error) or "RESTORE" in str(error):
                message = f"Files of version {job.version} were removed by maintenance, so it cannot be restored."
                raise SparkProblem("version_gone", message, "Choose a later version.") from error
            raise
        finally:
            session.conf.unset(USER_METADATA)
        return find(session, job.location, job.id, 1) or state_of(session, job.location)

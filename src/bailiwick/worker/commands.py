"""`bailiwick worker`: the process that executes runs."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from bailiwick.cli.command import Here, command


def add_to(app: typer.Typer, panel: str) -> None:
    @command(
        app,
        "worker",
        examples=["bailiwick worker", "BAILIWICK_WORKER_SLOTS=8 bailiwick worker"],
        panel=panel,
        local=True,
    )
    def work(
        here: Here,
        watch: Annotated[int | None, typer.Option("--watch", hidden=True)] = None,
    ) -> None:
        """Run a worker alone, as one process, for those who have a supervisor of their own or several machines.

        It takes up runs, fires triggers and tells of what failed. Any number of workers may share a database."""
        from bailiwick.cli.home import opened_database, require_tenant
        from bailiwick.cli.supervisor import end_with_supervisor
        from bailiwick.logs import configure_logs
        from bailiwick.settings import load_settings
        from bailiwick.worker.serving import work_until_stopped

        settings = load_settings()
        if watch is not None:
            end_with_supervisor(watch)
        configure_logs(settings)
        with opened_database(settings) as database:
            require_tenant(database)
            work_until_stopped(database, settings)
        os._exit(0)  # a thread that waits for Spark, or for a source, is not waited for

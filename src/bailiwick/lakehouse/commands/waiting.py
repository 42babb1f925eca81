"""Commands that wait for a worker: a bar while it works, and a way to stop it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping
from typing import Any

from bailiwick.cli.command import Here
from bailiwick.cli.failures import Failure
from bailiwick.cli.output import progress

LIVING = ("queued", "running")
FIRST_SECONDS, LATER_SECONDS = 0.2, 1.0


def until_ended(here: Here, run_id: str, what: str = "Working") -> dict[str, Any]:
    """The run once it has ended. Whoever presses Ctrl-C stops the run, not only the waiting."""
    pause = FIRST_SECONDS
    try:
        with progress(what) as tell:
            while True:
                run: dict[str, Any] = here.client.get(f"/runs/{run_id}")
                if run["state"] not in LIVING:
                    return run
                steps = run.get("progress") or {}
                if steps.get("stages_total"):
                    tell(steps["stages_done"] or 0, steps["stages_total"])
                time.sleep(pause)
                pause = min(LATER_SECONDS, pause * 1.5)
    except KeyboardInterrupt:
        with contextlib.suppress(Failure):
            here.client.post(f"/runs/{run_id}/cancel")
        raise Failure("Stopped.", title="Cancelled") from None


def require_success(run: Mapping[str, Any]) -> None:
    """Say why it did not succeed, if it did not."""
    if run["state"] == "succeeded":
        return
    problem = run.get("problem") or {}
    said = problem.get("message") or f"It ended {run['state']}."
    raise Failure(said, problem.get("fix") or "", run["state"].capitalize())


def with_analysis(here: Here, method: str, path: str, body: Mapping[str, Any], version: int | None = None) -> Any:
    """Save what Spark analyses first; where that takes longer than one request, wait for it and repeat."""
    answer = here.client.call(method, path, body, query={"wait": 20}, version=version)
    if "run_id" in answer and "state" in answer and "id" not in answer and answer["state"] in LIVING:
        until_ended(here, answer["run_id"], "Analysing")
        answer = here.client.call(method, path, body, query={"analysis": answer["run_id"]}, version=version)
    return answer

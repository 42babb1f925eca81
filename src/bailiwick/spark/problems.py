"""What Spark says when something goes wrong, in a sentence or two: no Java, no stack, and whether to try again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from py4j.java_gateway import JavaObject
from py4j.protocol import Py4JError, Py4JJavaError
from pyspark.errors import PySparkException

from bailiwick.spark.errors import Interrupted, SparkProblem

LONGEST = 1000
DEEPEST = 12
BROKEN = (ConnectionError, EOFError)  # what a connection to Spark that is gone raises, beside py4j's own
NAMED = r"(?:\s|\{LINE:\d+\})*\[([A-Z][A-Z0-9_]+)[.\w]*\]\s*"
# They say that work failed, and what they wrap says why.
WRAPPERS = {"FAILED_READ_FILE", "TASK_WRITE_FAILED", "FAILED_EXECUTE_UDF", "_LEGACY_ERROR_TEMP_3101"}


@dataclass(frozen=True)
class Cause:
    """One exception of a chain, outermost first: Java's class and what it said."""

    kind: str
    text: str

    @property
    def condition(self) -> str | None:
        """Spark's name for the problem: DIVIDE_BY_ZERO, UNRESOLVED_COLUMN."""
        found = re.match(NAMED, self.text)
        return found[1] if found and found[1] not in WRAPPERS else None


@dataclass(frozen=True)
class Kind:
    """Something that goes wrong in a way we know: how it is recognised, and what is said about it."""

    pattern: re.Pattern[str]
    code: str
    message: str
    fix: str
    passing: bool = False


def _kind(pattern: str, code: str, message: str, fix: str, *, passing: bool = False) -> Kind:
    return Kind(re.compile(pattern), code, message, fix, passing)


# Tried in this order on "class: text" of every cause.
KINDS = (
    _kind(
        r"stopped SparkContext|SparkContext (was|has been) (shut down|stopped)|SparkContext was shut",
        "spark_stopped",
        "Spark stopped while it worked on this.",
        "It is started again and the run is tried again.",
        passing=True,
    ),
    _kind(
        r"SPARK_JOB_CANCELLED|cancelled job group|InterruptedException|ClosedByInterruptException",
        "cancelled",
        "The work was cancelled.",
        "",
    ),
    _kind(
        r"maxResultSize",
        "result_too_large",
        "The result is larger than the driver takes at once.",
        "Ask for fewer rows or columns, or write the result to a table.",
    ),
    _kind(
        r"OutOfMemoryError|UNABLE_TO_ACQUIRE_MEMORY|CANNOT_ACQUIRE_MEMORY|Not enough memory to build",
        "out_of_memory",
        "Spark ran out of memory.",
        "Read less at a time, or have an administrator raise the setting spark_memory.",
    ),
    _kind(
        r"No space left on device|Disk quota exceeded|File too large|FSError: .*No space",
        "disk_full",
        "A disk is full: there was no room to write.",
        "Free some room, or have an administrator do so, and run it again.",
    ),
    _kind(
        r"DELTA_CONCURRENT_|Concurrent(Append|Write|DeleteRead|DeleteDelete|Transaction|Modification)\w*Exception"
        r"|MetadataChangedException|ProtocolChangedException|DELTA_METADATA_CHANGED|DELTA_PROTOCOL_CHANGED",
        "write_conflict",
        "Somebody else wrote to the same table at the same time.",
        "Run it again.",
        passing=True,
    ),
    _kind(
        r"ExecutorLostFailure|FetchFailed|executor \S+ (lost|exited)|Master removed our application",
        "executor_lost",
        "The cluster lost a machine that worked on this.",
        "Run it again; if it happens often, look at the cluster's own log.",
        passing=True,
    ),
    _kind(
        r"password authentication failed|no password was provided|role \"[^\"]*\" does not exist",
        "sign_in_failed",
        "The database does not let us sign in.",
        "Correct the user name and the password.",
    ),
    _kind(
        r"(PSQLException|SQLException|SocketException|ConnectException|UnknownHostException|SocketTimeoutException).*"
        r"([Cc]onnection .*refused|attempt failed|I/O error|terminating connection|starting up|shutting down|"
        r"[Cc]onnection reset|connection has been closed|timed out|too many clients|UnknownHost|ConnectException)",
        "connection_lost",
        "The database cannot be reached, or the connection broke.",
        "See that it runs and can be reached from here, and run it again.",
        passing=True,
    ),
    _kind(
        r"StackOverflowError",
        "too_deep",
        "The statement is nested too deeply.",
        "Write it as several smaller steps.",
    ),
)


def stopped() -> SparkProblem:
    """What every use of a Spark that is gone comes to."""
    kind = KINDS[0]
    return SparkProblem(kind.code, kind.message, kind.fix, passing=True)


def not_started(master: str, problem: SparkProblem, log: Path) -> SparkProblem:
    """What a start that failed comes to."""
    return SparkProblem(
        "spark_start",
        f"Spark did not start on {master}: {problem.message}",
        f"See {log} and, for a cluster, its own log; then check with: bailiwick doctor",
        passing=True,
    )


@contextmanager
def explained() -> Iterator[None]:
    """Turn whatever Spark raises inside into a `SparkProblem`."""
    try:
        yield
    except (SparkProblem, Interrupted):
        raise
    except (Py4JError, PySparkException, *BROKEN) as error:
        raise explain(error) from error


def explain(error: BaseException) -> SparkProblem:
    """The problem behind an exception that came from Spark, or from the way to it."""
    if isinstance(error, SparkProblem):
        return error
    try:
        causes = list(_causes(error))
    except (Py4JError, *BROKEN):
        return stopped()  # It died before it could say more.
    if not causes:
        return stopped()
    said = [f"{cause.kind}: {cause.text}" for cause in causes]
    for kind in KINDS:
        if any(kind.pattern.search(text) for text in said):
            return SparkProblem(kind.code, kind.message, kind.fix, passing=kind.passing)
    deepest_first = causes[::-1]
    telling = next((cause for cause in deepest_first if cause.condition), None)
    if telling is None:
        telling = next((cause for cause in deepest_first if cause.text.strip()), causes[-1])
    if "Traceback (most recent call last)" in telling.text:
        return SparkProblem("python", last_line(telling.text))
    message = shorten(telling.text) or telling.kind.rpartition(".")[2]
    return SparkProblem((telling.condition or "spark").lower(), message)


def shorten(text: str) -> str:
    """A message without its name in brackets, SQL state, advice that does not apply here, plan tree and stack."""
    text = re.sub(f"^{NAMED}", "", text)
    text = re.sub(r"\s*If necessary set \"?spark\.\S+\"? to \"?\w+\"? to bypass this error\.?", "", text)
    text = re.sub(r";?\s*\n['!+:\w]*[A-Z]\w+ [\[\(].*", "", text, flags=re.DOTALL)  # a plan, as a tree
    text = re.sub(r"\n\s*at [\w.$]+\(.*", "", text, flags=re.DOTALL)
    text = re.sub(r"\n(JVM stacktrace|Driver stacktrace|Caused by):.*", "", text, flags=re.DOTALL)
    text = re.sub(r"\s*SQLSTATE: \w{5}", "", text).strip().rstrip(";")
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def last_line(text: str) -> str:
    """What a Python traceback ends with."""
    lines = [line.strip() for line in shorten(text).splitlines() if line.strip()]
    return next((line for line in reversed(lines) if re.match(r"[\w.]+(Error|Exception|Warning)?:", line)), lines[-1])


def _causes(error: BaseException) -> Iterator[Cause]:
    """The chain of exceptions, outermost first; nothing if the connection to Spark broke."""
    java = error.java_exception if isinstance(error, Py4JJavaError) else getattr(error, "_origin", None)
    if isinstance(java, JavaObject):
        for _ in range(DEEPEST):
            yield Cause(java.getClass().getName(), java.getMessage() or "")
            java = java.getCause()
            if java is None:
                return
    elif isinstance(error, PySparkException):
        said: str | None = getattr(error, "_desc", None)
        yield Cause(type(error).__name__, said if said is not None else str(error))
    elif isinstance(error, Py4JError) and "Trace:" in str(error):
        yield Cause("Py4JError", str(error).partition("Trace:")[2].strip())  # We called what is not there.
    elif not isinstance(error, (Py4JError, *BROKEN)):
        yield Cause(type(error).__name__, str(error))

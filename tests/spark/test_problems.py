"""What is made of the ways in which Spark and what it talks to fail: a code, a sentence, and whether to try again."""

from __future__ import annotations

import pytest
from py4j.protocol import Py4JError, Py4JNetworkError
from pyspark.errors import PySparkException

from bailiwick.spark.errors import Interrupted, SparkProblem
from bailiwick.spark.problems import LONGEST, explain, explained


class Said(PySparkException):
    """What pyspark makes of an exception in Java, without the Java."""

    def __init__(self, text: str) -> None:
        self._desc = text


@pytest.mark.parametrize(
    ("text", "code", "passing"),
    [
        ("java.lang.IllegalStateException: Cannot call methods on a stopped SparkContext.", "spark_stopped", True),
        ("Job 3 cancelled because SparkContext was shut down", "spark_stopped", True),
        ("[SPARK_JOB_CANCELLED] Job 7 cancelled part of cancelled job group x/1", "cancelled", False),
        (
            "Total size of serialized results of 9 tasks (1.1 GiB) is bigger than spark.driver.maxResultSize",
            "result_too_large",
            False,
        ),
        ("Job aborted due to stage failure: Task 0 in stage 1.0: java.lang.OutOfMemoryError", "out_of_memory", False),
        ("Task failed: java.io.IOException: No space left on device", "disk_full", False),
        (
            "io.delta.exceptions.ConcurrentAppendException: [DELTA_CONCURRENT_APPEND] Files were added",
            "write_conflict",
            True,
        ),
        ("ExecutorLostFailure (executor 1 exited caused by one of the running tasks)", "executor_lost", True),
        (
            "org.postgresql.util.PSQLException: Connection to 127.0.0.1:5 refused. Check that the hostname",
            "connection_lost",
            True,
        ),
        (
            "org.postgresql.util.PSQLException: FATAL: terminating connection due to administrator command",
            "connection_lost",
            True,
        ),
        (
            'org.postgresql.util.PSQLException: FATAL: password authentication failed for user "ada"',
            "sign_in_failed",
            False,
        ),
        ('org.postgresql.util.PSQLException: ERROR: relation "nothing" does not exist', "spark", False),
        ("java.lang.StackOverflowError", "too_deep", False),
        ("[SOME_NEW_ERROR.WITH_MORE] It went wrong. SQLSTATE: 42000", "some_new_error", False),
    ],
)
def test_each_kind_of_failure_has_its_code(text: str, code: str, passing: bool) -> None:
    problem = explain(Said(text))

    assert (problem.code, problem.passing) == (code, passing)


@pytest.mark.parametrize(
    "error", [Py4JNetworkError("Answer from Java side is empty"), ConnectionRefusedError(), EOFError()]
)
def test_a_connection_to_spark_that_broke_is_a_spark_that_stopped(error: Exception) -> None:
    assert (explain(error).code, explain(error).passing) == ("spark_stopped", True)


def test_a_call_of_what_is_not_there_is_no_spark_that_stopped() -> None:
    problem = explain(
        Py4JError("An error occurred while calling o1.x. Trace:\npy4j.Py4JException: Method x([]) does not exist")
    )

    assert (problem.code, problem.passing) == ("spark", False)
    assert "Method x([]) does not exist" in problem.message


def test_a_plan_a_stack_and_advice_that_does_not_apply_are_left_out() -> None:
    text = (
        '[DIVIDE_BY_ZERO] Division by zero. If necessary set "spark.sql.ansi.enabled" to "false" to bypass this error. '
        "SQLSTATE: 22012; line 1 pos 7;\n'Project [unresolvedalias(1)]\n+- OneRowRelation\n\n"
        "\tat org.apache.X.y(X.scala:1)"
    )

    assert explain(Said(text)).message == "Division by zero.; line 1 pos 7"


def test_a_long_message_is_cut() -> None:
    assert len(explain(Said("word " * LONGEST)).message) == LONGEST


def test_problems_that_were_explained_already_stay_as_they_are() -> None:
    problem = SparkProblem("code", "message", "fix")

    assert explain(problem) is problem
    with pytest.raises(Interrupted), explained():
        raise Interrupted
    with pytest.raises(ZeroDivisionError), explained():
        raise ZeroDivisionError
    with pytest.raises(SparkProblem, match="Spark stopped"), explained():
        raise ConnectionResetError


def test_an_error_of_our_own_process_is_no_spark_that_stopped() -> None:
    assert (explain(FileNotFoundError("no such file")).code, explain(FileNotFoundError()).passing) == ("spark", False)
    assert explain(OSError(28, "No space left on device")).code == "disk_full"

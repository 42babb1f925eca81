"""What Spark is told at its start: who wins over whom, and what nobody can change."""

from __future__ import annotations

from pathlib import Path

import pytest

from bailiwick.settings import load_settings
from bailiwick.spark.configuration import Places, read_properties, spark_properties, write_configuration
from bailiwick.spark.errors import SparkProblem

JAR = Path("/jars/delta.jar")


def properties(tmp_path: Path, text: str = "", **settings: object) -> dict[str, str]:
    file = tmp_path / "spark.properties"
    file.write_text(text)
    places = Places(tmp_path / "scratch", tmp_path / "spark.log")
    return spark_properties(load_settings(spark_properties=file, **settings), [JAR], places)


def test_the_properties_file_wins_over_our_defaults(tmp_path: Path) -> None:
    found = properties(tmp_path, "spark.ui.enabled true\nspark.sql.shuffle.partitions=7\nspark.hadoop.fs.x: a = b\n")

    assert found["spark.ui.enabled"] == "true"
    assert found["spark.sql.shuffle.partitions"] == "7"
    assert found["spark.hadoop.fs.x"] == "a = b"
    assert properties(tmp_path)["spark.ui.enabled"] == "false"


@pytest.mark.parametrize(
    ("name", "wish", "stays"),
    [
        ("spark.sql.runSQLOnFiles", "true", "false"),
        ("spark.sql.scripting.enabled", "true", "false"),
        ("spark.sql.catalogImplementation", "hive", "in-memory"),
        ("spark.sql.session.timeZone", "Europe/Vienna", "UTC"),
        ("spark.submit.deployMode", "cluster", "client"),
        ("spark.scheduler.mode", "FIFO", "FAIR"),
    ],
)
def test_what_has_to_hold_holds_whatever_the_file_says(tmp_path: Path, name: str, wish: str, stays: str) -> None:
    assert properties(tmp_path, f"{name} {wish}")[name] == stays


def test_extensions_and_jars_come_beside_ours(tmp_path: Path) -> None:
    text = "spark.sql.extensions com.example.Extension\nspark.jars file:///other.jar\n"
    found = properties(tmp_path, text, spark_master="spark://example.com:7077")

    assert found["spark.sql.extensions"] == "io.delta.sql.DeltaSparkSessionExtension,com.example.Extension"
    assert found["spark.jars"] == f"{JAR.as_uri()},file:///other.jar"


def test_a_setting_that_was_set_wins_over_the_file_and_the_file_over_the_default(tmp_path: Path) -> None:
    text = "spark.master local[3]\nspark.driver.memory 3g\n"
    assert properties(tmp_path)["spark.master"] == "local[*]"
    assert properties(tmp_path)["spark.driver.memory"] == "2g"

    found = properties(tmp_path, text)
    assert (found["spark.master"], found["spark.driver.memory"]) == ("local[3]", "3g")
    assert found["spark.sql.shuffle.partitions"] == "6"

    found = properties(tmp_path, text, spark_master="local[1]", spark_memory="1g")
    assert (found["spark.master"], found["spark.driver.memory"]) == ("local[1]", "1g")


def test_only_a_spark_of_one_machine_keeps_to_it(tmp_path: Path) -> None:
    local = properties(tmp_path)
    cluster = properties(tmp_path, "spark.executor.extraJavaOptions -Xlog", spark_master="spark://example.com:7077")

    assert local["spark.driver.bindAddress"] == "127.0.0.1"
    assert "spark.jars" not in local
    assert "spark.driver.bindAddress" not in cluster
    assert cluster["spark.jars"] == JAR.as_uri()
    assert cluster["spark.executor.extraJavaOptions"] == "-Duser.timezone=UTC -Xlog"


@pytest.mark.parametrize("line", ["nonsense", "spark.master", "master local", "spark.x a \\", "= b"])
def test_a_line_that_is_no_property_is_named(tmp_path: Path, line: str) -> None:
    with pytest.raises(SparkProblem, match=r"Line 3 of .*spark\.properties"):
        properties(tmp_path, f"# a comment\n\n{line}\n")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(SparkProblem, match=r"none\.properties .* cannot be read"):
        read_properties(tmp_path / "none.properties")


def test_what_is_written_for_spark_is_for_nobody_else_to_read(tmp_path: Path) -> None:
    places = Places(tmp_path / "scratch", tmp_path / "logs" / "spark.log")
    write_configuration({"spark.password": "a\\b"}, places)

    assert places.properties.stat().st_mode & 0o777 == 0o600
    assert places.properties.read_text() == "spark.password a\\\\b\n", "As Java reads a file of properties."
    assert places.log.parent.is_dir()

"""What doctor says about Spark: Java, jars, the cluster, the properties file, memory."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from bailiwick.cli import doctor_spark
from bailiwick.cli.doctor_spark import examine_spark, jars, memory, spark
from bailiwick.cli.findings import Finding
from bailiwick.settings import load_settings
from bailiwick.spark import jars as jars_module
from bailiwick.spark.jars import JARS, kept_in


def found(**settings: object) -> dict[str, Finding]:
    return {finding.check: finding for finding in examine_spark(load_settings(**settings))}


def on(master: str) -> Finding:
    return spark(load_settings(), {"spark.master": master})


def test_the_java_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    finding = found()["java"]
    assert finding.state == "ok"
    assert "/bin/java" in finding.found

    old = tmp_path / "bin" / "java"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\"' >&2\n")
    old.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert "Not taken: JAVA_HOME: " in found()["java"].found
    finding = found(java_home=tmp_path)["java"]
    assert finding.state == "fail"
    assert "11.0.2" in finding.found


def test_the_jars_are_missing_incomplete_or_whole(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert jars(load_settings()).state == "warn"
    finding = jars(load_settings(spark_jars=tmp_path))
    assert finding.state == "fail"
    assert JARS[0].coordinates in finding.found

    folder = kept_in(load_settings())
    folder.mkdir(parents=True)
    for jar in JARS:
        (folder / jar.file_name).touch()
    assert jars(load_settings()).state == "warn", "Their names alone are not enough."
    monkeypatch.setattr(jars_module, "missing_from", lambda folder: [])
    assert jars(load_settings()).state == "ok"


def test_a_master_is_local_a_cluster_that_answers_or_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    for master in ("local", "local[4]", "local[*]", "local[2,3]", "k8s://https://example.com:443"):
        assert on(master).state == "ok", master
    assert on("mesos://example.com").state == "fail"

    monkeypatch.delenv("HADOOP_CONF_DIR", raising=False)
    monkeypatch.delenv("YARN_CONF_DIR", raising=False)
    assert on("yarn").state == "fail"
    monkeypatch.setenv("HADOOP_CONF_DIR", "/etc/hadoop")
    assert on("yarn").state == "ok"

    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert on(f"spark://127.0.0.1:{port}").state == "ok"
        assert on(f"spark://127.0.0.1:1,127.0.0.1:{port}").state == "ok"
    assert on(f"spark://127.0.0.1:{port}").state == "fail"


def test_the_properties_file_counts_and_its_mistakes_are_named(tmp_path: Path) -> None:
    file = tmp_path / "spark.properties"
    assert found(spark_properties=file)["spark"].state == "fail"
    file.write_text("spark.master local[3]\n")
    assert "local[3]" in found(spark_properties=file)["spark"].found
    file.write_text("spark.master local[3]\nnonsense\n")
    assert "Line 2" in found(spark_properties=file)["spark"].found


def test_too_little_memory_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_spark, "free_memory", lambda: 2 << 30)
    enough, little = memory("1g"), memory("2g")
    assert enough is not None
    assert enough.state == "ok"
    assert little is not None
    assert little.state == "warn"
    monkeypatch.setattr(doctor_spark, "free_memory", lambda: None)
    assert memory("2g") is None

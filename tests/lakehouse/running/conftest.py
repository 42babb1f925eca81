"""These tests run on Spark, over real tables."""

from tests.lakehouse.deltas import engine, jars, make_delta, rows_of, spark_settings, worker

__all__ = ["engine", "jars", "make_delta", "rows_of", "spark_settings", "worker"]

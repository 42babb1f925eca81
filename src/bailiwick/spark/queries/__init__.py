"""Statements on Spark: what somebody asks and looks at, and what a pipeline writes to a table."""

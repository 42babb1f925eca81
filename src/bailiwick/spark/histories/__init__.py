"""Histories on Spark: what a table was like, when."""

"""Queries: asked once, kept and shared, or run by a pipeline into a table."""

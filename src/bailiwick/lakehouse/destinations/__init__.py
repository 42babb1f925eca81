"""Lakehouse destinations: pipelines that carry the rows of a table out, to a database, a file or a web address."""

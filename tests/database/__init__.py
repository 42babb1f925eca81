"""Tests of the database layer."""

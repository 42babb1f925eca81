"""Tests of the made-up company."""

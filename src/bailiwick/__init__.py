"""Bailiwick: a governed data platform where everyone sees and does exactly what they may, and can ask why."""

__version__ = "0.1.0"

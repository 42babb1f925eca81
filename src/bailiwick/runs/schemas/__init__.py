"""Runs, triggers and notification channels on the wire, a file a noun."""

"""Runs, triggers and the tenant's notification channels over HTTP, a file a noun."""

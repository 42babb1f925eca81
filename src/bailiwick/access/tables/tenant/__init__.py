"""The tenant's own page: who adds people, hands out roles, makes groups and projects, and pays."""

DOCUMENT = "tenant"

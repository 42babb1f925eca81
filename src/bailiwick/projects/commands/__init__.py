"""`bailiwick projects`: projects, their settings, and who has which role in them; a file a noun."""

from bailiwick.projects.commands import members, notifications, projects

__all__ = ["app", "members", "notifications", "projects"]

app = projects.app

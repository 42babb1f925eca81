"""Every area's hooks: importing this module ties the areas to the tenancy."""

from bailiwick.projects import hooks as projects

__all__ = ["projects"]

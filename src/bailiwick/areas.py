"""Every area's hooks: importing this module ties the areas to the tenancy."""

from bailiwick.lakehouse import hooks as lakehouse
from bailiwick.projects import hooks as projects
from bailiwick.requests import hooks as requests

__all__ = ["lakehouse", "projects", "requests"]

"""Every area's hooks: importing this module ties the areas to the tenancy."""

from bailiwick.lakehouse import hooks as lakehouse
from bailiwick.projects import hooks as projects

__all__ = ["lakehouse", "projects"]

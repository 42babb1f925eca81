"""Every table of the platform: importing this module makes the metadata that migrations are compared with complete."""

from bailiwick.audit import models as audit
from bailiwick.database.base import Base
from bailiwick.notify import models as notify
from bailiwick.projects import models as projects
from bailiwick.tenancy import models as tenancy

__all__ = ["audit", "metadata", "notify", "projects", "tenancy"]

metadata = Base.metadata

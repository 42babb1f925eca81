"""Every table of the platform: importing this module makes the metadata that migrations are compared with complete."""

from bailiwick.audit import models as audit
from bailiwick.database.base import Base
from bailiwick.lakehouse import models as lakehouse
from bailiwick.notify import models as notify
from bailiwick.projects import models as projects
from bailiwick.requests import models as requests
from bailiwick.runs import models as runs
from bailiwick.tenancy import models as tenancy

__all__ = ["audit", "lakehouse", "metadata", "notify", "projects", "requests", "runs", "tenancy"]

metadata = Base.metadata

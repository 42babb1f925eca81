"""Every resource type with the tables that govern it: the list all doors and evaluators work from."""

from collections.abc import Mapping

from bailiwick.access.compiled import ResourceType
from bailiwick.access.tables.lakehouse.levels import WHAT_EACH_LEVEL_CAN_DO
from bailiwick.access.tables.lakehouse.saved_query import SAVED_QUERY
from bailiwick.access.tables.ownership.data_mart import DATA_MART, OWNERSHIP_ADDS_TO_AVAILABILITY
from bailiwick.access.tables.ownership.data_mart_trigger import DATA_MART_TRIGGER, OWNERSHIP_ADDS_TO_TRIGGERS
from bailiwick.access.tables.ownership.destination import DELETED_DESTINATION, DESTINATION
from bailiwick.access.tables.ownership.report import REPORT, TECHNICAL_USERS_CONTROL_ALL_REPORTS
from bailiwick.access.tables.ownership.report_trigger import (
    REPORT_TRIGGER,
    TECHNICAL_USERS_CONTROL_ALL_REPORT_TRIGGERS,
)
from bailiwick.access.tables.ownership.storage import STORAGE
from bailiwick.access.tables.projects.data_product import DATA_PRODUCT, INHERITED_DATA_PRODUCT_ROLES
from bailiwick.access.tables.projects.inherited_roles import INHERITED_PROJECT_ROLES
from bailiwick.access.tables.projects.project import PROJECT, PROJECT_IN_THE_MENU
from bailiwick.access.tables.roles.capabilities import CAPABILITIES
from bailiwick.access.tables.roles.invitations import WHO_CAN_INVITE_WHOM
from bailiwick.access.tables.roles.notifications import NOTIFICATIONS
from bailiwick.access.tables.spaces.data_project import DATA_PROJECT, DATA_PROJECT_SECURITY, DATA_PROJECT_VIEW_DATA
from bailiwick.access.tables.spaces.data_task import (
    DATA_TASK,
    DATA_TASK_SECURITY,
    DATA_TASK_VIEW_DATA,
    EDIT_CONNECTION,
    LIST_RESOURCES,
    LIST_TASKS,
)
from bailiwick.access.tables.spaces.prerequisites import PREREQUISITES
from bailiwick.access.tables.spaces.space import SEE_SPACE, SPACE, SPACE_SECURITY, SPACE_VIEW_DATA
from bailiwick.access.tables.tenant.group import GROUP
from bailiwick.access.tables.tenant.member import MEMBER
from bailiwick.access.tables.tenant.tenant import TENANT
from bailiwick.access.tables.tenant.token import TOKEN

ON_DATA = ("Change descriptions", "Manage users (Viewer, Editor)", "Manage users (Manager)", "Delete the resource")
ON_PIPELINES = (
    *("See pipelines", "Edit pipelines", "Activate or deactivate pipelines", "Trigger pipelines", "Delete pipelines"),
    "See runs",
)
ON_CONNECTIONS = (
    *(LIST_RESOURCES, "Add data connection", EDIT_CONNECTION, "Delete data connection"),
    *("Change owner of data connection", "Change space of data connection"),
)
ON_TASKS = (
    *("Create data task", LIST_TASKS, "Edit data task attribute", "Open data task", "Update data task"),
    *("Delete data task", "Control data task", "Change owner of data task", "Preview and sample data"),
)
ACROSS_THE_LAKEHOUSE = (
    *("Create layers", "See all layers", "See settings", "Manage users and roles", "Create groups", "Add users"),
    "Manage billing",
)
DATA_TASK_TABLES = (DATA_TASK, DATA_TASK_VIEW_DATA, DATA_TASK_SECURITY)

RESOURCE_TYPES: Mapping[str, ResourceType] = {
    resource_type.name: resource_type
    for resource_type in (
        ResourceType("tenant", TENANT),
        ResourceType("member", MEMBER, see="See"),
        ResourceType("group", GROUP, see="See"),
        ResourceType("api_token", TOKEN),
        ResourceType("project", PROJECT_IN_THE_MENU, PROJECT, see="See project"),
        ResourceType("project_membership", WHO_CAN_INVITE_WHOM, CAPABILITIES),
        ResourceType("notification_rule", NOTIFICATIONS),
        ResourceType("inherited_project_role", INHERITED_PROJECT_ROLES),
        ResourceType("data_product", DATA_PRODUCT, see="View 360 pages"),
        ResourceType("inherited_data_product_role", INHERITED_DATA_PRODUCT_ROLES),
        ResourceType("storage", STORAGE, see="See"),
        ResourceType("data_mart", DATA_MART, OWNERSHIP_ADDS_TO_AVAILABILITY, see="See"),
        ResourceType("data_mart_trigger", DATA_MART_TRIGGER, OWNERSHIP_ADDS_TO_TRIGGERS, see="See"),
        ResourceType("destination", DESTINATION, see="See"),
        ResourceType("deleted_destination", DELETED_DESTINATION, see="See"),
        ResourceType("report", REPORT, TECHNICAL_USERS_CONTROL_ALL_REPORTS, see="See"),
        ResourceType("report_trigger", REPORT_TRIGGER, TECHNICAL_USERS_CONTROL_ALL_REPORT_TRIGGERS, see="See"),
        ResourceType(
            "layer",
            WHAT_EACH_LEVEL_CAN_DO,
            rows=("See layers", "Create tables and volumes", "Add pipelines", *ON_DATA),
            see="See layers",
        ),
        ResourceType(
            "table", WHAT_EACH_LEVEL_CAN_DO, rows=("See tables", "Execute queries", *ON_DATA), see="See tables"
        ),
        ResourceType("volume", WHAT_EACH_LEVEL_CAN_DO, rows=("See tables", *ON_DATA), see="See tables"),
        ResourceType("pipeline", WHAT_EACH_LEVEL_CAN_DO, rows=ON_PIPELINES, see="See pipelines"),
        ResourceType(
            "integration",
            WHAT_EACH_LEVEL_CAN_DO,
            rows=("See pipelines", "Add, edit, activate, trigger and delete integrations", "See runs"),
            see="See pipelines",
        ),
        ResourceType("saved_query", SAVED_QUERY, see="See"),
        ResourceType(
            "query",
            WHAT_EACH_LEVEL_CAN_DO,
            rows=(
                *("Execute queries", "Edit queries", "Save queries individually", "Delete saved queries"),
                "Delete shared saved queries of others",
            ),
        ),
        ResourceType("lakehouse", WHAT_EACH_LEVEL_CAN_DO, rows=ACROSS_THE_LAKEHOUSE),
        ResourceType("data_space", SPACE, SPACE_VIEW_DATA, SPACE_SECURITY, PREREQUISITES, see=SEE_SPACE),
        ResourceType(
            "data_project", DATA_PROJECT, DATA_PROJECT_VIEW_DATA, DATA_PROJECT_SECURITY, see="List data projects"
        ),
        ResourceType("data_task", *DATA_TASK_TABLES, rows=ON_TASKS, see=LIST_TASKS),
        ResourceType("data_connection", *DATA_TASK_TABLES, rows=ON_CONNECTIONS, see=LIST_RESOURCES),
        ResourceType("gateway", *DATA_TASK_TABLES, rows=ON_CONNECTIONS, see=LIST_RESOURCES),
    )
}

"""What a space must give before something else can happen. Read it beside docs/access/spaces.md#prerequisites."""

from bailiwick.access.shapes import RoleMatrix
from bailiwick.access.tables.spaces.facts import DOCUMENT, MEMBER_COLUMNS, Y, _

OWN_DATA_PROJECT = "Own a data project whose tasks run here"
USE_CONNECTION = "Use a connection of this space as source or target"
USE_GATEWAY = "Use a gateway of this space"
CREATE_GATEWAY_CONNECTION = "Create a connection through a gateway here"
USE_OUTPUT = "Use a data task's output outside this space"

PREREQUISITES = RoleMatrix(
    document=DOCUMENT,
    page="spaces#prerequisites",
    name="Prerequisites",
    columns=MEMBER_COLUMNS,
    rows={
        #                           owner view consume manage operate edit
        OWN_DATA_PROJECT: (Y, _, _, _, _, Y),
        USE_CONNECTION: (Y, _, Y, Y, _, Y),
        USE_GATEWAY: (Y, _, Y, Y, _, Y),
        CREATE_GATEWAY_CONNECTION: (Y, _, _, Y, _, _),
        USE_OUTPUT: (Y, _, Y, _, _, _),
    },
)

"""`bailiwick layers`: where tables and volumes lie."""

from __future__ import annotations

from typing import Annotated

import typer

from bailiwick.cli.command import All, Cursor, Here, Limit, Search, Sort, Yes, area, command
from bailiwick.cli.output import Columns, Item
from bailiwick.lakehouse.commands import find

app = area("layers", "Layers hold tables and volumes. A level on one counts for everything in it.")

Which = Annotated[str, typer.Argument(metavar="LAYER", help="The layer's name or id.")]
Said = Annotated[str | None, typer.Option("--description", help="What is said of it.")]


def own_level(item: Item) -> str:
    """The level on it, and for those whom levels do not hold back, what they have in place of one."""
    if item.get("in_part"):
        return "only on some of it"
    by_role = item["level"] == "none" and "manage_users_manager" in item["actions"]
    return "everything, by your role" if by_role else str(item["level"])


LISTED: Columns = {"Name": "name", "Your level": own_level, "Description": "description"}


@command(
    app,
    "list",
    routes=["GET /api/v1/layers"],
    examples=["bailiwick layers list", "bailiwick layers list --json"],
)
def list_layers(
    here: Here,
    search: Search = None,
    sort: Sort = None,
    limit: Limit = 50,
    everything: All = False,
    cursor: Cursor = None,
) -> None:
    """List the layers you may see, by name."""
    here.listing(
        "/layers",
        LISTED,
        empty="You see no layer. A Manager of one, or a tenant owner or admin, can give you a level.",
        limit=limit,
        everything=everything,
        cursor=cursor,
        search=search,
        sort=sort,
    )


@command(app, "show", routes=["GET /api/v1/layers/{layer_id}"], examples=["bailiwick layers show raw"])
def show_layer(here: Here, layer: Which) -> None:
    """Look at a layer, and at what you may do with it."""
    here.show(here.client.get(f"/layers/{find.layer(here, layer)}"), {**LISTED, "Since": "created_at", "Id": "id"})


@command(
    app,
    "create",
    routes=["POST /api/v1/layers"],
    examples=["bailiwick layers create finance --description 'What closes the books.'"],
)
def create_layer(
    here: Here,
    name: Annotated[str, typer.Argument(help="As statements will write it: small letters, digits, underscores.")],
    description: Said = None,
) -> None:
    """Create a layer. For tenant owners and admins."""
    answer = here.client.post("/layers", {"name": name, "description": description or ""})
    here.done(answer, f"The layer {answer['name']} is there. Give levels on it with: bailiwick grants give")


@command(
    app,
    "edit",
    routes=["PATCH /api/v1/layers/{layer_id}"],
    examples=[
        "bailiwick layers edit finance --description 'Closed books.'",
        "bailiwick layers edit raw --name landing",
    ],
)
def edit_layer(
    here: Here,
    layer: Which,
    name: Annotated[str | None, typer.Option(help="Another name; for tenant owners and admins.")] = None,
    description: Said = None,
) -> None:
    """Change a layer's description, or its name."""
    changes = {key: value for key, value in (("name", name), ("description", description)) if value is not None}
    answer = here.client.patch(f"/layers/{find.layer(here, layer)}", changes)
    here.done(answer, f"The layer {answer['name']} is changed.")


@command(
    app,
    "delete",
    routes=["DELETE /api/v1/layers/{layer_id}"],
    examples=["bailiwick layers delete finance"],
)
def delete_layer(here: Here, layer: Which, yes: Yes = False) -> None:
    """Delete an empty layer. What it still holds is listed."""
    seen = here.client.get(f"/layers/{find.layer(here, layer)}")
    here.confirm(f"Delete the layer {seen['name']} and the levels on it?", yes)
    here.client.delete(f"/layers/{seen['id']}", version=seen["version"])
    here.done(None, f"The layer {seen['name']} is deleted.")

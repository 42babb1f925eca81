"""`bailiwick volumes`: folders of files, and the files in them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import quote

import typer

from bailiwick.cli.command import All, Cursor, Here, Limit, Search, Sort, Yes, area, command
from bailiwick.cli.failures import Failure
from bailiwick.cli.output import Columns, print_json
from bailiwick.cli.text import printable
from bailiwick.lakehouse.commands import find
from bailiwick.lakehouse.commands.layers import Said, own_level
from bailiwick.lakehouse.commands.tables import USES, InLayer

app = area("volumes", "Volumes hold files that sources read and destinations write.")

Which = Annotated[str, typer.Argument(metavar="LAYER.VOLUME", help="The volume's name or id.")]
InVolume = Annotated[str, typer.Argument(metavar="PATH", help="A file of the volume, with its folders.")]

SortFiles = Annotated[
    Literal["name", "-name", "changed", "-changed", "size", "-size"] | None,
    typer.Option("--sort", help="-changed begins with the newest, -size with the largest."),
]

LISTED: Columns = {"Volume": "full_name", "Your level": own_level, "Description": "description"}
FILES: Columns = {"Name": "name", "What": "kind", "Bytes": "bytes", "Changed": "changed_at"}


@command(
    app,
    "list",
    routes=["GET /api/v1/volumes"],
    examples=["bailiwick volumes list", "bailiwick volumes list --layer raw"],
)
def list_volumes(
    here: Here,
    layer: InLayer = None,
    search: Search = None,
    sort: Sort = None,
    limit: Limit = 50,
    everything: All = False,
    cursor: Cursor = None,
) -> None:
    """List the volumes you may see, by name."""
    here.listing(
        "/volumes",
        LISTED,
        empty="No volume fits, or none that you may see. Create one with: bailiwick volumes create",
        limit=limit,
        everything=everything,
        cursor=cursor,
        search=search,
        sort=sort,
        layer=find.layer(here, layer) if layer else None,
    )


@command(app, "show", routes=["GET /api/v1/volumes/{volume_id}"], examples=["bailiwick volumes show raw.uploads"])
def show_volume(here: Here, volume: Which) -> None:
    """Look at a volume, and at what you may do with it."""
    here.show(here.client.get(f"/volumes/{find.volume(here, volume)}"), {**LISTED, "Since": "created_at", "Id": "id"})


@command(
    app,
    "create",
    routes=["POST /api/v1/volumes"],
    examples=["bailiwick volumes create raw.uploads --description 'What the shops send every night.'"],
)
def create_volume(
    here: Here,
    volume: Annotated[str, typer.Argument(metavar="LAYER.VOLUME", help="The layer, and the volume's name to be.")],
    description: Said = None,
) -> None:
    """Create a volume. For Editors of the layer."""
    layer, dot, name = volume.rpartition(".")
    if not dot:
        raise typer.BadParameter(f"“{volume}” needs its layer in front, as in raw.{volume}.")
    body = {"layer": find.layer(here, layer), "name": name, "description": description or ""}
    answer = here.client.post("/volumes", body)
    here.done(answer, f"The volume {answer['full_name']} is there. Put files into it with: bailiwick volumes put")


@command(
    app,
    "edit",
    routes=["PATCH /api/v1/volumes/{volume_id}"],
    examples=["bailiwick volumes edit raw.uploads --description 'From the shops.'"],
)
def edit_volume(
    here: Here, volume: Which, description: Annotated[str, typer.Option(help="What is said of it.")]
) -> None:
    """Change a volume's description. For Editors."""
    answer = here.client.patch(f"/volumes/{find.volume(here, volume)}", {"description": description})
    here.done(answer, f"The volume {answer['full_name']} is changed.")


@command(
    app,
    "delete",
    routes=["DELETE /api/v1/volumes/{volume_id}"],
    examples=["bailiwick volumes delete raw.uploads"],
)
def delete_volume(here: Here, volume: Which, yes: Yes = False) -> None:
    """Delete a volume with its files, once you have seen what depends on it. For Managers."""
    seen = here.client.get(f"/volumes/{find.volume(here, volume)}")
    if not yes:
        for one in here.client.get(f"/volumes/{seen['id']}/used-by")["items"]:
            typer.echo(printable(f"  depends on it: {one['kind']} {one['name']} ({one['how']})"), err=True)
    here.confirm(f"Delete {seen['full_name']} with all its files?", yes)
    query = {"confirm": seen["full_name"]}
    answer = here.client.delete(f"/volumes/{seen['id']}", query=query, version=seen["version"])
    here.done(answer, f"The volume {seen['full_name']} is deleted.")


@command(
    app,
    "uses",
    routes=["GET /api/v1/volumes/{volume_id}/used-by"],
    examples=["bailiwick volumes uses raw.uploads"],
)
def uses(here: Here, volume: Which) -> None:
    """See which pipelines use a volume, of those you may see."""
    answer = here.client.get(f"/volumes/{find.volume(here, volume)}/used-by")
    if here.as_json:
        print_json(answer)
    else:
        here.rows(answer["items"], USES, "Nothing that you may see uses it.")


@command(
    app,
    "files",
    routes=["GET /api/v1/volumes/{volume_id}/files"],
    examples=[
        "bailiwick volumes files raw.uploads --sort -changed",
        "bailiwick volumes files raw.uploads --folder 2026",
    ],
)
def list_files(
    here: Here,
    volume: Which,
    folder: Annotated[str | None, typer.Option(help="A folder of the volume.")] = None,
    search: Search = None,
    sort: SortFiles = None,
    limit: Limit = 50,
    everything: All = False,
    cursor: Cursor = None,
) -> None:
    """List the files in a folder of a volume."""
    here.listing(
        f"/volumes/{find.volume(here, volume)}/files",
        FILES,
        empty="There is no file yet. Put one there with: bailiwick volumes put",
        limit=limit,
        everything=everything,
        cursor=cursor,
        folder=folder,
        search=search,
        sort=sort,
    )


@command(
    app,
    "put",
    routes=["PUT /api/v1/volumes/{volume_id}/files/{path}"],
    examples=[
        "bailiwick volumes put raw.uploads orders.csv",
        "bailiwick volumes put raw.uploads orders.csv --as 2026/07/orders.csv --overwrite",
    ],
)
def put_file(
    here: Here,
    volume: Which,
    file: Annotated[Path, typer.Argument(help="A file on this computer.", exists=True, dir_okay=False, readable=True)],
    name: Annotated[str | None, typer.Option("--as", metavar="PATH", help="Its folders and name there.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a file of this name.")] = False,
) -> None:
    """Put a file into a volume. For Editors."""
    path = f"/volumes/{find.volume(here, volume)}/files/{_address(name or file.name)}"
    answer = here.client.upload(path, file, overwrite=overwrite)
    done = "replaced" if answer["replaced"] else "there"
    here.done(answer, f"{answer['path']} is {done}, {answer['bytes']} bytes.")


@command(
    app,
    "get",
    routes=["GET /api/v1/volumes/{volume_id}/files/{path}"],
    examples=[
        "bailiwick volumes get raw.uploads 2026/07/orders.csv",
        "bailiwick volumes get raw.uploads a.csv --to /tmp/b.csv",
    ],
)
def get_file(
    here: Here,
    volume: Which,
    path: InVolume,
    to: Annotated[Path | None, typer.Option(help="Where to; without it, here, under its own name.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a file that is there.")] = False,
) -> None:
    """Fetch a file of a volume. For Viewers."""
    target = to or Path(path.rpartition("/")[2])
    if target.exists() and not overwrite:
        raise Failure(f"{target} is there already.", "To replace it, add --overwrite.", "Exists")
    here.client.download(f"/volumes/{find.volume(here, volume)}/files/{_address(path)}", target)
    here.done({"path": str(target), "bytes": target.stat().st_size}, f"{target} is there.")


@command(
    app,
    "remove",
    routes=["DELETE /api/v1/volumes/{volume_id}/files/{path}"],
    examples=["bailiwick volumes remove raw.uploads 2026/07/orders.csv"],
)
def remove_file(here: Here, volume: Which, path: InVolume, yes: Yes = False) -> None:
    """Remove a file from a volume. For Editors."""
    id_ = find.volume(here, volume)
    here.confirm(f"Remove {path} from {volume}?", yes)
    here.client.delete(f"/volumes/{id_}/files/{_address(path)}")
    here.done(None, f"{path} is gone.")


def _address(path: str) -> str:
    """A path as part of an address; . and .. go there as they are, for the server to refuse."""
    return "/".join(
        quote(part, safe="").replace(".", "%2E") if part in (".", "..") else quote(part, safe="")
        for part in path.split("/")
    )

"""`bailiwick projects`: projects and their settings."""

from __future__ import annotations

from typing import Annotated

import typer

from bailiwick.cli import find
from bailiwick.cli.command import All, Cursor, Here, Limit, Search, Sort, Yes, area, command
from bailiwick.cli.output import Columns

app = area("projects", "Projects: people with roles, and what they share.")

Which = Annotated[str, typer.Argument(metavar="PROJECT", help="The project's name or id.")]

PROJECT: Columns = {"Name": "name", "Your role": "role", "Description": "description", "Created": "created_at"}
SWITCHES: Columns = {
    "Technical Users control all reports": "technical_users_control_all_reports",
    "Ownership adds to availability": "ownership_adds_to_availability",
    "Warnings": "warnings",
}


@command(
    app,
    "list",
    routes=["GET /api/v1/projects"],
    examples=["bailiwick projects list", "bailiwick projects list --search sales --json"],
)
def list_projects(
    here: Here,
    search: Search = None,
    sort: Sort = None,
    limit: Limit = 50,
    everything: All = False,
    cursor: Cursor = None,
) -> None:
    """List the projects you have a role in, by name."""
    here.listing(
        "/projects",
        PROJECT,
        empty="There is none that you may see. A project's members invite you into it; "
        "tenant owners and admins create one with: bailiwick projects create",
        limit=limit,
        everything=everything,
        cursor=cursor,
        search=search,
        sort=sort,
    )


@command(
    app,
    "show",
    routes=["GET /api/v1/projects/{project_id}"],
    examples=["bailiwick projects show Sales"],
)
def show_project(here: Here, project: Which) -> None:
    """Open a project: your role in it, and what you may do."""
    here.show(here.client.get(f"/projects/{find.project(here, project)}"), {**PROJECT, "Id": "id"})


@command(
    app,
    "create",
    routes=["POST /api/v1/projects"],
    examples=["bailiwick projects create Sales --description 'What the sales team looks at.'"],
)
def create_project(
    here: Here,
    name: Annotated[str, typer.Argument(help="The new project's name.")],
    description: Annotated[str, typer.Option(help="What it is for.")] = "",
) -> None:
    """Create a project. For tenant owners and admins."""
    answer = here.client.post("/projects", {"name": name, "description": description})
    here.done(answer, f"The project {answer['name']} is made. Invite people with: bailiwick projects invite")


@command(
    app,
    "edit",
    routes=["PATCH /api/v1/projects/{project_id}"],
    examples=["bailiwick projects edit Sales --name 'Sales analytics'"],
)
def edit_project(
    here: Here,
    project: Which,
    name: Annotated[str | None, typer.Option(help="The new name.")] = None,
    description: Annotated[str | None, typer.Option(help="The new description.")] = None,
) -> None:
    """Edit a project's name and description."""
    changes = {key: value for key, value in (("name", name), ("description", description)) if value is not None}
    answer = here.client.patch(f"/projects/{find.project(here, project)}", changes)
    here.done(answer, f"The project {answer['name']} is changed.")


@command(
    app,
    "delete",
    routes=["DELETE /api/v1/projects/{project_id}"],
    examples=["bailiwick projects delete Sales"],
)
def delete_project(here: Here, project: Which, yes: Yes = False) -> None:
    """Delete a project with everything in it."""
    seen = find.project_named(here, project)
    here.confirm(f"Delete the project {seen['name']} with everything in it?", yes)
    answer = here.client.delete(f"/projects/{seen['id']}", query={"confirm": seen["name"]}, version=seen["version"])
    here.done(answer, f"The project {seen['name']} is deleted.")


@command(
    app,
    "settings",
    routes=["GET /api/v1/projects/{project_id}/settings", "PATCH /api/v1/projects/{project_id}/settings"],
    examples=[
        "bailiwick projects settings Sales",
        "bailiwick projects settings Sales --technical-users-control-all-reports",
    ],
)
def project_settings(
    here: Here,
    project: Which,
    technical_users_control_all_reports: Annotated[
        bool | None, typer.Option(help="Technical Users control every report they see.")
    ] = None,
    ownership_adds_to_availability: Annotated[
        bool | None, typer.Option(help="A Business Owner who is a Technical User also has what availability gives.")
    ] = None,
) -> None:
    """See a project's two switches, or set those that are given."""
    given = {
        "technical_users_control_all_reports": technical_users_control_all_reports,
        "ownership_adds_to_availability": ownership_adds_to_availability,
    }
    changes = {key: value for key, value in given.items() if value is not None}
    path = f"/projects/{find.project(here, project)}/settings"
    here.show(here.client.patch(path, changes) if changes else here.client.get(path), SWITCHES)

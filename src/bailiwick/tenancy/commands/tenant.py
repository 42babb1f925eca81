"""`bailiwick tenant`: its name, settings and plan."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from bailiwick.cli.command import All, Cursor, Here, Limit, Yes, area, command
from bailiwick.cli.output import Columns, print_json

app = area("tenant", "The tenant itself: its name, settings and plan.")

Plan = Literal["starter", "growth", "custom"]
SETTINGS: Columns = {"Name": "name", "Reading needs only Viewer": "reading_needs_only_viewer"}


@command(app, "show", routes=["GET /api/v1/tenant"], examples=["bailiwick tenant show"])
def show_tenant(here: Here) -> None:
    """Look at the tenant: its name, its plan, and what you may do in it."""
    here.show(here.client.get("/tenant"), {"Name": "name", "Plan": "plan"})


@command(
    app,
    "settings",
    routes=["GET /api/v1/tenant/settings", "PATCH /api/v1/tenant/settings"],
    examples=[
        "bailiwick tenant settings",
        "bailiwick tenant settings --name Northwind",
        "bailiwick tenant settings --reading-needs-only-viewer",
    ],
)
def tenant_settings(
    here: Here,
    name: Annotated[str | None, typer.Option(help="The tenant's new name.")] = None,
    reading_needs_only_viewer: Annotated[
        bool | None, typer.Option(help="Whether pipelines need only Viewer on what they read.")
    ] = None,
) -> None:
    """See the settings, or change those that are given. For tenant owners and admins."""
    given = (("name", name), ("reading_needs_only_viewer", reading_needs_only_viewer))
    changes = {key: value for key, value in given if value is not None}
    client = here.client
    here.show(client.patch("/tenant/settings", changes) if changes else client.get("/tenant/settings"), SETTINGS)


@command(
    app,
    "preview",
    routes=["GET /api/v1/tenant/plan/preview"],
    examples=["bailiwick tenant preview starter", "bailiwick tenant preview starter --all --json"],
)
def preview_plan(
    here: Here,
    plan: Annotated[Plan, typer.Argument(help="The plan to look at.")],
    limit: Limit = 50,
    everything: All = False,
    cursor: Cursor = None,
) -> None:
    """See who would gain what on another plan; nothing is changed."""
    preview = here.client.pages("/tenant/plan/preview", None if everything else limit, cursor, plan=plan)
    if here.as_json:
        print_json(preview)
        return
    here.say(_gain(preview))
    here.rows(preview["items"], {"Name": "name", "E-mail": "email", "State": "state"})
    if preview["next_cursor"]:
        here.say("There are more: add --all")


@command(
    app,
    "plan",
    routes=["PUT /api/v1/tenant/plan"],
    examples=["bailiwick tenant plan growth", "bailiwick tenant plan starter --yes"],
)
def change_plan(here: Here, plan: Annotated[Plan, typer.Argument(help="The new plan.")], yes: Yes = False) -> None:
    """Change the plan. Going down to starter shows who gains what, and asks."""
    preview = here.client.get("/tenant/plan/preview", plan=plan, limit=1)
    if preview["needs_confirmation"] and not yes:
        typer.echo(_gain(preview), err=True)
        here.confirm(f"Go down to {plan}?", yes)
    answer = here.client.put("/tenant/plan", {"plan": plan, "confirm": preview["needs_confirmation"]})
    here.done(answer, f"The plan is {answer['plan']}.")


def _gain(preview: dict[str, Any]) -> str:
    if not preview["gain"]:
        return f"Nobody gains anything on {preview['plan']}."
    whose = "1 member" if preview["members"] == 1 else f"{preview['members']:,} members"
    return f"On {preview['plan']}, {whose} would gain: {preview['gain']}."

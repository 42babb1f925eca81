"""What was done, in words: every action that goes on record, for whoever reads the audit."""

from __future__ import annotations

from collections.abc import Mapping

from bailiwick.access.decision import slug
from bailiwick.access.resource_types import RESOURCE_TYPES

WORDS: Mapping[str, str] = {
    # the tenant
    "create_tenant": "set up the platform",
    "change_settings": "changed the settings",
    "change_plan": "changed the plan",
    # people
    "add_member": "added a member",
    "resend_invitation": "sent an invitation again",
    "withdraw_invitation": "withdrew an invitation",
    "confirm_member": "confirmed a newcomer",
    "decline_member": "declined a newcomer",
    "join": "joined",
    "edit_profile": "changed their profile",
    "change_tenant_role": "changed a tenant role",
    "grant_security_roles": "changed security roles",
    "suspend_member": "suspended a member",
    "reactivate_member": "let a member in again",
    "remove_member": "removed a member",
    "view_as": "began to view as somebody",
    "end_view_as": "stopped viewing as somebody",
    # signing in
    "sign_in": "signed in",
    "ask_for_link": "asked for a link",
    "make_magic_link": "made a sign-in link",
    "reset_password": "reset a password",
    "change_password": "changed their password",
    "revoke_session": "ended a session",
    "revoke_other_sessions": "ended all other sessions",
    "create_token": "made an API token",
    "revoke_token": "revoked an API token",
    # groups
    "create_group": "made a group",
    "edit_group": "changed a group",
    "delete_group": "deleted a group",
    "add_to_group": "put somebody into a group",
    "remove_from_group": "took somebody out of a group",
    # projects
    "create_project": "made a project",
    "edit_project": "changed a project",
    "set_project_switches": "changed a project's switches",
    "delete_project": "deleted a project",
    "enter_project": "entered a project",
    "invite_to_project": "invited somebody to a project",
    "change_project_role": "changed a role in a project",
    "remove_project_member": "took somebody out of a project",
    "end_project_role": "let a role in a project end",
    "grant_project_role_to_group": "gave a group a role in a project",
    "remove_project_role_of_group": "took a group's role in a project",
    "set_notification_channel": "changed which news is sent",
    "add_notification_receiver": "chose somebody to be told",
    "remove_notification_receiver": "chose somebody not to be told",
    # levels on data, and asking for them
    "give_level": "gave a level",
    "change_level": "changed a level",
    "take_level": "took a level",
    "end_level": "let a level end",
    "ask_for_access": "asked for access",
    "grant_access_request": "granted a request",
    "decline_access_request": "declined a request",
    "withdraw_access_request": "withdrew a request",
    # data
    "create_layer": "made a layer",
    "edit_layer": "changed a layer",
    "delete_layer": "deleted a layer",
    "set_maintenance": "changed how a layer is kept in order",
    "start_maintenance": "put a layer in order",
    "create_table": "made a table",
    "edit_table": "described a table",
    "restore_table": "took a table back to an earlier version",
    "delete_table": "deleted a table",
    "create_volume": "made a volume",
    "edit_volume": "described a volume",
    "delete_volume": "deleted a volume",
    "put_file": "put a file into a volume",
    "delete_file": "deleted a file",
    "save_query": "saved a query",
    "edit_saved_query": "changed a saved query",
    "delete_saved_query": "deleted a saved query",
    # pipelines and their runs
    "add_pipeline": "added a pipeline",
    "edit_pipeline": "changed a pipeline",
    "delete_pipeline": "deleted a pipeline",
    "activate_pipeline": "activated a pipeline",
    "deactivate_pipeline": "deactivated a pipeline",
    "change_pipeline_owner": "changed as whom a pipeline acts",
    "trigger_pipeline": "started a pipeline",
    "add_stream": "added a stream",
    "edit_stream": "changed a stream",
    "delete_stream": "deleted a stream",
    "start_stream_over": "let a stream start over",
    "create_trigger": "added a trigger",
    "edit_trigger": "changed a trigger",
    "pause_trigger": "paused a trigger",
    "resume_trigger": "resumed a trigger",
    "remove_trigger": "removed a trigger",
    "run": "ran",
    "run_again": "ran it again",
    "cancel_run": "cancelled a run",
    "delete_run": "deleted a run",
}


ACTIONS: Mapping[str, str] = {words: action for action, words in WORDS.items()}


def action_meant(text: str) -> str:
    """An action by its name, or by the words in which it is told."""
    return ACTIONS.get(" ".join(text.lower().split()), text)


# Every action as its document names it: requests, runs and triggers are decided by the document of something else.
NAMES: Mapping[str, str] = {slug(name): name for type_ in RESOURCE_TYPES.values() for name in type_.actions}

# What somebody tried who viewed as another member: only that way is a member's a route of the API.
LOOKED_AS_ANOTHER = "viewed as somebody, and tried to look at what is not shown that way"
CHANGED_AS_ANOTHER = "viewed as somebody, and tried to change or start something"
# Nor a token's, unless somebody came with it.
TRIED_BY_PROGRAM = "came with a token, and tried what takes a session"


def in_words(action: str, outcome: str, resource_type: str) -> str:
    """“gave a level”; of what was refused, the action as its document names it: tried “Delete the resource”."""
    if outcome == "done":
        return WORDS.get(action, action.replace("_", " "))
    if resource_type == "member" and "/" in action:
        return LOOKED_AS_ANOTHER if action.startswith("GET ") else CHANGED_AS_ANOTHER
    if resource_type == "api_token" and "/" in action:
        return TRIED_BY_PROGRAM
    type_ = RESOURCE_TYPES.get(resource_type)
    named = (name for name in type_.actions if slug(name) == action) if type_ else iter(())
    return f"tried “{next(named, NAMES.get(action, action.replace('_', ' ')))}”"

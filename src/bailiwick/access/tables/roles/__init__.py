"""Document “roles”: what a project member may do across a project."""

DOCUMENT = "roles"

"""Document “projects”: tenant role → project role → data product role."""

DOCUMENT = "projects"

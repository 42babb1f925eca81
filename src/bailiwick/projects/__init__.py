"""Projects: their members and roles, settings and notification receivers."""

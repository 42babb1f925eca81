"""One file a migration, oldest first by their down_revision."""

"""The commands about runs, triggers and notifications."""

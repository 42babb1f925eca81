"""Tests of projects: who sees them, who is in them, invitations, groups and notifications."""

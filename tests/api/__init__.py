"""Tests of the HTTP door itself."""

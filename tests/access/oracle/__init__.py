"""The documents read a second time, independently: as Cedar policies, and in Python where Cedar cannot say it."""

"""Keeping tables in shape, and going back in their past."""

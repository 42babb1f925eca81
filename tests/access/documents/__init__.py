"""What the documents say, written down by hand a second time: every cell, every example, every settled reading."""

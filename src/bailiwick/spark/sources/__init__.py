"""Reading sources and landing what was read in tables."""

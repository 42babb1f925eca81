"""How fast the platform is, against its peers and its own limits, measured in one run: `python -m tests.bench`."""

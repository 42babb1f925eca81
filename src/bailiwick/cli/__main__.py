"""`python -m bailiwick.cli`: the same as the installed command."""

from bailiwick.cli.main import run

run()

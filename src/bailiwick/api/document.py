"""`python -m bailiwick.api.document FILE`: the OpenAPI document, which the web app's types are made from."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from bailiwick.api.app import create_app
from bailiwick.database.engine import open_database
from bailiwick.settings import Settings


def write(file: Path) -> None:
    with tempfile.TemporaryDirectory() as home:
        settings = Settings(home=Path(home))
        database = open_database(settings)
        document = create_app(settings, database).openapi()
        database.close()
    file.write_text(json.dumps(document, indent=1))


if __name__ == "__main__":
    write(Path(sys.argv[1]))

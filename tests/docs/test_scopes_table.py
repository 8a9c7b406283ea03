"""The table of scopes has a row for every operation of the API that reads a token, and for every stream."""

import json
from pathlib import Path

from players.sessions.scopes import BY_SCOPE, NEEDED

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = json.loads((ROOT / "docs" / "openapi.json").read_text())
ROUTING = (ROOT / "games" / "streams" / "routing.py").read_text()


def test_the_table_of_scopes_has_every_operation_that_reads_a_token_and_every_stream() -> None:
    operations = {
        f"{method.upper()} {path.removeprefix('/api/v1')}"
        for path, methods in DOCUMENT["paths"].items()
        for method, operation in methods.items()
        if any(operation.get("security", [{"token": []}]))
    }
    streams = {f"WS /{route}" for route in (line.split('"')[1] for line in ROUTING.splitlines() if " path(" in line)}
    assert set(NEEDED) == operations | {stream.replace("<uuid:game_id>", "{game_id}") for stream in streams}


def test_no_operation_has_two_scopes() -> None:
    assert sum(len(lines.strip().splitlines()) for lines in BY_SCOPE.values()) == len(NEEDED)

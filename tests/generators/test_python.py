"""Models and a client for Python: generated, imported, type-checked, and used on the examples of the document."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.generators import tools

PROGRAM = Path(sys.executable).parent
# The generated models read the examples of the document and give them back.
READS = """
import json, sys
import models

examples = json.load(open(sys.argv[1]))["components"]["examples"]
game = models.Game.model_validate(examples["Game"]["value"])
kinds = [type(option.root).__name__ for option in game.options]
assert kinds == ["MarkAction"] * (len(kinds) - 1) + ["PassAction"]
assert game.turn and game.turn.dice and all(isinstance(die, int) for die in game.turn.dice["white"])
assert type(game.sheets[0].root).__name__ == "QwixxSheet"
events = models.Events.model_validate(examples["Events"]["value"]).results
assert type(events[0].root).__name__ == "GameCreatedEvent"
assert type(events[-1].root).__name__ == "DiceRolledEvent"
again = json.loads(game.model_dump_json(by_alias=True))
assert again["sheets"][0]["rows"] == examples["Game"]["value"]["sheets"][0]["rows"]
models.CreateGame(ruleset="qwixx")
"""


@pytest.mark.timeout(300)
def test_datamodel_codegen_gives_models_that_read_the_examples(document: Path, tmp_path: Path) -> None:
    options = (
        "--output-model-type",
        "pydantic_v2.BaseModel",
        "--target-python-version",
        "3.11",
        "--formatters",
        "builtin",
    )
    tools.run(
        PROGRAM / "datamodel-codegen", "--input", document, "--output", tmp_path / "models.py", *options, cwd=tmp_path
    )
    (tmp_path / "reads.py").write_text(READS)
    tools.run(sys.executable, "reads.py", document, cwd=tmp_path)


@pytest.mark.timeout(400)
def test_openapi_python_client_generates_every_operation(document: Path, tmp_path: Path, installed: None) -> None:
    said = tools.run(
        tools.PYTHON.parent / "openapi-python-client",
        *("generate", "--path", document, "--output-path", tmp_path / "client", "--meta", "none"),
        cwd=tmp_path,
    )
    left_out = [line for line in said.splitlines() if line.startswith("WARNING parsing")]
    assert all(is_text(warning) for warning in left_out), said
    names = {operation["operationId"] for operation in operations(json.loads(document.read_text()))}
    written = {path.stem.replace("_", "") for path in (tmp_path / "client/api").glob("*/*.py")}
    assert {name.lower() for name in names} <= written
    tools.run(tools.PYTHON, "-m", "mypy", "--no-error-summary", "client", cwd=tmp_path)
    used = "from client.models import DiceRolledEvent, Game, MarkAction; MarkAction(type_='mark', row='red', number=5)"
    tools.run(tools.PYTHON, "-c", used, cwd=tmp_path)


def is_text(warning: str) -> bool:
    """It leaves out the bodies of responses that are lines of text, and keeps their calls."""
    return warning.startswith("WARNING parsing GET /api/v1/") and any(
        path in warning for path in ("/export", "/games/stream")
    )


def operations(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [operation for methods in document["paths"].values() for operation in methods.values()]

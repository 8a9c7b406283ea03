"""Clients for Kotlin, Swift and Dart: generated without a complaint, without a syntax error, each kind a class."""

from pathlib import Path

import pytest

from tests.generators import tools

SYNTAX = Path(__file__).parent / "syntax.py"
# By generator: its language, where its models and calls are, and what they must contain.
GENERATORS: dict[str, tuple[str, str, dict[str, tuple[str, ...]]]] = {
    "kotlin": (
        "kotlin",
        "src/main/kotlin/org/openapitools/client",
        {
            "models/MarkAction.kt": ("val number: kotlin.Int,", "val roll: kotlin.Int? = null"),
            "models/DiceRolledData.kt": (
                "kotlin.collections.Map<kotlin.String, kotlin.collections.List<kotlin.Int>>,",
            ),
            "models/Game.kt": ("val options: kotlin.collections.List<Action>,", "val turn: Turn?,"),
            "models/AnswerSealedData.kt": ("val action: Action? = null",),
            "apis/GamesApi.kt": ("fun playAction(", "fun createGame("),
        },
    ),
    "swift6": (
        "swift",
        "Sources/OpenAPIClient",
        {
            "Models/Action.swift": ("public enum Action:", "case typeMarkAction(MarkAction)"),
            "Models/Event.swift": ("case typeDiceRolledEvent(DiceRolledEvent)", 'case "dice_rolled":'),
            "Models/Sheet.swift": ("case typeQwixxSheet(QwixxSheet)",),
            "Models/Turn.swift": ("public var dice: [String: [Int]]?", "public var sum: Int?"),
            "APIs/GamesAPI.swift": ("func playAction(",),
        },
    ),
    "dart-dio": (
        "dart",
        "lib/src",
        {
            "model/action.dart": ("r'mark': MarkAction,",),
            "model/event.dart": ("r'dice_rolled': DiceRolledEvent,",),
            "model/dice_rolled_data.dart": ("BuiltMap<String, BuiltList<int>> get dice;",),
            "api/games_api.dart": ("playAction(",),
        },
    ),
}
QUICKTYPE = {
    "swift": ("struct MarkAction: Codable", "struct DiceRolledData: Codable", "let dice: [String: [Int]]"),
    "kotlin": ("data class MarkAction", "data class DiceRolledData", "val dice: Map<String, List<Long>>"),
    "dart": ("class MarkAction {", "class DiceRolledData {", "final Map<String, List<int>> dice;"),
}


@pytest.mark.timeout(400)
@pytest.mark.parametrize("generator", GENERATORS)
def test_openapi_generator_gives_code_without_syntax_errors(
    document: Path, tmp_path: Path, java: str, generator: str
) -> None:
    assert_generates(document, tmp_path, java, generator)


@pytest.mark.timeout(400)
def test_openapi_generator_gives_the_same_classes_in_3_0(older_document: Path, tmp_path: Path, java: str) -> None:
    assert_generates(older_document, tmp_path, java, "kotlin")


def assert_generates(document: Path, tmp_path: Path, java: str, generator: str) -> None:
    language, sources, expected = GENERATORS[generator]
    said = tools.run("java", "-jar", java, "generate", "-g", generator, "-i", document, "-o", tmp_path)
    assert "ERROR" not in said
    for name, texts in expected.items():
        written = (tmp_path / sources / name).read_text()
        for text in texts:
            assert text in written, name
    places = [tmp_path / sources / folder for folder in {name.partition("/")[0] for name in expected}]
    tools.run(tools.PYTHON, SYNTAX, language, *places)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("language", QUICKTYPE)
def test_quicktype_gives_code_without_syntax_errors(document: Path, tmp_path: Path, node: None, language: str) -> None:
    output = tmp_path / f"models.{language}"
    schemas = f"{document}#/components/schemas/"
    tools.run(tools.PROGRAMS / "quicktype", "--src-lang", "schema", "--lang", language, "-o", output, "--src", schemas)
    written = output.read_text()
    for text in QUICKTYPE[language]:
        assert text in written
    tools.run(tools.PYTHON, SYNTAX, language, output)

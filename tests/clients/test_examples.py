"""The examples of both clients play with the running service, and the documents show them."""

import asyncio
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.client import Json, Player, table
from tests.clients.languages import LANGUAGES, PYTHON, TYPESCRIPT, WITHOUT_SOCKET, Language
from tests.clients.programs import Program, is_the_log, plays
from tests.embedded.launcher import LaunchedProgram
from tests.timekeeping.celery_processes import worker

pytestmark = [
    pytest.mark.xdist_group("clients"),
    pytest.mark.usefixtures("transactional_db"),
    pytest.mark.timeout(240),  # the first of them waits for the build
]
by_name = pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
built = pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name, indirect=True)


@pytest.fixture
def language(request: pytest.FixtureRequest) -> Language:
    """One of the clients, ready for use."""
    chosen: Language = request.param
    if chosen is TYPESCRIPT:
        request.getfixturevalue("typescript")
    return chosen


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python package is where programs find it."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(PYTHON.folder / "src"), os.environ.get("PYTHONPATH", "")]))


@pytest.fixture(scope="module")
def bots(django_db_setup: None) -> Iterator[LaunchedProgram]:
    """The worker that plays the service's own bots."""
    with worker() as process:
        process.wait_for("ready.")
        yield process


def example(language: Language, server: str, name: str, *arguments: str, **environment: str) -> Program:
    command = [*language.command(name), *arguments]
    return Program(*command, folder=language.folder, server=server, **environment)


@built
async def test_the_first_lines_of_the_readme_play_a_game(
    language: Language, server: str, bots: LaunchedProgram
) -> None:
    async with example(language, server, "first_game") as program:
        assert "ranking" in await program.output()


@pytest.mark.parametrize("ruleset", ["qwixx", "qwinto"])
@pytest.mark.parametrize("options", [(), WITHOUT_SOCKET], ids=["WebSocket", "server-sent events"])
async def test_a_client_in_typescript_plays_one_in_python(
    options: tuple[str, ...], ruleset: str, typescript: Path, server: str
) -> None:
    ann_plays = [*TYPESCRIPT.command("play", *options), ruleset]
    async with Program(*ann_plays, folder=typescript, server=server) as ann:
        code = (await ann.line()).split()[-1]
        async with example(PYTHON, server, "play", code) as bob:
            logs = [events(output) for output in await asyncio.gather(ann.output(), bob.output())]
    assert logs[0] == logs[1]
    assert [line.split()[0] for line in logs[0]] == [str(version + 1) for version in range(len(logs[0]))]
    assert logs[0][-1].endswith("game_ended")


def events(output: str) -> list[str]:
    return [line for line in output.splitlines() if line[:1].isdigit() and ". seat" not in line]


@built
async def test_the_bot_accepts_an_invitation_and_plays(language: Language, server: str, ann: Player) -> None:
    async with example(language, server, "bot") as bot:
        player = (await bot.line()).split()[1]
        game = await ann.create(visibility="private", clock=None)
        await ann.post(f"/games/{game['id']}/invitations", {"player": player}, 201)
        await plays(ann, game)
        assert (await bot.line()).split()[:2] == ["played", game["id"]]


@built
async def test_a_copy_is_whole_though_its_program_is_killed(
    language: Language, server: str, ann: Player, bob: Player, tmp_path: Path
) -> None:
    game = await table([ann, bob])
    copy = tmp_path / "game.json"
    environment = {"QWIXX_TOKEN": bob.token, "QWIXX_GAME": game["id"]}
    playing = asyncio.create_task(plays(ann, game))
    for updates in (1, 5, 5):
        async with example(language, server, "offline", str(copy), **environment) as program:
            for _ in range(updates):
                await program.line()
            program.kill()
    async with example(language, server, "offline", str(copy), **environment) as program:
        await program.output()
    await playing
    await is_the_log(kept(copy), bob, game)


def kept(copy: Path) -> list[Json]:
    found: list[Json] = json.loads(copy.read_text())["events"]
    return found


@by_name
def test_an_example_has_less_than_sixty_lines(language: Language) -> None:
    assert len(language.examples) == 4
    assert [each.name for each in language.examples if len(each.read_text().splitlines()) >= 60] == []


@by_name
def test_what_the_readme_and_the_guide_show_is_part_of_an_example(language: Language) -> None:
    examples = [each.read_text() for each in language.examples]
    (first,) = language.blocks(language.folder / "README.md")
    assert first in examples
    assert len(first.splitlines()) <= 10
    shown = language.blocks(language.guide)
    assert len(shown) == 4
    assert [block for block in shown if not any(block in each for each in examples)] == []

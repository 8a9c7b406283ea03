"""The program in the guide to bot accounts plays a game to its end."""

import asyncio
import os
import re
import sys
from pathlib import Path

from players.integrations import access_tokens, bot_accounts
from players.limits.rate_limits import LIMITS
from players.models import Player as PlayerRow
from tests.api.client import Player
from tests.players.conftest import NOW, in_a_thread

GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "guides" / "bots.md").read_text()


def make_bot() -> tuple[str, str]:
    owner = PlayerRow.objects.create(name="Owner", email="owner@example.org")
    bot = bot_accounts.create(owner.pk, "Robot")
    return str(bot.pk), access_tokens.create(owner.pk, "guide", ["bots"], None, bot.pk, NOW).token


async def test_the_program_accepts_a_challenge_and_plays(server: str, ann: Player, tmp_path: Path) -> None:
    bot, token = await in_a_thread(make_bot)
    (code,) = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    (tmp_path / "robot.py").write_text(code)
    game = await ann.create(visibility="private", seats=2)
    await ann.post(f"/games/{game['id']}/invitations", {"player": bot}, 201)
    program = await asyncio.create_subprocess_exec(
        sys.executable,
        str(tmp_path / "robot.py"),
        env={**os.environ, "QWIXX_URL": server, "QWIXX_TOKEN": token},
        stdout=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(60):
        view = await ann.view(game)
        while view["status"] in ("open", "playing"):
            if view["options"] and view["your_answer"] is None:
                await ann.http.post(f"/games/{game['id']}/actions", json=view["options"][0])
            else:
                await ann.get(f"/games/{game['id']}/events", params={"after": view["version"], "wait": 5})
            view = await ann.view(game)
        output, _ = await program.communicate()
    assert (program.returncode, output.split()[0]) == (0, b"finished")


def test_the_limits_in_the_guide_are_those_of_bots() -> None:
    assert (LIMITS["bot_reads"].rate, LIMITS["bot_actions"].rate) == (100, 50)
    a_minute = [round(LIMITS[f"bot_{name}"].rate * 60) for name in ("games", "invitations", "phrases")]
    assert a_minute == [60, 6, 6]

"""A bot: accepts every invitation and plays all its games at once, until it is stopped.

After a restart it goes on where its games are, if QWIXX_TOKEN is the token it printed. QWIXX_URL is where the service
is.
"""

import asyncio
import os
import random

from qwixx_client import AsyncClient, ProblemError
from qwixx_client.models import Action, Game


async def accept_all(client: AsyncClient) -> None:
    for invitation in (await client.list_invitations())["results"]:
        try:
            await client.give_random_seed(await client.accept_invitation(invitation["id"], late_seed=True))
        except ProblemError as refused:
            print("no longer open", invitation["id"], refused)


async def play(client: AsyncClient, game_id: str) -> None:
    async with client.stream(game_id) as stream:
        result = await stream.play(choose)
    print("played", game_id, result["reason"] if result else None, flush=True)


def choose(game: Game) -> Action:
    """The option that skips the fewest cells; it rather passes than skip more than two."""
    return min(game["options"], key=lambda option: cost(game, option))


def cost(game: Game, option: Action) -> float:
    sheet = game["sheets"][game["you"] or 0]
    if option["type"] == "pass":
        return 2.5
    if option["type"] != "mark" or sheet["ruleset"] != "qwixx" or game["sheet"] != "classic":
        return random.random()
    marked = sheet["rows"][option["row"]]
    last = max([1, *marked]) if option["row"] in ("red", "yellow") else min([13, *marked])
    return abs(option["number"] - last) - 1


async def main() -> None:
    url, token = os.environ.get("QWIXX_URL", "http://127.0.0.1:8000"), os.environ.get("QWIXX_TOKEN")
    client = AsyncClient(url, token) if token else await AsyncClient.guest(url, "Careful")
    playing: set[str] = set()  # a notification may come twice
    print("player", (await client.read_me())["id"], "token", client.token, flush=True)
    async with asyncio.TaskGroup() as games:
        async for heard in client.notifications():
            if heard["type"] == "hello" or heard["type"] == "invited":
                await accept_all(client)
            elif (heard["type"] == "your_turn" or heard["type"] == "game_started") and heard["game"] not in playing:
                playing.add(heard["game"])
                games.create_task(play(client, heard["game"]))


asyncio.run(main())

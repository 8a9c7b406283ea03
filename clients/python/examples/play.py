"""Plays one game and prints what happens: `python examples/play.py [ruleset | code]`.

A ruleset opens a game and prints its code; a code joins that game. QWIXX_URL is where the service is.
"""

import os
import sys

from qwixx_client import Client, GameStream, ProblemError, is_waiting
from qwixx_client.models import Action, Game


def open_game(client: Client, chosen: str) -> Game:
    match chosen:
        case "qwixx" | "qwinto":
            return client.create_game(ruleset=chosen, visibility="private", clock=None)
    return client.join_game_by_code(code=chosen)


def choose(game: Game) -> Action:
    """Every option is an action ready to be sent. This player prefers to mark, and rolls as many dice as it may."""
    return next((option for option in game["options"] if option["type"] != "pass"), game["options"][0])


def act(stream: GameStream, action: Action) -> None:
    """Between an update and its answer the game may go on: the next update says how."""
    try:
        stream.act(action)
    except ProblemError as refused:
        if not refused.is_outdated:
            raise


def main(chosen: str = "qwixx") -> None:
    client = Client.guest(os.environ.get("QWIXX_URL", "http://127.0.0.1:8000"), "Ann")
    opened = open_game(client, chosen)
    if opened["status"] == "open":
        print("join with", opened["code"], flush=True)
    with client, client.stream(opened["id"], after=0) as stream:
        for update in stream:
            for event in update.events:
                print(event["version"], event["type"], flush=True)
            if is_waiting(update.game):
                act(stream, choose(update.game))
    result = stream.game["result"] if stream.game else None
    for entry in result["ranking"] if result else ():
        print(f"{entry['rank']}. seat {entry['seat']} with {entry['points']} points")


main(*sys.argv[1:2])

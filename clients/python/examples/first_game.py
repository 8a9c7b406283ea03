import os
import random

from qwixx_client import Client

with Client.guest(os.environ.get("QWIXX_URL", "http://127.0.0.1:8000"), "Ann") as client:
    game = client.create_game(ruleset="qwixx", bots=["easy"])
    with client.stream(game["id"]) as stream:
        print(stream.play(lambda game: random.choice(game["options"])))

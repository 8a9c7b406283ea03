"""Random games over HTTP agree with the pure rules at every step, and reveal nothing too early."""

import asyncio
import random
from typing import Any

import msgspec
import pytest

from games.game.aggregate import fold
from games.game.events import Event
from games.game.json import view_schemas
from games.game.views import game_view
from games.rules.registry import RULESETS
from tests.api.client import Json, Player, table
from tests.api.conftest import NewPlayer

TABLES = [(key, seats) for key, ruleset in RULESETS.items() for seats in ruleset.seats]


class Witness:
    """Everything that a player received, with the version of the game at that time."""

    def __init__(self, player: Player, seat: int | None) -> None:
        self.player, self.seat = player, seat
        self.received: list[tuple[int, str]] = []
        self.views: dict[int, Json] = {}

    async def look(self, game: Json) -> Json:
        view = await self._ask(f"/games/{game['id']}", 0)
        self.views[view["version"]] = view
        return view

    async def pry(self, game: Json, version: int, luck: random.Random) -> None:
        """Request everything else that there is."""
        path = f"/games/{game['id']}"
        for question in ("/events?limit=1000", "/export", "/proof", f"?version={luck.randint(1, version)}"):
            await self._ask(path + question, version)
        await self._refused(path, version)
        await self._ask("/games?limit=5", version)

    async def _ask(self, path: str, version: int) -> Json:
        answer = await self.player.http.get(path)
        assert answer.status_code in (200, 409), answer.text
        body: Json = answer.json() if "ndjson" not in answer.headers["content-type"] else {}
        self.received.append((version or body["version"], answer.text))
        return body

    async def _refused(self, path: str, version: int) -> None:
        answer = await self.player.http.post(path + "/actions", json={"type": "mark", "row": "pink", "number": 5})
        assert answer.status_code in (403, 409, 422), answer.text
        assert answer.headers["content-type"].startswith("application/problem+json")
        self.received.append((version, answer.text))


async def played(players: list[Player], spectator: Player, luck: random.Random, **settings: Any) -> list[Witness]:
    game = await table(players, **settings)
    witnesses = [Witness(player, seat) for seat, player in enumerate(players)] + [Witness(spectator, None)]
    views = await all_look(witnesses, game)
    while views[0]["status"] == "playing":
        # All players read the view at every step; from time to time one requests everything.
        seat = luck.choice(views[0]["turn"]["waiting_for"])
        if luck.random() < 0.1:
            await luck.choice(witnesses).pry(game, views[0]["version"], luck)
        acted = await players[seat].act(game, luck.choice(views[seat]["options"]))
        witnesses[seat].received.append((acted["version"], str(acted)))
        views = await all_look(witnesses, game)
    for witness in witnesses:
        await witness.pry(game, views[0]["version"], luck)
    return witnesses


async def all_look(witnesses: list[Witness], game: Json) -> list[Json]:
    return await asyncio.gather(*(witness.look(game) for witness in witnesses))


@pytest.mark.parametrize(("ruleset", "seats"), TABLES)
async def test_a_random_game_over_http_agrees_with_the_rules(new_player: NewPlayer, ruleset: str, seats: int) -> None:
    luck = random.Random(f"{ruleset} {seats}")
    players = [await new_player(f"Player {number}") for number in range(seats)]
    spectator = await new_player("Spectator")
    witnesses = await played(players, spectator, luck, ruleset=ruleset)
    game = witnesses[0].views[max(witnesses[0].views)]
    page = await spectator.get(f"/games/{game['id']}/events?limit=1000")
    log = [Event(**envelope) for envelope in page["results"]]
    states: list[Any] = [None]
    for event in log:
        states.append(fold(states[-1], [event]))
    for witness in witnesses:
        _views_agree(witness, states, players, game["code"])
        _nothing_was_revealed_too_early(witness, log, game["code"])


def _views_agree(witness: Witness, states: list[Any], players: list[Player], code: str) -> None:
    people = {player.player["id"]: player.player for player in players}
    for version, view in witness.views.items():
        expected = game_view(states[version], witness.seat, code, people.__getitem__, view["server_time"])
        assert msgspec.json.decode(msgspec.json.encode(expected)) == view
        msgspec.convert(view, view_schemas.GameSchema, strict=True)


def _nothing_was_revealed_too_early(witness: Witness, log: list[Event], code: str) -> None:
    """Nonces before their phase is closed, the seed before the end, the code to spectators."""
    closed = [event.version for event in log if event.type == "phase_closed" and event.data["answers"] is not None]
    secrets = [(log[-1].data["server_seed"], log[-1].version)]
    for event in log:
        if event.type == "answer_sealed" and event.data["seat"] != witness.seat:
            until = min((version for version in closed if version > event.version), default=log[-1].version)
            secrets.append((event.data["nonce"], until))
    for version, text in witness.received:
        assert [secret for secret, until in secrets if secret in text and version < until] == []
        assert witness.seat is not None or code not in text

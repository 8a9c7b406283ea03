"""Exports of a game over HTTP: NDJSON, or the text notation, which holds the same."""

import json

from games.game.notation import document as notation
from tests.api.client import Player, table

NOTATION = "text/x-qwixx-notation"


async def test_an_export_is_ndjson_or_the_notation_by_what_the_client_accepts(ann: Player, bob: Player) -> None:
    """In a phase in which Ann has answered and Bob does not see what: the text carries the hash."""
    game = await table([ann, bob])
    players = {0: ann, 1: bob} if game["seats"][0]["player"]["id"] == ann.player["id"] else {0: bob, 1: ann}
    game = await players[game["turn"]["active"]].view(game)
    await players[game["turn"]["active"]].act(game, game["options"][0])
    await ann.act(game, {"type": "pass"})
    for player in (ann, bob):
        plain = await player.http.get(f"/games/{game['id']}/export", headers={"Accept": "*/*"})
        text = await player.http.get(f"/games/{game['id']}/export", headers={"Accept": NOTATION})
        assert plain.headers["content-type"] == "application/x-ndjson"
        assert text.headers["content-type"].startswith(NOTATION)
        assert "accept" in text.headers["vary"].lower()
        header, *events = map(json.loads, plain.text.splitlines())
        assert notation.read(text.text) == (header, events)
        assert (" hash=" in text.text) == (player is bob)

"""Texts follow the language that the player has set, else that of the request: REST, hot routes and sockets."""

import httpx

from tests.api.client import Json, Player
from tests.api.test_repeatable_requests import rolled
from tests.streams.client import Socket

RUSSIAN = {"Accept-Language": "ru"}
UNKNOWN = "01926f3a-7c5e-7b1d-9a40-3f6c2d8e1b57"


async def set_locale(player: Player, locale: str | None) -> None:
    changed = await player.http.patch("/players/me", json={"locale": locale})
    assert (changed.status_code, changed.json()["locale"]) == (200, locale)


def language_of(answer: httpx.Response, status: int) -> str:
    assert answer.status_code == status, answer.text
    language: str = answer.headers["content-language"]
    return language


async def languages(player: Player, game: Json) -> set[str]:
    """Of errors from DRF, from hot routes, and of the middleware."""
    http = player.http
    stale = {"type": "pass", "roll": 99}
    answers = [
        (await http.get(f"/players/{UNKNOWN}", headers=RUSSIAN), 404),
        (await http.get(f"/games/{UNKNOWN}", headers=RUSSIAN), 404),
        (await http.put("/games", headers=RUSSIAN), 405),
        (await http.post("/games", json={}, headers=RUSSIAN), 400),
        (await http.post(f"/games/{game['id']}/actions", json=stale, headers=RUSSIAN), 409),
        (await http.post(f"/games/{game['id']}/actions", content=b"{", headers=RUSSIAN), 400),
    ]
    return {language_of(answer, status) for answer, status in answers}


async def test_errors_follow_the_language_that_the_player_has_set(ann: Player, bob: Player) -> None:
    game = await rolled([ann, bob])
    assert await languages(ann, game) == {"ru"}
    await set_locale(ann, "de")
    assert await languages(ann, game) == {"de"}
    wrong = await ann.http.post("/games", json={}, headers=RUSSIAN)
    assert wrong.json()["errors"][0]["detail"].startswith("Ein Wert fehlt.")
    queued = await ann.http.post(
        "/matchmaking", json={"ruleset": "qwixx", "sheet": "classic", "seats": 2}, headers=RUSSIAN
    )
    assert "Stärke" in queued.json()["detail"]
    assert await languages(bob, game) == {"ru"}  # the thread that served ann does not stay German
    await set_locale(ann, None)
    assert await languages(ann, game) == {"ru"}


async def test_a_refused_token_gets_the_language_of_the_request(ann: Player) -> None:
    await set_locale(ann, "de")
    answer = await ann.http.get("/players/me", headers={"Authorization": "Bearer qx_rubbish", **RUSSIAN})
    assert language_of(answer, 401) == "ru"


async def test_error_frames_follow_the_language_that_the_player_has_set(ann: Player, bob: Player, server: str) -> None:
    game = await rolled([ann, bob])
    await set_locale(ann, "de")
    async with await Socket.open(server, f"/ws/v1/games/{game['id']}", ann.token) as socket:
        await socket.until_settled()
        refused = await socket.act("a1", {"type": "pass", "roll": 99})
    assert (refused["code"], refused["detail"].split()[0]) == ("stale_roll", "Die")

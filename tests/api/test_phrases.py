"""What can be said at a table."""

from tests.api.client import Player, table
from tests.api.conftest import NewPlayer


async def test_phrases_are_listed_in_the_callers_language(ann: Player) -> None:
    spoken = {}
    for language in ("en", "de", "ru", "uk", "pl"):
        results = (await ann.get("/phrases", headers={"Accept-Language": language}))["results"]
        spoken[language] = {phrase["key"]: phrase["text"] for phrase in results}
    assert spoken["en"]["well_played"] == "Well played!"
    assert spoken["de"]["well_played"] == "Gut gespielt!"
    assert len({tuple(phrases) for phrases in spoken.values()}) == 1


async def test_a_seated_player_may_send_a_phrase_and_nothing_is_appended(
    ann: Player, bob: Player, new_player: NewPlayer
) -> None:
    game = await table([ann, bob])
    path = f"/games/{game['id']}/phrases"
    said = await bob.post(path, {"key": "well_played"}, headers={"Accept-Language": "pl"})
    assert said == {"type": "phrase", "seat": 1, "key": "well_played", "text": "Dobrze zagrane!"}
    assert (await ann.view(game))["version"] == game["version"]
    stranger = await new_player()
    assert (await stranger.post(path, {"key": "hello"}, 403))["code"] == "not_seated"
    assert (await bob.post(path, {"key": "something rude"}, 400))["errors"][0]["pointer"] == "/key"
    private = await ann.create(visibility="private")
    assert (await bob.post(f"/games/{private['id']}/phrases", {"key": "rude"}, 404))["code"] == "not_found"


async def test_a_player_may_send_a_phrase_after_the_end(ann: Player, bob: Player) -> None:
    game = await table([ann, bob])
    await bob.post(f"/games/{game['id']}/leave")
    assert (await ann.post(f"/games/{game['id']}/phrases", {"key": "thanks"}))["seat"] == 0


async def test_phrases_are_rate_limited(ann: Player) -> None:
    game = await ann.create()
    path = f"/games/{game['id']}/phrases"
    answers = [await ann.http.post(path, json={"key": "oops"}) for _ in range(8)]
    assert [answer.status_code for answer in answers[:5]] == [200] * 5
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) >= 1
    await ann.view(game)


async def test_a_phrase_with_a_repeated_key_is_sent_once(ann: Player, bob: Player) -> None:
    game = await table([ann, bob])
    path, key = f"/games/{game['id']}/phrases", {"Idempotency-Key": "once"}
    first, again = [await ann.http.post(path, json={"key": "oops"}, headers=key) for _ in range(2)]
    assert (first.json(), "idempotent-replayed" in again.headers) == (again.json(), True)
    other = await ann.post(path, {"key": "hello"}, 422, headers=key)
    assert other["code"] == "idempotency_key_reused"

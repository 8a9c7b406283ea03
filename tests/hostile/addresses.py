"""Attacks by the path and query of a request."""

from tests.hostile.attacker import Attack, Attacker, Codes, gets
from tests.hostile.connections import request

LONG = "a" * 20_000
UNKNOWN = "/api/v1/games/00000000-0000-7000-8000-000000000000"


async def old_versions_are_read_within_the_limit(attacker: Attacker) -> Codes:
    requests = [
        request("GET", f"{attacker.game_path}?version={1 + number % 2}", attacker.token) for number in range(300)
    ]
    return await attacker.flood(requests)


async def qr_codes_are_drawn_within_a_limit(attacker: Attacker) -> Codes:
    return await attacker.flood([request("GET", f"/join/K7QX{number:02}/qr.svg") for number in range(100)])


async def unknown_games_are_not_remembered(attacker: Attacker) -> Codes:
    requests = [
        request("GET", UNKNOWN[:-4] + f"{number:04}", attacker.token) for number in range(400)
    ]  # within the limit of reads
    return await attacker.flood(requests)


ATTACKS = (
    Attack(
        "a path that climbs 5,000 folders finds no file", gets("/static/" + "../" * 5_000 + "etc/passwd"), {400, 404}
    ),
    Attack(
        "an encoded path that climbs finds no file", gets("/static/" + "%2e%2e%2f" * 2_000 + "etc/passwd"), {400, 404}
    ),
    Attack("a path of NUL bytes finds no file", gets("/static/" + "%00" * 5_000), {400, 404}),
    Attack("a join code of 20,000 characters is not drawn", gets(f"/join/{LONG}/qr.svg"), {400, 404}),
    Attack("QR codes are drawn within a limit", qr_codes_are_drawn_within_a_limit, {200, 429}),
    Attack("a player id of 20,000 characters is unknown", gets(f"/api/v1/players/{LONG}"), {404}),
    Attack(
        "a leaderboard of 20,000 characters is unknown", gets(f"/api/v1/leaderboards/{LONG}/{LONG[:100]}"), {400, 404}
    ),
    Attack("10,000 parameters are refused", gets("/api/v1/games?" + "a&" * 10_000), {400}),
    Attack("10,000 parameters of a game are refused", gets("{game}?" + "a=1&" * 7_000), {400}),
    Attack("a cursor of 20,000 characters is refused", gets(f"/api/v1/games?cursor={LONG}"), {400, 404}),
    Attack("a list of 7,000 statuses is refused", gets("/api/v1/games?status=" + "open," * 5_000), {400}),
    Attack(
        "a date of 20,000 digits is refused", gets("/api/v1/leaderboards/qwixx/wins?at=" + "9" * 20_000), {400, 404}
    ),
    Attack("a link of 20,000 characters is not valid", gets(f"/account/confirm/{LONG}"), {200, 400, 403, 404, 410}),
    Attack("a search of the admin needs a login", gets(f"/admin/players/player/?q={LONG}"), {302, 400}),
    Attack("old versions are read within the limit", old_versions_are_read_within_the_limit, {200, 429}),
    Attack("unknown games are not remembered", unknown_games_are_not_remembered, {404, 429}),
)

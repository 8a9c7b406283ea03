"""Attacks by hundreds of connections that ask at once for what few can get at once: threads, and reads of logs."""

import asyncio

from tests.api.client import Player
from tests.hostile.attacker import Attack, Attacker, AttackFunction, Codes
from tests.hostile.connections import ENDED, OPEN, PING, frame, request
from tests.hostile.floods import EVENTS_BEFORE_A_START, streams_of, the_log_of_an_open_game_ends

GONE_AT_ONCE = 100
CROWD = 250
FLOOD, PIPELINED = 150, 30
WAITS_S = 20
WATCHED_TURNS, WATCHED_EVENTS = 12, 60


async def crowd(attacker: Attacker, path: str, times: int, *headers: str) -> Codes:
    """Every connection asks again as soon as it has its response."""
    data = request("GET", path.replace("{game}", attacker.game_path), *headers)

    async def one() -> list[int]:
        connection, found = await attacker.connect(), list[int]()
        for _ in range(times):
            await connection.send(data)
            found.append(await connection.status(WAITS_S))
        return found

    return [status for found in await asyncio.gather(*[one() for _ in range(CROWD)]) for status in found]


def crowds(path: str, times: int, *, with_token: bool) -> AttackFunction:
    """`{game}` is the path of the attacker's own game."""

    async def run(attacker: Attacker) -> Codes:
        return await crowd(attacker, path, times, *([attacker.token] if with_token else []))

    return run


def floods(path: str, rounds: int, *, with_token: bool) -> AttackFunction:
    """A hundred and fifty connections with thirty requests at once each; `{game}` as above."""

    async def run(attacker: Attacker) -> Codes:
        headers = [attacker.token] if with_token else []
        data = request("GET", path.replace("{game}", attacker.game_path), *headers) * PIPELINED

        async def one() -> list[int]:
            connection, found = await attacker.connect(), list[int]()
            for _ in range(rounds):
                await connection.send(data)
                found += await connection.statuses(PIPELINED, WAITS_S)
            return found

        return [status for found in await asyncio.gather(*[one() for _ in range(FLOOD)]) for status in found]

    return run


async def a_crowd_at_a_log(attacker: Attacker) -> Codes:
    """Of a game with as many events as it may have before its start."""
    await the_log_of_an_open_game_ends(attacker)
    return await crowd(attacker, "{game}/events?limit=1000", 3, attacker.token)


async def a_crowd_at_an_old_version(attacker: Attacker) -> Codes:
    await the_log_of_an_open_game_ends(attacker)
    newest = (await attacker.players[0].view(attacker.game))["version"]
    return await crowd(attacker, f"{{game}}?version={newest - 1}", 3, attacker.token)


async def a_crowd_that_watches_a_game(attacker: Attacker) -> Codes:
    """Ten sessions with eighteen event streams each, which get every event of a game that the attackers play."""
    creator, other = attacker.players
    attacker.game = await creator.create()
    await other.post(f"/games/{attacker.game['id']}/join")
    attacker.players += [await Player.arrive(attacker.address, "Mallory") for _ in range(8)]
    tokens = [attacker.token_of(player) for player in attacker.players]
    found = await streams_of(attacker, "/stream", tokens, 18, timeout_s=WAITS_S)
    for _ in range(WATCHED_TURNS):
        turn = (await creator.view(attacker.game))["turn"]
        action = {"type": "roll" if turn["phase"] == "roll" else "pass"}
        await attacker.players[turn["waiting_for"][0]].post(f"/games/{attacker.game['id']}/actions", action)
    return found


async def requests_whose_clients_have_gone_reach_no_thread(attacker: Attacker) -> Codes:
    """Many more than there are threads; each connection is aborted as soon as it has asked."""
    for _ in range(2):
        for connection in await asyncio.gather(
            *[attacker.sent(request("GET", "/api/v1/home", attacker.token)) for _ in range(GONE_AT_ONCE)]
        ):
            connection.abort()
    return [await (await attacker.sent(request("GET", "/healthz"))).status(WAITS_S)]


async def a_crowd_that_opens_sockets_is_served_in_turn(attacker: Attacker) -> Codes:
    """Ten sessions with eighteen sockets each, as fast as an address may open them, again and again."""
    attacker.players += [await Player.arrive(attacker.address, "Mallory") for _ in range(8)]
    tokens = [attacker.token_of(player) for player in attacker.players]

    async def one(number: int) -> list[int]:
        found = list[int]()
        for path in ("/ws/v1/lobby", "/ws/v1/me"):
            connection = await attacker.socket(path, tokens[number % len(tokens)])
            await connection.next_text(WAITS_S)
            found.append(OPEN if await connection.send(frame(PING)) else ENDED)
            connection.abort()
        return found

    return [code for found in await asyncio.gather(*map(one, range(180))) for code in found]


ATTACKS = (
    Attack("a flood of requests that cost nothing is served in turn", floods("/healthz", 1, with_token=False), {200}),
    Attack("a flood at a game is served in turn", floods("{game}", 1, with_token=True), {200, 429}),
    Attack(
        "a crowd at addresses that do not exist is served in turn",
        crowds("/api/v1/nothing", 2, with_token=False),
        {404},
    ),
    Attack("a crowd at the first screen is served in turn", crowds("/api/v1/home", 1, with_token=True), {200, 429}),
    Attack("a crowd at the login of the admin is served in turn", crowds("/admin/login/", 1, with_token=False), {200}),
    Attack("a crowd that opens sockets is served in turn", a_crowd_that_opens_sockets_is_served_in_turn, {OPEN, ENDED}),
    Attack("a crowd at QR codes is served in turn", crowds("/join/K7QXM2/qr.svg", 1, with_token=False), {200}),
    Attack(
        "a crowd at a log is served in turn",
        a_crowd_at_a_log,
        {200, 429},
        appends=EVENTS_BEFORE_A_START,
    ),
    Attack(
        "a crowd at an old version is served in turn",
        a_crowd_at_an_old_version,
        {200, 429},
        appends=EVENTS_BEFORE_A_START,
    ),
    Attack(
        "a crowd of long polls is served in turn",
        crowds("{game}/events?wait=30", 3, with_token=True),
        {200, 429},
    ),
    Attack("a crowd that watches a game is served in turn", a_crowd_that_watches_a_game, {200}, appends=WATCHED_EVENTS),
    Attack(
        "requests whose clients have gone reach no thread",
        requests_whose_clients_have_gone_reach_no_thread,
        {200, ENDED},
    ),
)

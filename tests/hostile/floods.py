"""Attacks by number: requests, connections, streams, guesses and events before a start."""

import asyncio
from uuid import UUID

from tests.api.client import Player
from tests.hostile.attacker import Attack, Attacker, AttackFunction, Codes
from tests.hostile.bodies import GUESTS, PLAYERS, SESSIONS
from tests.hostile.connections import ENDED, OPEN, request

LOGIN = "/admin/login/"
LARGEST_FILE = "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js"
FORM = "Content-Type: application/x-www-form-urlencoded"
EVENTS_BEFORE_A_START = 200
HASHES_S = 25  # in which a busy machine has computed eight hashes


def asks_often(path: str, count: int) -> AttackFunction:
    """GETs with a token; `{game}` is the path of the attacker's own game."""

    async def run(attacker: Attacker) -> Codes:
        address = path.replace("{game}", attacker.game_path)
        return await attacker.flood([request("GET", address, attacker.token)] * count)

    return run


async def guests_are_limited_by_address(attacker: Attacker) -> Codes:
    return await attacker.flood([request("POST", GUESTS, body=b"{}")] * 300, connections=4, timeout_s=10)


async def wrong_passwords_are_counted(attacker: Attacker) -> Codes:
    own = attacker.game["id"].encode()  # an account that no earlier try has locked
    body = b'{"email":"ann.%s@example.org","password":"wrong"}' % own
    return await attacker.flood([request("POST", SESSIONS, body=body)] * 8, connections=1, timeout_s=HASHES_S)


async def wrong_passwords_for_many_accounts_are_counted(attacker: Attacker) -> Codes:
    bodies = [b'{"email":"a%d@example.org","password":"wrong"}' % number for number in range(8)]
    return await attacker.flood([request("POST", SESSIONS, body=body) for body in bodies], timeout_s=HASHES_S)


async def registrations_hash_within_their_budget(attacker: Attacker) -> Codes:
    own = attacker.game["id"].encode()  # no address is taken when the attack is tried again
    bodies = [
        b'{"name":"A","email":"h%d.%s@example.org","password":"a-long-enough-%d"}' % (number, own, number)
        for number in range(8)
    ]
    return await attacker.flood([request("POST", PLAYERS, body=body) for body in bodies], timeout_s=HASHES_S)


async def logins_to_the_admin_hash_within_their_budget(attacker: Attacker) -> Codes:
    body = b"csrfmiddlewaretoken=" + b"a" * 32 + b"&username=admin%40example.org&password=wrong"
    cookie = "Cookie: csrftoken=" + "a" * 32
    return await attacker.flood([request("POST", LOGIN, FORM, cookie, body=body)] * 8, timeout_s=HASHES_S)


async def forged_forms_fill_no_log(attacker: Attacker) -> Codes:
    """Forms without a cookie, with too many fields, and for long addresses that no page has."""
    fields, cookie = b"&".join(b"a=b" for _ in range(2_000)), "Cookie: csrftoken=" + "a" * 32
    forms = [
        request("POST", LOGIN, FORM, body=b"a=b"),
        request("POST", "/admin/" + "a" * 10_000, FORM, body=b"a=b"),
        request("POST", LOGIN, FORM, cookie, body=fields),
    ]
    return await attacker.flood(forms * 60)


async def refused_requests_fill_no_log(attacker: Attacker) -> Codes:
    """Without a token, with a body that is no request, and for a game that does not exist."""
    refused = [
        request("POST", "/api/v1/games", body=b"{}"),
        request("POST", "/api/v1/games", attacker.token, body=b"{}"),
        request("DELETE", f"/api/v1/games/{UUID(int=1)}/seats/1", attacker.token, body=b""),
    ]
    return await attacker.flood(refused * 100)


async def refused_actions_fill_no_log(attacker: Attacker) -> Codes:
    """The game has not begun."""
    roll = request("POST", f"{attacker.game_path}/actions", attacker.token, body=b'{"type":"roll"}')
    return await attacker.flood([roll] * 300)


async def guessed_join_codes_are_refused(attacker: Attacker) -> Codes:
    bodies = [b'{"code":"ABC%03d"}' % number for number in range(70)]
    requests = [request("POST", "/api/v1/games/join", attacker.token, body=body) for body in bodies]
    return await attacker.flood(requests, connections=4)


async def guessed_tokens_are_refused(attacker: Attacker) -> Codes:
    tokens = [f"Authorization: Bearer qx_{number:043}" for number in range(200)]
    return await attacker.flood([request("GET", attacker.game_path, token) for token in tokens])


async def the_log_of_an_open_game_ends(attacker: Attacker) -> Codes:
    """The creator seats and frees a bot, another player leaves and joins, again and again. On one connection, so in
    this order: side by side they could take all seats at once, and the game would start."""
    creator, other = attacker.players
    await other.post("/games/join", {"code": attacker.game["code"]})

    def all_of(player: Player, *calls: tuple[str, str, bytes]) -> list[bytes]:
        token = attacker.token_of(player)
        return [request(method, f"{attacker.game_path}/{path}", token, body=body) for method, path, body in calls]

    code = attacker.game["code"].encode()
    bots = all_of(creator, ("POST", "bots", b'{"level":"easy"}'), ("DELETE", "seats/2", b""))
    seats = all_of(other, ("POST", "leave", b"{}"), ("POST", "join", b'{"code":"%s"}' % code))
    return await attacker.flood([*bots, *seats] * 80, connections=1, timeout_s=20)


async def tickets_of_the_queue_are_limited(attacker: Attacker) -> Codes:
    body = b'{"ruleset":"qwixx","sheet":"classic","seats":2}'
    return await attacker.flood([request("POST", "/api/v1/matchmaking", attacker.token, body=body)] * 150)


async def stream_tickets_are_limited(attacker: Attacker) -> Codes:
    return await attacker.flood([request("POST", "/api/v1/stream-tickets", attacker.token, body=b"{}")] * 200)


async def streams_of(attacker: Attacker, path: str, tokens: list[str], each: int, timeout_s: float = 2) -> list[int]:
    """The status of every stream; those that are open wait for an event."""
    paths = [request("GET", attacker.game_path + path, token) for token in tokens for _ in range(each)]
    opened = await asyncio.gather(*[attacker.sent(data) for data in paths])
    return await asyncio.gather(*[connection.status(timeout_s) for connection in opened])


async def a_token_holds_twenty_event_streams(attacker: Attacker) -> Codes:
    found = await streams_of(attacker, "/stream", [attacker.token], 30)
    return [found.count(200), *set(found)]


async def a_token_holds_twenty_long_polls(attacker: Attacker) -> Codes:
    """A poll that is held has no status yet."""
    return await streams_of(attacker, "/events?after=999&wait=30", [attacker.token], 30, timeout_s=0.5)


async def an_address_holds_two_hundred_streams(attacker: Attacker) -> Codes:
    """Twelve tokens with eighteen streams each, on a game that all may watch."""
    attacker.game = await attacker.players[0].create(seats=3)
    attacker.players += [await Player.arrive(attacker.address, "Mallory") for _ in range(10)]
    tokens = [attacker.token_of(player) for player in attacker.players]
    found = await streams_of(attacker, "/stream", tokens, 18)
    return [found.count(200), *set(found)]


async def idle_connections_are_bounded(attacker: Attacker) -> Codes:
    for _ in range(6):
        await asyncio.gather(*[attacker.connect() for _ in range(100)])
    return [await attacker.get("/healthz")]


async def half_closed_connections_are_ended(attacker: Attacker) -> Codes:
    """Clients that send a request, say that they send no more, and read nothing."""
    for number in range(200):
        connection = await attacker.sent(request("GET", f"/api/v1/nothing/{number}"))
        connection.writer.write_eof()
    return [await attacker.get("/api/v1/nothing")]


async def aborted_requests_leave_nothing(attacker: Attacker) -> Codes:
    for _ in range(50):
        connection = await attacker.sent(request("GET", "/api/v1/players/me/export", attacker.token))
        connection.abort()
    return [await attacker.get("/api/v1/nothing")]


ATTACKS = (
    Attack("/readyz is asked once a second, however often it is called", asks_often("/readyz", 200), {200, 429, 503}),
    Attack("/metrics is collected within a limit", asks_often("/metrics", 60), {200, 429, 503}),
    Attack("the document of the API is not built per call", asks_often("/api/v1/openapi.json", 60), {200, 429}),
    Attack("the largest file is sent often", asks_often(LARGEST_FILE, 40), {200, 404, 429}),
    Attack("exports are limited", asks_often("{game}/export", 100), {200, 429}),
    Attack("personal data is exported within a limit", asks_often("/api/v1/players/me/export", 100), {200, 429}),
    Attack("lists are read within a limit", asks_often("/api/v1/games?status=open", 200), {200, 429}),
    Attack("guests are limited by address", guests_are_limited_by_address, {201}, among={201, 429}),
    Attack("wrong passwords are counted", wrong_passwords_are_counted, {401}, among={401, 429}, hashes=True),
    Attack(
        "wrong passwords for many accounts are counted",
        wrong_passwords_for_many_accounts_are_counted,
        {OPEN, 401, 429, 503},
        hashes=True,
    ),
    Attack(
        "registrations hash within their budget",
        registrations_hash_within_their_budget,
        {OPEN, 201, 429, 503},
        hashes=True,
    ),
    Attack(
        "logins to the admin hash within their budget",
        logins_to_the_admin_hash_within_their_budget,
        {OPEN, 200, 403, 429, 503},
        hashes=True,
    ),
    Attack("forged forms fill no log", forged_forms_fill_no_log, {400, 403, 404, 429}),
    Attack("refused requests fill no log", refused_requests_fill_no_log, {400, 401, 404, 429}),
    Attack("refused actions fill no log", refused_actions_fill_no_log, {409, 429}),
    Attack("guessed join codes are refused", guessed_join_codes_are_refused, {404}, among={404, 429}),
    Attack("guessed tokens are refused", guessed_tokens_are_refused, {401, 429}),
    Attack(
        "the log of an open game ends",
        the_log_of_an_open_game_ends,
        {200, 204, 403, 404, 409},
        among={200, 429},
        appends=EVENTS_BEFORE_A_START,
    ),
    Attack("tickets of the queue are limited", tickets_of_the_queue_are_limited, {202, 409, 429}),
    Attack("stream tickets are limited", stream_tickets_are_limited, {201, 429}),
    Attack("a token holds twenty event streams", a_token_holds_twenty_event_streams, {20, 200}, among={20, 429}),
    Attack("a token holds twenty long polls", a_token_holds_twenty_long_polls, {OPEN}, among={429}),
    Attack(
        "an address holds two hundred streams",
        an_address_holds_two_hundred_streams,
        {200},
        among={200, 429},
        appends=2,
    ),
    Attack("idle connections are bounded", idle_connections_are_bounded, {200, 429, 503, ENDED}),
    Attack("half-closed connections are ended", half_closed_connections_are_ended, {404, 429, 503, ENDED}),
    Attack("aborted requests leave nothing", aborted_requests_leave_nothing, {404, 429, 503, ENDED}),
)

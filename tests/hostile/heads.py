"""Attacks by the head of a request: size, number and form of its fields, and bytes that are no HTTP."""

from tests.hostile.attacker import Attack, Attacker, Codes, gets, posts, sends
from tests.hostile.bodies import GUESTS
from tests.hostile.connections import ENDED, HANDSHAKE, request

HEALTH = "/healthz"
TOO_LARGE = {431, ENDED}  # the answer is lost where the client goes on sending
TLS_HELLO = bytes.fromhex("16030100c8010000c40303") + bytes(190)
HTTP_2 = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(64)


def fields(count: int, length: int = 1) -> tuple[str, ...]:
    return tuple(f"X-{number}: {'v' * length}" for number in range(count))


async def a_flood_of_languages_fills_no_cache(attacker: Attacker) -> Codes:
    """Five hundred different headers of 30 kB."""
    heads = [
        request("GET", "/api/v1/nothing", f"Accept-Language: x{number}-{'y' * 30_000}, de;q=0.1")
        for number in range(500)
    ]
    return await attacker.flood(heads)


async def a_flood_of_request_ids_fills_no_log(attacker: Attacker) -> Codes:
    heads = [request("GET", "/api/v1/nothing", f"X-Request-ID: {number}{'i' * 20_000}") for number in range(200)]
    return await attacker.flood(heads)


async def bytes_that_are_no_http_are_ended_and_not_logged(attacker: Attacker) -> Codes:
    return [await attacker.status(data) for data in (TLS_HELLO, HTTP_2, b"\0" * 4096) * 100]


async def pipelined_requests_are_answered_as_they_are_read(attacker: Attacker) -> Codes:
    """Five thousand requests at once from a client that reads nothing."""
    connection = await attacker.connect(receive_buffer=4096)
    await connection.send(request("GET", f"{attacker.game_path}/events", attacker.token) * 5_000, timeout_s=0.5)
    return await connection.statuses()


ATTACKS = (
    Attack("a head of 4 MB is refused", sends(request("GET", HEALTH, *["a: b"] * 600_000)), TOO_LARGE),
    Attack("a field of 40 KiB is refused", sends(request("GET", HEALTH, *fields(1, 40 << 10))), TOO_LARGE),
    Attack("a head of 120 fields is refused", sends(request("GET", HEALTH, *fields(120))), TOO_LARGE),
    Attack("a head of 90 fields and 30 KB is served", sends(request("GET", HEALTH, *fields(90, 300))), {200}),
    Attack("a path of 1 MB is refused", sends(request("GET", "/" + "a" * (1 << 20))), TOO_LARGE),
    Attack("a method of 1 MB is refused", sends(request("A" * (1 << 20), HEALTH)), {400, 405, 431, ENDED}),
    Attack("a flood of languages fills no cache", a_flood_of_languages_fills_no_cache, {404, 429}),
    Attack("a flood of request ids fills no log", a_flood_of_request_ids_fills_no_log, {404, 429}),
    Attack(
        "an address of 10,000 hops is read in linear time", gets("{game}", "X-Forwarded-For: " + "1," * 10_000), {200}
    ),
    Attack("a list of 7,000 tags is read in linear time", gets("{game}", "If-None-Match: " + '"0",' * 7_000), {200}),
    Attack("7,000 cookies are read in linear time", gets("/", "Cookie: " + "a=b;" * 7_000), {200}),
    Attack(
        "a token of 30,000 characters is refused",
        sends(request("GET", "/api/v1/players/me", "Authorization: Bearer qx_" + "x" * 30_000)),
        {401},
    ),
    Attack(
        "a content type of 30,000 characters is refused",
        posts(GUESTS, b"{}", "Content-Type: application/json;" + " ;" * 14_000),
        {201, 400, 415},
    ),
    Attack(
        "a length of 5,000 digits is refused", posts(GUESTS, b"{}", "Content-Length: " + "9" * 5_000), {400, 413, ENDED}
    ),
    Attack("a negative length is refused", posts(GUESTS, b"{}", "Content-Length: -1"), {400, ENDED}),
    Attack(
        "two lengths are refused",
        posts(GUESTS, b"{}", "Content-Length: 2", "Content-Length: 0"),
        {400, ENDED},
    ),
    Attack(
        "a length beside chunks is refused",
        posts(GUESTS, b"0\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n", "Content-Length: 4", "Transfer-Encoding: chunked"),
        {400, ENDED},
    ),
    Attack(
        "5,000 ranges of a file are not assembled",
        gets("/static/verifier/verify.py", "Range: bytes=" + "0-,1-," * 4_000),
        {200, 206, 400, 416},
    ),
    Attack(
        "bytes that are no HTTP are ended and not logged", bytes_that_are_no_http_are_ended_and_not_logged, {400, ENDED}
    ),
    Attack("an unfinished upgrade is refused", sends(request("GET", "/ws/v1/me", *HANDSHAKE[:2])), {400, 426}),
    Attack("pipelined requests are answered as they are read", pipelined_requests_are_answered_as_they_are_read, {200}),
)

"""Attacks by time: heads and bodies that never end, and clients that do not read; they run side by side."""

import asyncio

from tests.hostile.attacker import Attack, Attacker, Codes
from tests.hostile.bodies import GUESTS
from tests.hostile.connections import ENDED, OPEN, Connection, request
from tests.hostile.floods import LARGEST_FILE

HEAD_S, BODY_S = 4, 5  # within which a head and a body must be complete (`attacked_application.py`)
MARGIN_S = 4
CLIENTS = 16  # twice as many as Django has threads
SHORT_S = 0.8


async def first_status(connections: list[Connection], timeout_s: float) -> list[int]:
    return await asyncio.gather(*[connection.status(timeout_s) for connection in connections])


async def trickle(connection: Connection, data: bytes, every_s: float = 0.5) -> None:
    """Send one byte after the other for as long as the service takes them."""
    for number in range(len(data)):
        if not await connection.send(data[number : number + 1]):
            return
        await asyncio.sleep(every_s)


async def slow_bodies_hold_no_thread(attacker: Attacker) -> Codes:
    """Sixteen clients announce a body for Django and send one byte of it."""
    begun = request("POST", GUESTS, "Content-Length: 1000", body=b"{")
    return await first_status([await attacker.sent(begun) for _ in range(CLIENTS)], SHORT_S)


async def slow_forms_hold_no_thread(attacker: Attacker) -> Codes:
    begun = request("POST", "/admin/login/", "Content-Length: 1000", body=b"a")
    return await first_status([await attacker.sent(begun) for _ in range(CLIENTS)], SHORT_S)


async def clients_that_wait_to_continue_hold_no_thread(attacker: Attacker) -> Codes:
    begun = request("POST", GUESTS, "Content-Length: 1000", "Expect: 100-continue", body=b"")
    return await first_status([await attacker.sent(begun) for _ in range(CLIENTS)], SHORT_S)


async def readers_of_a_large_file_hold_no_thread(attacker: Attacker) -> Codes:
    """They read the status and no more."""
    opened = [await attacker.sent(request("GET", LARGEST_FILE), receive_buffer=4096) for _ in range(CLIENTS)]
    found = await first_status(opened, SHORT_S)
    await asyncio.sleep(SHORT_S)  # the attack is that nothing is read
    return found


async def readers_of_the_document_hold_no_thread(attacker: Attacker) -> Codes:
    path = "/api/v1/openapi.json"
    opened = [await attacker.sent(request("GET", path), receive_buffer=4096) for _ in range(CLIENTS)]
    found = await first_status(opened, SHORT_S)
    await asyncio.sleep(SHORT_S)  # the attack is that nothing is read
    return found


async def long_responses_that_are_not_read_are_bounded(attacker: Attacker) -> Codes:
    """Two hundred clients ask for 700 kB each, without compression, and read the status and no more."""
    asked = request("GET", "/api/v1/openapi.json")
    opened = await asyncio.gather(*[attacker.sent(asked, receive_buffer=4096) for _ in range(200)])
    found = await first_status(opened, 10)
    await asyncio.sleep(SHORT_S)  # the attack is that nothing is read
    return found


async def a_head_without_an_end_is_refused(attacker: Attacker) -> Codes:
    connection = await attacker.sent(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n")
    return [await connection.status(HEAD_S + MARGIN_S)]


async def a_head_of_one_byte_each_half_second_is_refused(attacker: Attacker) -> Codes:
    connection = await attacker.connect()
    sending = asyncio.create_task(trickle(connection, request("GET", "/healthz", "X: " + "y" * 100)))
    found = await connection.status(HEAD_S + MARGIN_S)
    sending.cancel()
    return [found]


async def a_connection_that_sends_nothing_is_ended(attacker: Attacker) -> Codes:
    return [await (await attacker.connect()).status(HEAD_S + MARGIN_S)]


async def a_connection_that_sends_blank_lines_is_ended(attacker: Attacker) -> Codes:
    connection = await attacker.connect()
    sending = asyncio.create_task(trickle(connection, b"\r\n" * 100))
    found = await connection.status(HEAD_S + MARGIN_S)
    sending.cancel()
    return [found]


async def a_body_without_an_end_is_refused(attacker: Attacker) -> Codes:
    begun = request("POST", f"{attacker.game_path}/actions", attacker.token, "Content-Length: 1000", body=b"{")
    return [await (await attacker.sent(begun)).status(BODY_S + MARGIN_S)]


async def a_body_of_one_byte_each_half_second_is_refused(attacker: Attacker) -> Codes:
    connection = await attacker.sent(request("POST", GUESTS, "Content-Length: 1000", body=b""))
    sending = asyncio.create_task(trickle(connection, b" " * 200))
    found = await connection.status(BODY_S + MARGIN_S)
    sending.cancel()
    return [found]


async def chunks_of_one_byte_each_half_second_are_refused(attacker: Attacker) -> Codes:
    connection = await attacker.sent(request("POST", GUESTS, "Transfer-Encoding: chunked", body=b""))
    sending = asyncio.create_task(trickle(connection, b"1\r\n \r\n" * 40))
    found = await connection.status(BODY_S + MARGIN_S)
    sending.cancel()
    return [found]


async def an_unfinished_handshake_is_ended(attacker: Attacker) -> Codes:
    connection = await attacker.sent(b"GET /ws/v1/me HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n")
    return [await connection.status(HEAD_S + MARGIN_S)]


ATTACKS = (
    Attack("slow bodies hold no thread", slow_bodies_hold_no_thread, {OPEN, 408}),
    Attack("slow forms hold no thread", slow_forms_hold_no_thread, {OPEN, 403, 408}),
    Attack(
        "clients that wait to continue hold no thread", clients_that_wait_to_continue_hold_no_thread, {OPEN, 100, 408}
    ),
    Attack("readers of a large file hold no thread", readers_of_a_large_file_hold_no_thread, {200}),
    Attack("readers of the document of the API hold no thread", readers_of_the_document_hold_no_thread, {200}),
    Attack(
        "long responses that are not read are bounded", long_responses_that_are_not_read_are_bounded, {200, OPEN, ENDED}
    ),
)
SLOW_ATTACKS = (
    Attack("a head without an end is refused", a_head_without_an_end_is_refused, {408}),
    Attack(
        "a head of one byte each half second is refused", a_head_of_one_byte_each_half_second_is_refused, {408, ENDED}
    ),
    Attack("a connection that sends nothing is ended", a_connection_that_sends_nothing_is_ended, {408, ENDED}),
    Attack("a connection that sends blank lines is ended", a_connection_that_sends_blank_lines_is_ended, {408, ENDED}),
    Attack("a body without an end is refused", a_body_without_an_end_is_refused, {408}),
    Attack(
        "a body of one byte each half second is refused", a_body_of_one_byte_each_half_second_is_refused, {408, ENDED}
    ),
    Attack(
        "chunks of one byte each half second are refused", chunks_of_one_byte_each_half_second_are_refused, {408, ENDED}
    ),
    Attack("an unfinished handshake is ended", an_unfinished_handshake_is_ended, {408, ENDED}),
)

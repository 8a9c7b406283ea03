"""Attacks by the body of a request: JSON, text, forms, chunks and compression."""

import gzip

from tests.hostile.attacker import Attack, Attacker, Codes, acts, posts, sends
from tests.hostile.connections import ENDED, request

GUESTS, PLAYERS, SESSIONS = "/api/v1/players/guests", "/api/v1/players", "/api/v1/sessions"
# In each of these a naive reader needs time that grows with the square of the length.
NO_END = b'{"a":' * 17 + b'"' + rb"\"" * 32_000
BRACKETS = b"[" * 60_000
NESTED = b'{"a":' * 10_000 + b"1" + b"}" * 10_000
QUOTES = b'{"a":' * 17 + b'"' * 60_000
SAME_NAMES = b"{" + b",".join(b'"a":%d' % number for number in range(6_000)) + b"}"
UNKNOWN_NAMES = b"{" + b",".join(b'"n%d":1' % number for number in range(5_000)) + b"}"
DIGITS = b'{"name":' + b"9" * 60_000 + b"}"
SURROGATES = b'{"name":"' + rb"\ud800" * 10_000 + b'"}'
MARKS = ("a" + "\u0315\u0300" * 15_000).encode()
BLANKS = b'{"name":"' + b" " * 60_000 + b'"}'
CHUNKED = "Transfer-Encoding: chunked"
FORM = "Content-Type: application/x-www-form-urlencoded"


def named(name: bytes, more: bytes = b"") -> bytes:
    return b'{"name":"' + name + b'"' + more + b"}"


def chunked(path: str, chunks: bytes) -> bytes:
    return request("POST", path, CHUNKED, body=chunks)


def parts(count: int) -> bytes:
    """A multipart form with many empty fields."""
    one = b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'
    return one * count + b"--x--\r\n"


async def a_body_of_terabytes_is_refused_before_it_is_sent(attacker: Attacker) -> Codes:
    head = request("POST", f"{attacker.game_path}/actions", attacker.token, "Content-Length: 9999999999999", body=b"{")
    return [await attacker.status(head)]


async def a_body_that_is_not_read_is_not_kept(attacker: Attacker) -> Codes:
    """Ten connections send 8 MB each to an address that takes no body."""
    length = 8 << 20
    data = request("POST", "/healthz", f"Content-Length: {length}", body=bytes(length))
    return [await attacker.status(data) for _ in range(10)]


async def a_batch_of_bots_is_refused(attacker: Attacker) -> Codes:
    body = b'{"ruleset":"qwixx","bots":[' + b",".join([b'"easy"'] * 8_000) + b"]}"
    return [await attacker.post("/api/v1/games", body, attacker.token)]


ATTACKS = (
    Attack("a string without an end is refused at once", posts(GUESTS, NO_END), {400}),
    Attack("a string without an end is refused at once in an action", acts(NO_END), {400}),
    Attack("sixty thousand brackets are refused", acts(BRACKETS), {400}),
    Attack("ten thousand nested objects are refused", posts(GUESTS, NESTED), {400}),
    Attack("sixty thousand quotes are refused", acts(QUOTES), {400}),
    Attack("a member that is named 6,000 times is refused", acts(SAME_NAMES), {400}),
    Attack("5,000 unknown members are ignored or refused", posts(GUESTS, UNKNOWN_NAMES), {201, 400}),
    Attack("a number of 60,000 digits is refused", posts(GUESTS, DIGITS), {400}),
    Attack("a number beyond all floats is refused", acts(b'{"type":"roll","roll":1e999999999}'), {400}),
    Attack("ten thousand halves of surrogate pairs are refused", posts(GUESTS, SURROGATES), {400}),
    Attack("a name of 30,000 combining marks is refused unread", posts(GUESTS, named(MARKS)), {400}),
    Attack(
        "an e-mail address of 30,000 combining marks is refused unread",
        posts(PLAYERS, named(b"Ann", b',"password":"long enough","email":"' + MARKS + b'@example.org"')),
        {400},
    ),
    Attack("a name of 60,000 blanks is refused", posts(GUESTS, BLANKS), {400}),
    Attack(
        "a password of 60,000 characters is not hashed at length",
        posts(SESSIONS, b'{"email":"a@example.org","password":"' + b"x" * 60_000 + b'"}'),
        {400, 401},
        hashes=True,
    ),
    Attack(
        "an e-mail address of 60,000 dots is refused",
        posts(SESSIONS, b'{"password":"x","email":"a@' + b"a." * 30_000 + b'"}'),
        {400, 401},
        hashes=True,
    ),
    Attack("a body of terabytes is refused before it is sent", a_body_of_terabytes_is_refused_before_it_is_sent, {413}),
    Attack("a body that no route reads is not kept", a_body_that_is_not_read_is_not_kept, {405, 413, ENDED}),
    Attack("a list of 8,000 bots is refused", a_batch_of_bots_is_refused, {400}),
    Attack(
        "sixty thousand chunks of one byte are read in linear time",
        sends(chunked(GUESTS, b"1\r\n[\r\n" * 60_000 + b"0\r\n\r\n")),
        {400},
    ),
    Attack(
        "chunks without an end are refused", sends(chunked(GUESTS, b"400\r\n" + b"x" * 1026 * 100)), {400, 413, ENDED}
    ),
    Attack(
        "a chunk extension of 4 MB is refused or skipped",
        sends(chunked(GUESTS, b"1;" + b"x" * (4 << 20) + b"\r\n[\r\n0\r\n\r\n")),
        {400, 413, 431, ENDED},
    ),
    Attack(
        "a compressed body is refused and not unpacked",
        posts(GUESTS, gzip.compress(bytes(40 << 20)), "Content-Encoding: gzip"),
        {400, 413, 415},
    ),
    Attack("a form of 20,000 fields is refused", posts("/admin/login/", b"a&" * 20_000, FORM), {400, 403}),
    Attack(
        "a form of 1,000 parts is refused",
        posts("/admin/login/", parts(1_000), "Content-Type: multipart/form-data; boundary=x"),
        {400, 403},
    ),
    Attack("a body that is no UTF-8 is refused", acts(b"\xff" * 60_000), {400}),
    Attack(
        "a key of 20,000 characters is refused", acts(b'{"type":"roll"}', "Idempotency-Key: " + "k" * 20_000), {400}
    ),
)

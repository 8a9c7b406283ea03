"""What is wrong with a body or a query: every error at once, with a code, a pointer and a sentence for people."""

from typing import Any

import httpx
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.api import request_bodies, webhook_schemas
from games.api.body_errors import errors_of
from games.rules.refused import Refused
from qwixx_service.http.errors import MEMBER_CODES, MOST_ERRORS
from tests.api.client import Json, Player
from tests.api.conftest import NewPlayer

REQUESTS = [
    kind
    for module in (request_bodies, webhook_schemas)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind.__struct_config__.forbid_unknown_fields
]
NAMES = sorted({field.encode_name for kind in REQUESTS for field in msgspec.structs.fields(kind)})
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5000) | st.sampled_from(["", "qwixx", "easy", "x", "public", "code"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["roll_s", "answer_s", "y"]), inner),
    max_leaves=5,
)


@given(st.sampled_from(REQUESTS), st.dictionaries(st.sampled_from([*NAMES, "colour"]), VALUES, max_size=6) | VALUES)
def test_a_body_has_errors_exactly_if_it_cannot_be_converted(kind: type[Any], body: Any) -> None:
    try:
        msgspec.convert(body, kind, strict=True)
    except msgspec.ValidationError:
        errors = errors_of(body, kind)
        assert errors
        assert {code for _, code, _ in errors} <= set(MEMBER_CODES)
        assert len({pointer for pointer, *_ in errors}) == len(errors)
    else:
        assert not errors_of(body, kind)


def found(body: Any, kind: type[Any], **options: Any) -> dict[str, str]:
    """The codes of a body's errors by their pointers."""
    with pytest.raises(Refused) as refused:
        request_bodies.read(body, kind, **options)
    errors: Any = refused.value.data["errors"]
    return {pointer: code for pointer, code, _ in errors}


def test_every_error_of_a_body_is_told_at_once() -> None:
    body = {"seats": "two", "visibility": "secret", "bots": ["easy", 5], "clock": {"roll_s": 1.5}, "a/b": 1}
    assert found(body, request_bodies.CreateGame) == {
        "/ruleset": "missing",
        "/seats": "wrong_type",
        "/visibility": "not_one_of",
        "/bots/1": "wrong_type",
        "/clock/roll_s": "wrong_type",
        "/clock/answer_s": "missing",
        "/a~1b": "unknown",
    }
    assert found([], request_bodies.CreateGame) == {"": "wrong_type"}
    assert found({"player": "x"}, request_bodies.Invite) == {"/player": "wrong_format"}
    assert found({"old_valid_s": -1}, webhook_schemas.RotateSecret) == {"/old_valid_s": "out_of_range"}


BODY_CODES: list[tuple[str, str, Json, dict[str, str]]] = [
    (
        "POST",
        "/games",
        {"ruleset": "chess", "seats": "two", "bots": ["genius"], "client_seed": "a b", "colour": 1},
        {
            "/ruleset": "not_one_of",
            "/seats": "wrong_type",
            "/bots/0": "not_one_of",
            "/client_seed": "wrong_format",
            "/colour": "unknown",
        },
    ),
    (
        "POST",
        "/games",
        {"ruleset": "qwixx", "sheet": "none", "seats": 9, "clock": {"roll_s": 1, "answer_s": 45}, "rated": 1},
        {"/sheet": "not_one_of", "/seats": "out_of_range", "/clock/roll_s": "out_of_range", "/rated": "wrong_type"},
    ),
    (
        "POST",
        "/games",
        {"ruleset": "chess", "sheet": "none", "seats": 9},
        {"/ruleset": "not_one_of", "/sheet": "not_one_of", "/seats": "out_of_range"},
    ),
    ("POST", "/games", {"ruleset": "qwixx", "seats": 2, "bots": ["easy", "easy"]}, {"/bots": "too_long"}),
    ("POST", "/games", {"ruleset": "qwixx", "clock": None}, {"/clock": "missing"}),
    (
        "POST",
        "/games",
        {"ruleset": "qwixx", "clock": {"roll_s": 1, "answer_s": "long"}},
        {"/clock/roll_s": "out_of_range", "/clock/answer_s": "wrong_type"},
    ),
    (
        "POST",
        "/games/join",
        {"code": 5, "client_seed": "a b"},
        {"/code": "wrong_type", "/client_seed": "wrong_format"},
    ),
    ("POST", "/games", {"ruleset": "qwixx", "client_seed": "a" * 65}, {"/client_seed": "too_long"}),
    (
        "POST",
        "/matchmaking",
        {"ruleset": "chess", "seats": 2, "bots_after_s": -1},
        {"/ruleset": "not_one_of", "/sheet": "missing", "/bots_after_s": "out_of_range"},
    ),
    ("POST", "/players/guests", {"name": " ", "device": "x" * 65}, {"/name": "too_short", "/device": "too_long"}),
    ("POST", "/players/guests", {"name": "A\tB", "colour": "red"}, {"/name": "wrong_format", "/colour": "unknown"}),
    (
        "POST",
        "/players",
        {"name": "x" * 25, "email": "ann", "password": 5},
        {"/name": "too_long", "/email": "wrong_format", "/password": "wrong_type"},
    ),
    ("POST", "/players", {}, {"/name": "missing", "/email": "missing", "/password": "missing"}),
    ("POST", "/sessions", {"email": None, "password": ""}, {"/email": "wrong_type", "/password": "too_short"}),
    ("PATCH", "/players/me", {"locale": "fr", "name": 5}, {"/locale": "not_one_of", "/name": "wrong_type"}),
    ("PATCH", "/players/me", {"locale": ""}, {"/locale": "not_one_of"}),
    ("PATCH", "/players/me", {"locale": 5}, {"/locale": "wrong_type"}),
]


@pytest.mark.parametrize(("method", "path", "body", "expected"), BODY_CODES)
async def test_an_error_of_a_body_has_a_code(
    ann: Player, method: str, path: str, body: Json, expected: dict[str, str]
) -> None:
    if path == "/players":
        del ann.http.headers["Authorization"]
    errors = errors_in(await ann.http.request(method, path, json=body))
    assert {error["pointer"]: error["code"] for error in errors} == expected
    assert all(error["detail"].endswith(".") for error in errors)


QUERY_CODES = [
    ("/games?limit=0", "?limit", "out_of_range"),
    ("/games?limit=many", "?limit", "wrong_type"),
    ("/games?cursor=x", "?cursor", "wrong_format"),
    ("/games?colour=red", "?colour", "unknown"),
    ("/games?rated=yes", "?rated", "not_one_of"),
    ("/games?status=open&status=playing", "?status", "not_unique"),
    ("/games?player=ann", "?player", "wrong_format"),
    ("/games?ended_after=today", "?ended_after", "wrong_format"),
    ("/players/me/blocks?limit=101", "?limit", "out_of_range"),
    ("/leaderboards/qwixx/wins?period=year", "?period", "not_one_of"),
    ("/leaderboards/qwixx/wins?at=today", "?at", "wrong_format"),
    ("/games/{id}?version=x", "?version", "wrong_type"),
    ("/games/{id}/events?limit=1001", "?limit", "out_of_range"),
    ("/games/{id}/events?wait=x", "?wait", "wrong_type"),
    ("/games/{id}/stream?after=x", "?after", "wrong_type"),
]


@pytest.mark.parametrize(("address", "pointer", "code"), QUERY_CODES)
async def test_an_error_of_a_query_has_a_code(ann: Player, address: str, pointer: str, code: str) -> None:
    game = await ann.create()
    (error,) = errors_in(await ann.http.get(address.format(id=game["id"])))
    assert (error["pointer"], error["code"]) == (pointer, code)


async def test_every_error_of_the_parameters_of_events_is_told_at_once(ann: Player) -> None:
    game = await ann.create()
    errors = errors_in(await ann.http.get(f"/games/{game['id']}/events?after=x&limit=0&wait=31"))
    assert [error["pointer"] for error in errors] == ["?after", "?limit", "?wait"]


async def test_an_error_of_a_header_names_the_header(ann: Player) -> None:
    game = await ann.create()
    (error,) = errors_in(await ann.http.get(f"/games/{game['id']}/stream", headers={"Last-Event-ID": "x"}))
    assert (error["pointer"], error["code"]) == ("Last-Event-ID", "wrong_type")


ACTIONS: list[tuple[bytes, dict[str, str]]] = [
    (b"{}", {"/type": "missing"}),
    (b'{"type": 5, "roll": "x"}', {"/type": "wrong_type", "/roll": "wrong_type"}),
    (b'{"type": "jump"}', {"/type": "not_one_of"}),
    (
        b'{"type": "mark", "number": "5", "phase": 1}',
        {"/row": "missing", "/number": "wrong_type", "/phase": "wrong_type"},
    ),
    (b"[]", {"": "wrong_type"}),
    (b"{", {"": "wrong_format"}),
    (b'{"a": 1, "a": 2}', {"": "not_unique"}),
    (b'{"a": 1e999}', {"": "out_of_range"}),
]


@pytest.mark.parametrize(("body", "expected"), ACTIONS)
async def test_an_error_of_an_action_has_a_code(ann: Player, body: bytes, expected: dict[str, str]) -> None:
    game = await ann.create()
    headers = {"Content-Type": "application/json"}
    errors = errors_in(await ann.http.post(f"/games/{game['id']}/actions", content=body, headers=headers))
    assert {error["pointer"]: error["code"] for error in errors} == expected


async def test_an_error_of_a_key_has_a_code(ann: Player) -> None:
    for path, body in (
        ("/games", {"ruleset": "qwixx"}),
        ("/matchmaking", {"ruleset": "qwixx", "sheet": "classic", "seats": 2}),
    ):
        (error,) = errors_in(await ann.http.post(path, json=body, headers={"Idempotency-Key": "k" * 65}))
        assert (error["pointer"], error["code"]) == ("Idempotency-Key", "too_long")


@pytest.mark.parametrize("language", ["en", "de", "ru", "uk", "pl"])
async def test_no_sentence_about_a_body_names_types_of_a_programming_language(
    new_player: NewPlayer, language: str
) -> None:
    ann = await new_player()
    body: Json = {"ruleset": 5, "sheet": None, "seats": "x", "visibility": [], "clock": 5, "rated": "no", "bots": {}}
    errors = errors_in(await ann.http.post("/games", json=body, headers={"Accept-Language": language}))
    assert len(errors) == len(body)
    for error in errors:
        assert not {"`", "str", "int", "None"} & set(error["detail"].replace(".", "").split()) | set(), error
        assert "`" not in error["detail"]


async def test_a_body_of_many_wrong_members_gets_a_document_of_bounded_size(ann: Player) -> None:
    body = {f"member{number}": number for number in range(3000)}
    assert len(errors_in(await ann.http.post("/games", json=body))) == MOST_ERRORS


def errors_in(answer: httpx.Response) -> list[Json]:
    document = answer.json()
    assert (answer.status_code, document["code"]) == (400, "malformed"), document
    errors: list[Json] = document["errors"]
    assert {error["code"] for error in errors} <= set(MEMBER_CODES)
    return errors

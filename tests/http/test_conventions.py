"""What responses have in common: how much of a rate limit is left, compression, and the list of what there is."""

import gzip
import json
import re

import httpx
import pytest

from players.limits.rate_limits import LIMITS

PLAIN, GZIP = {"Accept-Encoding": "identity"}, {"Accept-Encoding": "gzip"}
POLICY = re.compile(r'"(?P<name>[a-z_]+)";q=(?P<quota>[0-9]+);w=(?P<window>[0-9]+)')
LIMIT = re.compile(r'"(?P<name>[a-z_]+)";r=(?P<remaining>[0-9]+);t=(?P<reset>[0-9]+)')


def new_game(ann: httpx.Client) -> str:
    return f"/api/v1/games/{ann.post('/api/v1/games', json={'ruleset': 'qwixx'}).json()['id']}"


def limit_of(response: httpx.Response) -> dict[str, str]:
    policy, limit = (
        POLICY.fullmatch(response.headers["ratelimit-policy"]),
        LIMIT.fullmatch(response.headers["ratelimit"]),
    )
    assert policy is not None
    assert limit is not None
    assert policy["name"] == limit["name"]
    assert int(limit["remaining"]) < int(policy["quota"]) == LIMITS[limit["name"]].burst
    return limit.groupdict()


def test_a_response_under_a_limit_says_what_is_left(ann: httpx.Client) -> None:
    game = new_game(ann)
    calls = [
        (ann.get("/api/v1/players/me"), "reads"),
        (ann.get(game), "reads"),
        (ann.get(f"{game}/events"), "reads"),
        (ann.post(f"{game}/actions", json={"type": "pass"}), "actions"),
        (ann.post(f"{game}/actions", content=b"{"), "actions"),
        (ann.post("/api/v1/games", json={"ruleset": "qwixx"}), "games"),
        (ann.post("/api/v1/games", json={}), "games"),
        (ann.get("/api/v1/games/0192f0c0-0000-7000-8000-000000000000"), "reads"),
        (ann.post("/api/v1/players/guests", json={}), "guests"),
    ]
    assert [limit_of(response)["name"] for response, _ in calls] == [name for _, name in calls]


def test_what_is_left_falls_with_each_request(ann: httpx.Client) -> None:
    left = [int(limit_of(ann.post("/api/v1/games", json={}))["remaining"]) for _ in range(3)]
    assert left == sorted(left, reverse=True)
    assert left[0] > left[-1]


def test_a_request_over_the_limit_is_told_that_nothing_is_left(ann: httpx.Client) -> None:
    game = new_game(ann)
    answers = [ann.post(f"{game}/phrases", json={"key": "hello"}) for _ in range(LIMITS["phrases"].burst + 1)]
    assert answers[-1].status_code == 429
    limit = limit_of(answers[-1])
    assert (limit["name"], limit["remaining"]) == ("phrases", "0")
    assert int(answers[-1].headers["retry-after"]) <= int(limit["reset"])


@pytest.mark.parametrize("path", ["/healthz", "/api/v1/openapi.json", "/"])
def test_a_response_under_no_limit_has_no_such_headers(http: httpx.Client, path: str) -> None:
    response = http.get(path)
    assert response.status_code == 200
    assert not {"ratelimit", "ratelimit-policy"} & set(response.headers)


def read(http: httpx.Client, path: str, headers: dict[str, str]) -> tuple[httpx.Headers, bytes]:
    """The headers, and the body as it was sent."""
    with http.stream("GET", path, headers=headers) as response:
        assert response.status_code == 200, response.read()
        return response.headers, b"".join(response.iter_raw())


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/openapi.json",
        "/api/v1/openapi-3.0.json",
        "/api/v1/asyncapi.json",
        "/api/v1",
        "/api/v1/rulesets",
        "/api/v1/games?mine=true",
        "/api/v1/home",
        "/api/v1/players/me/export",
        "{game}/export",
        "{game}/events",
    ],
)
def test_what_is_long_is_compressed_where_the_client_accepts_it(ann: httpx.Client, path: str) -> None:
    game = new_game(ann)
    for _ in range(4 if path.endswith("/events") else 0):  # a longer log
        ann.post(f"{game}/seed", json={"client_seed": "my-own-luck"})
        ann.post(f"{game}/seed", json={"client_seed": "my-other-luck"})
    headers, body = read(ann, path.format(game=game), GZIP)
    plain_headers, plain = read(ann, path.format(game=game), PLAIN)
    assert "content-encoding" not in plain_headers
    assert "Accept-Encoding" in headers["vary"]
    assert headers["content-encoding"] == "gzip"
    assert len(body) < len(plain)
    if "export" not in path and "home" not in path:
        assert gzip.decompress(body) == plain


def test_a_compressed_home_is_not_sent_again_while_nothing_changes(ann: httpx.Client) -> None:
    new_game(ann)
    first = ann.get("/api/v1/home", headers=GZIP)
    assert first.headers["content-encoding"] == "gzip"
    again = ann.get("/api/v1/home", headers={**GZIP, "If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])


def test_what_is_secret_or_streamed_is_not_compressed(ann: httpx.Client) -> None:
    guest = ann.post("/api/v1/players/guests", json={"name": "A" * 24, "device": "x" * 64}, headers=GZIP)
    assert "content-encoding" not in guest.headers
    with ann.stream("GET", f"{new_game(ann)}/stream", headers=GZIP) as stream:
        assert "content-encoding" not in stream.headers
        assert next(stream.iter_raw()).startswith(b": qx.v1")


def test_the_root_of_the_api_lists_what_there_is(http: httpx.Client) -> None:
    listed, document = http.get("/api/v1").json(), http.get("/api/v1/openapi.json").json()
    assert http.get("/api/v1/").json() == listed
    assert listed["resources"] == {path: [name.upper() for name in each] for path, each in document["paths"].items()}
    assert "/ws/v1/games/{game_id}" in listed["streams"]
    for address in listed["documents"].values():
        assert http.get(address).status_code == 200
    assert json.dumps(listed).count("/api/v1/games/{game_id}/actions/preview") == 1

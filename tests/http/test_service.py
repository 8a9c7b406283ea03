"""The calls about the service itself: version, health, metrics, pages and files."""

import re
import socket
from urllib.parse import urlsplit

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from qwixx_service.documents.version import version
from tests.http.served import Served

NOBODY = "/api/v1/games/0192f0c0-0000-7000-8000-000000000000"


def test_the_version_says_which_apps_are_still_served(http: httpx.Client) -> None:
    assert http.get("/api/v1/version").json() == {"version": version(), "api": "v1", "oldest_app": "0.0.9"}


def test_head_is_get_without_its_body(ann: httpx.Client) -> None:
    game = ann.post("/api/v1/games", json={"ruleset": "qwixx"}).json()
    for path in ("/api/v1/version", "/healthz", "/api/v1/games", f"/api/v1/games/{game['id']}"):
        head, get = ann.head(path), ann.get(path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers.get("etag") == get.headers.get("etag")
    assert ann.head(NOBODY).status_code == 404
    stream = ann.head(f"/api/v1/games/{game['id']}/stream")
    assert (stream.status_code, stream.headers["content-type"]) == (200, "text/event-stream; charset=utf-8")


def test_an_answer_says_how_long_it_is(ann: httpx.Client) -> None:
    for path in ("/api/v1/version", "/healthz", "/api/v1/nothing", "/admin/login/", NOBODY):
        answer = ann.get(path)
        assert int(answer.headers["content-length"]) == len(answer.content)
        assert "transfer-encoding" not in answer.headers
    gone = ann.delete("/api/v1/sessions/current")
    assert (gone.status_code, gone.content, "content-length" in gone.headers) == (204, b"", False)


def test_options_tells_which_methods_there_are(ann: httpx.Client) -> None:
    answer = ann.options("/api/v1/games")
    assert answer.status_code == 200
    assert (
        set(answer.json()["methods"]) == set(answer.headers["allow"].split(", ")) == {"GET", "POST", "HEAD", "OPTIONS"}
    )


def test_health_and_readiness_are_for_everybody(http: httpx.Client) -> None:
    assert http.get("/healthz").json() == {"status": "ok"}
    assert http.get("/readyz").json()["status"] == "ok"


def samples(http: httpx.Client) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    answer = http.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


@pytest.mark.parametrize(
    ("path", "lane", "route", "status"),
    [
        (NOBODY, "fast", "/api/v1/games/{id}", "404"),
        ("/api/v1/version", "wide", "/api/v1/version", "200"),
        ("/api/v1/players/0192f0c0-0000-7000-8000-000000000000", "wide", "/api/v1/players/<uuid:player_id>", "404"),
        ("/api/v1/anything/at/all", "wide", "none", "404"),
    ],
)
def test_requests_are_counted_by_lane_route_and_status(
    ann: httpx.Client, path: str, lane: str, route: str, status: str
) -> None:
    labels = {"lane": lane, "method": "GET", "route": route, "status": status}
    count = ("qwixx_http_request_seconds_count", frozenset(labels.items()))
    before = samples(ann).get(count, 0)
    ann.get(path)
    assert samples(ann)[count] == before + 1


def test_a_stream_is_sent_part_by_part(http: httpx.Client) -> None:
    assert http.get("/api/v1/streams").text == "0\n1\n2\n"


def test_the_admin_keeps_its_sessions_and_tokens(http: httpx.Client) -> None:
    moved = http.get("/admin/")
    assert (moved.status_code, moved.headers["location"]) == (302, "/admin/login/?next=/admin/")
    page = http.get("/admin/login/")
    assert page.status_code == 200
    assert "csrftoken" in page.cookies
    assert page.headers["x-frame-options"] == "DENY"


def test_what_machines_call_gets_no_cookie(http: httpx.Client) -> None:
    assert "set-cookie" not in http.get("/api/v1/version").headers


def external(page: str) -> list[str]:
    """What a page would fetch from other machines."""
    return re.findall(r"(?:src|href)=[\"'](?:https?:)?//[^\"']+", page)


def test_the_pages_of_the_documents_need_no_other_machine(http: httpx.Client) -> None:
    page = http.get("/api/docs/", headers={"Accept": "text/html"})
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert external(page.text) == []
    assert "/api/v1/openapi.json" in page.text
    files = re.findall(r"(?:src|href)=\"(/static/[^\"]+)\"", page.text)
    assert files
    assert {http.get(file).status_code for file in files} == {200}


def test_the_type_of_a_problem_leads_to_its_meaning(http: httpx.Client) -> None:
    said = http.get("/api/v1/nothing").json()
    path, _, anchor = said["type"].partition("#")
    page = http.get(path, headers={"Accept-Language": "pl"})
    assert page.status_code == 200
    assert f'id="{anchor}"' in page.text
    assert "Nie znaleziono" in page.text
    assert external(page.text) == []


def test_commands_and_games_under_way_are_counted(ann: httpx.Client) -> None:
    def now(name: str, **labels: str) -> float:
        return samples(ann).get((name, frozenset(labels.items())), 0.0)

    before = [now("qwixx_commands_total", outcome=outcome) for outcome in ("stored", "refused")]
    game = ann.post("/api/v1/games", json={"ruleset": "qwixx"}).json()
    assert ann.post(f"/api/v1/games/{game['id']}/join").status_code == 409
    after = [now("qwixx_commands_total", outcome=outcome) for outcome in ("stored", "refused")]
    assert [later - earlier for earlier, later in zip(before, after, strict=True)] == [1, 1]
    assert now("qwixx_append_seconds_count") == now("qwixx_append_batch_count") > 0
    assert ("qwixx_conflicts_total", frozenset()) in samples(ann)
    assert ("qwixx_games", frozenset({("status", "open")})) in samples(ann)


def test_a_repeated_command_is_counted_as_repeated(ann: httpx.Client) -> None:
    def repeated() -> float:
        return samples(ann).get(("qwixx_commands_total", frozenset({("outcome", "repeated")})), 0.0)

    before = repeated()
    game = ann.post("/api/v1/games", json={"ruleset": "qwixx"}).json()
    for _ in range(3):
        answer = ann.post(f"/api/v1/games/{game['id']}/leave", headers={"Idempotency-Key": "once"})
        assert answer.status_code == 200
    assert repeated() - before == 2


def test_an_answer_leaves_in_one_piece(service: Served) -> None:
    """Head and body in two writes would wake the client twice."""
    address = urlsplit(service.address)
    with socket.create_connection((address.hostname or "", address.port or 0)) as line:
        for _ in range(20):
            line.sendall(b"GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n")
            head, found, body = line.recv(65536).partition(b"\r\n\r\n")
            assert found
            assert body
            assert head.startswith(b"HTTP/1.1 200")

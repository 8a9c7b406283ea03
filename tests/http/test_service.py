"""Requests about the service itself: version, health, metrics, pages and files."""

import re

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from qwixx_service.documents.version import version

UNKNOWN_GAME = "/api/v1/games/0192f0c0-0000-7000-8000-000000000000"


def test_the_version_says_which_apps_are_still_served(http: httpx.Client) -> None:
    assert http.get("/api/v1/version").json() == {"version": version(), "api": "v1", "oldest_app": "0.0.9"}


def test_head_is_get_without_its_body(ann: httpx.Client) -> None:
    game = ann.post("/api/v1/games", json={"ruleset": "qwixx"}).json()
    for path in ("/api/v1/version", "/healthz", "/api/v1/games", f"/api/v1/games/{game['id']}"):
        head, get = ann.head(path), ann.get(path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers.get("etag") == get.headers.get("etag")
    assert ann.head(UNKNOWN_GAME).status_code == 404
    stream = ann.head(f"/api/v1/games/{game['id']}/stream")
    assert (stream.status_code, stream.headers["content-type"]) == (200, "text/event-stream; charset=utf-8")


def test_a_response_declares_its_length(ann: httpx.Client) -> None:
    for path in ("/api/v1/version", "/healthz", "/api/v1/nothing", "/admin/login/", UNKNOWN_GAME):
        for encoding in ("identity", "gzip"):
            response = ann.get(path, headers={"Accept-Encoding": encoding})
            assert int(response.headers["content-length"]) == response.num_bytes_downloaded > 0
            assert "transfer-encoding" not in response.headers
    gone = ann.delete("/api/v1/sessions/current")
    assert (gone.status_code, gone.content, "content-length" in gone.headers) == (204, b"", False)


def test_options_lists_the_methods(ann: httpx.Client) -> None:
    response = ann.options("/api/v1/games")
    assert response.status_code == 200
    assert (
        set(response.json()["methods"])
        == set(response.headers["allow"].split(", "))
        == {"GET", "POST", "HEAD", "OPTIONS"}
    )


def test_health_and_readiness_need_no_token(http: httpx.Client) -> None:
    assert http.get("/healthz").json() == {"status": "ok"}
    assert http.get("/readyz").json()["status"] == "ok"


def samples(http: httpx.Client) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    response = http.get("/metrics")
    assert response.headers["content-type"].startswith("text/plain")
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(response.text)
        for sample in family.samples
    }


@pytest.mark.parametrize(
    ("path", "handler", "route", "status"),
    [
        (UNKNOWN_GAME, "starlette", "/api/v1/games/{game_id:uuid}", "404"),
        ("/api/v1/version", "django", "/api/v1/version", "200"),
        ("/api/v1/players/0192f0c0-0000-7000-8000-000000000000", "django", "/api/v1/players/<uuid:player_id>", "404"),
        ("/api/v1/anything/at/all", "django", "none", "404"),
    ],
)
def test_requests_are_counted_by_handler_route_and_status(
    ann: httpx.Client, path: str, handler: str, route: str, status: str
) -> None:
    labels = {"handler": handler, "method": "GET", "route": route, "status": status}
    count = ("qwixx_http_request_seconds_count", frozenset(labels.items()))
    before = samples(ann).get(count, 0)
    ann.get(path)
    assert samples(ann)[count] == before + 1


def test_a_streamed_response_of_django_is_sent_whole(http: httpx.Client) -> None:
    assert http.get("/api/v1/streams").text == "0\n1\n2\n"


def test_the_admin_has_sessions_and_csrf_tokens(http: httpx.Client) -> None:
    moved = http.get("/admin/")
    assert (moved.status_code, moved.headers["location"]) == (302, "/admin/login/?next=/admin/")
    page = http.get("/admin/login/")
    assert page.status_code == 200
    assert "csrftoken" in page.cookies
    assert page.headers["x-frame-options"] == "DENY"


def test_the_api_sets_no_cookie(http: httpx.Client) -> None:
    assert "set-cookie" not in http.get("/api/v1/version").headers


def external(page: str) -> list[str]:
    """The URLs of other hosts that a page would load."""
    return re.findall(r"(?:src|href)=[\"'](?:https?:)?//[^\"']+", page)


def test_the_pages_of_the_documents_load_nothing_from_other_hosts(http: httpx.Client) -> None:
    page = http.get("/api/docs/", headers={"Accept": "text/html"})
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert external(page.text) == []
    assert "/api/v1/openapi.json" in page.text
    files = re.findall(r"(?:src|href)=\"(/static/[^\"]+)\"", page.text)
    assert files
    assert {http.get(file).status_code for file in files} == {200}


def test_the_type_of_a_problem_links_to_its_meaning(http: httpx.Client) -> None:
    document = http.get("/api/v1/nothing").json()
    path, _, anchor = document["type"].partition("#")
    page = http.get(path, headers={"Accept-Language": "pl"})
    assert page.status_code == 200
    assert f'id="{anchor}"' in page.text
    assert "Nie znaleziono" in page.text
    assert external(page.text) == []


def test_commands_and_open_games_are_counted(ann: httpx.Client) -> None:
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
        response = ann.post(f"/api/v1/games/{game['id']}/leave", headers={"Idempotency-Key": "once"})
        assert response.status_code == 200
    assert repeated() - before == 2

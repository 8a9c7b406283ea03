"""How the page is served: a shell with a strict policy, small files that browsers cache for ever, installable."""

import gzip
import hashlib
import html
import json
import re
from collections.abc import Iterator

import httpx
import pytest

from games.rules.registry import RULESETS
from games.web.build import FOLDER, IMPORT_MAP, build

PAGES = ("/", "/lobby", "/new", "/games", "/settings", "/account", "/rules", "/rules/qwixx", "/boards", "/about")
DETAIL_PAGES = ("/boards/qwinto/wins", "/join/K7QXM2", "/game/0192f0c0-0000-7000-8000-000000000000")


@pytest.fixture(scope="module")
def http(server: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server, timeout=30) as client:
        yield client


@pytest.fixture(scope="module")
def shell(http: httpx.Client) -> httpx.Response:
    return http.get("/", headers={"Accept": "text/html", "Accept-Language": "pl"})


@pytest.mark.parametrize("path", [*PAGES, *DETAIL_PAGES])
def test_every_address_of_the_page_serves_the_shell(http: httpx.Client, path: str) -> None:
    answer = http.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "<qx-app " in answer.text


@pytest.mark.parametrize("path", ["/game/7", "/rules/a/b", "/nothing", "/static/page/000000000000/js/none.js"])
def test_unknown_address_is_not_found(http: httpx.Client, path: str) -> None:
    assert http.get(path).status_code == 404


def test_policy_allows_only_scripts_of_the_service(shell: httpx.Response) -> None:
    policy = shell.headers["content-security-policy"]
    scripts = re.search(r"script-src ([^;]*)", policy)
    assert scripts
    nonce = re.search(r'nonce="([^"]+)"', shell.text)
    assert nonce
    assert scripts[1] == f"'self' 'nonce-{nonce[1]}'"
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_every_response_has_its_own_nonce(http: httpx.Client) -> None:
    nonces = {re.findall(r'nonce="([^"]+)"', http.get("/").text)[0] for _ in range(3)}
    assert len(nonces) == 3


def test_shell_says_in_the_browser_language_that_scripts_are_needed(shell: httpx.Response) -> None:
    assert '<html lang="pl">' in shell.text
    assert "Ta strona potrzebuje JavaScriptu." in shell.text


def test_shell_names_every_game_with_its_dice(shell: httpx.Response) -> None:
    named = re.search(r'<qx-app data-games="([^"]*)">', shell.text)
    assert named
    games = {game["key"]: game["dice"] for game in json.loads(html.unescape(named[1]))}
    assert games == {key: list(ruleset.description()["dice"]) for key, ruleset in RULESETS.items()}


def test_page_loads_nothing_from_other_hosts(shell: httpx.Response) -> None:
    assert re.findall(r'(?:src|href)="(?:https?:)?//', shell.text) == []
    foreign = [
        name for name, file in build().files.items() if re.search(rb"""(?:from|import)\s*\(?["']https?:""", file.body)
    ]
    assert foreign == []


def test_files_of_the_shell_are_compressed_and_immutable(http: httpx.Client, shell: httpx.Response) -> None:
    for address in set(re.findall(r'(?:src|href)="(/static/page/[^"]+)"', shell.text)):
        answer = http.get(address)
        assert answer.status_code == 200, address
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["x-content-type-options"] == "nosniff"
        if not address.endswith(".png"):
            assert answer.headers["content-encoding"] == "gzip"


def test_client_without_gzip_gets_uncompressed_files(http: httpx.Client) -> None:
    answer = http.get(build().address("css/base.css"), headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in answer.headers
    assert answer.content == (FOLDER / "css/base.css").read_bytes()


def test_file_of_another_build_is_not_cached(http: httpx.Client) -> None:
    answer = http.get("/static/page/000000000000/css/base.css")
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-cache")


def test_first_load_is_small(shell: httpx.Response) -> None:
    current = build()
    wanted = [*current.preloaded, "css/base.css", "css/table.css", "text/ru.json", "icons/icon.svg"]
    size = len(gzip.compress(shell.content)) + sum(len(current.files[name].compressed or b"") for name in wanted)
    assert size < 75_000
    assert len(wanted) < 25


def test_preloaded_modules_are_those_that_the_entry_points_import() -> None:
    preloaded = build().preloaded
    assert {"js/main.js", "js/app.js", "js/view-home.js", *IMPORT_MAP.values()} <= set(preloaded)
    assert "js/part-table.js" not in preloaded


def test_vendored_files_match_their_recorded_hashes() -> None:
    recorded = json.loads((FOLDER / "vendor/versions.json").read_text())
    vendored = {path.name for path in (FOLDER / "vendor").glob("*.js")}
    assert vendored == set(recorded)
    for name, record in recorded.items():
        assert hashlib.sha256((FOLDER / "vendor" / name).read_bytes()).hexdigest() == record["sha256"], name


def test_manifest_makes_the_page_installable(http: httpx.Client) -> None:
    answer = http.get("/manifest.webmanifest", headers={"Accept-Language": "de"})
    manifest = answer.json()
    assert answer.headers["content-type"] == "application/manifest+json"
    assert (manifest["display"], manifest["start_url"], manifest["lang"]) == ("standalone", "/", "de")
    assert {icon["sizes"] for icon in manifest["icons"]} == {"192x192", "512x512"}
    for icon in manifest["icons"]:
        assert http.get(icon["src"]).content.startswith(b"\x89PNG")


def test_service_worker_caches_the_shell_of_this_build(http: httpx.Client) -> None:
    answer = http.get("/worker.js")
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.text.startswith(f'const BUILD = "{build().digest}"')
    cached = json.loads(re.findall(r"const SHELL = (\[.*\]);", answer.text)[0])
    assert {http.get(address).status_code for address in cached} == {200}


def test_join_address_has_a_qr_code(http: httpx.Client) -> None:
    answer = http.get("/join/K7QXM2/qr.svg")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert answer.content.lstrip().startswith(b"<?xml")


def test_a_qr_code_is_made_for_a_code_of_a_game_and_no_longer_text(http: httpx.Client) -> None:
    drawn = http.get("/join/K7QXM2/qr.svg")
    assert (drawn.status_code, drawn.headers["content-type"]) == (200, "image/svg+xml")
    for code in ("K" * 17, "K" * 4000):
        refused = http.get(f"/join/{code}/qr.svg")
        assert (refused.status_code, refused.json()["code"]) == (400, "malformed")


def test_a_long_host_makes_no_qr_code(http: httpx.Client) -> None:
    refused = http.get("/join/K7QXM2/qr.svg", headers={"Host": "a" * 2000 + ".example.org"})
    assert refused.status_code == 400

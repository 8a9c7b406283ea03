"""Files of the admin, the API documents and the page, from memory."""

import gzip
from pathlib import Path

import httpx
import pytest

from games.web.build import FOLDER
from tests.http.web_server import WebServer

DOCS = Path(__file__).resolve().parents[2] / "qwixx_service" / "static" / "qwixx_service" / "docs.css"
STYLE = "/static/qwixx_service/docs.css"
LARGE_FILE = "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js"


def test_a_file_is_revalidated_by_its_tag(http: httpx.Client) -> None:
    first = http.get(STYLE)
    assert (first.status_code, first.headers["cache-control"]) == (200, "no-cache")
    assert (first.content, first.headers["content-type"]) == (DOCS.read_bytes(), "text/css")
    second = http.get(STYLE, headers={"If-None-Match": first.headers["etag"]})
    assert (second.status_code, second.content, second.headers["etag"]) == (304, b"", first.headers["etag"])
    assert http.get(STYLE, headers={"If-None-Match": '"another"'}).status_code == 200


def test_a_large_file_is_sent_whole_and_compressed(http: httpx.Client) -> None:
    compressed, plain = http.get(LARGE_FILE), http.get(LARGE_FILE, headers={"Accept-Encoding": "identity"})
    assert compressed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert int(compressed.headers["content-length"]) < int(plain.headers["content-length"]) == len(plain.content)
    assert compressed.content == plain.content
    assert http.head(LARGE_FILE).headers["content-length"] == compressed.headers["content-length"]
    assert len(gzip.compress(plain.content)) < len(plain.content)


@pytest.mark.parametrize(
    "name",
    ["none.css", "", "../settings.py", "%2e%2e/settings.py", "page/../../views.py", "%00", "page/" + "a" * 12 + "/"],
)
def test_only_static_files_are_found(http: httpx.Client, name: str) -> None:
    response = http.get(f"/static/{name}")
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


def test_a_file_of_the_page_has_an_address_without_a_digest(service: WebServer) -> None:
    icon = httpx.get(f"{service.address}/favicon.ico", follow_redirects=True)
    assert (icon.status_code, icon.content) == (200, (FOLDER / "icons" / "icon.svg").read_bytes())
    assert icon.headers["content-security-policy"] == "default-src 'none'"

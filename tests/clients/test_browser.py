"""The TypeScript client in a browser: modules as they were compiled, an import map and no bundler."""

from pathlib import Path

import pytest
from playwright.async_api import Route, async_playwright

from tests.browser import chromium

pytestmark = [
    pytest.mark.xdist_group("clients"),
    pytest.mark.usefixtures("transactional_db"),
    pytest.mark.timeout(240),  # the first of them waits for the build
]

PAGE = """<!doctype html>
<script type="importmap">
{"imports": {"qwixx-client": "/client/dist/src/index.js",
             "openapi-fetch": "/client/node_modules/openapi-fetch/dist/index.mjs"}}
</script>
"""
TYPES = {".js": "text/javascript", ".mjs": "text/javascript"}
# The page is not loaded from the service but made by the test, which Chromium takes for another network.
SAME_NETWORK = "--disable-features=LocalNetworkAccessChecks"
PLAY = """async () => {
  const { Client } = await import("qwixx-client");
  const players = await Promise.all(["Ann", "Bob"].map((name) => Client.guest({ url: location.origin }, name)));
  const { id } = await players[0].createGame({ ruleset: "qwixx" });
  await players[1].joinGame(id);
  const first = ({ options }) => options[0];
  const results = await Promise.all(players.map((player) => player.stream(id).play(first)));
  return results.map(({ ranking }) => ranking.length);
}"""


async def test_two_players_in_a_browser_play_a_game(typescript: Path, server: str) -> None:
    path = chromium.found()
    if not path:
        pytest.fail(chromium.MISSING)

    async def answer(route: Route) -> None:
        """Files of the package beside the service: the page is of its origin."""
        name = route.request.url.removeprefix(f"{server}/client/")
        if name == "page":
            await route.fulfill(body=PAGE, content_type="text/html")
        else:
            await route.fulfill(path=typescript / name, content_type=TYPES.get(Path(name).suffix, "text/plain"))

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=[*chromium.FLAGS, SAME_NETWORK])
        page = await browser.new_page()
        await page.route("**/client/**", answer)
        await page.goto(f"{server}/client/page")
        try:
            assert await page.evaluate(PLAY) == [2, 2]
        finally:
            await browser.close()

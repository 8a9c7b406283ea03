"""The admin on a phone: staff sign in, search with the keyboard and open a game; axe finds no barrier."""

import asyncio
from typing import Any

import httpx
from axe_playwright_python.async_playwright import Axe  # type: ignore[import-untyped]
from playwright.async_api import Browser, Page, expect

from tests.admin import second_factor
from tests.browser.visitor import PHONE
from tests.embedded.launcher import LaunchedProgram

PRINTED = "log in to the admin as admin@localhost with "
# Unfold's own header and menu stand in no landmark.
OF_UNFOLD = {"region", "landmark-unique"}


def signed_in(service: LaunchedProgram) -> list[Any]:
    """The cookies of the first administrator, with the password that the service printed."""
    printed = next(line for line in service.lines if PRINTED in line)
    password = printed.partition(PRINTED)[2].split()[0]
    options: Any = {"follow_redirects": True, "timeout": 60, "headers": {"Accept": "text/html"}}
    with httpx.Client(base_url=service.home, **options) as http:
        page = second_factor.enter_password(http, "admin@localhost", password)
        assert second_factor.enrol(http, page)
        return [{"name": name, "value": value, "url": service.home} for name, value in http.cookies.items()]


async def violations(page: Page) -> list[str]:
    found = (await Axe().run(page)).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:160]}" for each in found if each["id"] not in OF_UNFOLD]


async def test_staff_find_a_game_on_a_phone(browser: Browser, service: LaunchedProgram) -> None:
    async with httpx.AsyncClient(base_url=f"{service.home}/api/v1") as http:
        guest = (await http.post("/players/guests", json={"name": "Łucja"})).json()
        headers = {"Authorization": f"Bearer {guest['token']}"}
        game = (await http.post("/games", json={"ruleset": "qwixx", "seats": 2}, headers=headers)).json()
        await http.post(f"/games/{game['id']}/bots", json={"level": "easy"}, headers=headers)
    options: Any = {"viewport": PHONE, "locale": "en-US", "reduced_motion": "reduce"}
    context = await browser.new_context(**options)
    await context.add_cookies(await asyncio.to_thread(signed_in, service))
    page = await context.new_page()
    await page.goto(f"{service.home}/admin/games/game/")
    await page.keyboard.press("/")
    await page.keyboard.type("lucja")
    await page.keyboard.press("Enter")
    card = page.locator("#result_list .data-row")
    await expect(card).to_have_count(1)
    await expect(card).to_contain_text("Łucja, Bot (easy)")
    label = "each => getComputedStyle(each, '::before').content"
    assert await card.locator("> *").first.evaluate(label) == '"Players"'
    await card.get_by_role("link").first.click()
    await expect(page.locator("#game-state")).to_contain_text("In progress")
    one = f"games/game/{game['id']}/change/"
    for path in ("", "games/game/", "games/game/statistics/", one, "players/staffaction/"):
        await page.goto(f"{service.home}/admin/{path}")
        assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path
        assert await violations(page) == [], path
    await context.close()

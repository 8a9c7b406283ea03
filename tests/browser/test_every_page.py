"""Every view in every language and theme, on phone and desktop: translated, accessible, no errors in the console."""

import json
from typing import Any

import pytest
from axe_playwright_python.async_playwright import Axe  # type: ignore[import-untyped]
from django.conf import settings
from playwright.async_api import Browser

from games.web.build import FOLDER
from tests.browser.test_whole_games_of_two import start_game
from tests.browser.visitor import DESKTOP, PHONE, Visitor, visitor

PAGES = {
    "/": ".hero",
    "/lobby": "qx-match form",
    "/new": "form",
    "/games": "qx-games h1",
    "/boards": "qx-boards h1",
    "/settings": "qx-settings h1",
    "/account": "qx-account form",
    "/rules": "qx-rules qx-sheet .row",
    "/about": "qx-about h1",
    "/learn/qwixx": "qx-learn .felt",
    "/learn/qwinto": "qx-learn .felt",
}
LANGUAGES = [code for code, _ in settings.LANGUAGES]
# All texts and labels of the page.
WORDS = """() => {
  const words = [];
  const walk = document.createTreeWalker(document.querySelector("qx-app"), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) words.push(walk.currentNode.data.trim());
  for (const name of ["aria-label", "title", "placeholder", "alt"])
    for (const each of document.querySelectorAll(`[${name}]`)) words.push(each.getAttribute(name));
  return [document.title, ...words.filter(Boolean)];
}"""


def plain(language: str) -> dict[str, str]:
    catalogue: dict[str, Any] = json.loads((FOLDER / "text" / f"{language}.json").read_text())
    return {key: text for key, text in catalogue.items() if isinstance(text, str) and "{" not in text}


def english_words(language: str) -> set[str]:
    """The English texts that are translated in this language."""
    ours = plain(language)
    return {text for key, text in plain("en").items() if text != ours[key]} - set(ours.values())


async def untranslated(guest: Visitor, language: str) -> list[str]:
    shown = await guest.page.evaluate(WORDS)
    return [text for text in shown if "⟦" in text or text in english_words(language)]


async def accessibility_violations(guest: Visitor) -> list[str]:
    found = (await Axe().run(guest.page)).response["violations"]
    return [
        f"{each['id']}: {node['html'][:160]} {node['failureSummary'][:300]}"
        for each in found
        for node in each["nodes"][:3]
    ]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_view_is_in_the_language_of_the_browser(browser: Browser, home: str, language: str) -> None:
    async with visitor(browser, home, locale=language) as guest:
        for path, selector in PAGES.items():
            await guest.visit(path, selector)
            assert await guest.page.evaluate("document.documentElement.lang") == language
            assert await untranslated(guest, language) == [], path
        assert guest.console_errors == []


async def test_a_selected_language_is_stored(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as guest:
        await guest.visit("/settings", "qx-settings h1")
        await guest.page.get_by_role("radio", name="Українська").check(force=True)
        await guest.page.wait_for_selector("h1:has-text('Параметри')")
        await guest.visit("/", ".hero")
        assert await untranslated(guest, "uk") == []


async def test_after_the_first_visit_the_page_opens_without_a_network(browser: Browser, home: str) -> None:
    async with visitor(browser, home, locale="pl") as guest:
        await guest.visit("/", ".hero")
        await guest.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        # Only the cache of the service worker must be enough, without the browser's own.
        wire = await guest.context.new_cdp_session(guest.page)
        await wire.send("Network.clearBrowserCache")
        await guest.context.set_offline(offline=True)
        await guest.page.reload()
        await guest.page.wait_for_selector(".hero")
        assert await untranslated(guest, "pl") == []
        await guest.page.locator("[data-ruleset=qwixx]").click()
        await guest.sees_message("Serwer jest nieosiągalny")


@pytest.mark.parametrize(("viewport", "scheme"), [(PHONE, "light"), (DESKTOP, "dark")], ids=["phone", "desk"])
async def test_every_view_is_accessible(browser: Browser, home: str, viewport: Any, scheme: str) -> None:
    async with visitor(browser, home, viewport=viewport, color_scheme=scheme) as guest:
        for path, selector in PAGES.items():
            await guest.visit(path, selector)
            assert await accessibility_violations(guest) == [], path
            assert await guest.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        assert guest.console_errors == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_a_game_is_accessible(browser: Browser, home: str, scheme: str) -> None:
    look: dict[str, Any] = {"color_scheme": scheme}
    async with (
        visitor(browser, home, **look) as ann,
        visitor(browser, home, viewport=DESKTOP, locale="ru", **look) as bob,
    ):
        await start_game(ann, bob, "qwixx" if scheme == "dark" else "qwinto")
        for _ in range(12):
            for each in (ann, bob):
                if await each.page.locator(".felt[data-mine]").count():
                    await each.tap()
        assert await accessibility_violations(ann) == []
        assert await accessibility_violations(bob) == []
        assert await untranslated(bob, "ru") == []
        await ann.page.get_by_role("button", name="Resign").click()
        await ann.page.locator(".ask .danger").click()
        await bob.page.wait_for_selector("qx-after h1")
        assert await accessibility_violations(bob) == []
        assert await untranslated(bob, "ru") == []
        assert ann.console_errors + bob.console_errors == []

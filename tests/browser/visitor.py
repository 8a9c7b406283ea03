"""Somebody with a browser: opens pages, plays by tapping what is lit, and remembers what the console complained of."""

import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, expect
from playwright.async_api import TimeoutError as TooLate

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}
PATIENCE_MS = 20_000
TAP_MS = 2_000
MINE = ".felt[data-mine] .actions button:not(:disabled)"
OVER = "qx-after h1"
# What a browser without a network says by itself.
# The last is what Chromium says of a service worker that it wanted to look for anew while there was no network.
NO_NETWORK = (
    "ERR_INTERNET_DISCONNECTED",
    "ERR_NETWORK_CHANGED",
    "An unknown error occurred when fetching the script",
)


class Visitor:
    def __init__(self, context: BrowserContext, page: Page, home: str) -> None:
        self.context, self.page, self.home = context, page, home
        self.complaints: list[str] = []
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.set_default_timeout(PATIENCE_MS)

    def _note(self, message: ConsoleMessage) -> None:
        text = f"{message.text} ({message.location.get('url')})"
        if message.type in ("error", "warning") and not any(word in text for word in NO_NETWORK):
            self.complaints.append(text)

    async def visit(self, path: str, selector: str) -> None:
        await self.page.goto(self.home + path)
        await self.page.wait_for_selector(selector)

    async def play_to_the_end(self) -> int:
        """Taps until the game is over; how often."""
        taps = 0
        while True:
            await self.page.wait_for_selector(f"{MINE}, {OVER}")
            if await self.page.locator(OVER).count():
                return taps
            taps += await self.tap()

    async def tap(self) -> bool:
        """What is lit furthest right, which brings a game to its end soon; else the first thing that may be done."""
        lit = self.page.locator(".felt[data-mine] ~ .own button.cell[data-option]")
        button = lit.last if await lit.count() else self.page.locator(MINE).first
        # What was lit may have gone out meanwhile: then there is something else to look at.
        with contextlib.suppress(TooLate):
            await button.click(timeout=TAP_MS)
            return True
        return False

    async def press(self, name: str, exact: bool = False) -> None:
        await self.page.get_by_role("button", name=name, exact=exact).first.click()

    async def is_told(self, text: str) -> None:
        await expect(self.page.locator(".toast[data-shown]")).to_contain_text(text)

    async def fill(self, form: str, **fields: str) -> None:
        """Fills a form in and sends it off."""
        for name, value in fields.items():
            await self.page.locator(f"{form} [name={name}]").fill(value)
        await self.page.locator(f"{form} button:not([type=button])").click()

    async def player(self) -> dict[str, Any]:
        """Who this browser is known as."""
        found: dict[str, Any] = json.loads(await self.page.evaluate("localStorage['qx.player']"))
        return found

    async def text(self, selector: str) -> str:
        return (await self.page.locator(selector).first.inner_text()).strip()


@contextlib.asynccontextmanager
async def visitor(
    browser: Browser, home: str, settings: dict[str, Any] | None = None, **options: Any
) -> AsyncIterator[Visitor]:
    """In a profile of his own; on a phone, in English and without animations unless told otherwise."""
    known = {"viewport": PHONE, "locale": "en-US", "reduced_motion": "reduce", **options}
    context = await browser.new_context(**known)
    wishes = json.dumps({"autopass": False, **(settings or {})})
    await context.add_init_script(f"localStorage['qx.settings'] ??= {json.dumps(wishes)}")
    try:
        yield Visitor(context, await context.new_page(), home)
    finally:
        await context.close()

"""A visitor with a browser: opens views, plays by tapping highlighted cells, and records errors of the console."""

import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, expect
from playwright.async_api import TimeoutError as TooLate

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}
TIMEOUT_MS = 20_000
TAP_MS = 2_000
MINE = ".felt[data-mine] .actions button:not(:disabled)"
OVER = "qx-after h1"
# Messages of a browser without a network; the last one is about a service worker that it could not update.
NO_NETWORK = (
    "ERR_INTERNET_DISCONNECTED",
    "ERR_NETWORK_CHANGED",
    "An unknown error occurred when fetching the script",
)


class Visitor:
    def __init__(self, context: BrowserContext, page: Page, home: str) -> None:
        self.context, self.page, self.home = context, page, home
        self.console_errors: list[str] = []
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.console_errors.append(str(error)))
        page.set_default_timeout(TIMEOUT_MS)

    def _note(self, message: ConsoleMessage) -> None:
        text = f"{message.text} ({message.location.get('url')})"
        if message.type in ("error", "warning") and not any(word in text for word in NO_NETWORK):
            self.console_errors.append(text)

    async def visit(self, path: str, selector: str) -> None:
        await self.page.goto(self.home + path)
        await self.page.wait_for_selector(selector)

    async def play_to_the_end(self) -> int:
        """Tap until the game is over; the number of taps."""
        taps = 0
        while True:
            await self.page.wait_for_selector(f"{MINE}, {OVER}")
            if await self.page.locator(OVER).count():
                return taps
            taps += await self.tap()

    async def tap(self) -> bool:
        """Tap the last highlighted cell, which makes games short, or else the first button. False: it disappeared."""
        lit = self.page.locator(".felt[data-mine] ~ .own button.cell[data-option]")
        button = lit.last if await lit.count() else self.page.locator(MINE).first
        with contextlib.suppress(TooLate):
            await button.click(timeout=TAP_MS)
            return True
        return False

    async def press(self, name: str, exact: bool = False) -> None:
        await self.page.get_by_role("button", name=name, exact=exact).first.click()

    async def sees_message(self, text: str) -> None:
        await expect(self.page.locator(".toast[data-shown]")).to_contain_text(text)

    async def fill(self, form: str, **fields: str) -> None:
        """Fill in a form and submit it."""
        for name, value in fields.items():
            await self.page.locator(f"{form} [name={name}]").fill(value)
        await self.page.locator(f"{form} button:not([type=button])").click()

    async def player(self) -> dict[str, Any]:
        """The player that this browser is signed in as."""
        found: dict[str, Any] = json.loads(await self.page.evaluate("localStorage['qx.player']"))
        return found

    async def text(self, selector: str) -> str:
        return (await self.page.locator(selector).first.inner_text()).strip()


@contextlib.asynccontextmanager
async def visitor(
    browser: Browser, home: str, settings: dict[str, Any] | None = None, **options: Any
) -> AsyncIterator[Visitor]:
    """A visitor with a new browser profile; by default on a phone, in English, without animations."""
    known = {"viewport": PHONE, "locale": "en-US", "reduced_motion": "reduce", **options}
    context = await browser.new_context(**known)
    stored = json.dumps({"autopass": False, "tips": ["qwixx", "qwinto"], **(settings or {})})
    await context.add_init_script(f"localStorage['qx.settings'] ??= {json.dumps(stored)}")
    try:
        yield Visitor(context, await context.new_page(), home)
    finally:
        await context.close()

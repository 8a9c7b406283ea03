"""Takes the screenshots into a folder, by default `.screenshots`, and lists the faults; with faults it fails.

`python -m tests.screenshots [screen …]` takes only these screens; LANGUAGES=de,ru only these languages.
"""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from playwright.async_api import Page, async_playwright

from tests.browser import chromium
from tests.browser.visitor import visitor
from tests.embedded.conftest import fresh_folder
from tests.embedded.launcher import UP, LaunchedProgram
from tests.screenshots.faults import accessibility_faults, layout_faults
from tests.screenshots.screens import SIZES, screens

FOLDER = Path(os.environ.get("SCREENSHOTS", ".screenshots"))
LANGUAGES = os.environ.get("LANGUAGES", ",".join(code for code, _ in settings.LANGUAGES)).split(",")
THEMES: tuple[Any, ...] = ("light", "dark")
TABLES_WITHOUT_SCROLLING = ("small-phone", "phone", "landscape-phone", "wide")


async def look(page: Page, name: str, language: str) -> list[str]:
    """All sizes and themes of the screen that is open."""
    found = []
    for theme in THEMES:
        await page.emulate_media(color_scheme=theme)
        for size, viewport in SIZES.items():
            await page.set_viewport_size(viewport)
            await page.evaluate("scrollTo(0, 0)")
            await page.screenshot(path=FOLDER / f"{name}-{size}-{theme}-{language}.png")
            is_table = name.startswith("table-") and size in TABLES_WITHOUT_SCROLLING
            faults = await layout_faults(page, is_table=is_table)
            if size in ("phone", "desktop"):
                faults += await accessibility_faults(page)
            found += [f"{name} {size} {theme} {language}: {fault}" for fault in faults]
    return found


async def take(home: str, wanted: list[str]) -> list[str]:
    found = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium.found(), args=list(chromium.FLAGS))
        for language in LANGUAGES:
            async with visitor(browser, home, locale=language) as guest:
                for screen in screens():
                    if not wanted or screen.name in wanted:
                        await screen.open(guest.page, home)
                        found += await look(guest.page, screen.name, language)
        await browser.close()
    return found


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with fresh_folder() as folder, LaunchedProgram(UP, folder, BOT_DELAY_S="0,0") as program:
        assert program.home
        found = asyncio.run(take(program.home, sys.argv[1:]))
    for fault in found:
        print(fault)  # noqa: T201
    print(f"{len(list(FOLDER.glob('*.png')))} screenshots in {FOLDER}, {len(found)} faults")  # noqa: T201
    sys.exit(bool(found))


if __name__ == "__main__":
    main()

"""What a script can see on a screen: overflow, clipped text, controls over one another, contrast."""

from pathlib import Path

from axe_playwright_python.async_playwright import Axe  # type: ignore[import-untyped]
from playwright.async_api import Page

FIND = (Path(__file__).parent / "faults.js").read_text()
# In a turn of the player nothing is below the edge of the window: prompt, buttons and the rows of the sheet.
BELOW = """() => ["qx-table .felt .actions", "qx-table .own .rows"]
  .map((part) => document.querySelector(part)?.getBoundingClientRect().bottom ?? 0)
  .filter((bottom) => bottom + scrollY > innerHeight + 1).map((bottom) => `below the window: ${Math.round(bottom)}`)"""


async def layout_faults(page: Page, *, is_table: bool = False) -> list[str]:
    found: list[str] = await page.evaluate(FIND)
    return found + (await page.evaluate(BELOW) if is_table else [])


async def accessibility_faults(page: Page) -> list[str]:
    """Every violation that axe finds, of any impact."""
    violations = (await Axe().run(page)).response["violations"]
    return [f"{each['id']}: {node['html'][:100]}" for each in violations for node in each["nodes"][:2]]

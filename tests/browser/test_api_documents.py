"""The page of the API documents is readable on a phone and shows examples."""

import pytest
from playwright.async_api import Browser

SIZES = [(390, 844), (1280, 800)]
IS_WIDER = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_an_operation_shows_its_example_without_sideways_scrolling(
    browser: Browser, home: str, width: int, height: int
) -> None:
    page = await browser.new_page(viewport={"width": width, "height": height})
    await page.goto(f"{home}/api/docs/")
    assert not await page.evaluate(IS_WIDER)
    operation = page.locator("#operations-games-createGame")
    await operation.locator(".opblock-summary-control").click()
    asked = operation.locator(".opblock-section-request-body")
    await asked.locator(".highlight-code", has_text='"visibility": "public"').wait_for()
    created = operation.locator("tr.response[data-code='201'] .highlight-code", has_text='"ruleset": "qwixx"')
    await created.wait_for()
    example = await created.bounding_box()
    assert example
    assert example["width"] > 0.7 * width
    assert not await page.evaluate(IS_WIDER)


@pytest.mark.parametrize("path", ["/api/docs/streams/", "/api/docs/errors"])
async def test_a_page_of_the_documents_fits_on_a_phone(browser: Browser, home: str, path: str) -> None:
    page = await browser.new_page(viewport={"width": 390, "height": 844})
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text))
    await page.goto(f"{home}{path}")
    for example in await page.locator("summary").all():
        await example.click()
    assert not await page.evaluate(IS_WIDER)
    assert await page.evaluate("getComputedStyle(document.querySelector('thead')).display") == "none"
    assert not refused

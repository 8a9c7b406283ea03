"""One service for all tests of the page, and a browser for each of them."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, async_playwright

from tests.browser import chromium
from tests.embedded.conftest import fresh_folder
from tests.embedded.launcher import UP, LaunchedProgram


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With pytest-xdist one worker runs all browser tests: two browsers at once are too slow."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture(scope="session")
def service() -> Iterator[LaunchedProgram]:
    """The service as `make run` starts it, but its bots answer without delay."""
    with fresh_folder() as folder, LaunchedProgram(UP, folder, BOT_DELAY_S="0,0") as program:
        assert program.home
        yield program


@pytest.fixture(scope="session")
def home(service: LaunchedProgram) -> str:
    return service.home


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    path = chromium.found()
    if not path:
        pytest.fail(chromium.MISSING)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=list(chromium.FLAGS))
        yield browser
        await browser.close()

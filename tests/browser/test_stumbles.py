"""What newcomers stumbled over: clocks, forms, codes, links and queues that must mean what they show."""

import re
from typing import Any

import pytest
from playwright.async_api import Browser, Request, Route, expect

from tests.browser.test_meeting import look_for_somebody
from tests.browser.test_two_people import sit_down
from tests.browser.visitor import MINE, Visitor, visitor

SLOW_MS = 1500
WATCH_THE_CLOCK = """() => {
  window.shown = [];
  const look = () => shown.push(...(document.querySelector(".clock")?.textContent.match(/\\d+:\\d\\d/) ?? []));
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""
CHOSEN = "fields => fields.map((field) => field.value)"


async def open_private_game(guest: Visitor, bot: str = "") -> None:
    await guest.visit("/new", "form")
    await guest.page.locator("input[value=private]").check()
    await guest.page.locator("select[name=bot]").select_option(bot)
    await guest.page.locator("button.main").click()


async def test_a_clock_never_shows_more_than_the_limit_however_slow_the_line(browser: Browser, home: str) -> None:
    async def slowly(route: Route) -> None:
        answer = await route.fetch()
        await guest.page.wait_for_timeout(SLOW_MS)
        await route.fulfill(response=answer)

    async with visitor(browser, home) as guest:
        await guest.page.route(re.compile(r"/api/v1/games/[0-9a-f-]{36}$"), slowly)
        await open_private_game(guest, "easy")
        await guest.page.wait_for_selector(".clock")
        await guest.page.evaluate(WATCH_THE_CLOCK)
        for _ in range(8):
            await guest.page.wait_for_selector(MINE)
            await guest.tap()
        shown: list[str] = await guest.page.evaluate("window.shown")
        await guest.page.unroute_all(behavior="ignoreErrors")
        assert "0:45" in shown
        assert max(shown) == "0:45"


async def test_the_form_of_a_new_game_shows_what_will_be_opened(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as guest:
        await guest.visit("/new", "form")
        await guest.page.locator("input[name=seats][value='4']").check()
        await guest.page.locator("input[value=qwinto]").check()
        await guest.page.locator("input[name=seats][value='6']").check()
        await guest.page.locator("input[value=qwixx]").check()
        await expect(guest.page.locator("select[name=bot]")).to_have_count(4)
        assert await guest.page.locator("input[name=seats]:checked").evaluate_all(CHOSEN) == ["5"]
        await guest.page.locator("button.main").click()
        await expect(guest.page.locator("qx-room li", has_text="Free seat")).to_have_count(4)
        assert guest.complaints == []


async def test_a_code_may_be_typed_as_it_was_written_down(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home) as bob:
        await open_private_game(ann)
        code = await ann.text("qx-share .code")
        await bob.visit("/", ".hero")
        await bob.fill("form.inline", code=f" {code[:3].lower()}-{code[3:]} ")
        await bob.page.wait_for_selector(".felt")
        assert ann.complaints + bob.complaints == []


async def test_a_code_that_cannot_be_one_is_refused_in_words(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as guest:
        await guest.visit("/", ".hero")
        await guest.fill("form.inline", code="äöü äö")
        await expect(guest.page.locator("qx-join [role=status]")).to_contain_text("There is nothing here")


@pytest.mark.parametrize("is_public", [True, False], ids=["public", "private"])
async def test_only_a_link_that_others_can_open_is_offered_to_share(
    browser: Browser, home: str, is_public: bool
) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home) as bob:
        if is_public:
            await sit_down(ann, bob, "qwixx")
        else:
            await open_private_game(ann, "easy")
        await ann.page.get_by_role("button", name="Resign").click()
        await ann.page.locator(".ask .danger").click()
        await ann.page.wait_for_selector("qx-after h1")
        await expect(ann.page.get_by_role("button", name="Share")).to_have_count(int(is_public))


async def test_whoever_reloads_while_looking_for_somebody_goes_on_looking(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann:
        await look_for_somebody(ann, "qwixx")
        await ann.page.wait_for_selector("qx-match [role=status]")
        await ann.page.reload()
        await ann.press("Stop looking")
        await ann.page.reload()
        await ann.page.wait_for_selector("qx-match form")
        assert ann.complaints == []


@pytest.mark.timeout(180)
async def test_whoever_passes_by_hand_does_not_pass_again_by_himself(browser: Browser, home: str) -> None:
    passes: list[Any] = []

    def note(request: Request) -> None:
        action = request.post_data_json or {}
        if request.url.endswith("/actions") and action["type"] == "pass":
            passes.append(action)

    async with visitor(browser, home, {"autopass": True}) as ann, visitor(browser, home) as bob:
        await sit_down(ann, bob, "qwixx")
        nothing_fits = ann.page.locator(".felt[data-mine] .prompt p", has_text="Nothing fits here")
        while not (await nothing_fits.count() and await ann.page.locator(".state", has_text="thinking").count() == 2):
            for each in (ann, bob):
                if await each.page.locator(MINE).count():
                    await each.tap()
        ann.page.on("request", note)
        await ann.press("Pass", exact=True)
        await expect(ann.page.locator(".prompt p")).to_contain_text("You pass")
        await ann.page.wait_for_timeout(1200)  # longer than the page waits before it passes by itself
        assert len(passes) == 1

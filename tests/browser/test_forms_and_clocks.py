"""Voided games, clocks, the form of a new game, codes, shared links, and reloads."""

import re

import pytest
from playwright.async_api import Browser, Route, expect

from tests.admin import second_factor
from tests.browser.test_matchmaking_and_invitations import join_the_queue
from tests.browser.test_whole_games_of_two import start_game
from tests.browser.visitor import MINE, Visitor, visitor
from tests.embedded.launcher import LaunchedProgram

SLOW_MS = 1500
WATCH_THE_CLOCK = """() => {
  window.shown = [];
  const look = () => shown.push(...(document.querySelector(".clock")?.textContent.match(/\\d+:\\d\\d/) ?? []));
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""
FITS = "document.documentElement.scrollWidth <= window.innerWidth"
CHOSEN = "fields => fields.map((field) => field.value)"


async def open_private_game(guest: Visitor, bot: str = "") -> None:
    await guest.visit("/new", "form")
    await guest.page.locator("input[value=private]").check()
    await guest.page.locator("select[name=bot]").select_option(bot)
    await guest.page.locator("button.main").click()


async def enrol(staff: Visitor) -> None:
    """Set up the second factor, to which the first login leads; the pages fit a phone and show their QR code."""
    key = await staff.text(".qx-factor .qx-mono")
    assert await staff.page.locator(".qx-qr").evaluate("image => image.complete && image.naturalWidth > 0")
    assert await staff.page.evaluate(FITS)
    await staff.page.locator("[name=code]").fill(second_factor.current_code(key))
    await staff.page.keyboard.press("Enter")
    await expect(staff.page.locator(".qx-codes li")).to_have_count(10)
    assert await staff.page.evaluate(FITS)
    assert staff.console_errors == []
    await staff.page.locator(".qx-continue").click()


async def void(staff: Visitor, service: LaunchedProgram, game: str) -> None:
    """Void a game in the admin, with a reason and a confirmation."""
    known = re.search(r"log in to the admin as (\S+) with (\S+)", "\n".join(service.lines))
    assert known
    staff.page.on("dialog", lambda dialog: dialog.accept())
    await staff.visit(f"/admin/games/game/{game}/change/", "[name=username]")
    await staff.page.locator("[name=username]").fill(known[1])
    await staff.page.locator("[name=password]").fill(known[2])
    await staff.page.keyboard.press("Enter")
    await enrol(staff)
    form = staff.page.locator("form", has=staff.page.get_by_role("button", name="Void game", exact=True)).last
    await form.locator("[name=reason]").fill("both were the same person")
    await form.get_by_role("button").click()
    await staff.page.get_by_text("Game voided.").wait_for()


async def test_a_voided_game_says_so_and_is_listed_as_voided(
    browser: Browser, home: str, service: LaunchedProgram
) -> None:
    async with visitor(browser, home) as guest, visitor(browser, home) as staff:
        await open_private_game(guest, "easy")
        await guest.page.get_by_role("button", name="Resign").click()
        await guest.page.locator(".ask .danger").click()
        await guest.page.wait_for_selector("qx-after h1")
        await void(staff, service, guest.page.url.rsplit("/", 1)[1])
        await expect(guest.page.locator(".result .verdict")).to_have_text(
            "Staff have voided this game: it counts for nothing."
        )
        await guest.visit("/games", "qx-games section.card")
        await expect(guest.page.locator("section.card:has(h2:text('Voided')) li.game")).to_have_count(1)
        assert guest.console_errors == []


async def test_a_clock_never_shows_more_than_the_limit_on_a_slow_network(browser: Browser, home: str) -> None:
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
        assert "0:40" < max(shown) <= "0:45"


async def test_the_form_of_a_new_game_shows_the_seats_that_are_created(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as guest:
        await guest.visit("/new", "form")
        await guest.page.locator("input[name=seats][value='4']").check()
        await guest.page.locator("input[value=qwinto]").check()
        await guest.page.locator("input[name=seats][value='6']").check()
        await guest.page.locator("input[value=qwixx]").check()
        await expect(guest.page.locator("select[name=bot]")).to_have_count(4)
        assert await guest.page.locator("input[name=seats]:checked").evaluate_all(CHOSEN) == ["5"]
        await guest.page.locator("button.main").click()
        await expect(guest.page.locator("qx-room li", has_text="Open seat")).to_have_count(4)
        assert guest.console_errors == []


async def test_a_code_may_be_typed_in_lower_case_with_spaces_and_dashes(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home) as bob:
        await open_private_game(ann)
        code = await ann.text("qx-share .code")
        await bob.visit("/", ".hero")
        await bob.fill("form.inline", code=f" {code[:3].lower()}-{code[3:]} ")
        await bob.page.wait_for_selector(".felt")
        assert ann.console_errors + bob.console_errors == []


async def test_an_impossible_code_is_refused_with_a_text(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as guest:
        await guest.visit("/", ".hero")
        await guest.fill("form.inline", code="äöü äö")
        await expect(guest.page.locator("qx-join [role=status]")).to_contain_text("does not exist")


@pytest.mark.parametrize("is_public", [True, False], ids=["public", "private"])
async def test_a_shared_link_shows_the_game_to_others_also_if_it_is_private(
    browser: Browser, home: str, is_public: bool
) -> None:
    async with visitor(browser, home) as ann, visitor(browser, home) as bob:
        if is_public:
            await start_game(ann, bob, "qwixx")
        else:
            await open_private_game(ann, "easy")
        await ann.page.get_by_role("button", name="Resign").click()
        await ann.page.locator(".ask .danger").click()
        await ann.page.wait_for_selector("qx-after h1")
        await ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
        await ann.press("Share")
        await ann.sees_message("The link is in your clipboard")
        link = await ann.page.evaluate("navigator.clipboard.readText()")
        await bob.visit(link.removeprefix(home), "qx-after .ranking li .parts")
        await bob.page.locator("[aria-label='One turn back']").click()
        await expect(bob.page.locator(".told")).to_contain_text("turn")
        await bob.press("Check it now")
        await bob.page.wait_for_selector(".verdict[data-mood=good]")
        async with ann.page.expect_download() as picture:
            await ann.press("Picture")
        assert (await picture.value).suggested_filename == "qwixx.png"
        assert ann.console_errors + bob.console_errors == []


async def test_a_player_in_the_queue_stays_in_it_after_a_reload(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as ann:
        await join_the_queue(ann, "qwixx")
        await ann.page.wait_for_selector("qx-match [role=status]")
        await ann.page.reload()
        await ann.press("Stop searching")
        await ann.page.reload()
        await ann.page.wait_for_selector("qx-match form")
        assert ann.console_errors == []


async def test_bots_are_not_offered_where_a_game_is_rated(browser: Browser, home: str) -> None:
    async with visitor(browser, home) as guest:
        await guest.visit("/new", "form")
        bots, rated = guest.page.locator("select[name=bot]"), guest.page.locator("input[name=rated]")
        await expect(bots).to_have_count(1)
        await rated.check()
        await expect(bots).to_have_count(0)
        await guest.page.locator("button.main").click()
        await expect(guest.page.locator("qx-room")).to_be_visible()
        await expect(guest.page.locator("qx-room select[name=level]")).to_have_count(0)
        await guest.visit("/lobby", "qx-match form")
        fill = guest.page.locator("qx-match input[name=bots]")
        await expect(fill).to_have_count(1)
        await guest.page.locator("qx-match input[name=rated]").check()
        await expect(fill).to_have_count(0)

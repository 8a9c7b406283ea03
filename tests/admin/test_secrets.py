"""No page gives away a sealed answer or a seed before its time, whatever version is on show; in time each is there."""

import html
import re
from typing import Any, NamedTuple

import pytest
from django.apps import apps
from django.contrib import admin
from django.http import HttpRequest

from games.log.models import Event, Seed
from players.admin.read_only import ReadOnlyAdmin
from tests.admin.conftest import LogIn, Staff
from tests.api.client import Json, Player, table
from tests.players.conftest import in_a_thread

SEALED_PHASES = {"qwixx": "white", "qwinto": "write"}
ITEM = re.compile(r'class="qx-version">(\d+)</a>\s*<div>(.*?)\n.*?<p class="qx-mono">(.*?)</p>', re.DOTALL)
SHEETS = re.compile(r'<div class="qx-sheet">.*?</p>', re.DOTALL)


class Told(NamedTuple):
    """One event as a page tells it: its sentence, and what it shows of the log."""

    sentence: str
    data: str


def told_on(page: str) -> dict[int, Told]:
    return {int(version): Told(html.unescape(text), html.unescape(raw)) for version, text, raw in ITEM.findall(page)}


def in_words(action: Json) -> str:
    """As the page would say it, were it to."""
    if action["type"] == "mark":
        return f"{action['row']} {action['number']}"
    return f"{action['row']}, column {action['column']}" if action["type"] == "write" else str(action["type"])


async def page(staff: Staff, game: Json, version: int | None = None) -> str:
    query = f"?version={version}" if version else ""
    text: str = await in_a_thread(staff.page, f"games/game/{game['id']}/change/{query}")
    return text


async def seal(game: Json, active: Player) -> Any:
    """One answer that is not a pass, if there is any; the event as the log has it."""
    await active.act(game, (await active.view(game))["options"][0])
    return await in_a_thread(lambda: Event.objects.filter(game=game["id"], type="answer_sealed").latest("version"))


async def assert_hidden(staff: Staff, game: Json, sealed: Any, seeds: list[str]) -> None:
    answer = f"answers: {in_words(sealed.data['action'])}"
    for version in range(1, sealed.version + 1):
        shown = await page(staff, game, version)
        assert sealed.data["nonce"] not in shown
        assert [seed for seed in seeds if seed in shown] == []
    told = told_on(shown)
    assert len(told) == min(40, sealed.version)
    assert told[sealed.version].sentence.endswith("answers: sealed")
    assert answer not in told[sealed.version].sentence
    assert told[sealed.version].data == f'{{"seat":{sealed.data["seat"]}}}'
    # An answer is not on anybody's sheet before it counts.
    assert SHEETS.findall(shown) == SHEETS.findall(await page(staff, game, sealed.version - 1)) != []


@pytest.mark.parametrize("ruleset", SEALED_PHASES)
async def test_sealed_answers_and_seeds_are_shown_when_their_time_has_come_and_not_before(
    log_in: LogIn, ann: Player, bob: Player, ruleset: str
) -> None:
    game = await table([ann, bob], ruleset=ruleset, clock={"roll_s": 600, "answer_s": 600})
    staff, seats = await in_a_thread(log_in, "superuser"), {ann.player["id"]: ann, bob.player["id"]: bob}
    seeds = await in_a_thread(lambda: [bytes(s).hex() for s in Seed.objects.values_list("secret", "bot_secret").get()])
    revealed: list[str] = []
    while len(revealed) < 3:
        view = await ann.view(game)
        active = seats[view["seats"][view["turn"]["active"]]["player"]["id"]]
        quiet = bob if active is ann else ann
        if view["turn"]["phase"] != SEALED_PHASES[ruleset]:
            await active.act(game, (await active.view(game))["options"][0])
            continue
        sealed = await seal(game, active)
        await assert_hidden(staff, game, sealed, seeds)
        for place in ("", "games/game/", f"players/player/{active.player['id']}/change/"):
            shown = await in_a_thread(staff.page, place)
            assert not [secret for secret in (*seeds, sealed.data["nonce"], '"action"', "b&#x27;") if secret in shown]
        await quiet.act(game, (await quiet.view(game))["options"][-1])
        # It was looked for in the right place: there it is.
        told = told_on(await page(staff, game))[sealed.version]
        assert told.sentence.endswith(f"answers: {in_words(sealed.data['action'])}")
        assert sealed.data["nonce"] in told.data
        revealed.append(sealed.data["action"]["type"])
    assert set(revealed) & {"mark", "write"}
    assert seeds[0] not in await page(staff, game)
    await in_a_thread(staff.order, f"games/game/{game['id']}", "abort", reason="A test.")
    assert seeds[0] in await page(staff, game)
    assert seeds[1] not in await page(staff, game)  # what bots draw from is nobody's


async def test_an_answer_that_was_replaced_stays_sealed_too(log_in: LogIn, ann: Player, bob: Player) -> None:
    game = await table([ann, bob])
    staff = await in_a_thread(log_in, "superuser")
    active = ann if (await ann.view(game))["options"] else bob
    await active.act(game, (await active.view(game))["options"][0])
    first, last = [(await active.view(game))["options"][place] for place in (0, -1)]
    await active.act(game, first)
    await active.act(game, last)
    told = told_on(await page(staff, game))
    sealed = [told[version] for version in sorted(told)[-2:]]
    assert [event.sentence.endswith("answers: sealed") for event in sealed] == [True, True]


def test_no_list_shows_a_field_of_a_table_and_no_page_changes_a_row() -> None:
    """A column by the name of a field would show the field, whatever is in it."""
    for model, shown in admin.site._registry.items():
        if model._meta.app_label in ("games", "players"):
            assert isinstance(shown, ReadOnlyAdmin)
            assert set(shown.list_display) & {field.name for field in model._meta.get_fields()} == set()
            allowed = (shown.has_add_permission, shown.has_change_permission, shown.has_delete_permission)
            assert [may(HttpRequest()) for may in allowed] == [False, False, False]
    for secret in ("Event", "Seed", "Snapshot"):  # with all that is sealed in them
        assert apps.get_model("games", secret) not in admin.site._registry

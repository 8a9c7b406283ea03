"""No page shows a sealed answer or a seed before it is revealed, at any version; afterwards the page shows both."""

import html
import json
import re
from typing import Any, NamedTuple

import pytest
from django.apps import apps
from django.contrib import admin
from django.http import HttpRequest
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from games.log.models import Seed, StoredEvent
from players.admin.read_only import ReadOnlyAdmin
from tests.admin.conftest import LogIn, Staff
from tests.api.client import Json, Player, table
from tests.players.conftest import in_a_thread

SEALED_PHASES = {"qwixx": "white", "qwinto": "write"}
ITEM = re.compile(r'class="qx-version">(\d+)</a>\s*<div>(.*?)\n.*?<p class="qx-mono">(.*?)</p>', re.DOTALL)
SHEETS = re.compile(r'<div class="qx-sheet">.*?</p>', re.DOTALL)


class EventRow(NamedTuple):
    """One event on a page: its sentence and its data."""

    sentence: str
    data: str


def event_rows(page: str) -> dict[int, EventRow]:
    return {
        int(version): EventRow(html.unescape(text), html.unescape(raw)) for version, text, raw in ITEM.findall(page)
    }


def action_text(action: Json) -> str:
    """The action as a page shows it."""
    if action["type"] == "mark":
        return f"{action['row']} {action['number']}"
    return f"{action['row']}, column {action['column']}" if action["type"] == "write" else str(action["type"])


async def page(staff: Staff, game: Json, version: int | None = None) -> str:
    query = f"?version={version}" if version else ""
    text: str = await in_a_thread(staff.page, f"games/game/{game['id']}/change/{query}")
    return text


async def seal(game: Json, active: Player) -> Any:
    """Answers with the first option, which is a pass only if there is no other; returns the event of the log."""
    await active.act(game, (await active.view(game))["options"][0])
    sealed = await in_a_thread(
        lambda: StoredEvent.objects.filter(game=game["id"], type="answer_sealed").latest("version")
    )
    sealed.data = json.loads(sealed.body or "")
    return sealed


async def assert_hidden(staff: Staff, game: Json, sealed: Any, seeds: list[str]) -> None:
    answer = f"answers: {action_text(sealed.data['action'])}"
    for version in range(1, sealed.version + 1):
        text = await page(staff, game, version)
        assert sealed.data["nonce"] not in text
        assert [seed for seed in seeds if seed in text] == []
    for query in ("view=chain", "type=answer_sealed", f"type=answer_sealed&seat={sealed.data['seat']}&view=chain"):
        filtered = await in_a_thread(staff.page, f"games/game/{game['id']}/change/?{query}")
        assert event_rows(filtered)[sealed.version].data == f'{{"seat":{sealed.data["seat"]}}}'
        assert sealed.data["nonce"] not in filtered
        assert [seed for seed in seeds if seed in filtered] == []
    rows = event_rows(text)
    assert len(rows) == min(40, sealed.version)
    assert rows[sealed.version].sentence.endswith("answers: sealed")
    assert answer not in rows[sealed.version].sentence
    assert rows[sealed.version].data == f'{{"seat":{sealed.data["seat"]}}}'
    # An answer is on no sheet before its phase is closed.
    assert SHEETS.findall(text) == SHEETS.findall(await page(staff, game, sealed.version - 1)) != []


@pytest.mark.parametrize("ruleset", SEALED_PHASES)
async def test_pages_show_sealed_answers_and_seeds_only_after_they_are_revealed(
    log_in: LogIn, ann: Player, bob: Player, ruleset: str
) -> None:
    game = await table([ann, bob], ruleset=ruleset, clock={"roll_s": 600, "answer_s": 600})
    staff, seats = await in_a_thread(log_in, "superuser"), {ann.player["id"]: ann, bob.player["id"]: bob}
    seeds = await in_a_thread(lambda: [bytes(s).hex() for s in Seed.objects.values_list("secret", "bot_secret").get()])
    revealed: list[str] = []
    while len(revealed) < 3:
        view = await ann.view(game)
        active = seats[view["seats"][view["turn"]["active"]]["player"]["id"]]
        other = bob if active is ann else ann
        if view["turn"]["phase"] != SEALED_PHASES[ruleset]:
            await active.act(game, (await active.view(game))["options"][0])
            continue
        sealed = await seal(game, active)
        await assert_hidden(staff, game, sealed, seeds)
        exports = ("players/staffaction/export/", "games/game/statistics/ends.csv")
        for place in (
            "",
            "games/game/",
            "games/game/statistics/",
            *exports,
            f"players/player/{active.player['id']}/change/",
        ):
            text = await in_a_thread(staff.page, place)
            assert not [secret for secret in (*seeds, sealed.data["nonce"], '"action"', "b&#x27;") if secret in text]
        await other.act(game, (await other.view(game))["options"][-1])
        # The same place shows the answer now, so the checks above looked in the right place.
        rows = event_rows(await page(staff, game))[sealed.version]
        assert rows.sentence.endswith(f"answers: {action_text(sealed.data['action'])}")
        assert sealed.data["nonce"] in rows.data
        revealed.append(sealed.data["action"]["type"])
    assert set(revealed) & {"mark", "write"}
    assert seeds[0] not in await page(staff, game)
    await in_a_thread(staff.perform, f"games/game/{game['id']}", "abort", reason="A test.")
    assert seeds[0] in await page(staff, game)
    assert seeds[1] not in await page(staff, game)  # the seed of the bots is never shown


async def test_replaced_answer_stays_sealed(log_in: LogIn, ann: Player, bob: Player) -> None:
    game = await table([ann, bob])
    staff = await in_a_thread(log_in, "superuser")
    active = ann if (await ann.view(game))["options"] else bob
    await active.act(game, (await active.view(game))["options"][0])
    first, last = [(await active.view(game))["options"][place] for place in (0, -1)]
    await active.act(game, first)
    await active.act(game, last)
    rows = event_rows(await page(staff, game))
    sealed = [rows[version] for version in sorted(rows)[-2:]]
    assert [event.sentence.endswith("answers: sealed") for event in sealed] == [True, True]


def test_lists_show_no_model_field_and_pages_change_no_row() -> None:
    """Django would show a field for a column with the name of the field."""
    models = [*apps.get_app_config("games").get_models(), *apps.get_app_config("players").get_models()]
    for model in filter(admin.site.is_registered, models):
        page = admin.site.get_model_admin(model)
        assert isinstance(page, ReadOnlyAdmin)
        assert set(page.list_display) & {field.name for field in model._meta.get_fields()} == set()
        permissions = (page.has_add_permission, page.has_change_permission, page.has_delete_permission)
        assert [has_permission(HttpRequest()) for has_permission in permissions] == [False, False, False]
    for name in ("StoredEvent", "Seed", "Snapshot"):  # they contain sealed answers and seeds
        assert not admin.site.is_registered(apps.get_model("games", name))
    for model in (TOTPDevice, StaticDevice):  # they contain keys and recovery codes
        assert not admin.site.is_registered(model)

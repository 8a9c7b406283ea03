"""Facts and their JSON form: stable names, complete data, flags, old versions."""

import json
from dataclasses import dataclass
from typing import Any

import pytest

from games.game import event_types, game_facts
from games.game.event_types import FACTS, VERSIONS, by_name, decode, encode
from games.rules.facts import DiceRolled, PhaseClosed
from games.rules.registry import RULESETS

# The names of the contract, section 6, and the one that clauses of sheets need.
NAMES = {
    *(
        "game_created",
        "seat_taken",
        "seed_given",
        "seat_left",
        "game_started",
        "turn_started",
        "dice_rolled",
        "dice_kept",
    ),
    *("answer_sealed", "phase_closed", "cell_marked", "number_written", "row_closed", "penalty_taken", "throw_failed"),
    *("time_ran_out", "seat_went_away", "seat_came_back", "seat_resigned", "game_ended", "game_aborted"),
    *("rematch_created", "time_credited", "clock_paused", "clock_resumed", "game_voided", "note_made"),
}


def test_facts_are_stored_under_the_names_of_the_contract() -> None:
    assert set(FACTS) == NAMES


def test_no_two_facts_share_a_name_or_a_class() -> None:
    count = (
        len(game_facts.GAME_FACTS)
        + len(event_types.TURN_FACTS)
        + sum(len(ruleset.facts) for ruleset in RULESETS.values())
    )
    assert len(FACTS) == len(set(FACTS.values())) == count


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_fact_is_frozen(name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(_any(name), FACTS[name].__match_args__[0], "changed")


def _any(name: str) -> Any:
    return FACTS[name](*(f"{field}-value" for field in FACTS[name].__match_args__))


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_fact_survives_json(name: str) -> None:
    stored, v, data = encode(_any(name))
    assert (stored, v) == (name, 2 if name == "dice_rolled" else 1)
    assert decode(stored, v, json.loads(json.dumps(data))) == _any(name)


def test_tuples_of_facts_are_lists_in_json() -> None:
    closed = PhaseClosed("white", ({"seat": 0},), None)
    assert encode(closed)[2] == {"phase": "white", "answers": [{"seat": 0}], "deadline": None}
    assert decode("phase_closed", 1, encode(closed)[2]) == closed


def test_an_absent_value_is_stored_as_null() -> None:
    assert encode(PhaseClosed("colour"))[2] == {"phase": "colour", "answers": None, "deadline": None}


def test_dice_are_stored_as_players_see_them() -> None:
    dice = {"white": [4, 1], "red": [3]}
    assert encode(DiceRolled(0, 7, dice, None))[2]["dice"] == dice


def test_dice_that_were_stored_as_numbers_are_read_as_lists() -> None:
    data: Any = {"seat": 0, "roll": 7, "dice": {"white": [4, 1], "red": 3}, "deadline": None}
    assert decode("dice_rolled", 1, data) == DiceRolled(0, 7, {"white": [4, 1], "red": [3]})
    assert data["dice"]["red"] == 3  # the stored event is not changed: its hash covers it


def test_only_a_sealed_answer_has_secret_fields() -> None:
    assert {name: by_name(name).secret_fields for name in NAMES if by_name(name).secret_fields} == {
        "answer_sealed": ("action", "nonce")
    }


FLAGGED = {
    "opens_phase": {"turn_started", "dice_rolled", "dice_kept", "phase_closed"},
    "changes_lobby": {
        *("game_created", "seat_taken", "seat_left", "game_started", "game_ended", "game_aborted", "game_voided"),
    },
    "needed_for_results": {
        *("game_created", "seat_taken", "seat_left", "game_started"),
        *("seat_went_away", "seat_came_back", "seat_resigned", "game_ended", "game_voided"),
    },
    "changes_results": {"game_ended", "game_voided"},
}


@pytest.mark.parametrize("flag", sorted(FLAGGED))
def test_a_flag_is_set_on_exactly_these_facts(flag: str) -> None:
    assert {name for name in NAMES if getattr(by_name(name), flag)} == FLAGGED[flag]


@dataclass(frozen=True, slots=True)
class Weather:
    """A fact that has been stored in three forms over the years."""

    sky: str
    degrees: int


def test_old_event_versions_are_upcast_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(event_types.FACTS, "weather", Weather)
    monkeypatch.setitem(event_types.VERSIONS, "weather", 3)
    monkeypatch.setitem(event_types.UPCASTS, ("weather", 1), lambda data: {"sky": data["colour"]})
    monkeypatch.setitem(event_types.UPCASTS, ("weather", 2), lambda data: {**data, "degrees": 20})
    assert decode("weather", 1, {"colour": "grey"}) == Weather("grey", 20)
    assert decode("weather", 2, {"sky": "blue"}) == Weather("blue", 20)
    assert decode("weather", 3, {"sky": "blue", "degrees": 5}) == Weather("blue", 5)


def test_every_old_version_has_its_upcast() -> None:
    assert {(name, v) for name in FACTS for v in range(1, VERSIONS[name])} == set(event_types.UPCASTS)

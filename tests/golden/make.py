"""Makes the golden games: `python -m tests.golden.make` writes them; its output must never change.

Each is a log as the export gives it (`<name>.ndjson`) and what its last state shows (`<name>.json`). A
difference means that old games are read or played differently: a bug, or a new version of an event. The folder
`v1` has the games from before `dice_rolled` v 2; they are never written again.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from games.game.aggregate import PRESENT, GameState
from games.game.decisions import lobby, play
from games.rules.actions import Roll
from tests.builders import PLAYERS, GameDriver, started
from tests.golden.players import SeededChoices, answer

HERE = Path(__file__).parent


def two_play_qwixx() -> GameDriver:
    return _played("qwixx", 2, salt=0)  # the salts were chosen for different endings


def five_play_qwixx() -> GameDriver:
    return _played("qwixx", 5, salt=0)


def two_play_qwinto() -> GameDriver:
    return _played("qwinto", 2, salt=1)


def six_play_qwinto() -> GameDriver:
    return _played("qwinto", 6, salt=6)


def some_do_not_stay() -> GameDriver:
    """Time-outs, a seat that goes away, pays for a turn and comes back, replaced answers, and a resignation."""
    driver, choices = _driver("qwixx", 3, "absences"), SeededChoices("absences")
    _play(driver, choices, until_turn=4)
    while driver.state(2) == PRESENT:
        _step(driver, choices, silent=2)
    _play(driver, choices, until_turn=driver.game.position.turn + 3)
    driver.come_back(2)
    _play(driver, choices, until_turn=driver.game.position.turn + 4)
    driver.act(driver.active, Roll())
    for action in play.options(driver.game, 0)[:3]:
        driver.act(0, action)
    driver.resign(1)
    _play(driver, choices)
    return driver


def seeds_come_late() -> GameDriver:
    """Three announce a seed and one sends it, twice; a seat changes hands during the wait; the time runs out."""
    choices = SeededChoices("secret of seeds")
    secret, number = bytes(choices.below(256) for _ in range(32)), choices.below(16**12)
    game_id = f"01900000-0000-7000-8000-{number:012x}"
    driver = GameDriver("qwixx", seats=3, secret=secret, game_id=game_id, client_seed="gold", late_seed=True)
    driver.do(lobby.give_seed, PLAYERS[0], "gold-after-all")
    driver.join(PLAYERS[1], client_seed="silver")
    driver.join(PLAYERS[2], late_seed=True)
    driver.do(lobby.leave, PLAYERS[2])
    driver.join(PLAYERS[3], late_seed=True)
    driver.wait(2)
    driver.do(lobby.give_seed, PLAYERS[0], "gold-in-the-end")
    driver.time_out()
    _play(driver, SeededChoices("seeds"))
    return driver


GAMES: dict[str, Callable[[], GameDriver]] = {
    "two-play-qwixx": two_play_qwixx,
    "five-play-qwixx": five_play_qwixx,
    "two-play-qwinto": two_play_qwinto,
    "six-play-qwinto": six_play_qwinto,
    "some-do-not-stay": some_do_not_stay,
    "seeds-come-late": seeds_come_late,
}
V1_GAMES = tuple(name for name in GAMES if name != "seeds-come-late")


def _driver(ruleset: str, seats: int, name: str) -> GameDriver:
    choices = SeededChoices(f"secret of {name}")
    secret, number = bytes(choices.below(256) for _ in range(32)), choices.below(16**12)
    return started(ruleset, seats, secret=secret, game_id=f"01900000-0000-7000-8000-{number:012x}", client_seed="gold")


def _played(ruleset: str, seats: int, *, salt: int) -> GameDriver:
    name = f"{ruleset} {seats} {salt}"
    driver = _driver(ruleset, seats, name)
    _play(driver, SeededChoices(name))
    return driver


def _play(driver: GameDriver, choices: SeededChoices, until_turn: int = 10_000) -> None:
    while not driver.game.is_over and driver.game.position.turn < until_turn:
        _step(driver, choices)


def _step(driver: GameDriver, choices: SeededChoices, silent: int | None = None) -> None:
    """A seat answers one to two seconds later; if only the silent seat is left, its time runs out."""
    able = [seat for seat in driver.game.waiting_for() if seat != silent]
    if not able:
        driver.time_out()
        return
    driver.wait(1 + choices.below(1000) / 1000)
    seat = choices.of(able)
    driver.act(seat, answer(driver.game.position, seat, play.options(driver.game, seat), choices))


def log(driver: GameDriver) -> str:
    """The export's lines: what it is, then every event."""
    head = {"format": "qwixx-log", "format_version": 1, "game": driver.game.id, "ruleset": driver.game.setup.ruleset}
    head |= {"sheet": driver.game.setup.sheet, "events": len(driver.log), "complete": driver.game.is_over}
    lines = [head, *(event.envelope() for event in driver.log)]
    return "".join(json.dumps(line, sort_keys=True, ensure_ascii=False) + "\n" for line in lines)


def summary(game: GameState) -> dict[str, Any]:
    """What the last state shows to all viewers."""
    ruleset, position, result = game.ruleset, game.position, game.result
    return {
        "status": game.status,
        "version": game.version,
        "head": game.head,
        "at": game.at,
        "turn": position.turn,
        "roll": position.roll,
        "seats": [participant.state for participant in game.participants],
        "sheets": [ruleset.sheet_view(position, participant.seat) for participant in game.participants],
        "closed_rows": ruleset.closed_rows(position),
        "result": result and {"reason": result.reason, "ranking": list(result.ranking)},
    }


def shown(game: GameState) -> str:
    return json.dumps(summary(game), indent=1, sort_keys=True) + "\n"


def main() -> None:
    for name, make in GAMES.items():
        driver = make()
        (HERE / f"{name}.ndjson").write_text(log(driver), encoding="utf-8")
        (HERE / f"{name}.json").write_text(shown(driver.game), encoding="utf-8")


if __name__ == "__main__":
    main()

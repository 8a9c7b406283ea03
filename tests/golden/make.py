"""Makes the golden games: `python -m tests.golden.make` writes them; what it writes must never change by itself.

Each is a log as the export gives it (`<name>.ndjson`) and what its last state shows (`<name>.json`). If they should
differ, old games would be read or played differently from now on: that is a fault, or a new version of an event.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from games.game import play
from games.game.aggregate import PRESENT, Game
from games.rules.actions import Roll
from tests.builders import Table, started
from tests.golden.players import Whim, answer

HERE = Path(__file__).parent


def two_play_qwixx() -> Table:
    return _played("qwixx", 2, salt=0)  # the salts were chosen for different ends


def five_play_qwixx() -> Table:
    return _played("qwixx", 5, salt=0)


def two_play_qwinto() -> Table:
    return _played("qwinto", 2, salt=1)


def six_play_qwinto() -> Table:
    return _played("qwinto", 6, salt=6)


def some_do_not_stay() -> Table:
    """Time-outs, a seat that goes away and comes back, answers that are replaced, and a resignation."""
    table, whim = _table("qwixx", 3, "absences"), Whim("absences")
    _play(table, whim, until_turn=4)
    while table.state(2) == PRESENT:
        _step(table, whim, silent=2)
    _play(table, whim, until_turn=table.game.position.turn + 3)
    table.come_back(2)
    _play(table, whim, until_turn=table.game.position.turn + 4)
    table.act(table.active, Roll())
    for action in play.options(table.game, 0)[:3]:
        table.act(0, action)
    table.resign(1)
    _play(table, whim)
    return table


GAMES: dict[str, Callable[[], Table]] = {
    "two-play-qwixx": two_play_qwixx,
    "five-play-qwixx": five_play_qwixx,
    "two-play-qwinto": two_play_qwinto,
    "six-play-qwinto": six_play_qwinto,
    "some-do-not-stay": some_do_not_stay,
}


def _table(ruleset: str, seats: int, name: str) -> Table:
    whim = Whim(f"secret of {name}")
    secret, number = bytes(whim.below(256) for _ in range(32)), whim.below(16**12)
    return started(ruleset, seats, secret=secret, game_id=f"01900000-0000-7000-8000-{number:012x}", client_seed="gold")


def _played(ruleset: str, seats: int, *, salt: int) -> Table:
    name = f"{ruleset} {seats} {salt}"
    table = _table(ruleset, seats, name)
    _play(table, Whim(name))
    return table


def _play(table: Table, whim: Whim, until_turn: int = 10_000) -> None:
    while not table.game.is_over and table.game.position.turn < until_turn:
        _step(table, whim)


def _step(table: Table, whim: Whim, silent: int | None = None) -> None:
    """Somebody who is waited for answers a second or two later; if it is the silent one, time runs out."""
    able = [seat for seat in table.game.waiting_for() if seat != silent]
    if not able:
        table.time_out()
        return
    table.wait(1 + whim.below(1000) / 1000)
    seat = whim.of(able)
    table.act(seat, answer(table.game.position, seat, play.options(table.game, seat), whim))


def log(table: Table) -> str:
    """The export's lines: what it is, then every event."""
    head = {"format": "qwixx-log", "format_version": 1, "game": table.game.id, "ruleset": table.game.setup.ruleset}
    head |= {"sheet": table.game.setup.sheet, "events": len(table.log), "complete": table.game.is_over}
    lines = [head, *(event.envelope() for event in table.log)]
    return "".join(json.dumps(line, sort_keys=True, ensure_ascii=False) + "\n" for line in lines)


def summary(game: Game) -> dict[str, Any]:
    """What the last state shows to everybody."""
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


def shown(game: Game) -> str:
    return json.dumps(summary(game), indent=1, sort_keys=True) + "\n"


def main() -> None:
    for name, make in GAMES.items():
        table = make()
        (HERE / f"{name}.ndjson").write_text(log(table), encoding="utf-8")
        (HERE / f"{name}.json").write_text(shown(table.game), encoding="utf-8")


if __name__ == "__main__":
    main()

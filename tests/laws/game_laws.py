"""The laws of the aggregate, checked after every append and at the end of every game."""

import json
import re
from collections.abc import Iterable, Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Any

from games.game.aggregate import OPEN, PLAYING, PRESENT, RESIGNED, GameState, fold
from games.game.decisions import play
from games.game.event_types import by_name, decode
from games.game.events import GENESIS, Event, chain_hash, first_bad_version, moment_of, stamp
from games.game.game_facts import AnswerSealed
from games.rules.actions import Request
from games.rules.registry import RULESETS
from tests.builders import GameDriver
from tests.laws.expected_dice import by_hand, entropy_by_hand, names_and_faces

AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
REVEALERS = ("game_ended", "game_aborted", "game_voided")


def through_json(events: Iterable[Event]) -> list[Event]:
    """Events as they are read from JSON, with keys in another order."""
    return [Event(**json.loads(json.dumps(event.envelope(), sort_keys=True))) for event in events]


def check_append(before: GameState | None, events: Sequence[Event], after: GameState) -> None:
    """One append: linked to the chain, with one time, and sufficient to fold the same game."""
    version, prev, at = (before.version, before.head, before.at) if before else (0, GENESIS, "")
    for event in events:
        version += 1
        assert (event.version, event.prev) == (version, prev)
        prev = chain_hash(prev, event.game, version, event.type, event.v, event.at, event.data)
        assert event.hash == prev
    assert {event.at for event in events} == {after.at}
    assert AT.fullmatch(after.at)
    assert after.at > at
    assert fold(before, through_json(events)) == after
    _check_deadlines(before, events, after)


def _check_deadlines(before: GameState | None, events: Sequence[Event], after: GameState) -> None:
    """An event that opens a phase has its deadline, unless no seat has to answer or no clock runs."""
    game = before
    for place, event in enumerate(events):
        game = fold(game, [event])
        if not by_name(event.type).opens_phase:
            continue
        end = next(
            (at for at, later in enumerate(events) if at > place and by_name(later.type).opens_phase), len(events)
        )
        reached = fold(game, events[place + 1 : end]) if place + 1 < end else game
        assert event.data["deadline"] == _due(reached, event.at), event
    if after.status == PLAYING and any(by_name(event.type).opens_phase for event in events):
        last = [event for event in events if by_name(event.type).opens_phase][-1]
        assert after.deadline == last.data["deadline"]


def _due(game: GameState, at: str) -> str | None:
    if game.setup.clock is None or game.paused or not game.waiting_for():
        return None
    is_rolling = game.position.phase in ("roll", "keep")
    seconds = game.setup.clock.roll_s if is_rolling else game.setup.clock.answer_s
    return stamp(moment_of(at) + timedelta(seconds=seconds))


def check_tip(game: GameState) -> None:
    """A stored game waits for a seat if and only if it is playing, and has a deadline if and only if a clock runs."""
    is_playing = game.status == PLAYING
    assert bool(game.waiting_for()) == is_playing
    waits_for_start = game.status == OPEN and len(game.participants) == game.setup.seats
    assert (game.deadline is not None) == (waits_for_start or runs_clock(game))
    assert not waits_for_start or game.awaited_seeds()
    assert not (game.status != OPEN and game.awaited_seeds() and not game.is_over)
    assert (game.result is None) == (not game.is_over)
    if is_playing:
        assert game.ruleset.ending(game.position) is None
        assert any(participant.player and participant.state == PRESENT for participant in game.participants)
        assert [participant.seat for participant in game.participants] == list(range(len(game.participants)))
    else:
        assert game.sealed == ()


def runs_clock(game: GameState) -> bool:
    return game.status == PLAYING and game.setup.clock is not None and not game.paused


def check_options(driver: GameDriver) -> None:
    """Offered actions are accepted before the deadline, and seats that may not act are offered none."""
    game = driver.game
    if game.status != PLAYING or (game.deadline is not None and stamp(driver.now) >= game.deadline):
        return
    for participant in game.participants:
        offered = play.options(game, participant.seat)
        assert not (offered and participant.state == RESIGNED)
        assert bool(offered) >= (participant.seat in game.waiting_for())
        for action in offered if participant.player else ():
            play.act(
                game,
                driver.player(participant.seat),
                Request(action, game.position.roll, game.position.phase),
                driver.moment,
            )


def check_log(log: Sequence[Event], game: GameState) -> None:
    """The whole log: valid, gapless, folded to the same game, without secrets that are not yet revealed."""
    assert first_bad_version(log) is None
    assert fold(None, through_json(log)) == game
    _check_sealed(log)
    over = [event for event in log if event.type in REVEALERS]
    assert bool(over) == game.is_over
    if over:
        _check_fairness(log, bytes.fromhex(over[0].data["server_seed"]))
    ended = [event.type for event in log[over[0].version :]] if over else []
    assert set(ended) <= {"rematch_created", "game_voided"}


def _check_sealed(log: Sequence[Event]) -> None:
    """Sealed answers are revealed only when their phase closes, replaced ones included."""
    sealed: list[dict[str, Any]] = []
    nonces: list[str] = []
    for event in log:
        fact = decode(event.type, event.v, event.data)
        if isinstance(fact, AnswerSealed):
            sealed.append({"seat": fact.seat, "version": event.version, "action": fact.action, "nonce": fact.nonce})
            nonces.append(fact.nonce)
            continue
        assert not fact.secret_fields
        if event.type == "phase_closed" and event.data["answers"] is not None:
            assert event.data["answers"] == sealed
        else:
            assert not any(answer["nonce"] in json.dumps(event.data) for answer in sealed)
        sealed = [] if by_name(event.type).opens_phase else sealed
    assert len(set(nonces)) == len(nonces)


def _check_fairness(log: Sequence[Event], seed: bytes) -> None:
    """The revealed seed matches the commitment, was in no earlier event, and gives every die."""
    assert log[0].data["commitment"] == sha256(seed).hexdigest()
    assert not any(seed.hex() in json.dumps(event.data) for event in log if event.type not in REVEALERS)
    starts = [event for event in log if event.type == "game_started"]
    if not starts:
        return
    entropy, taken = starts[0].data["entropy"], _seeds_at_start(log[: starts[0].version])
    assert entropy == entropy_by_hand([taken[seat] for seat in starts[0].data["seats"]])
    assert starts[0].data["first"] == by_hand(seed, log[0].game, entropy, 0, "first", len(taken)) - 1
    assert starts[0].data.get("printings") == _printings_by_hand(log, seed, entropy, len(taken))
    rolls = [event.data for event in log if event.type == "dice_rolled"]
    assert [roll["roll"] for roll in rolls] == list(range(1, len(rolls) + 1))
    for roll in rolls:
        for name, face in names_and_faces(roll["dice"]):
            assert face == by_hand(seed, log[0].game, entropy, roll["roll"], name)


def _printings_by_hand(log: Sequence[Event], seed: bytes, entropy: str, seats: int) -> list[str] | None:
    created = log[0].data
    names = RULESETS[created["ruleset"]].printings(created["sheet"])
    if not names:
        return None
    first = by_hand(seed, log[0].game, entropy, 0, "printing", len(names)) - 1
    return [names[(first + seat) % len(names)] for seat in range(seats)]


def _seeds_at_start(log: Sequence[Event]) -> dict[int, str]:
    seeds: dict[int, str] = {}
    for event in log:
        if event.type in ("seat_taken", "seed_given"):
            seeds[event.data["seat"]] = event.data["client_seed"]
        elif event.type == "seat_left":
            del seeds[event.data["seat"]]
    return seeds

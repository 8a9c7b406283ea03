"""Checks a stored game: chain, replay, dice, row and snapshot must agree; repairs nothing."""

from collections.abc import Sequence

from games.game.aggregate import GameState, fold
from games.game.dice import DiceSource, commitment, mix
from games.game.event_types import upcast
from games.game.events import Event, first_bad_version, stamp
from games.log import snapshots, store


def first_flaw(events: Sequence[Event], tip: store.Loaded | None) -> tuple[int, str] | None:
    """The first version at which something is wrong, and the reason; None: the game is sound."""
    if tip is None:
        return 1, "there is a log, but no game"
    bad = first_bad_version(events)
    if bad is not None:
        return bad, "the chain is broken"
    if len(events) != tip.version or not events or events[-1].hash != tip.head_hash:
        return min(len(events), tip.version) + 1, "the log does not end where the game says"
    return _replay_flaw(events) or _dice_flaw(events, tip) or _tip_flaw(events, tip)


def _replay_flaw(events: Sequence[Event]) -> tuple[int, str] | None:
    game: GameState | None = None
    for event in events:
        try:
            game = fold(game, [event])
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            return event.version, f"it cannot be replayed ({type(error).__name__})"
    return None


def _dice_flaw(events: Sequence[Event], tip: store.Loaded) -> tuple[int, str] | None:
    """Whether the dice follow from the seed, and the seed from its commitment."""
    game = fold(None, events)
    if commitment(tip.secret) != game.setup.commitment:
        return 1, "the seed is not the one that was committed to"
    dice_source = DiceSource(tip.secret, game.id, game.entropy)
    for event in events:
        if event.type == "dice_rolled" and not _is_roll_of_seed(dice_source, event):
            return event.version, "the dice do not follow from the seed"
        if event.type == "game_started" and not _is_start_of_seeds(dice_source, game, event):
            return event.version, "the start does not follow from the seeds"
    return None


def _is_start_of_seeds(dice_source: DiceSource, game: GameState, event: Event) -> bool:
    entropy = mix([participant.client_seed for participant in game.participants])
    seats = len(game.participants)
    printings = dice_source.printings(game.ruleset.printings(game.setup.sheet), seats)
    stored = (event.data["entropy"], event.data["first"], tuple(event.data.get("printings", ())))
    return stored == (entropy, dice_source.first(seats), printings)


def _is_roll_of_seed(dice_source: DiceSource, event: Event) -> bool:
    rolled: list[tuple[str, int]] = []
    for colour, faces in upcast(event.type, event.v, event.data)["dice"].items():
        is_one = len(faces) == 1
        rolled += [(colour if is_one else f"{colour}{place}", face) for place, face in enumerate(faces, start=1)]
    return dice_source.roll(event.data["roll"], [name for name, _ in rolled]) == tuple(face for _, face in rolled)


def _tip_flaw(events: Sequence[Event], tip: store.Loaded) -> tuple[int, str] | None:
    """Whether the game's row and its snapshot agree with the log."""
    game = fold(None, events)
    setup, snapshot = game.setup, tip.snapshot
    if snapshot and snapshot.schema == snapshots.SCHEMA:
        is_there = 0 < snapshot.version <= len(events)
        if not is_there or snapshots.decode(snapshot) != fold(None, events[: snapshot.version]):
            return snapshot.version, "the folded state is not what the log gives"
    deadline = stamp(tip.deadline_at) if tip.deadline_at else None
    row = (tip.status, deadline, tip.ruleset, tip.sheet, tip.visibility, tip.rated, tip.seats)
    if row != (game.status, game.deadline, setup.ruleset, setup.sheet, setup.visibility, setup.rated, setup.seats):
        return tip.version, "the game's row is not what the log gives"
    return None

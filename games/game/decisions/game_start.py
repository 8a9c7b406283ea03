"""The start of a game, and its wait for the client seeds that players have announced."""

from games.game import dice
from games.game import game_facts as f
from games.game.aggregate import GameState
from games.game.decisions.draft import Draft, Moment


def start(draft: Draft) -> None:
    """Mix the client seeds; draw the first seat and the printings; begin the first turn."""
    game, participants = draft.game, draft.game.participants
    entropy = dice.mix([participant.client_seed for participant in participants])
    dice_source = draft.moment.dice_source._replace(entropy=entropy)
    first = dice_source.first(len(participants))
    printings = dice_source.printings(game.ruleset.printings(game.setup.sheet), len(participants))
    draft.add(f.GameStarted(first, entropy, tuple(participant.seat for participant in participants), printings))
    draft.start_turn(first)
    draft.advance()


def start_if_full(draft: Draft) -> None:
    """After a seat was taken: a full game starts, or begins to wait for the seeds that were announced."""
    if is_full(draft.game) and draft.game.awaited_seeds():
        draft.wait_for_seeds()
    else:
        start_if_ready(draft)


def start_if_ready(draft: Draft) -> None:
    """A full game that waits for no seed starts."""
    if is_full(draft.game) and not draft.game.awaited_seeds():
        start(draft)


def is_full(game: GameState) -> bool:
    """Whether every seat is taken; an open game that is full waits for seeds."""
    return len(game.participants) == game.setup.seats


def expire(game: GameState, moment: Moment) -> Draft:
    """The wait for announced seeds is over: the game starts with the seeds that its seats have."""
    draft = Draft(game, moment)
    if game.deadline is not None and draft.now >= game.deadline:
        draft.add(f.TimeRanOut(game.awaited_seeds(), game.deadline))
        start(draft)
    return draft

"""Commands of a game before it starts: create, join, give a seed, leave, start."""

from collections.abc import Collection, Sequence

from games.game import dice
from games.game import game_facts as f
from games.game.aggregate import OPEN, GameState, Participant
from games.game.decisions import game_start, play
from games.game.decisions.draft import Draft, Moment
from games.game.decisions.game_settings import BOT_LEVELS, Settings, check, check_client_seed
from games.rules.refused import Refused

MIN_SEATS = 2
MAX_EVENTS_BEFORE_START = 200
LOG_FULL_RETRY_S = 60  # a log that is full stays full until the game starts or ends


def create(
    game_id: str,
    settings: Settings,
    player: str,
    client_seed: str | None,
    moment: Moment,
    *,
    late_seed: bool = False,
) -> Draft:
    check(settings, client_seed)
    draft = _created(game_id, settings, moment)
    _take_seat(draft, player, client_seed, late_seed=late_seed)
    _seat_bots(draft, settings)
    return draft


def create_with_players(
    game_id: str, settings: Settings, players: Sequence[str], moment: Moment, late_seeds: Collection[str] = ()
) -> Draft:
    """A game of players from the matchmaking queue, who take seats in this order; bots take the remaining seats.
    The players of `late_seeds` have announced a client seed."""
    check(settings, None)
    if len(set(players)) + len(settings.bots) != settings.seats:
        raise ValueError("players and bots must take every seat, one each")
    draft = _created(game_id, settings, moment)
    for player in players:
        _take_seat(draft, player, None, late_seed=player in late_seeds)
    _seat_bots(draft, settings)
    return draft


def _created(game_id: str, settings: Settings, moment: Moment) -> Draft:
    fact = f.GameCreated(
        settings.ruleset,
        settings.sheet,
        settings.seats,
        settings.visibility,
        settings.rated,
        settings.clock,
        dice.commitment(moment.dice_source.seed),
        settings.rematch_of,
    )
    return Draft.of_new_game(game_id, fact, moment)


def join(game: GameState, player: str, client_seed: str | None, moment: Moment, *, late_seed: bool = False) -> Draft:
    check_client_seed(client_seed)
    if game.is_over:
        raise Refused("game_over")
    if game.participant_of(player) is not None:
        raise Refused("already_seated")
    _must_have_room(game)
    draft = Draft(game, moment)
    _take_seat(draft, player, client_seed, late_seed=late_seed)
    _must_fit(draft)
    return draft


def give_seed(game: GameState, player: str, client_seed: str, moment: Moment) -> Draft:
    """Set or replace the player's client seed; the last one that the game waits for starts it."""
    check_client_seed(client_seed)
    if game.is_over:
        raise Refused("game_over")
    participant = game.participant_of(player)
    if participant is None:
        raise Refused("not_seated")
    _must_be_open(game)
    draft = Draft(game, moment)
    if play.is_due(game, draft.now):
        raise Refused("too_late")
    if participant.awaits_seed or participant.client_seed != client_seed:
        draft.add(f.SeedGiven(participant.seat, client_seed))
        game_start.start_if_ready(draft)
        _must_fit(draft)
    return draft


def seat_bot(game: GameState, player: str, level: str, moment: Moment) -> Draft:
    if level not in BOT_LEVELS:
        raise Refused("malformed", errors=[("/level", "not_one_of", f"one of {', '.join(BOT_LEVELS)}")])
    _must_host(game, player)
    _must_have_room(game)
    if game.setup.rated:
        raise Refused("rated_needs_people")
    draft = Draft(game, moment)
    _seat_bot(draft, level)
    _must_fit(draft)
    return draft


def check_invitation(game: GameState, player: str, invited: str) -> None:
    """A player in an open game may invite a player who is not in it."""
    if game.is_over:
        raise Refused("game_over")
    if game.participant_of(player) is None:
        raise Refused("not_seated")
    _must_be_open(game)
    if game.participant_of(invited) is not None:
        raise Refused("already_seated")


def leave(game: GameState, player: str, moment: Moment) -> Draft:
    """Before the start the seat becomes free; during play the player resigns."""
    participant = game.participant_of(player)
    if game.status != OPEN or participant is None:
        return play.resign(game, player, moment)
    return _leave_seat(game, participant, moment)


def free_seat(game: GameState, player: str, seat: int, moment: Moment) -> Draft:
    _must_host(game, player)
    _must_be_open(game)
    participant = next((participant for participant in game.participants if participant.seat == seat), None)
    if participant is None:
        raise Refused("not_found")
    return _leave_seat(game, participant, moment)


def start(game: GameState, player: str, moment: Moment) -> Draft:
    """Start at the request of the creator, without the seeds that were announced: only an automatic start waits."""
    _must_host(game, player)
    _must_be_open(game)
    if len(game.participants) < MIN_SEATS:
        raise Refused("not_enough_seats")
    draft = Draft(game, moment)
    game_start.start(draft)
    return draft


def _must_host(game: GameState, player: str) -> None:
    if game.is_over:
        raise Refused("game_over")
    participant = game.participant_of(player)
    if participant is None:
        raise Refused("not_seated")
    if participant.seat != game.host:
        raise Refused("not_allowed")


def _must_have_room(game: GameState) -> None:
    if len(game.participants) == game.setup.seats:
        raise Refused("game_full")
    _must_be_open(game)


def _must_fit(draft: Draft) -> None:
    """Before the start a log has at most MAX_EVENTS_BEFORE_START events.

    A seat is taken only while there is room for every participant to leave and for the end of the game. So leaving,
    freeing a seat and starting are never refused for the length of the log.
    """
    game = draft.game
    needed = draft.before.version + len(draft.facts) + len(game.participants) + 1
    if game.status == OPEN and needed > MAX_EVENTS_BEFORE_START:
        raise Refused("too_many_requests", retry_after=LOG_FULL_RETRY_S)


def _must_be_open(game: GameState) -> None:
    if game.status != OPEN:
        raise Refused("game_not_open")


def _take_seat(draft: Draft, player: str, client_seed: str | None, *, late_seed: bool) -> None:
    seed = dice.default_client_seed(draft.game.id, player) if client_seed is None else client_seed
    draft.add(f.SeatTaken(_free_seat(draft.game), player, None, seed, late_seed))
    game_start.start_if_full(draft)


def _seat_bot(draft: Draft, level: str) -> None:
    draft.add(f.SeatTaken(_free_seat(draft.game), None, level, ""))
    game_start.start_if_full(draft)


def _seat_bots(draft: Draft, settings: Settings) -> None:
    for level in settings.bots:
        _seat_bot(draft, level)


def _free_seat(game: GameState) -> int:
    taken = {participant.seat for participant in game.participants}
    return next(seat for seat in range(game.setup.seats) if seat not in taken)


def _leave_seat(game: GameState, participant: Participant, moment: Moment) -> Draft:
    """The player in the lowest seat becomes host; a game without players is aborted."""
    draft = Draft(game, moment)
    players = [other.seat for other in game.participants if other.player and other.seat != participant.seat]
    host = game.host if game.host in players else min(players, default=None)
    draft.add(f.SeatLeft(participant.seat, host))
    if host is None:
        draft.abort("nobody_left")
    return draft

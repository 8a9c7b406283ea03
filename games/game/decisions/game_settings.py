"""The settings that the creator of a game chooses, and the errors in them."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from games.rules.refused import Refused
from games.rules.registry import RULESETS, SHEETS

BOT_LEVELS = ("easy", "medium", "hard", "expert")
LIVE_CLOCK: Mapping[str, int] = {"roll_s": 20, "answer_s": 45}
MIN_CLOCK_S, MAX_CLOCK_S = 5, 14 * 24 * 3600
CLOCK_ERROR = f"{MIN_CLOCK_S} to {MAX_CLOCK_S} seconds each, or null in a private game"
MAX_CLIENT_SEED = 64
CLIENT_SEED = re.compile(r"[A-Za-z0-9_-]{0,64}")
VISIBILITIES = ("public", "private")
SEAT_COUNTS = sorted({count for ruleset in RULESETS.values() for count in ruleset.seats})

Error = tuple[str, str, str]  # a pointer into the body, a code, and what was expected


class Settings(NamedTuple):
    """What the creator of a game may choose."""

    ruleset: str
    sheet: str = "classic"
    seats: int = 2
    visibility: str = "public"
    rated: bool = False
    clock: Mapping[str, int] | None = LIVE_CLOCK
    bots: Sequence[str] = ()
    rematch_of: str | None = None


def check(settings: Settings, client_seed: str | None) -> None:
    errors = errors_in(settings, client_seed)
    if errors:
        raise Refused("malformed", errors=errors)
    if settings.rated and settings.bots:
        raise Refused("rated_needs_people")


def errors_in(settings: Settings, client_seed: str | None = None) -> list[Error]:
    """All errors of the settings of a game, for the body that names them."""
    return _setting_errors(settings) + _clock_errors(settings) + client_seed_errors(client_seed)


def check_client_seed(client_seed: str | None) -> None:
    errors = client_seed_errors(client_seed)
    if errors:
        raise Refused("malformed", errors=errors)


def _setting_errors(settings: Settings) -> list[Error]:
    levels = f"one of {', '.join(BOT_LEVELS)}"
    errors = [
        (f"/bots/{number}", "not_one_of", levels)
        for number, level in enumerate(settings.bots)
        if level not in BOT_LEVELS
    ]
    if settings.visibility not in VISIBILITIES:
        errors.append(("/visibility", "not_one_of", f"one of {', '.join(VISIBILITIES)}"))
    return errors + _ruleset_errors(settings)


def _ruleset_errors(settings: Settings) -> list[Error]:
    """Where the ruleset is unknown, sheet and seats need only fit one of all rulesets: their errors are told, too."""
    errors, ruleset, seats = [], RULESETS.get(settings.ruleset), settings.seats
    if ruleset is None:
        errors.append(("/ruleset", "not_one_of", f"one of {', '.join(RULESETS)}"))
    sheets, counts = (ruleset.sheets, ruleset.seats) if ruleset else (SHEETS, SEAT_COUNTS)
    if settings.sheet not in sheets:
        errors.append(("/sheet", "not_one_of", f"one of {', '.join(sheets)}"))
    if seats not in counts:
        errors.append(("/seats", "out_of_range", f"{counts[0]} to {counts[-1]}"))
    elif len(settings.bots) >= seats:
        errors.append(("/bots", "too_long", "fewer than there are seats"))
    return errors


def _clock_errors(settings: Settings) -> list[Error]:
    if settings.clock is None:
        return [] if settings.visibility == "private" else [("/clock", "missing", CLOCK_ERROR)]
    if settings.clock.keys() != LIVE_CLOCK.keys():
        return [("/clock", "missing", CLOCK_ERROR)]
    limits = f"{MIN_CLOCK_S} to {MAX_CLOCK_S}"
    return [
        (f"/clock/{name}", "out_of_range", limits)
        for name, seconds in settings.clock.items()
        if not MIN_CLOCK_S <= seconds <= MAX_CLOCK_S
    ]


def client_seed_errors(client_seed: str | None) -> list[Error]:
    if client_seed is None or CLIENT_SEED.fullmatch(client_seed):
        return []
    code = "too_long" if len(client_seed) > MAX_CLIENT_SEED else "wrong_format"
    return [("/client_seed", code, f"up to {MAX_CLIENT_SEED} of A-Z, a-z, 0-9, _ and -")]

"""The use cases that change games: one function each, one append each."""

from games.commands.context import NO_SEED, CommandContext, SeedChoice
from games.commands.playing import act, give_seed, speak
from games.commands.rematches import rematch
from games.commands.seats import (
    accept,
    create,
    decline,
    free_seat,
    gather,
    invite,
    join,
    join_by_code,
    leave,
    seat_bot,
    start,
)
from games.commands.staff import abort, pause, resume, void

__all__ = [
    "NO_SEED",
    "CommandContext",
    "SeedChoice",
    "abort",
    "accept",
    "act",
    "create",
    "decline",
    "free_seat",
    "gather",
    "give_seed",
    "invite",
    "join",
    "join_by_code",
    "leave",
    "pause",
    "rematch",
    "resume",
    "seat_bot",
    "speak",
    "start",
    "void",
]

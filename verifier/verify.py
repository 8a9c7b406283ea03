#!/usr/bin/env python3
"""Checks the export of a game of Qwixx or Qwinto: chain, commitment, dice, rules and scores. Needs nothing but Python.

    python3 verify.py game.ndjson [a hash, commitment or game id that you noted while you played …]

It shares no code with the service that wrote the export. It replays the game from the log. Where players had a choice,
the log says what they chose, and the verifier checks that it was allowed; everything that follows, dice and scores
included, is computed here and must be in the log exactly. `verify.js` is the same in JavaScript.
"""

import hashlib
import hmac
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import combinations, takewhile
from operator import itemgetter
from pathlib import Path
from typing import Any

Data = dict[str, Any]
CHECKS = ("form", "chain", "commitment", "dice", "rules", "scores")
GENESIS = "0" * 64
MAX_NUMBER = 2**53 - 1  # JavaScript cannot represent larger whole numbers exactly
MAX_DEPTH = 16
HEX64, HEX32 = re.compile(r"[0-9a-f]{64}"), re.compile(r"[0-9a-f]{32}")
AT = re.compile(r"(19[7-9]|[2-9][0-9]{2})[0-9]-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{6}Z")
CLIENT_SEED = re.compile(r"[A-Za-z0-9_-]{0,64}")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
REVEALING = ("game_ended", "game_aborted", "game_voided")
OPEN, PLAYING, FINISHED, ABORTED, VOIDED = "open", "playing", "finished", "aborted", "voided"
OVER = (FINISHED, ABORTED, VOIDED)
STATUS_AFTER = dict(zip(REVEALING, OVER, strict=True)) | {"game_created": OPEN, "game_started": PLAYING}
# The event types that every ruleset has.
COMMON_TYPES = (*STATUS_AFTER, "seat_taken", "seed_given", "seat_left", "dice_rolled", "answer_sealed", "phase_closed")
PRESENT, AWAY, RESIGNED = "playing", "away", "resigned"
SEED_WAIT_S = 5  # for announced client seeds, once every seat is taken
LATE, EARLY, DEFAULT, BOT = "late", "early", "default", "bot"  # kinds of client seeds
MEANING_OF_SEED = {
    LATE: "late, given after the commitment",
    EARLY: "given before the commitment, or to be known by then",
    DEFAULT: "the default, made of the ids of game and player",
    BOT: "none, a bot",
}
NOT_CHOSEN_IF = (
    "The dice were not chosen, if one of these players does not work with the server, "
    "and no player who does changed seats or seeds afterwards."
)
BOXES = 4  # for turns without a mark; the last one ends the game
Fact = tuple[str, dict[str, Any]]


class VerificationError(Exception):
    """The first error: which check found it, and why. Version 0 is the header."""

    def __init__(self, check: str, why: str, version: int | None = None) -> None:
        super().__init__(why)
        self.check, self.why, self.version = check, why, version


def ensure(condition: object, check: str, why: str) -> None:
    if not condition:
        raise VerificationError(check, why)


# JSON: whole numbers only, no duplicate keys; and the canonical text


def parse(line: str) -> Any:
    try:
        value = json.loads(
            line, parse_float=_refuse, parse_constant=_refuse, parse_int=_whole, object_pairs_hook=_object
        )
        canonical(value)  # half a surrogate pair is not valid text
    except (ValueError, RecursionError):
        raise VerificationError("form", "this line is not valid JSON of a log") from None
    ensure(_depth(value) <= MAX_DEPTH, "form", "this line is not valid JSON of a log")
    return value


def _refuse(_text: str) -> Any:
    raise ValueError


def _whole(text: str) -> int:
    if text == "-0" or len(text) > 17 or abs(int(text)) > MAX_NUMBER:
        raise ValueError
    return int(text)


def _object(pairs: list[tuple[str, Any]]) -> Data:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError
    return dict(pairs)


def _depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(_depth, inner), default=0)


def canonical(value: Any) -> bytes:
    """Sorted keys, no spaces, UTF-8: the text that is hashed."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def same(one: Any, other: Any) -> bool:
    return canonical(one) == canonical(other)


# Shapes: the fields of each event type; a new shape would have another `v`


def is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_list_of_one(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 1


KINDS: dict[str, Callable[[Any], bool]] = {
    "number": is_number,
    "text": is_text,
    "flag": lambda value: isinstance(value, bool),
    "true": lambda value: value is True,
    "object": lambda value: isinstance(value, dict),
    "numbers": lambda value: isinstance(value, list) and all(map(is_number, value)),
    "list": lambda value: isinstance(value, list),
    "dice": lambda value: isinstance(value, dict) and all(face and isinstance(face, list) for face in value.values()),
    "dice_v1": lambda value: isinstance(value, dict) and not any(map(_is_list_of_one, value.values())),
    "hash": lambda value: is_text(value) and HEX64.fullmatch(value) is not None,
    "time": lambda value: is_text(value) and seconds_since_1970(value) is not None,
    "nonce": lambda value: is_text(value) and HEX32.fullmatch(value) is not None,
    "seed": lambda value: is_text(value) and CLIENT_SEED.fullmatch(value) is not None,
}
SHAPES = {
    "game_created": "ruleset:text sheet:text seats:number visibility:text rated:flag clock:object? commitment:hash "
    "rematch_of:text?",
    "seat_taken": "seat:number player:text? bot:text? client_seed:seed late_seed:true! deadline:time!",
    "seed_given": "seat:number client_seed:seed",
    "seat_left": "seat:number host:number?",
    "game_started": "first:number entropy:hash seats:numbers printings:list!",
    "turn_started": "seat:number turn:number deadline:time?",
    "dice_rolled": "seat:number roll:number dice:dice_v1 deadline:time?",
    "dice_kept": "seat:number deadline:time?",
    "answer_sealed": "seat:number action:object nonce:nonce",
    "phase_closed": "phase:text answers:list? deadline:time?",
    "cell_marked": "seat:number row:text number:number phase:text",
    "note_made": "seat:number clause:text note:number",
    "row_closed": "row:text seats:numbers",
    "penalty_taken": "seat:number",
    "number_written": "seat:number row:text column:number number:number",
    "throw_failed": "seat:number",
    "time_ran_out": "seats:numbers deadline:time",
    "seat_went_away": "seat:number",
    "seat_came_back": "seat:number",
    "seat_resigned": "seat:number",
    "game_ended": "reason:text ranking:list server_seed:hash",
    "game_aborted": "reason:text server_seed:hash",
    "game_voided": "reason:text server_seed:hash",
    "rematch_created": "next_game:text",
    "time_credited": "seconds:number deadline:time key:text",
    "clock_paused": "reason:text",
    "clock_resumed": "reason:text deadline:time?",
}
SHAPES_BY_V = {1: SHAPES, 2: {"dice_rolled": "seat:number roll:number dice:dice deadline:time?"}}
ENVELOPE = "game:text version:number type:text v:number at:time data:object prev:hash hash:hash"
HEADER = "format:text format_version:number game:text ruleset:text sheet:text events:number complete:flag"


def invalid_field(value: Any, shape: str, *, is_closed: bool = True) -> str | None:
    """The name of the first field that is missing, unknown or of the wrong kind: `?` may be null, `!` may be absent."""
    if not isinstance(value, dict):
        return "it"
    kinds = dict(field.split(":") for field in shape.split())
    for name, kind in kinds.items():
        is_empty = value[name] is None and kind.endswith("?") if name in value else kind.endswith("!")
        if not is_empty and not (name in value and KINDS[kind.rstrip("?!")](value[name])):
            return name
    unknown = sorted(set(value) - set(kinds)) if is_closed else []
    return unknown[0] if unknown else None


def seconds_since_1970(at: str) -> int | None:
    """Seconds since 1970, or None if the text is not a time."""
    try:
        return int((datetime.fromisoformat(at[:19] + "+00:00") - EPOCH).total_seconds()) if AT.fullmatch(at) else None
    except ValueError:
        return None


def time_after(at: str, seconds: int, microseconds: int = 0) -> str | None:
    """The time that is so much later, in the log's form."""
    carried, fraction = divmod(int(at[20:26]) + microseconds, 1_000_000)
    try:
        moment = EPOCH + timedelta(seconds=(seconds_since_1970(at) or 0) + seconds + carried)
    except OverflowError:
        return None
    return f"{moment.isoformat()[:19]}.{fraction:06}Z"


# Dice: computed from the seed


class SeededDice:
    """The dice of a game as its seed gives them; none while the seed is secret or does not match the commitment."""

    def __init__(self, game: str, events: Sequence[Data]) -> None:
        self.game, self.entropy = game, ""
        seeds = [event["data"]["server_seed"] for event in events if event["type"] in REVEALING]
        commitments = [event["data"]["commitment"] for event in events if event["type"] == "game_created"]
        self.commitment = commitments[0] if commitments else ""
        self.is_revealed = bool(seeds)
        is_committed = seeds and hashlib.sha256(bytes.fromhex(seeds[0])).hexdigest() == self.commitment
        self.seed: str | None = seeds[0] if is_committed else None

    def revealed(self) -> str:
        """The `server_seed` that a revealing event must hold."""
        return self.seed or f"one whose SHA-256 is {self.commitment}"

    def die(self, roll: int, name: str, faces: int = 6) -> int | None:
        """Contract, section 9: the first byte that does not favour low faces."""
        block = 0
        while self.seed is not None:
            message = f"{self.game}|{self.entropy}|{roll}|{name}|{block}".encode()
            for byte in hmac.new(bytes.fromhex(self.seed), message, hashlib.sha256).digest():
                if byte < 256 - 256 % faces:
                    return 1 + byte % faces
            block += 1
        return None


class ClientSeeds:
    """The client seed of each seat, and its kind. Late is a seed that came after the commitment and was not to be known
    before: it is not empty, not the default, and not the one that the player gave with the creation."""

    def __init__(self, game: str) -> None:
        self.game, self.created_at = game, ""
        self.known: dict[str, set[str]] = {}  # by player
        self.by_seat: dict[int, tuple[str | None, str]] = {}  # the player, and the seed; the newest is the last

    def take(self, seat: int, data: Data, at: str) -> None:
        player = data["player"] or None
        self.by_seat[seat] = player, data["client_seed"]
        known = self.known.setdefault(player, {"", default_seed(self.game, player)}) if player else set()
        if at == self.created_at:
            known.add(data["client_seed"])
            self._check_match()

    def _check_match(self) -> None:
        """Only the creator can give a seed with the creation; of a match, no player can."""
        taken = [(player, seed) for player, seed in self.by_seat.values() if player]
        are_defaults = all(seed == default_seed(self.game, player) for player, seed in taken)
        ensure(len(taken) < 2 or are_defaults, "dice", "the players of a match have default seeds at first")

    def give(self, seat: int, seed: str) -> None:
        ensure(seat in self.by_seat and self.by_seat[seat][0], "rules", "only a seated player gives a seed")
        self.by_seat[seat] = self.by_seat.pop(seat)[0], seed

    def renumber(self, taken: Sequence[int]) -> None:
        self.by_seat = {taken.index(old): held for old, held in self.by_seat.items()}

    def kind(self, seat: int) -> str:
        player, seed = self.by_seat[seat]
        if player is None:
            return BOT
        if seed == default_seed(self.game, player):
            return DEFAULT
        return EARLY if seed in self.known[player] else LATE

    def report(self) -> list[Data]:
        return [{"seat": seat, "seed": self.kind(seat)} for seat in sorted(self.by_seat)]

    def late_seats(self) -> list[int]:
        """The seats with late seeds, in the order in which the seeds came."""
        return [seat for seat in self.by_seat if self.kind(seat) == LATE]


def default_seed(game: str, player: str) -> str:
    """Contract, section 9: the client seed of a player who gives none."""
    return hashlib.sha256(f"{game}|{player}".encode()).hexdigest()[:16]


def entropy_of(client_seeds: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(f"{seat}:{seed}" for seat, seed in enumerate(client_seeds)).encode()).hexdigest()


# The rules: dice, allowed answers, consequences and scores of each game


QWIXX_COLOURS = ("red", "yellow", "green", "blue")
QWIXX_ROWS: dict[str, Sequence[int]] = {
    "red": range(2, 13),
    "yellow": range(2, 13),
    "green": range(12, 1, -1),
    "blue": range(12, 1, -1),
}
# What each sheet prints beyond the four rows; cells are named by row and number.
QWIXX_SHEETS: dict[str, Data] = {
    "classic": {},
    "mixx_a": {
        "colours": {"red": "yyybbbgggrr", "yellow": "rrggggbbyyy", "green": "bbbyyyrrrgg", "blue": "ggrrrryybbb"}
    },
    "mixx_b": {
        "rows": {
            "red": (10, 6, 2, 8, 3, 4, 12, 5, 9, 7, 11),
            "yellow": (9, 12, 4, 6, 7, 2, 5, 8, 11, 3, 10),
            "green": (8, 2, 10, 12, 6, 9, 7, 4, 5, 11, 3),
            "blue": (5, 7, 11, 9, 12, 3, 8, 10, 2, 6, 4),
        }
    },
    "big_points": {
        "rows": {
            "red": range(2, 13),
            "red_yellow": range(2, 13),
            "yellow": range(2, 13),
            "green": range(12, 1, -1),
            "green_blue": range(12, 1, -1),
            "blue": range(12, 1, -1),
        },
        "bonus_rows": {"red_yellow": ("red", "yellow"), "green_blue": ("green", "blue")},
        "most_crosses": 15,
    },
    "bonus_a": {
        "boxed": {"red": (3, 6, 9), "yellow": (5, 8, 11), "green": (11, 7, 4), "blue": (10, 8, 5)},
        "bar": ["red", "yellow", "green", "blue", "green", "red", "blue", "yellow", "red", "yellow", "blue", "green"],
    },
    "bonus_b": {
        "pairs": (
            (("yellow", 11), ("green", 9)),  # two marks in the row with the fewest
            (("yellow", 7), ("blue", 7)),  # one mark in each row
            (("red", 8), ("blue", 10)),  # the row with the fewest points counts double
            (("red", 6), ("blue", 4)),  # 13 points
            (("yellow", 3), ("green", 5)),  # penalties cost nothing
        )
    },
    "double_a": {"second_crosses": True, "marks_before_last": 7, "most_crosses": 16},
    "double_b": {
        "double": {"red": (3, 5, 9, 11), "yellow": (3, 5, 9, 11), "green": (10, 8, 6, 4), "blue": (10, 8, 6, 4)},
        "marks_before_last": 7,
        "most_crosses": 16,
    },
    "x_change": {"swaps": ((8, 5), (9, 7), (11, 3), (7, 4), (10, 3), (8, 6), (10, 5), (11, 9), (6, 4))},
    "connected_a_steps": {
        "printings": {
            "A": {"steps": "ygbgyrygbgy"},
            "B": {"steps": "bgyrygbgyry"},
            "C": {"steps": "gbgyrygbgyr"},
            "D": {"steps": "yrygbgyrygb"},
            "E": {"steps": "rygbgyrygbg"},
        }
    },
    "connected_b_chain": {
        "links": (
            (("red", 6), ("yellow", 6)),
            (("red", 11), ("yellow", 11)),
            (("yellow", 3), ("green", 11)),
            (("yellow", 8), ("green", 6)),
            (("green", 9), ("blue", 9)),
            (("green", 4), ("blue", 4)),
        )
    },
}
Cell = tuple[str, int]  # row, number


class PlayedSheet:
    """One seat's sheet: what is printed, the numbers marked in each row, and what the printed extras have counted."""

    def __init__(self, printed: Data) -> None:
        self.printed = printed
        self.rows: Mapping[str, Sequence[int]] = printed.get("rows", QWIXX_ROWS)
        self.bonus_rows: Mapping[str, Sequence[str]] = printed.get("bonus_rows", {})
        self.scored = [row for row in self.rows if row not in self.bonus_rows]
        self.marks: dict[str, set[int]] = {row: set() for row in self.rows}
        self.twice: set[Cell] = set()  # cells that were crossed a second time
        self.note = 0

    def colour(self, row: str, number: int) -> str:
        """The printed colour of a cell; a cell of a bonus row has none."""
        if row in self.bonus_rows:
            return ""
        initials = self.printed.get("colours", {}).get(row)
        return colour_of(initials[self.rows[row].index(number)]) if initials else row

    def is_last(self, row: str, number: int) -> bool:
        return row not in self.bonus_rows and number == self.rows[row][-1]

    def end(self, row: str) -> int:
        """The column after the right-most mark."""
        return max([self.rows[row].index(number) + 1 for number in self.marks[row]], default=0)

    def crosses(self, row: str) -> int:
        """The crosses in a row, without the lock."""
        double = self.printed.get("double", {}).get(row, ())
        again = sum(1 for cell in self.twice if cell[0] == row)
        return len(self.marks[row]) + again + sum(1 for number in double if number in self.marks[row])

    def may_mark(self, row: str, number: int) -> bool:
        column, end = self.rows[row].index(number), self.end(row)
        if column < end:
            may_repeat = self.printed.get("second_crosses") and column == end - 1 and not self.is_last(row, number)
            return bool(may_repeat) and (row, number) not in self.twice
        if self.is_last(row, number):
            return bool(self.crosses(row) >= self.printed.get("marks_before_last", 5))
        return row not in self.bonus_rows or bool(self.neighbours(row, column))

    def neighbours(self, bonus_row: str, column: int) -> list[str]:
        """The rows beside a bonus row in which this column is marked."""
        return [row for row in self.bonus_rows[bonus_row] if self.rows[row][column] in self.marks[row]]

    def white_numbers(self, white_sum: int) -> list[int]:
        """The white sum, and what unused pairs of a swap allow in its place."""
        pairs = self.printed.get("swaps", ())[self.note :]
        return [white_sum, *(sum(pair) - white_sum for pair in pairs if white_sum in pair)]

    def takes_die(self, row: str, number: int, colour: str) -> bool:
        """Whether the die of this colour may mark this cell."""
        if row not in self.bonus_rows:
            return self.colour(row, number) == colour
        return colour in self.neighbours(row, self.rows[row].index(number))

    def mark(self, row: str, number: int, closed: Sequence[str], white_sum: int | None) -> Iterator[Cell | Fact]:
        """Crosses a cell and whatever it forces; gives each cell, and a `note_made` where an extra has counted."""
        is_again = number in self.marks[row]
        crossed: list[Cell] = [(row, number)]
        self.marks[row].add(number)
        for at, cell in enumerate(crossed):
            yield cell
            before = self.note
            clause, forced = self._follow(cell, closed, white_sum if at == 0 else None, is_again and at == 0)
            if self.note != before:
                yield "note_made", {"clause": clause, "note": self.note}
            crossed += forced

    def _follow(
        self, cell: Cell, closed: Sequence[str], white_sum: int | None, is_again: bool
    ) -> tuple[str, list[Cell]]:
        """The key of the sheet's extra, and the cells that it crosses because of this one. Updates its note."""
        if "bar" in self.printed:
            return "bonus_bar", self._use_bar(cell, closed)
        if "pairs" in self.printed:
            return "pairs", self._complete_pairs(closed)
        if "links" in self.printed:
            ends = [one if cell == other else other for one, other in self.printed["links"] if cell in (one, other)]
            return "links", [self._cross(end) for end in ends if end[1] not in self.marks[end[0]]]
        if "swaps" in self.printed and white_sum not in (None, cell[1]):
            pairs = self.printed["swaps"]
            self.note = 1 + next(at for at in range(self.note, len(pairs)) if {*pairs[at]} == {white_sum, cell[1]})
        if is_again:
            self.twice.add(cell)
            width = len(self.rows[cell[0]])
            self.note |= 1 << [*self.rows].index(cell[0]) * width + self.rows[cell[0]].index(cell[1])
        return ("swaps" if "swaps" in self.printed else "second_crosses"), []

    def _cross(self, cell: Cell) -> Cell:
        self.marks[cell[0]].add(cell[1])
        return cell

    def _force(self, row: str) -> list[Cell]:
        """Crosses the left-most cell of a row that may still be crossed, if there is one."""
        column = self.end(row)
        if column == len(self.rows[row]) or not self.may_mark(row, self.rows[row][column]):
            return []
        return [self._cross((row, self.rows[row][column]))]

    def _use_bar(self, cell: Cell, closed: Sequence[str]) -> list[Cell]:
        """A boxed mark uses the next field of the bar whose row is open."""
        bar = self.printed["bar"]
        fields = [field for field in range(self.note, len(bar)) if bar[field] not in closed]
        if cell[1] not in self.printed["boxed"][cell[0]] or not fields:
            return []
        self.note = fields[0] + 1
        return self._force(bar[fields[0]])

    def _complete_pairs(self, closed: Sequence[str]) -> list[Cell]:
        forced: list[Cell] = []
        open_rows = [row for row in self.rows if row not in closed]
        for bit, cells in enumerate(self.printed["pairs"]):
            if self.note >> bit & 1 or not all(number in self.marks[row] for row, number in cells):
                continue
            self.note |= 1 << bit
            if bit == 0 and open_rows:
                row = min(open_rows, key=lambda row: len(self.marks[row]))
                forced += [*self._force(row), *self._force(row)]
            if bit == 1:
                forced += [cell for row in open_rows for cell in self._force(row)]
        return forced

    def points(self, penalties: int) -> int:
        rows = [self._row_points(row) for row in self.scored]
        steps = self.printed.get("steps", ())
        marked = [self.rows[row][column] in self.marks[row] for column, row in enumerate(map(colour_of, steps))]
        extra = triangle(sum(marked))
        if "pairs" in self.printed:
            amounts = (0, 0, min(rows), 13, 5 * penalties)
            extra += sum(amount for bit, amount in enumerate(amounts) if self.note >> bit & 1)
        return sum(rows) + extra - 5 * penalties

    def _row_points(self, row: str) -> int:
        crosses = self.crosses(row) + (self.rows[row][-1] in self.marks[row])  # the lock is one more cross
        crosses += sum(len(self.marks[bonus]) for bonus, beside in self.bonus_rows.items() if row in beside)
        return triangle(min(crosses, self.printed.get("most_crosses", 12)))


def colour_of(initial: str) -> str:
    return next(colour for colour in QWIXX_COLOURS if colour[0] == initial)


def triangle(crosses: int) -> int:
    return crosses * (crosses + 1) // 2


class Qwixx:
    """The rules of Qwixx on every sheet."""

    seats, everyone, clocks = (2, 5), "white", {"roll": "roll_s", "white": "answer_s", "colour": "answer_s"}
    box = "penalty_taken"

    def __init__(self, seats: int, sheet: str, printings: Sequence[Any]) -> None:
        printed = QWIXX_SHEETS[sheet]
        own = printed.get("printings", {})
        names = printings or [None] * seats
        self.sheets = [PlayedSheet(own.get(name, printed)) for name in names]
        self.boxes = [0] * seats
        self.closed: list[str] = []
        self.has_marked = False

    @staticmethod
    def printings(sheet: str) -> list[str]:
        return [*QWIXX_SHEETS[sheet].get("printings", {})]

    def turn(self) -> None:
        self.has_marked = False

    def _colours(self) -> list[str]:
        """The colours of the dice that are left: the lock of a row has the colour of its last cell."""
        sheet = self.sheets[0]
        gone = [sheet.colour(row, sheet.rows[row][-1]) for row in self.closed]
        return [colour for colour in QWIXX_COLOURS if colour not in gone]

    def choices(self, _phase: str, _dice: Data) -> list[list[str]]:
        return [["white1", "white2", *self._colours()]]

    def after_roll(self, _phase: str) -> str:
        return "white"

    def options(self, phase: str, seat: int, dice: Data) -> list[Data]:
        sheet = self.sheets[seat]
        rolled = self._white_cells(sheet, dice) if phase == "white" else self._colour_cells(sheet, dice)
        allowed = [(row, n) for row, n in rolled if row not in self.closed and sheet.may_mark(row, n)]
        return [*({"type": "mark", "row": row, "number": number} for row, number in allowed), {"type": "pass"}]

    def _white_cells(self, sheet: PlayedSheet, dice: Data) -> list[Cell]:
        return [(row, number) for row in sheet.rows for number in sheet.white_numbers(sum(dice["white"]))]

    def _colour_cells(self, sheet: PlayedSheet, dice: Data) -> list[Cell]:
        sums = [
            (colour, white + dice[colour][0]) for colour in self._colours() if colour in dice for white in dice["white"]
        ]
        return [(row, number) for row in sheet.rows for colour, number in sums if sheet.takes_die(row, number, colour)]

    def resolve(self, phase: str, active: int, answers: Mapping[int, Data], dice: Data) -> list[Fact]:
        facts: list[Fact] = []
        closing: dict[str, list[int]] = {}
        for seat in sorted(answers):
            if answers[seat]["type"] == "mark":
                white_sum = sum(dice["white"]) if phase == "white" else None
                facts += self._marks(phase, seat, answers[seat], white_sum, closing)
                self.has_marked = self.has_marked or seat == active
        for row in self.sheets[0].rows:
            if row in closing:
                facts.append(("row_closed", {"row": row, "seats": closing[row]}))
                self.closed.append(row)
        return facts

    def _marks(
        self, phase: str, seat: int, answer: Data, white_sum: int | None, closing: dict[str, list[int]]
    ) -> Iterator[Fact]:
        """The mark and what it forces; adds each row whose last number is crossed to `closing`."""
        sheet = self.sheets[seat]
        for step in sheet.mark(answer["row"], answer["number"], self.closed, white_sum):
            if isinstance(step[1], dict):
                yield "note_made", {"seat": seat, **step[1]}
                continue
            row, number = step
            yield "cell_marked", {"seat": seat, "row": row, "number": number, "phase": phase}
            if sheet.is_last(row, number):
                closing.setdefault(row, []).append(seat)

    def costs_box(self, phase: str, answer: Data | None) -> bool:
        """Whether this answer of the active seat ends a turn without a mark."""
        return phase == "colour" and not self.has_marked and answer == {"type": "pass"}

    def dice_left(self, dice: Data) -> Data:
        return {name: die for name, die in dice.items() if name == "white" or name in self._colours()}

    def after_closing(self, phase: str) -> str:
        return "colour" if phase == "white" else ""

    def ending(self, _phase: str) -> str | None:
        if len(self.closed) >= 2:
            return "two_rows_closed"
        return "four_penalties" if max(self.boxes) >= BOXES else None

    def points(self, seat: int) -> int:
        return self.sheets[seat].points(self.boxes[seat])


class Qwinto:
    """Rows map a column to the number written there."""

    seats, everyone, clocks = (2, 6), "write", {"roll": "roll_s", "keep": "roll_s", "write": "answer_s"}
    box = "throw_failed"
    rows: Mapping[str, Sequence[int]] = {
        "orange": (2, 3, 4, 6, 7, 8, 9, 10, 11),
        "yellow": (1, 2, 3, 4, 5, 7, 8, 9, 10),
        "purple": (0, 1, 2, 3, 5, 6, 7, 8, 9),
    }
    pentagons: Mapping[int, str] = {2: "purple", 3: "orange", 7: "orange", 8: "yellow", 9: "purple"}

    def __init__(self, seats: int, _sheet: str, _printings: Sequence[Any]) -> None:
        self.sheets: list[dict[str, dict[int, int]]] = [{row: {} for row in self.rows} for _ in range(seats)]
        self.boxes = [0] * seats

    @staticmethod
    def printings(_sheet: str) -> list[str]:
        return []

    def turn(self) -> None:
        pass

    def choices(self, phase: str, dice: Data) -> list[list[str]]:
        if phase == "keep":
            return [[row for row in self.rows if row in dice]]  # a reroll rolls the same dice
        return [list(chosen) for count in (1, 2, 3) for chosen in combinations(self.rows, count)]

    def after_roll(self, phase: str) -> str:
        return "write" if phase == "keep" else "keep"

    def options(self, _phase: str, seat: int, dice: Data) -> list[Data]:
        number = sum(face for (face,) in dice.values())
        cells = [(row, column) for row in self.rows if row in dice for column in self.rows[row]]
        fitting = [(row, column) for row, column in cells if self._may_write(seat, row, column, number)]
        return [*({"type": "write", "row": row, "column": column} for row, column in fitting), {"type": "pass"}]

    def _may_write(self, seat: int, row: str, column: int, number: int) -> bool:
        sheet = self.sheets[seat]
        for other, there in sheet[row].items():
            if other == column or (there >= number if other < column else there <= number):
                return False
        return all(numbers.get(column) != number for numbers in sheet.values())

    def resolve(self, _phase: str, _active: int, answers: Mapping[int, Data], dice: Data) -> list[Fact]:
        facts: list[Fact] = []
        number = sum(face for (face,) in dice.values())
        for seat in sorted(answers):
            if answers[seat]["type"] == "write":
                row, column = answers[seat]["row"], answers[seat]["column"]
                facts.append(("number_written", {"seat": seat, "row": row, "column": column, "number": number}))
                self.sheets[seat][row][column] = number
        return facts

    def costs_box(self, _phase: str, answer: Data | None) -> bool:
        return answer == {"type": "pass"}

    def dice_left(self, dice: Data) -> Data:
        return dice

    def after_closing(self, _phase: str) -> str:
        return ""

    def ending(self, phase: str) -> str | None:
        if phase:  # all answers of the turn count
            return None
        if any(sum(self._is_full(sheet, row) for row in self.rows) >= 2 for sheet in self.sheets):
            return "two_rows_filled"
        return "four_fails" if max(self.boxes) >= BOXES else None

    def _is_full(self, sheet: dict[str, dict[int, int]], row: str) -> bool:
        return len(sheet[row]) == len(self.rows[row])

    def points(self, seat: int) -> int:
        sheet, total = self.sheets[seat], -5 * self.boxes[seat]
        for row in self.rows:
            total += sheet[row][self.rows[row][-1]] if self._is_full(sheet, row) else len(sheet[row])
        for column, row in self.pentagons.items():
            if all(column in numbers for numbers in sheet.values()):
                total += sheet[row][column]
        return total


RULES: dict[tuple[str, str], type[Qwixx] | type[Qwinto]] = {
    **{("qwixx", sheet): Qwixx for sheet in QWIXX_SHEETS},
    ("qwinto", "classic"): Qwinto,
}


# The replay: seats, turns, open answers, and the events that must follow from each action


class Replay:
    """The replay of one game: for each event that an action caused, the events that must be appended with it."""

    def __init__(self, seeded_dice: SeededDice) -> None:
        self.seeded_dice, self.rules = seeded_dice, None  # type: SeededDice, Any
        self.client_seeds = ClientSeeds(seeded_dice.game)
        self.status, self.phase, self.at, self.at_before = "", "", "", ""
        self.setup: Data = {}
        self.dice: Data = {}
        self.participants: dict[int, Data] = {}
        self.sealed: list[Data] = []
        self.host: int | None = None
        self.deadline: str | None = None
        self.active = self.turn = self.roll = 0
        self.is_paused = self.is_own_append = False
        self.credited: set[str] = set()
        self.result: Data | None = None
        self.facts: list[Fact] = []
        self.opening_fact: Data | None = None
        self.upcoming: Sequence[Data] = ()

    def expected_events(self, upcoming: Sequence[Data]) -> list[Fact]:
        """`upcoming`: an event that an action caused, and the events of the same time after it."""
        event = upcoming[0]
        self.facts, self.opening_fact, self.upcoming = [], None, upcoming
        self.is_own_append = event["at"] != self.at
        if self.is_own_append:
            self.at, self.at_before = event["at"], self.at
        handler = getattr(self, f"on_{event['type']}", None)
        ensure(handler is not None, "rules", f"{event['type']} cannot be the first event of an append")
        handler(event["data"], event["version"])  # type: ignore[misc]
        return self.facts

    def claimed(self, type_: str, name: str) -> Any:
        """The value in the log for something that only the seed determines."""
        return next((event["data"].get(name) for event in self.upcoming if event["type"] == type_), None)

    def add(self, type_: str, data: Data) -> None:
        self.facts.append((type_, data))

    def open_phase(self, type_: str, data: Data) -> None:
        """The deadline is set later, when it is known whether a seat has to answer."""
        self.opening_fact, self.deadline = {**data, "deadline": None}, None
        self.add(type_, self.opening_fact)

    # Before the start

    def on_game_created(self, data: Data, version: int) -> None:
        ensure(version == 1, "rules", "game_created must be the first event and occur once")
        rules = RULES.get((data["ruleset"], data["sheet"]))
        least, most = rules.seats if rules else (1, MAX_NUMBER)
        ensure(least <= data["seats"] <= most, "rules", f"this game has {least} to {most} seats")
        ensure(data["visibility"] in ("public", "private"), "rules", "a game is public or private")
        ensure(_is_valid_clock(data["clock"], data["visibility"]), "rules", "this clock is not allowed")
        self.status, self.setup, self.client_seeds.created_at = OPEN, data, self.at
        self.add("game_created", data)

    def on_seat_taken(self, data: Data, _version: int) -> None:
        ensure(self.status == OPEN, "rules", "no seat can be taken now")
        ensure(bool(data["player"]) != bool(data["bot"]), "rules", "a seat has either a player or a bot")
        players = [participant["player"] for participant in self.participants.values()]
        has_seat = data["player"] and data["player"] in players
        ensure(not has_seat, "rules", "a player has one seat only")
        is_announced = "late_seed" in data
        has_seed = data["client_seed"] != "" or is_announced
        ensure(data["player"] or not has_seed, "dice", "a bot has no client seed")
        free = next(seat for seat in range(len(self.participants) + 1) if seat not in self.participants)
        self.participants[free] = {**data, "state": PRESENT, "timeouts": 0, "awaits_seed": is_announced}
        self.client_seeds.take(free, data, self.at)
        self.host = free if self.host is None else self.host
        self.deadline = time_after(self.at, SEED_WAIT_S) if self._is_full() and self._awaited() else None
        ensure(self.deadline or "deadline" not in data, "rules", "the game waits for no seed")
        self.add("seat_taken", {**data, "seat": free, **({"deadline": self.deadline} if self.deadline else {})})
        self._start_if_ready()

    def on_seed_given(self, data: Data, _version: int) -> None:
        seat = data["seat"]
        ensure(self.status == OPEN, "rules", "no seed can be given now")
        self._must_be_in_time("this seed is too late")
        self.client_seeds.give(seat, data["client_seed"])
        participant = self.participants[seat]
        is_new = participant["awaits_seed"] or data["client_seed"] != participant["client_seed"]
        ensure(is_new, "rules", "a seed that is repeated must not be appended")
        self.add("seed_given", data)
        participant.update(client_seed=data["client_seed"], awaits_seed=False)
        self._start_if_ready()

    def _is_full(self) -> bool:
        return bool(len(self.participants) == self.setup["seats"])

    def _awaited(self) -> list[int]:
        """The seats whose announced seed has not come yet."""
        return [seat for seat in sorted(self.participants) if self.participants[seat]["awaits_seed"]]

    def _start_if_ready(self) -> None:
        if self._is_full() and not self._awaited():
            self._start()

    def on_seat_left(self, data: Data, _version: int) -> None:
        ensure(self.status == OPEN and data["seat"] in self.participants, "rules", "this seat cannot be left now")
        del self.participants[data["seat"]], self.client_seeds.by_seat[data["seat"]]
        self.deadline = None
        players = sorted(seat for seat, participant in self.participants.items() if participant["player"])
        self.host = self.host if self.host in players else players[0] if players else None
        self.add("seat_left", {"seat": data["seat"], "host": self.host})
        if self.host is None:
            self._abort("nobody_left")

    def on_game_started(self, _data: Data, _version: int) -> None:
        """By the creator, who need not wait for announced seeds."""
        is_possible = self.status == OPEN and len(self.participants) >= 2 and self.is_own_append
        ensure(is_possible, "rules", "the game cannot start now")
        self._start()

    def _start(self) -> None:
        """Taken seats are renumbered without gaps; the seed determines the first seat."""
        taken = sorted(self.participants)
        self.participants = {new: self.participants[old] for new, old in enumerate(taken)}
        self.client_seeds.renumber(taken)
        self.seeded_dice.entropy = entropy_of(participant["client_seed"] for participant in self.participants.values())
        first = self._first(len(taken))
        rules, sheet = RULES[self.setup["ruleset"], self.setup["sheet"]], self.setup["sheet"]
        printings = self._printings(rules.printings(sheet), len(taken))
        printed = {"printings": printings} if printings else {}
        self.add("game_started", {"first": first, "entropy": self.seeded_dice.entropy, "seats": taken, **printed})
        self.status, self.rules = PLAYING, rules(len(taken), sheet, printings)
        self._start_turn(first if first in self.participants else 0)
        self._advance()

    def _first(self, seats: int) -> Any:
        drawn, claimed = self.seeded_dice.die(0, "first", seats), self.claimed("game_started", "first")
        if drawn is not None:
            return drawn - 1
        return claimed if claimed in range(seats) else "a seat of this game"

    def _printings(self, names: Sequence[str], seats: int) -> list[Any]:
        """The printing of each seat: one is drawn for the first seat, the following seats have the following ones."""
        claimed = self.claimed("game_started", "printings")
        if not names:
            ensure(claimed is None, "rules", "all seats of this sheet have the same printing")
            return []
        drawn = self.seeded_dice.die(0, "printing", len(names))
        if drawn is None:
            first = claimed[0] if isinstance(claimed, list) and claimed else None
            drawn = 1 + (names.index(first) if first in names else 0)
        return [names[(drawn - 1 + seat) % len(names)] for seat in range(seats)]

    # Which seats have to answer, and what happens when none has to

    def seats_to_answer(self) -> list[int]:
        if self.status != PLAYING or not self.phase:
            return []
        asked = sorted(self.participants) if self.phase == self.rules.everyone else [self.active]
        answered = [answer["seat"] for answer in self.sealed]
        return [seat for seat in asked if self._is_present(seat) and seat not in answered]

    def _is_present(self, seat: int) -> bool:
        return bool(self.participants[seat]["state"] == PRESENT)

    def _is_away(self, seat: int) -> bool:
        return bool(self.participants[seat]["state"] == AWAY)

    def _has_one_seat(self) -> bool:
        return bool(sum(participant["state"] != RESIGNED for participant in self.participants.values()) == 1)

    def _has_present_player(self) -> bool:
        return any(
            participant["player"] and participant["state"] == PRESENT for participant in self.participants.values()
        )

    def _start_turn(self, seat: int) -> None:
        self.active, self.turn, self.phase, self.dice = seat, self.turn + 1, "roll", {}
        self.rules.turn()
        self.open_phase("turn_started", {"seat": seat, "turn": self.turn})

    def _advance(self) -> None:
        """Closes phases and starts turns until a seat has to answer or the game is over."""
        while self.status == PLAYING:
            reason = self.rules.ending(self.phase)
            if reason:
                self._end(reason)
            elif self.seats_to_answer():
                self._set_deadline()
                break
            elif self._has_one_seat():
                self._end("last_seat_standing")
            elif self.phase in ("", "roll"):
                self._start_next_turn()
            else:
                self._close(self._answers_and_passes())

    def _start_next_turn(self) -> None:
        """The turn of a seat that is away rolls nothing and costs a box."""
        clockwise = [(self.active + step) % len(self.participants) for step in range(1, len(self.participants) + 1)]
        self._start_turn(next(seat for seat in clockwise if self.participants[seat]["state"] != RESIGNED))
        if self._is_away(self.active):
            self._use_box(self.active)

    def _use_box(self, seat: int) -> None:
        """Absence never uses the last box: the seat is resigned instead."""
        if self._is_away(seat) and self.rules.boxes[seat] == BOXES - 1:
            self._resign(seat)
        else:
            self.rules.boxes[seat] += 1
            self.add(self.rules.box, {"seat": seat})

    def _resign(self, seat: int) -> None:
        self.add("seat_resigned", {"seat": seat})
        self._set_state(seat, RESIGNED)

    def _set_deadline(self) -> None:
        if self.opening_fact is not None:
            self.opening_fact["deadline"] = self.deadline = self._full_deadline()

    def _full_deadline(self) -> str | None:
        clock = self.setup["clock"]
        return None if clock is None or self.is_paused else time_after(self.at, clock[self.rules.clocks[self.phase]])

    def _answers(self) -> dict[int, Data]:
        return {answer["seat"]: answer["action"] for answer in self.sealed}

    def _answers_and_passes(self, silent: Sequence[int] = ()) -> dict[int, Data]:
        """The sealed answers; silent seats and an active seat that is away pass, with all consequences."""
        absent = [self.active] if self._is_away(self.active) else []
        return {**{seat: {"type": "pass"} for seat in (*absent, *silent)}, **self._answers()}

    def _close(self, answers: Mapping[int, Data]) -> None:
        """Closes the phase with these answers: sealed ones are revealed, and all are applied at once."""
        if self.phase == "keep":
            self.phase = "write"
            self.open_phase("dice_kept", {"seat": self.active})
            return
        ensure(all(answer["action"] for answer in self.sealed), "chain", "an answer of this phase is still hidden")
        answered = self.sealed if self.phase == self.rules.everyone else None
        self.open_phase("phase_closed", {"phase": self.phase, "answers": answered})
        self.facts += self.rules.resolve(self.phase, self.active, answers, self.dice)
        if self.rules.costs_box(self.phase, answers.get(self.active)):
            self._use_box(self.active)
        self.dice, self.sealed = self.rules.dice_left(self.dice), []
        self.phase = self.rules.after_closing(self.phase)

    def _end(self, reason: str) -> None:
        self.result = {"reason": reason, "ranking": self._ranking()}
        self.add("game_ended", {**self.result, "server_seed": self.seeded_dice.revealed()})
        self.status, self.deadline = FINISHED, None

    def _ranking(self) -> list[Data]:
        """Best first; equal points share a rank; resigned and away seats rank below all others."""
        points = {seat: self.rules.points(seat) for seat in self.participants}
        keys = {seat: (not self._is_present(seat), -points[seat]) for seat in self.participants}
        return [
            {"seat": seat, "rank": 1 + sum(other < keys[seat] for other in keys.values()), "points": points[seat]}
            for seat in sorted(self.participants, key=lambda seat: (keys[seat], seat))
        ]

    def _abort(self, reason: str) -> None:
        self._reveal()
        self.add("game_aborted", {"reason": reason, "server_seed": self.seeded_dice.revealed()})
        self.status, self.deadline = ABORTED, None

    def _reveal(self) -> None:
        """A game that stops within a phase reveals its sealed answers."""
        if self.sealed:
            self.add("phase_closed", {"phase": self.phase, "answers": self.sealed, "deadline": None})
            self.sealed = []

    # Answers

    def _must_be_asked(self, seat: int, *phases: str) -> None:
        ensure(self.status == PLAYING and self.phase in phases, "rules", "this event does not belong to the open phase")
        ensure(seat in self.participants and self._is_present(seat), "rules", f"seat {seat} cannot answer now")
        self._must_be_in_time("this answer is too late")

    def _must_be_in_time(self, why: str) -> None:
        # Appends have increasing times, so an answer in time may have been stamped after its deadline.
        is_postponed = self.at_before and self.at == time_after(self.at_before, 0, 1)
        ensure(self.deadline is None or self.at < self.deadline or is_postponed, "rules", why)

    def _must_be_legal(self, seat: int, action: Any) -> None:
        options = self.rules.options(self.phase, seat, self.dice)
        what = canonical(action).decode()
        ensure(any(same(action, option) for option in options), "rules", f"seat {seat} was not allowed {what}")

    def on_dice_rolled(self, data: Data, _version: int) -> None:
        self._must_be_asked(self.active, "roll", "keep")
        names = sorted(name for name, _ in _named_faces(data["dice"]))
        choices = [choice for choice in self.rules.choices(self.phase, self.dice) if sorted(choice) == names]
        ensure(choices, "rules", f"these dice could not be rolled: {', '.join(names)}")
        self.participants[self.active]["timeouts"] = 0
        self._roll(choices[0])
        self._advance()

    def _roll(self, names: Sequence[str]) -> None:
        self.roll += 1
        self.dice = {}
        for name in names:
            colour = "white" if name.startswith("white") else name
            self.dice.setdefault(colour, []).append(self._face(name))
        self.phase = self.rules.after_roll(self.phase)
        self.open_phase("dice_rolled", {"seat": self.active, "roll": self.roll, "dice": self.dice})

    def _face(self, name: str) -> Any:
        """The face that the seed gives, or the face in the log while the seed is secret."""
        drawn, dice = self.seeded_dice.die(self.roll, name), self.claimed("dice_rolled", "dice")
        claimed: Any = dict(_named_faces(dice)).get(name) if isinstance(dice, dict) else None
        if drawn is not None:
            return drawn
        return claimed if is_number(claimed) and 1 <= claimed <= 6 else "1 to 6"

    def on_dice_kept(self, _data: Data, _version: int) -> None:
        self._must_be_asked(self.active, "keep")
        self.participants[self.active]["timeouts"] = 0
        self._close({})
        self._advance()

    def on_answer_sealed(self, data: Data, version: int) -> None:
        seat, action = data["seat"], data.get("action")
        self._must_be_asked(seat, "white", "write")
        mine = [answer["action"] for answer in self.sealed if answer["seat"] == seat]
        ensure(len(mine) <= 20, "rules", "an answer may be replaced 20 times")
        if action is not None:
            self._must_be_legal(seat, action)
            ensure(not mine or not same(mine[-1], action), "rules", "an answer that is repeated must not be appended")
        self.participants[seat]["timeouts"] = 0
        self.add("answer_sealed", data)
        self.sealed.append({"seat": seat, "version": version, "action": action, "nonce": data.get("nonce")})
        self._advance()

    def on_phase_closed(self, data: Data, _version: int) -> None:
        """As first event: the answer in phase colour, which is not sealed, or staff stop the game within a phase."""
        ensure(self.status == PLAYING, "rules", "there is no phase to close")
        if self.phase == "colour" and data["phase"] == "colour":
            self._must_be_asked(self.active, "colour")
            answer = self._colour_answer()
            self._must_be_legal(self.active, answer)
            self.participants[self.active]["timeouts"] = 0
            self._close({self.active: answer})
            self._advance()
            return
        is_stopped = len(self.upcoming) > 1 and self.upcoming[1]["type"] in ("game_aborted", "game_voided")
        ensure(self.sealed and is_stopped, "rules", "a seat still has to answer")
        self._reveal()

    def _colour_answer(self) -> Data:
        """The answer of phase colour, derived from the next event."""
        if len(self.upcoming) < 2 or self.upcoming[1]["type"] != "cell_marked":
            return {"type": "pass"}
        marked = self.upcoming[1]["data"]
        return {"type": "mark", "row": marked["row"], "number": marked["number"]}

    # Deadlines and absent seats

    def on_time_ran_out(self, _data: Data, _version: int) -> None:
        ensure(self.deadline is not None, "rules", "no deadline is running")
        ensure(self.at >= (self.deadline or ""), "rules", "time has not run out yet")
        if self.status == OPEN:
            self.add("time_ran_out", {"seats": self._awaited(), "deadline": self.deadline})
            self._start()
            return
        silent = self.seats_to_answer()
        self.add("time_ran_out", {"seats": silent, "deadline": self.deadline})
        for seat in silent:
            participant = self.participants[seat]
            participant["timeouts"] += 1
            if participant["player"] and participant["timeouts"] >= 3:  # a bot never becomes away
                self.add("seat_went_away", {"seat": seat})
                self._set_state(seat, AWAY)
        if self._has_present_player():
            self._answer_for(silent)
        self._advance_or_abort()

    def _answer_for(self, silent: Sequence[int]) -> None:
        """Rolls the dice, in Qwinto all three, or counts missing answers as passes."""
        if self.phase == "roll":
            self._roll(max(self.rules.choices("roll", {}), key=len))
        else:
            self._close(self._answers_and_passes(silent))

    def _advance_or_abort(self) -> None:
        if self.status == PLAYING and not self._has_present_player():
            self._abort("nobody_left")
        self._advance()

    def _set_state(self, seat: int, state: str) -> None:
        self.participants[seat].update(state=state, timeouts=0)

    def on_seat_came_back(self, data: Data, _version: int) -> None:
        is_away = self.participants.get(data["seat"], {}).get("state") == AWAY
        ensure(self.status == PLAYING and is_away, "rules", "this seat is not away")
        self.add("seat_came_back", {"seat": data["seat"]})
        self._set_state(data["seat"], PRESENT)

    def on_seat_resigned(self, data: Data, _version: int) -> None:
        state = self.participants.get(data["seat"], {}).get("state", RESIGNED)
        ensure(self.status == PLAYING and state != RESIGNED, "rules", "this seat cannot resign")
        self._resign(data["seat"])
        if self._has_one_seat():
            if self.sealed:  # an answer that is already sealed counts
                self._close(self._answers())
            self._end("last_seat_standing")
        self._advance_or_abort()

    # Staff actions, and events after the end

    def on_time_credited(self, data: Data, _version: int) -> None:
        ensure(self.deadline is not None, "rules", "no deadline is running")
        is_new = data["seconds"] > 0 and data["key"] not in self.credited
        ensure(is_new, "rules", "time is credited once per outage and is positive")
        self.credited.add(data["key"])
        self.deadline = time_after(self.deadline or "", data["seconds"])
        self.add("time_credited", {**data, "deadline": self.deadline})

    def on_clock_paused(self, data: Data, _version: int) -> None:
        ensure(self.status == PLAYING and not self.is_paused, "rules", "there is no clock to pause")
        self.is_paused, self.deadline = True, None
        self.add("clock_paused", data)

    def on_clock_resumed(self, data: Data, _version: int) -> None:
        ensure(self.status == PLAYING and self.is_paused, "rules", "there is no clock to resume")
        self.is_paused = False
        self.deadline = self._full_deadline()
        self.add("clock_resumed", {**data, "deadline": self.deadline})

    def on_game_aborted(self, data: Data, _version: int) -> None:
        ensure(self.status in (OPEN, PLAYING), "rules", "the game is already over")
        ensure(not self.sealed, "rules", "sealed answers must be revealed first")
        self._abort(data["reason"])

    def on_game_voided(self, data: Data, _version: int) -> None:
        ensure(self.status not in ("", VOIDED), "rules", "there is nothing to void")
        ensure(not self.sealed, "rules", "sealed answers must be revealed first")
        self.add("game_voided", {"reason": data["reason"], "server_seed": self.seeded_dice.revealed()})
        self.status, self.deadline = VOIDED, None

    def on_rematch_created(self, data: Data, _version: int) -> None:
        ensure(self.status in OVER, "rules", "the game is not over")
        self.add("rematch_created", data)


class UnknownGameReplay(Replay):
    """A game with unknown rules: only seeds, dice and sealed answers are checked."""

    def expected_events(self, upcoming: Sequence[Data]) -> list[Fact]:
        event = upcoming[0]
        data, self.upcoming, self.at = event["data"], upcoming, event["at"]
        self.client_seeds.created_at = self.client_seeds.created_at or self.at
        ensure(event["version"] != 1 or event["type"] == "game_created", "rules", "a log must begin with game_created")
        check = getattr(self, f"check_{event['type']}", None)
        if check is not None:
            check(data, event["version"])
        self.status = STATUS_AFTER.get(event["type"], self.status)
        return [
            (event["type"], {**data, "server_seed": self.seeded_dice.revealed()} if "server_seed" in data else data)
        ]

    def check_seat_taken(self, data: Data, _version: int) -> None:
        self.participants[data["seat"]] = dict(data)
        self.client_seeds.take(data["seat"], data, self.at)

    def check_seed_given(self, data: Data, _version: int) -> None:
        self.client_seeds.give(data["seat"], data["client_seed"])
        self.participants[data["seat"]]["client_seed"] = data["client_seed"]

    def check_seat_left(self, data: Data, _version: int) -> None:
        self.participants.pop(data["seat"], None)
        self.client_seeds.by_seat.pop(data["seat"], None)

    def check_game_started(self, data: Data, _version: int) -> None:
        taken = sorted(self.participants)
        self.seeded_dice.entropy = entropy_of(self.participants[seat]["client_seed"] for seat in taken)
        is_mixed = data["entropy"] == self.seeded_dice.entropy and data["seats"] == taken
        ensure(taken and is_mixed, "dice", "this entropy is not the hash of the client seeds")
        ensure(data["first"] == self._first(len(taken)), "dice", "the seed gives another first seat")
        self.participants = {new: self.participants[old] for new, old in enumerate(taken)}
        self.client_seeds.renumber(taken)

    def check_dice_rolled(self, data: Data, _version: int) -> None:
        self.roll += 1
        ensure(data["roll"] == self.roll, "dice", f"this should be roll {self.roll}")
        for name, face in sorted(_named_faces(data["dice"]), key=itemgetter(0)):
            ensure(same(face, self._face(name)), "dice", f"the seed gives {name} another face")

    def check_answer_sealed(self, data: Data, version: int) -> None:
        answer = {"action": data.get("action"), "nonce": data.get("nonce")}
        self.sealed.append({"seat": data["seat"], "version": version, **answer})

    def check_phase_closed(self, data: Data, _version: int) -> None:
        if data["answers"] is not None:
            ensure(same(data["answers"], self.sealed), "rules", "the revealed answers are not the sealed ones")
            self.sealed = []


def _is_valid_clock(clock: Any, visibility: str) -> bool:
    if clock is None:
        return visibility == "private"
    has_all_limits = invalid_field(clock, "roll_s:number answer_s:number") is None
    return has_all_limits and all(5 <= seconds <= 1_209_600 for seconds in clock.values())


def _named_faces(dice: Data) -> list[tuple[str, Any]]:
    """The name of each die and its face; several dice of one colour are numbered: white1, white2."""
    pairs: list[tuple[str, Any]] = []
    for colour, faces in dice.items():
        is_one = len(faces) == 1
        pairs += [(colour if is_one else f"{colour}{place}", face) for place, face in enumerate(faces, start=1)]
    return pairs


# The log: its lines, checked one by one against the chain


class Log:
    """An export: its valid events, and the error in the first invalid one."""

    def __init__(self, text: str | bytes) -> None:
        try:
            lines = (text.decode() if isinstance(text, bytes) else text).split("\n")
        except UnicodeDecodeError:
            raise VerificationError("form", "this is not UTF-8", 0) from None
        first, *self.lines = lines if lines[-1] or len(lines) == 1 else lines[:-1]
        self.header = _header(first)
        self.is_known = (self.header["ruleset"], self.header["sheet"]) in RULES
        self.events: list[Data] = []
        self.fault: VerificationError | None = None
        try:
            for line in self.lines:
                self.events.append(self._linked(self._read(line)))
        except VerificationError as error:
            self.fault = error

    def _read(self, line: str) -> Data:
        ensure(len(self.events) < self.header["events"], "form", f"the header announces {self.header['events']} events")
        event: Data = parse(line)
        field = invalid_field(event, ENVELOPE)
        ensure(field is None, "form", f"the envelope is invalid: {field}")
        field = self._invalid_field_of(event["type"], event["v"], event["data"])
        ensure(field is None, "form", f"{event['type']} is invalid: {field}")
        ensure(event["game"] == self.header["game"], "form", "this event belongs to another game")
        return event

    def _invalid_field_of(self, type_: str, v: int, data: Data) -> str | None:
        shape = SHAPES_BY_V.get(v, {}).get(type_)
        if shape is None:
            return None if not self.is_known and type_ not in COMMON_TYPES else "not known to this verifier"
        may_hide = type_ == "answer_sealed" and not self.header["complete"] and "action" not in data
        return invalid_field(data, "seat:number" if may_hide else shape)

    def _linked(self, event: Data) -> Data:
        before = self.events[-1] if self.events else {"hash": GENESIS, "at": ""}
        ensure(event["version"] == len(self.events) + 1, "chain", f"version {event['version']} is out of order")
        ensure(event["prev"] == before["hash"], "chain", "prev is not the hash of the event before")
        ensure(event["at"] >= before["at"], "chain", "this event is earlier than the event before")
        is_valid = is_hidden(event) or event["hash"] == hash_of(event)
        ensure(is_valid, "chain", "the hash does not match the event")
        return _upcast(event)

    def hidden(self) -> int:
        return sum(map(is_hidden, self.events))

    def event(self, index: int, wanted: str) -> Data:
        if index < len(self.events):
            return self.events[index]
        raise self.fault or VerificationError("form", f"the log ends before {wanted}")

    def upcoming(self, index: int) -> list[Data]:
        """The event at this index and the events of the same time after it."""
        return list(takewhile(lambda event: event["at"] == self.events[index]["at"], self.events[index:]))


def _header(line: str) -> Data:
    try:
        header = parse(line)
        field = invalid_field(header, HEADER, is_closed=False)
        ensure(field is None, "form", f"the header is invalid: {field}")
        is_supported = header["format"] == "qwixx-log" and header["format_version"] == 1
        ensure(is_supported, "form", "this is not a qwixx-log of version 1")
    except VerificationError as error:
        raise VerificationError("form", error.why, 0) from None
    return dict(header)


def is_hidden(event: Data) -> bool:
    return event["type"] == "answer_sealed" and "action" not in event["data"]


def _upcast(event: Data) -> Data:
    """The event in the newest form; the hash covers the form in which it was stored."""
    if (event["type"], event["v"]) != ("dice_rolled", 1):
        return event
    dice = {colour: faces if isinstance(faces, list) else [faces] for colour, faces in event["data"]["dice"].items()}
    return {**event, "v": 2, "data": {**event["data"], "dice": dice}}


def hash_of(event: Data) -> str:
    """Contract, section 10."""
    body = {name: event[name] for name in ("at", "data", "game", "type", "v", "version")}
    return hashlib.sha256(event["prev"].encode() + canonical(body)).hexdigest()


CHECK_OF_FIELD = {"dice": "dice", "first": "dice", "entropy": "dice", "ranking": "scores", "server_seed": "commitment"}


def compare(event: Data, type_: str, data: Data, at: str) -> None:
    """Compares an event of the log with the event that must be there."""
    ensure(event["type"] == type_, "rules", f"{type_} must come here, not {event['type']}")
    for name in sorted(data):
        found = event["data"].get(name)
        is_same = same(found, data[name])
        wanted, actual = canonical(data[name]).decode(), canonical(found).decode()
        ensure(is_same, CHECK_OF_FIELD.get(name, "rules"), f"{type_}: {name} must be {wanted}, not {actual}")
    ensure(event["at"] == at, "rules", f"{type_} must happen at {at}, at the same time as its cause")


# The report


def verify(text: str | bytes, noted: Sequence[str] = ()) -> Data:
    """The report about an export. `noted`: hashes, the commitment or the id that a player noted during the game."""
    report: Data = {"ok": False, "bad": None, "checks": dict.fromkeys(CHECKS, "not finished"), "notes": []}
    report |= dict.fromkeys(("game", "ruleset", "sheet", "events", "complete", "status", "commitment", "head"))
    report |= dict.fromkeys(("result", "client_seeds", "late_seats"))
    try:
        log = Log(text)
        report |= {name: log.header[name] for name in ("game", "ruleset", "sheet", "complete")}
        report["events"] = len(log.lines)
        seeded_dice = SeededDice(log.header["game"], log.events)
        replay = Replay(seeded_dice) if log.is_known else UnknownGameReplay(seeded_dice)
        done = 0
        while done < len(log.lines):
            done = _replay_action(log, replay, done, report)
        _finish_report(log, replay, report)
        _check_noted(log, replay, noted)
    except VerificationError as error:
        report |= {"ok": False, "notes": [], "bad": {"version": error.version, "check": error.check, "why": error.why}}
        report["checks"] = dict.fromkeys(CHECKS, "not finished") | {error.check: "failed"}
    return report


def _replay_action(log: Log, replay: Replay, done: int, report: Data) -> int:
    """Replays one action and its consequences; returns how many events have been checked so far."""
    index = done
    try:
        event = log.event(done, "")
        if done == 0:
            _check_beginning(log, event)
        for index, (type_, data) in enumerate(replay.expected_events(log.upcoming(done)), start=done):
            found = log.event(index, type_)
            compare(found, type_, data, event["at"])
            report["head"] = found["hash"]
    except VerificationError as error:
        raise VerificationError(error.check, error.why, index + 1) from None
    return index + 1


def _check_beginning(log: Log, event: Data) -> None:
    ensure(event["type"] == "game_created", "rules", "a log must begin with game_created")
    for name in ("ruleset", "sheet"):
        ensure(event["data"][name] == log.header[name], "form", f"the header has another {name}")


def _finish_report(log: Log, replay: Replay, report: Data) -> None:
    count, is_over = len(log.lines), replay.status in OVER
    report |= {"status": replay.status, "result": replay.result, "commitment": replay.seeded_dice.commitment}
    report |= {"client_seeds": replay.client_seeds.report(), "late_seats": replay.client_seeds.late_seats()}
    if not count or count < log.header["events"]:
        raise VerificationError("form", f"the header announces {log.header['events']} events", count + 1)
    if log.header["complete"] and not is_over:
        raise VerificationError("form", "the header says that the log is complete, but the game is not over", count + 1)
    if is_over and not log.header["complete"]:
        raise VerificationError("form", "the header says that the log is not complete, but the game is over", 0)
    report |= {"ok": True, "checks": _check_results(log, replay), "notes": _notes(log, replay)}


def _check_noted(log: Log, replay: Replay, noted: Sequence[str]) -> None:
    known = {log.header["game"], replay.seeded_dice.commitment, *(event["hash"] for event in log.events)}
    for one in noted:
        if one not in known:
            raise VerificationError("chain", f"this log does not contain the noted hash, commitment or id: {one}", 0)


def _check_results(log: Log, replay: Replay) -> dict[str, str]:
    is_checked = {
        "commitment": replay.seeded_dice.is_revealed,
        "dice": replay.seeded_dice.is_revealed,
        "rules": log.is_known,
        "scores": replay.result is not None,
    }
    return {check: "ok" if is_checked.get(check, True) else "not checked" for check in CHECKS}


def _notes(log: Log, replay: Replay) -> list[str]:
    notes = {
        "The game is not over: its seed is still secret, so commitment and dice cannot be checked yet.": (
            not replay.seeded_dice.is_revealed
        ),
        f"Sealed answers that are still hidden, with hashes that cannot be checked yet: {log.hidden()}.": log.hidden(),
        "The rules of this sheet are not known to this verifier: printings, moves and scores were not checked.": (
            not log.is_known
        ),
        "The game ended without a result: there are no scores to check.": (
            log.is_known and replay.status in (ABORTED, VOIDED) and replay.result is None
        ),
        "Staff removed the game from ratings and statistics.": replay.status == VOIDED,
    }
    return [note for note, applies in notes.items() if applies]


def readable(report: Data) -> str:
    what = "{ruleset} {sheet}, game {game}: {events} events".format(**report)
    lines = [what if report["game"] else "This is not the export of a game."]
    lines += [f"  {check + ' ':.<12} {verdict}" for check, verdict in report["checks"].items()]
    if report["result"]:
        lines.append(f"  {report['result']['reason']}")
        lines += [
            f"  {place['rank']}. seat {place['seat']}: {place['points']}" for place in report["result"]["ranking"]
        ]
    lines += [f"  {line}" for line in _seed_lines(report["client_seeds"] or [], report["late_seats"] or [])]
    lines += [f"  {note}" for note in report["notes"]]
    if report["head"]:
        lines.append(f"  last valid hash: {report['head']}")
    if report["ok"]:
        return "\n".join([*lines, "Everything that can be checked is correct."])
    error = report["bad"]
    return "\n".join([*lines, f"BAD at version {error['version']} ({error['check']}): {error['why']}"])


def _seed_lines(client_seeds: Sequence[Data], late_seats: Sequence[int]) -> list[str]:
    """The kind of each seat's seed, and what follows from all of them."""
    lines = [f"client seed of seat {each['seat']}: {MEANING_OF_SEED[each['seed']]}" for each in client_seeds]
    if late_seats:
        lines.append(f"The late seeds came in this order of seats: {', '.join(map(str, late_seats))}.")
        lines.append(NOT_CHOSEN_IF)
    elif lines:
        lines.append("No seed came after the commitment: the server could try secrets until the dice suited it.")
    return lines


def main(arguments: Sequence[str]) -> int:
    if not arguments:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    try:
        text = Path(arguments[0]).read_bytes()
    except OSError as error:
        print(f"{arguments[0]} cannot be read: {error.strerror}", file=sys.stderr)
        return 2
    report = verify(text, arguments[1:])
    print(readable(report))
    return 0 if report["ok"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
"""Checks the export of a game of Qwixx or Qwinto: chain, commitment, dice, rules and scores. Needs nothing but Python.

    python3 verify.py game.ndjson [a hash or commitment you noted while you played …]

It shares no code with the service that wrote the export. It replays the game from the log. Where players had a choice,
the log says what they chose, and the verifier checks that it was allowed; everything that follows, dice and scores
included, is computed here and must be in the log exactly. `verify.js` is the same in JavaScript.
"""

import hashlib
import hmac
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import combinations, takewhile
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
COMMON_TYPES = (*STATUS_AFTER, "seat_taken", "seat_left", "dice_rolled", "answer_sealed", "phase_closed")
PRESENT, AWAY, RESIGNED = "playing", "away", "resigned"
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


KINDS: dict[str, Callable[[Any], bool]] = {
    "number": is_number,
    "text": is_text,
    "flag": lambda value: isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
    "numbers": lambda value: isinstance(value, list) and all(map(is_number, value)),
    "list": lambda value: isinstance(value, list),
    "hash": lambda value: is_text(value) and HEX64.fullmatch(value) is not None,
    "time": lambda value: is_text(value) and seconds_since_1970(value) is not None,
    "nonce": lambda value: is_text(value) and HEX32.fullmatch(value) is not None,
    "seed": lambda value: is_text(value) and CLIENT_SEED.fullmatch(value) is not None,
}
SHAPES = {
    "game_created": "ruleset:text sheet:text seats:number visibility:text rated:flag clock:object? commitment:hash "
    "rematch_of:text?",
    "seat_taken": "seat:number player:text? bot:text? client_seed:seed",
    "seat_left": "seat:number host:number?",
    "game_started": "first:number entropy:hash seats:numbers",
    "turn_started": "seat:number turn:number deadline:time?",
    "dice_rolled": "seat:number roll:number dice:object deadline:time?",
    "dice_kept": "seat:number deadline:time?",
    "answer_sealed": "seat:number action:object nonce:nonce",
    "phase_closed": "phase:text answers:list? deadline:time?",
    "cell_marked": "seat:number row:text number:number phase:text",
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
ENVELOPE = "game:text version:number type:text v:number at:time data:object prev:hash hash:hash"
HEADER = "format:text format_version:number game:text ruleset:text sheet:text events:number complete:flag"


def invalid_field(value: Any, shape: str, *, is_closed: bool = True) -> str | None:
    """The name of the first field that is missing, unknown or of the wrong kind."""
    if not isinstance(value, dict):
        return "it"
    kinds = dict(field.split(":") for field in shape.split())
    for name, kind in kinds.items():
        is_null = kind.endswith("?") and name in value and value[name] is None
        if not is_null and not (name in value and KINDS[kind.rstrip("?")](value[name])):
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


def entropy_of(client_seeds: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(f"{seat}:{seed}" for seat, seed in enumerate(client_seeds)).encode()).hexdigest()


# The rules: dice, allowed answers, consequences and scores of each game


class Qwixx:
    """Rows are lists of marked numbers in the order in which they were marked, left to right."""

    seats, everyone, clocks = (2, 5), "white", {"roll": "roll_s", "white": "answer_s", "colour": "answer_s"}
    rows: Mapping[str, Sequence[int]] = {
        "red": range(2, 13),
        "yellow": range(2, 13),
        "green": range(12, 1, -1),
        "blue": range(12, 1, -1),
    }

    def __init__(self, seats: int) -> None:
        self.sheets: list[dict[str, list[int]]] = [{row: [] for row in self.rows} for _ in range(seats)]
        self.penalties = [0] * seats
        self.closed: list[str] = []
        self.has_marked = False

    def turn(self) -> None:
        self.has_marked = False

    def choices(self, _phase: str, _dice: Data) -> list[list[str]]:
        return [["white1", "white2", *(row for row in self.rows if row not in self.closed)]]

    def after_roll(self, _phase: str) -> str:
        return "white"

    def options(self, phase: str, seat: int, dice: Data) -> list[Data]:
        white = dice["white"]
        options = []
        for row in self.rows:
            sums = [white[0] + white[1]] if phase == "white" else [w + dice[row] for w in white if row in dice]
            options += [{"type": "mark", "row": row, "number": n} for n in sums if self._may_mark(seat, row, n)]
        return [*options, {"type": "pass"}]

    def _may_mark(self, seat: int, row: str, number: int) -> bool:
        marks, numbers = self.sheets[seat][row], self.rows[row]
        if row in self.closed or (marks and numbers.index(number) <= numbers.index(marks[-1])):
            return False
        return number != numbers[-1] or len(marks) >= 5

    def resolve(self, phase: str, active: int, answers: Mapping[int, Data], _dice: Data) -> list[Fact]:
        facts: list[Fact] = []
        closing: dict[str, list[int]] = {}
        for seat in sorted(answers):
            if answers[seat]["type"] == "mark":
                row, number = answers[seat]["row"], answers[seat]["number"]
                facts.append(("cell_marked", {"seat": seat, "row": row, "number": number, "phase": phase}))
                self.sheets[seat][row].append(number)
                self.has_marked = self.has_marked or seat == active
                if number == self.rows[row][-1]:
                    closing.setdefault(row, []).append(seat)
        for row in self.rows:
            if row in closing:
                facts.append(("row_closed", {"row": row, "seats": closing[row]}))
                self.closed.append(row)
        if phase == "colour" and not self.has_marked and answers.get(active) == {"type": "pass"}:
            facts.append(("penalty_taken", {"seat": active}))
            self.penalties[active] += 1
        return facts

    def dice_left(self, dice: Data) -> Data:
        return {name: die for name, die in dice.items() if name not in self.closed}

    def after_closing(self, phase: str) -> str:
        return "colour" if phase == "white" else ""

    def ending(self, _phase: str) -> str | None:
        if len(self.closed) >= 2:
            return "two_rows_closed"
        return "four_penalties" if max(self.penalties) >= 4 else None

    def points(self, seat: int) -> int:
        total = -5 * self.penalties[seat]
        for row, marks in self.sheets[seat].items():
            crosses = len(marks) + (self.rows[row][-1] in marks)  # the lock is one more cross
            total += crosses * (crosses + 1) // 2
        return total


class Qwinto:
    """Rows map a column to the number written there."""

    seats, everyone, clocks = (2, 6), "write", {"roll": "roll_s", "keep": "roll_s", "write": "answer_s"}
    rows: Mapping[str, Sequence[int]] = {
        "orange": (2, 3, 4, 6, 7, 8, 9, 10, 11),
        "yellow": (1, 2, 3, 4, 5, 7, 8, 9, 10),
        "purple": (0, 1, 2, 3, 5, 6, 7, 8, 9),
    }
    pentagons: Mapping[int, str] = {2: "purple", 3: "orange", 7: "orange", 8: "yellow", 9: "purple"}

    def __init__(self, seats: int) -> None:
        self.sheets: list[dict[str, dict[int, int]]] = [{row: {} for row in self.rows} for _ in range(seats)]
        self.fails = [0] * seats

    def turn(self) -> None:
        pass

    def choices(self, phase: str, dice: Data) -> list[list[str]]:
        if phase == "keep":
            return [[row for row in self.rows if row in dice]]  # a reroll rolls the same dice
        return [list(chosen) for count in (1, 2, 3) for chosen in combinations(self.rows, count)]

    def after_roll(self, phase: str) -> str:
        return "write" if phase == "keep" else "keep"

    def options(self, _phase: str, seat: int, dice: Data) -> list[Data]:
        number = sum(dice.values())
        cells = [(row, column) for row in self.rows if row in dice for column in self.rows[row]]
        fitting = [(row, column) for row, column in cells if self._may_write(seat, row, column, number)]
        return [*({"type": "write", "row": row, "column": column} for row, column in fitting), {"type": "pass"}]

    def _may_write(self, seat: int, row: str, column: int, number: int) -> bool:
        sheet = self.sheets[seat]
        for other, there in sheet[row].items():
            if other == column or (there >= number if other < column else there <= number):
                return False
        return all(numbers.get(column) != number for numbers in sheet.values())

    def resolve(self, _phase: str, active: int, answers: Mapping[int, Data], dice: Data) -> list[Fact]:
        facts: list[Fact] = []
        number = sum(dice.values())
        for seat in sorted(answers):
            if answers[seat]["type"] == "write":
                row, column = answers[seat]["row"], answers[seat]["column"]
                facts.append(("number_written", {"seat": seat, "row": row, "column": column, "number": number}))
                self.sheets[seat][row][column] = number
        if answers.get(active) == {"type": "pass"}:
            facts.append(("throw_failed", {"seat": active}))
            self.fails[active] += 1
        return facts

    def dice_left(self, dice: Data) -> Data:
        return dice

    def after_closing(self, _phase: str) -> str:
        return ""

    def ending(self, phase: str) -> str | None:
        if phase:  # all answers of the turn count
            return None
        if any(sum(self._is_full(sheet, row) for row in self.rows) >= 2 for sheet in self.sheets):
            return "two_rows_filled"
        return "four_fails" if max(self.fails) >= 4 else None

    def _is_full(self, sheet: dict[str, dict[int, int]], row: str) -> bool:
        return len(sheet[row]) == len(self.rows[row])

    def points(self, seat: int) -> int:
        sheet, total = self.sheets[seat], -5 * self.fails[seat]
        for row in self.rows:
            total += sheet[row][self.rows[row][-1]] if self._is_full(sheet, row) else len(sheet[row])
        for column, row in self.pentagons.items():
            if all(column in numbers for numbers in sheet.values()):
                total += sheet[row][column]
        return total


RULES: dict[tuple[str, str], type[Qwixx] | type[Qwinto]] = {("qwixx", "classic"): Qwixx, ("qwinto", "classic"): Qwinto}


# The replay: seats, turns, open answers, and the events that must follow from each action


class Replay:
    """The replay of one game: for each event that an action caused, the events that must be appended with it."""

    def __init__(self, seeded_dice: SeededDice) -> None:
        self.seeded_dice, self.rules = seeded_dice, None  # type: SeededDice, Any
        self.status, self.phase, self.at, self.at_before = "", "", "", ""
        self.setup: Data = {}
        self.dice: Data = {}
        self.participants: dict[int, Data] = {}
        self.sealed: list[Data] = []
        self.host: int | None = None
        self.deadline: str | None = None
        self.active = self.turn = self.roll = 0
        self.is_paused = False
        self.credited: set[str] = set()
        self.result: Data | None = None
        self.facts: list[Fact] = []
        self.opening_fact: Data | None = None
        self.upcoming: Sequence[Data] = ()

    def expected_events(self, upcoming: Sequence[Data]) -> list[Fact]:
        """`upcoming`: an event that an action caused, and the events of the same time after it."""
        event = upcoming[0]
        self.facts, self.opening_fact, self.upcoming = [], None, upcoming
        if event["at"] != self.at:
            self.at, self.at_before = event["at"], self.at
        handler = getattr(self, f"on_{event['type']}", None)
        ensure(handler is not None, "rules", f"{event['type']} cannot be the first event of an append")
        handler(event["data"], event["version"])  # type: ignore[misc]
        return self.facts

    def claimed(self, type_: str, name: str) -> Any:
        """The value in the log for something that only the seed determines."""
        return next((event["data"][name] for event in self.upcoming if event["type"] == type_), None)

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
        self.status, self.setup = OPEN, data
        self.add("game_created", data)

    def on_seat_taken(self, data: Data, _version: int) -> None:
        ensure(self.status == OPEN, "rules", "no seat can be taken now")
        ensure(bool(data["player"]) != bool(data["bot"]), "rules", "a seat has either a player or a bot")
        players = [participant["player"] for participant in self.participants.values()]
        has_seat = data["player"] and data["player"] in players
        ensure(not has_seat, "rules", "a player has one seat only")
        ensure(data["player"] or data["client_seed"] == "", "dice", "a bot has no client seed")
        free = next(seat for seat in range(len(self.participants) + 1) if seat not in self.participants)
        self.add("seat_taken", {**data, "seat": free})
        self.participants[free] = {**data, "state": PRESENT, "timeouts": 0}
        self.host = free if self.host is None else self.host
        if len(self.participants) == self.setup["seats"]:
            self._start()

    def on_seat_left(self, data: Data, _version: int) -> None:
        ensure(self.status == OPEN and data["seat"] in self.participants, "rules", "this seat cannot be left now")
        del self.participants[data["seat"]]
        players = sorted(seat for seat, participant in self.participants.items() if participant["player"])
        self.host = self.host if self.host in players else players[0] if players else None
        self.add("seat_left", {"seat": data["seat"], "host": self.host})
        if self.host is None:
            self._abort("nobody_left")

    def on_game_started(self, _data: Data, _version: int) -> None:
        ensure(self.status == OPEN and len(self.participants) >= 2, "rules", "the game cannot start now")
        self._start()

    def _start(self) -> None:
        """Taken seats are renumbered without gaps; the seed determines the first seat."""
        taken = sorted(self.participants)
        self.participants = {new: self.participants[old] for new, old in enumerate(taken)}
        self.seeded_dice.entropy = entropy_of(participant["client_seed"] for participant in self.participants.values())
        first = self._first(len(taken))
        self.add("game_started", {"first": first, "entropy": self.seeded_dice.entropy, "seats": taken})
        self.status, self.rules = PLAYING, RULES[self.setup["ruleset"], self.setup["sheet"]](len(taken))
        self._start_turn(first if first in self.participants else 0)
        self._advance()

    def _first(self, seats: int) -> Any:
        drawn, claimed = self.seeded_dice.die(0, "first", seats), self.claimed("game_started", "first")
        if drawn is not None:
            return drawn - 1
        return claimed if claimed in range(seats) else "a seat of this game"

    # Which seats have to answer, and what happens when none has to

    def seats_to_answer(self) -> list[int]:
        if self.status != PLAYING or not self.phase:
            return []
        asked = sorted(self.participants) if self.phase == self.rules.everyone else [self.active]
        answered = [answer["seat"] for answer in self.sealed]
        return [seat for seat in asked if self._is_present(seat) and seat not in answered]

    def _is_present(self, seat: int) -> bool:
        return bool(self.participants[seat]["state"] == PRESENT)

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
            elif self.phase in ("", "roll"):
                clockwise = [
                    (self.active + step) % len(self.participants) for step in range(1, len(self.participants) + 1)
                ]
                self._start_turn(next(seat for seat in clockwise if self._is_present(seat)))
            else:
                self._close(self._answers())

    def _set_deadline(self) -> None:
        if self.opening_fact is not None:
            self.opening_fact["deadline"] = self.deadline = self._full_deadline()

    def _full_deadline(self) -> str | None:
        clock = self.setup["clock"]
        return None if clock is None or self.is_paused else time_after(self.at, clock[self.rules.clocks[self.phase]])

    def _answers(self) -> dict[int, Data]:
        return {answer["seat"]: answer["action"] for answer in self.sealed}

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
        # Appends have increasing times, so an answer in time may have been stamped after its deadline.
        is_postponed = self.at_before and self.at == time_after(self.at_before, 0, 1)
        ensure(self.deadline is None or self.at < self.deadline or is_postponed, "rules", "this answer is too late")

    def _must_be_legal(self, seat: int, action: Any) -> None:
        options = self.rules.options(self.phase, seat, self.dice)
        what = canonical(action).decode()
        ensure(any(same(action, option) for option in options), "rules", f"seat {seat} was not allowed {what}")

    def on_dice_rolled(self, data: Data, _version: int) -> None:
        self._must_be_asked(self.active, "roll", "keep")
        names = sorted(_die_names(data["dice"]))
        choices = [choice for choice in self.rules.choices(self.phase, self.dice) if sorted(choice) == names]
        ensure(choices, "rules", f"these dice could not be rolled: {', '.join(names)}")
        self.participants[self.active]["timeouts"] = 0
        self._roll(choices[0])
        self._advance()

    def _roll(self, names: Sequence[str]) -> None:
        self.roll += 1
        self.dice = {}
        for name in names:
            if name.startswith("white"):
                self.dice.setdefault("white", []).append(self._face(name))
            else:
                self.dice[name] = self._face(name)
        self.phase = self.rules.after_roll(self.phase)
        self.open_phase("dice_rolled", {"seat": self.active, "roll": self.roll, "dice": self.dice})

    def _face(self, name: str) -> Any:
        """The face that the seed gives, or the face in the log while the seed is secret."""
        drawn, claimed = self.seeded_dice.die(self.roll, name), _face_in(self.claimed("dice_rolled", "dice"), name)
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
        ensure(self.status == PLAYING and self.deadline is not None, "rules", "no deadline is running")
        ensure(self.at >= (self.deadline or ""), "rules", "time has not run out yet")
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
            self._close({**self._answers(), **{seat: {"type": "pass"} for seat in silent}})

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
        self.add("seat_resigned", {"seat": data["seat"]})
        self._set_state(data["seat"], RESIGNED)
        if sum(participant["state"] != RESIGNED for participant in self.participants.values()) == 1:
            if self.sealed:  # an answer that is already sealed counts
                self._close(self._answers())
            self._end("last_seat_standing")
        self._advance_or_abort()

    # Staff actions, and events after the end

    def on_time_credited(self, data: Data, _version: int) -> None:
        ensure(self.status == PLAYING and self.deadline is not None, "rules", "no deadline is running")
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
        data, self.upcoming = event["data"], upcoming
        ensure(event["version"] != 1 or event["type"] == "game_created", "rules", "a log must begin with game_created")
        check = getattr(self, f"check_{event['type']}", None)
        if check is not None:
            check(data, event["version"])
        self.status = STATUS_AFTER.get(event["type"], self.status)
        return [
            (event["type"], {**data, "server_seed": self.seeded_dice.revealed()} if "server_seed" in data else data)
        ]

    def check_seat_taken(self, data: Data, _version: int) -> None:
        self.participants[data["seat"]] = data

    def check_seat_left(self, data: Data, _version: int) -> None:
        self.participants.pop(data["seat"], None)

    def check_game_started(self, data: Data, _version: int) -> None:
        taken = sorted(self.participants)
        self.seeded_dice.entropy = entropy_of(self.participants[seat]["client_seed"] for seat in taken)
        is_mixed = data["entropy"] == self.seeded_dice.entropy and data["seats"] == taken
        ensure(taken and is_mixed, "dice", "this entropy is not the hash of the client seeds")
        ensure(data["first"] == self._first(len(taken)), "dice", "the seed gives another first seat")

    def check_dice_rolled(self, data: Data, _version: int) -> None:
        self.roll += 1
        ensure(data["roll"] == self.roll, "dice", f"this should be roll {self.roll}")
        for name in sorted(_die_names(data["dice"])):
            ensure(same(_face_in(data["dice"], name), self._face(name)), "dice", f"the seed gives {name} another face")

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


def _die_names(dice: Data) -> list[str]:
    """The name of each die; there are two white ones."""
    names: list[str] = []
    for name, face in dice.items():
        names += [f"{name}{place + 1}" for place in range(len(face))] if isinstance(face, list) else [name]
    return names


def _face_in(dice: Any, name: str) -> Any:
    """The face of this die in dice as players see them."""
    if not isinstance(dice, dict):
        return None
    faces, place = dice.get(name[:-1]), "123456789".find(name[-1:] or "-")
    return faces[place] if isinstance(faces, list) and 0 <= place < len(faces) else dice.get(name)


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
        shape = SHAPES.get(type_)
        if shape is None or v != 1:
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
        return event

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
    """The report about an export. `noted`: hashes or the commitment that a player noted during the game."""
    report: Data = {"ok": False, "bad": None, "checks": dict.fromkeys(CHECKS, "not finished"), "notes": []}
    report |= dict.fromkeys(
        ("game", "ruleset", "sheet", "events", "complete", "status", "commitment", "head", "result")
    )
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
    if not count or count < log.header["events"]:
        raise VerificationError("form", f"the header announces {log.header['events']} events", count + 1)
    if log.header["complete"] and not is_over:
        raise VerificationError("form", "the header says that the log is complete, but the game is not over", count + 1)
    if is_over and not log.header["complete"]:
        raise VerificationError("form", "the header says that the log is not complete, but the game is over", 0)
    report |= {"ok": True, "checks": _check_results(log, replay), "notes": _notes(log, replay)}


def _check_noted(log: Log, replay: Replay, noted: Sequence[str]) -> None:
    known = {replay.seeded_dice.commitment, *(event["hash"] for event in log.events)}
    for one in noted:
        if one not in known:
            raise VerificationError("chain", f"this log does not contain the noted hash or commitment: {one}", 0)


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
        "The rules of this sheet are not known to this verifier: moves and scores were not checked.": not log.is_known,
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
    lines += [f"  {note}" for note in report["notes"]]
    if report["head"]:
        lines.append(f"  last valid hash: {report['head']}")
    if report["ok"]:
        return "\n".join([*lines, "Everything that can be checked is correct."])
    error = report["bad"]
    return "\n".join([*lines, f"BAD at version {error['version']} ({error['check']}): {error['why']}"])


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

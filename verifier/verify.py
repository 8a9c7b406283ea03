#!/usr/bin/env python3
"""Checks the export of a game of Qwixx or Qwinto: chain, commitment, dice, rules and scores. Needs nothing but Python.

    python3 verify.py game.ndjson [a hash or commitment you noted while you played …]

A second opinion: it shares no code with the service that wrote the export. It plays the game again from the log. Where
players had a choice, the log says what they chose, and it is checked that they might; all that follows from it, dice
and scores included, is worked out here and must be in the log to the letter. `verify.js` is the same in JavaScript.
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
LARGEST = 2**53 - 1  # beyond it JavaScript could not tell numbers apart
DEEPEST = 16
HEX64, HEX32 = re.compile(r"[0-9a-f]{64}"), re.compile(r"[0-9a-f]{32}")
AT = re.compile(r"(19[7-9]|[2-9][0-9]{2})[0-9]-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{6}Z")
CLIENT_SEED = re.compile(r"[A-Za-z0-9_-]{0,64}")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
REVEALING = ("game_ended", "game_aborted", "game_voided")
OPEN, PLAYING, FINISHED, ABORTED, VOIDED = "open", "playing", "finished", "aborted", "voided"
OVER = (FINISHED, ABORTED, VOIDED)
BECOMES = dict(zip(REVEALING, OVER, strict=True)) | {"game_created": OPEN, "game_started": PLAYING}
MEANT = (*BECOMES, "seat_taken", "seat_left", "dice_rolled", "answer_sealed", "phase_closed")  # in every game
THERE, AWAY, RESIGNED = "playing", "away", "resigned"
Fact = tuple[str, dict[str, Any]]


class Bad(Exception):
    """The first thing that is wrong: which check found it, and why. Version 0 is the header."""

    def __init__(self, check: str, why: str, version: int | None = None) -> None:
        super().__init__(why)
        self.check, self.why, self.version = check, why, version


def must(is_so: object, check: str, why: str) -> None:
    if not is_so:
        raise Bad(check, why)


# JSON: strictly whole numbers, no key twice; and its one canonical text


def parse(line: str) -> Any:
    try:
        value = json.loads(
            line, parse_float=_refuse, parse_constant=_refuse, parse_int=_whole, object_pairs_hook=_object
        )
        canonical(value)  # half a surrogate pair is no text
    except (ValueError, RecursionError):
        raise Bad("form", "this line is not the JSON of a log") from None
    must(_depth(value) <= DEEPEST, "form", "this line is not the JSON of a log")
    return value


def _refuse(_text: str) -> Any:
    raise ValueError


def _whole(text: str) -> int:
    if text == "-0" or len(text) > 17 or abs(int(text)) > LARGEST:
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
    """Sorted keys, no spaces, UTF-8: what hashes cover."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def same(one: Any, other: Any) -> bool:
    return canonical(one) == canonical(other)


# Shapes: what each event holds; a new shape would have another `v`


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
    "time": lambda value: is_text(value) and whole_seconds(value) is not None,
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


def misshapen(value: Any, shape: str, *, is_closed: bool = True) -> str | None:
    """The name of the first field that is not what it should be."""
    if not isinstance(value, dict):
        return "it"
    kinds = dict(field.split(":") for field in shape.split())
    for name, kind in kinds.items():
        is_null = kind.endswith("?") and name in value and value[name] is None
        if not is_null and not (name in value and KINDS[kind.rstrip("?")](value[name])):
            return name
    strangers = sorted(set(value) - set(kinds)) if is_closed else []
    return strangers[0] if strangers else None


def whole_seconds(at: str) -> int | None:
    """Since 1970, or None if it is no time."""
    try:
        return int((datetime.fromisoformat(at[:19] + "+00:00") - EPOCH).total_seconds()) if AT.fullmatch(at) else None
    except ValueError:
        return None


def later(at: str, seconds: int, microseconds: int = 0) -> str | None:
    """The time so long after another, in the log's form."""
    carried, fraction = divmod(int(at[20:26]) + microseconds, 1_000_000)
    try:
        moment = EPOCH + timedelta(seconds=(whole_seconds(at) or 0) + seconds + carried)
    except OverflowError:
        return None
    return f"{moment.isoformat()[:19]}.{fraction:06}Z"


# Luck: what the seed says


class Luck:
    """Every die of a game as its seed gives it; nothing while the seed is secret, or if it is not the promised one."""

    def __init__(self, game: str, events: Sequence[Data]) -> None:
        self.game, self.entropy = game, ""
        seeds = [event["data"]["server_seed"] for event in events if event["type"] in REVEALING]
        promises = [event["data"]["commitment"] for event in events if event["type"] == "game_created"]
        self.promise = promises[0] if promises else ""
        self.is_revealed = bool(seeds)
        is_kept = seeds and hashlib.sha256(bytes.fromhex(seeds[0])).hexdigest() == self.promise
        self.seed: str | None = seeds[0] if is_kept else None

    def revealed(self) -> str:
        """What an event that reveals the seed must say."""
        return self.seed or f"one whose SHA-256 is {self.promise}"

    def die(self, roll: int, name: str, faces: int = 6) -> int | None:
        """Contract, section 9: the first byte that favours no face."""
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


# The rules: each game knows its dice, what may be answered to them, what follows and what it scores


class Qwixx:
    """Rows are lists of marked numbers in the order of their marking, which is from left to right."""

    seats, everyone, clocks = (2, 5), "white", {"roll": "roll_s", "white": "answer_s", "colour": "answer_s"}
    rows: Mapping[str, Sequence[int]] = {
        "red": range(2, 13),
        "yellow": range(2, 13),
        "green": range(12, 1, -1),
        "blue": range(12, 1, -1),
    }

    def __init__(self, seats: int) -> None:
        self.pads: list[dict[str, list[int]]] = [{row: [] for row in self.rows} for _ in range(seats)]
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
        marks, numbers = self.pads[seat][row], self.rows[row]
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
                self.pads[seat][row].append(number)
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
        for row, marks in self.pads[seat].items():
            crosses = len(marks) + (self.rows[row][-1] in marks)  # the lock is a cross more
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
        self.pads: list[dict[str, dict[int, int]]] = [{row: {} for row in self.rows} for _ in range(seats)]
        self.fails = [0] * seats

    def turn(self) -> None:
        pass

    def choices(self, phase: str, dice: Data) -> list[list[str]]:
        if phase == "keep":
            return [[row for row in self.rows if row in dice]]  # a reroll is of all the same dice
        return [list(chosen) for count in (1, 2, 3) for chosen in combinations(self.rows, count)]

    def after_roll(self, phase: str) -> str:
        return "write" if phase == "keep" else "keep"

    def options(self, _phase: str, seat: int, dice: Data) -> list[Data]:
        number = sum(dice.values())
        cells = [(row, column) for row in self.rows if row in dice for column in self.rows[row]]
        fitting = [(row, column) for row, column in cells if self._may_write(seat, row, column, number)]
        return [*({"type": "write", "row": row, "column": column} for row, column in fitting), {"type": "pass"}]

    def _may_write(self, seat: int, row: str, column: int, number: int) -> bool:
        pad = self.pads[seat]
        for other, there in pad[row].items():
            if other == column or (there >= number if other < column else there <= number):
                return False
        return all(numbers.get(column) != number for numbers in pad.values())

    def resolve(self, _phase: str, active: int, answers: Mapping[int, Data], dice: Data) -> list[Fact]:
        facts: list[Fact] = []
        number = sum(dice.values())
        for seat in sorted(answers):
            if answers[seat]["type"] == "write":
                row, column = answers[seat]["row"], answers[seat]["column"]
                facts.append(("number_written", {"seat": seat, "row": row, "column": column, "number": number}))
                self.pads[seat][row][column] = number
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
        if any(sum(self._is_full(pad, row) for row in self.rows) >= 2 for pad in self.pads):
            return "two_rows_filled"
        return "four_fails" if max(self.fails) >= 4 else None

    def _is_full(self, pad: dict[str, dict[int, int]], row: str) -> bool:
        return len(pad[row]) == len(self.rows[row])

    def points(self, seat: int) -> int:
        pad, total = self.pads[seat], -5 * self.fails[seat]
        for row in self.rows:
            total += pad[row][self.rows[row][-1]] if self._is_full(pad, row) else len(pad[row])
        for column, row in self.pentagons.items():
            if all(column in numbers for numbers in pad.values()):
                total += pad[row][column]
        return total


RULES: dict[tuple[str, str], type[Qwixx] | type[Qwinto]] = {("qwixx", "classic"): Qwixx, ("qwinto", "classic"): Qwinto}


# The table: who sits where, whose turn it is, who is waited for, and what follows from what somebody did


class Table:
    """One game, played again. What follows from an event is it and all the events that must come with it."""

    def __init__(self, luck: Luck) -> None:
        self.luck, self.rules = luck, None  # type: Luck, Any
        self.status, self.phase, self.at, self.at_before = "", "", "", ""
        self.setup: Data = {}
        self.dice: Data = {}
        self.chairs: dict[int, Data] = {}
        self.sealed: list[Data] = []
        self.host: int | None = None
        self.deadline: str | None = None
        self.active = self.turn = self.roll = 0
        self.is_paused = False
        self.credited: set[str] = set()
        self.result: Data | None = None
        self.facts: list[Fact] = []
        self.opener: Data | None = None
        self.coming: Sequence[Data] = ()

    def what_follows(self, coming: Sequence[Data]) -> list[Fact]:
        """`coming` is an event that somebody caused, and those of the same instant after it."""
        event = coming[0]
        self.facts, self.opener, self.coming = [], None, coming
        if event["at"] != self.at:
            self.at, self.at_before = event["at"], self.at
        happens = getattr(self, f"on_{event['type']}", None)
        must(happens is not None, "rules", f"{event['type']} does not happen by itself")
        happens(event["data"], event["version"])  # type: ignore[misc]
        return self.facts

    def claimed(self, type_: str, name: str) -> Any:
        """What the log says of something that only the seed could tell."""
        return next((event["data"][name] for event in self.coming if event["type"] == type_), None)

    def add(self, type_: str, data: Data) -> None:
        self.facts.append((type_, data))

    def open_phase(self, type_: str, data: Data) -> None:
        """The deadline is set once it is clear that somebody is waited for."""
        self.opener, self.deadline = {**data, "deadline": None}, None
        self.add(type_, self.opener)

    # Before the start

    def on_game_created(self, data: Data, version: int) -> None:
        must(version == 1, "rules", "a game is created once, and first of all")
        rules = RULES.get((data["ruleset"], data["sheet"]))
        least, most = rules.seats if rules else (1, LARGEST)
        must(least <= data["seats"] <= most, "rules", f"this game has {least} to {most} seats")
        must(data["visibility"] in ("public", "private"), "rules", "a game is public or private")
        must(_is_clock(data["clock"], data["visibility"]), "rules", "this clock is not allowed")
        self.status, self.setup = OPEN, data
        self.add("game_created", data)

    def on_seat_taken(self, data: Data, _version: int) -> None:
        must(self.status == OPEN, "rules", "nobody can sit down now")
        must(bool(data["player"]) != bool(data["bot"]), "rules", "a seat is a person's or a bot's")
        is_twice = data["player"] and any(chair["player"] == data["player"] for chair in self.chairs.values())
        must(not is_twice, "rules", "nobody has two seats")
        must(data["player"] or data["client_seed"] == "", "dice", "a bot gives no seed")
        free = next(seat for seat in range(len(self.chairs) + 1) if seat not in self.chairs)
        self.add("seat_taken", {**data, "seat": free})
        self.chairs[free] = {**data, "state": THERE, "silences": 0}
        self.host = free if self.host is None else self.host
        if len(self.chairs) == self.setup["seats"]:
            self._start()

    def on_seat_left(self, data: Data, _version: int) -> None:
        must(self.status == OPEN and data["seat"] in self.chairs, "rules", "nobody can get up there now")
        del self.chairs[data["seat"]]
        people = sorted(seat for seat, chair in self.chairs.items() if chair["player"])
        self.host = self.host if self.host in people else people[0] if people else None
        self.add("seat_left", {"seat": data["seat"], "host": self.host})
        if self.host is None:
            self._abort("nobody_left")

    def on_game_started(self, _data: Data, _version: int) -> None:
        must(self.status == OPEN and len(self.chairs) >= 2, "rules", "the game cannot start now")
        self._start()

    def _start(self) -> None:
        """The taken seats are numbered anew, without gaps; the seed says who begins."""
        taken = sorted(self.chairs)
        self.chairs = {new: self.chairs[old] for new, old in enumerate(taken)}
        self.luck.entropy = entropy_of(chair["client_seed"] for chair in self.chairs.values())
        first = self._first(len(taken))
        self.add("game_started", {"first": first, "entropy": self.luck.entropy, "seats": taken})
        self.status, self.rules = PLAYING, RULES[self.setup["ruleset"], self.setup["sheet"]](len(taken))
        self._start_turn(first if first in self.chairs else 0)
        self._settle()

    def _first(self, seats: int) -> Any:
        drawn, claimed = self.luck.die(0, "first", seats), self.claimed("game_started", "first")
        if drawn is not None:
            return drawn - 1
        return claimed if claimed in range(seats) else "a seat of this game"

    # Who is waited for, and what happens when nobody is

    def waited_for(self) -> list[int]:
        if self.status != PLAYING or not self.phase:
            return []
        asked = sorted(self.chairs) if self.phase == self.rules.everyone else [self.active]
        answered = [answer["seat"] for answer in self.sealed]
        return [seat for seat in asked if self._is_there(seat) and seat not in answered]

    def _is_there(self, seat: int) -> bool:
        return bool(self.chairs[seat]["state"] == THERE)

    def _is_any_person_there(self) -> bool:
        return any(chair["player"] and chair["state"] == THERE for chair in self.chairs.values())

    def _start_turn(self, seat: int) -> None:
        self.active, self.turn, self.phase, self.dice = seat, self.turn + 1, "roll", {}
        self.rules.turn()
        self.open_phase("turn_started", {"seat": seat, "turn": self.turn})

    def _settle(self) -> None:
        """Go on until somebody has to be waited for, or the game is over."""
        while self.status == PLAYING:
            reason = self.rules.ending(self.phase)
            if reason:
                self._end(reason)
            elif self.waited_for():
                self._set_deadline()
                break
            elif self.phase in ("", "roll"):
                clockwise = [(self.active + step) % len(self.chairs) for step in range(1, len(self.chairs) + 1)]
                self._start_turn(next(seat for seat in clockwise if self._is_there(seat)))
            else:
                self._close(self._answers())

    def _set_deadline(self) -> None:
        if self.opener is not None:
            self.opener["deadline"] = self.deadline = self._whole_time()

    def _whole_time(self) -> str | None:
        clock = self.setup["clock"]
        return None if clock is None or self.is_paused else later(self.at, clock[self.rules.clocks[self.phase]])

    def _answers(self) -> dict[int, Data]:
        return {answer["seat"]: answer["action"] for answer in self.sealed}

    def _close(self, answers: Mapping[int, Data]) -> None:
        """The phase ends with these answers: what was sealed is revealed, and all of it happens at once."""
        if self.phase == "keep":
            self.phase = "write"
            self.open_phase("dice_kept", {"seat": self.active})
            return
        must(all(answer["action"] for answer in self.sealed), "chain", "an answer of this phase stays hidden")
        answered = self.sealed if self.phase == self.rules.everyone else None
        self.open_phase("phase_closed", {"phase": self.phase, "answers": answered})
        self.facts += self.rules.resolve(self.phase, self.active, answers, self.dice)
        self.dice, self.sealed = self.rules.dice_left(self.dice), []
        self.phase = self.rules.after_closing(self.phase)

    def _end(self, reason: str) -> None:
        self.result = {"reason": reason, "ranking": self._ranking()}
        self.add("game_ended", {**self.result, "server_seed": self.luck.revealed()})
        self.status, self.deadline = FINISHED, None

    def _ranking(self) -> list[Data]:
        """Best first; equal points share a rank; who left or is away ranks below all who played on."""
        points = {seat: self.rules.points(seat) for seat in self.chairs}
        keys = {seat: (not self._is_there(seat), -points[seat]) for seat in self.chairs}
        return [
            {"seat": seat, "rank": 1 + sum(other < keys[seat] for other in keys.values()), "points": points[seat]}
            for seat in sorted(self.chairs, key=lambda seat: (keys[seat], seat))
        ]

    def _abort(self, reason: str) -> None:
        self._reveal()
        self.add("game_aborted", {"reason": reason, "server_seed": self.luck.revealed()})
        self.status, self.deadline = ABORTED, None

    def _reveal(self) -> None:
        """A game that stops in the middle of a phase shows what was sealed."""
        if self.sealed:
            self.add("phase_closed", {"phase": self.phase, "answers": self.sealed, "deadline": None})
            self.sealed = []

    # Answers

    def _must_be_asked(self, seat: int, *phases: str) -> None:
        must(self.status == PLAYING and self.phase in phases, "rules", "this is not the phase for it")
        must(seat in self.chairs and self._is_there(seat), "rules", f"seat {seat} is not there to answer")
        # No append is earlier than the one before it: what came in time may have been pushed behind its deadline.
        is_pushed = self.at_before and self.at == later(self.at_before, 0, 1)
        must(self.deadline is None or self.at < self.deadline or is_pushed, "rules", "this answer came too late")

    def _must_be_legal(self, seat: int, action: Any) -> None:
        options = self.rules.options(self.phase, seat, self.dice)
        what = canonical(action).decode()
        must(any(same(action, option) for option in options), "rules", f"seat {seat} was not allowed {what}")

    def on_dice_rolled(self, data: Data, _version: int) -> None:
        self._must_be_asked(self.active, "roll", "keep")
        names = sorted(_names(data["dice"]))
        choices = [choice for choice in self.rules.choices(self.phase, self.dice) if sorted(choice) == names]
        must(choices, "rules", f"these dice could not be rolled: {', '.join(names)}")
        self.chairs[self.active]["silences"] = 0
        self._roll(choices[0])
        self._settle()

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
        """As the seed says; as the log says, while the seed is secret."""
        drawn, claimed = self.luck.die(self.roll, name), _shown(self.claimed("dice_rolled", "dice"), name)
        if drawn is not None:
            return drawn
        return claimed if is_number(claimed) and 1 <= claimed <= 6 else "1 to 6"

    def on_dice_kept(self, _data: Data, _version: int) -> None:
        self._must_be_asked(self.active, "keep")
        self.chairs[self.active]["silences"] = 0
        self._close({})
        self._settle()

    def on_answer_sealed(self, data: Data, version: int) -> None:
        seat, action = data["seat"], data.get("action")
        self._must_be_asked(seat, "white", "write")
        mine = [answer["action"] for answer in self.sealed if answer["seat"] == seat]
        must(len(mine) <= 20, "rules", "an answer may be replaced 20 times")
        if action is not None:
            self._must_be_legal(seat, action)
            must(not mine or not same(mine[-1], action), "rules", "the same answer again is none")
        self.chairs[seat]["silences"] = 0
        self.add("answer_sealed", data)
        self.sealed.append({"seat": seat, "version": version, "action": action, "nonce": data.get("nonce")})
        self._settle()

    def on_phase_closed(self, data: Data, _version: int) -> None:
        """By itself: the answer in phase colour, which is not sealed; or staff that stops the game in mid-phase."""
        must(self.status == PLAYING, "rules", "there is no phase to close")
        if self.phase == "colour" and data["phase"] == "colour":
            self._must_be_asked(self.active, "colour")
            answer = self._colour_answer()
            self._must_be_legal(self.active, answer)
            self.chairs[self.active]["silences"] = 0
            self._close({self.active: answer})
            self._settle()
            return
        is_stopped = len(self.coming) > 1 and self.coming[1]["type"] in ("game_aborted", "game_voided")
        must(self.sealed and is_stopped, "rules", "somebody is still waited for")
        self._reveal()

    def _colour_answer(self) -> Data:
        """Told by what follows it."""
        if len(self.coming) < 2 or self.coming[1]["type"] != "cell_marked":
            return {"type": "pass"}
        marked = self.coming[1]["data"]
        return {"type": "mark", "row": marked["row"], "number": marked["number"]}

    # Time and absence

    def on_time_ran_out(self, _data: Data, _version: int) -> None:
        must(self.status == PLAYING and self.deadline is not None, "rules", "no clock runs")
        must(self.at >= (self.deadline or ""), "rules", "time has not run out yet")
        silent = self.waited_for()
        self.add("time_ran_out", {"seats": silent, "deadline": self.deadline})
        for seat in silent:
            self.chairs[seat]["silences"] += 1
            if self.chairs[seat]["player"] and self.chairs[seat]["silences"] >= 3:  # a bot never goes away
                self.add("seat_went_away", {"seat": seat})
                self._set_state(seat, AWAY)
        if self._is_any_person_there():
            self._go_on_without(silent)
        self._go_on()

    def _go_on_without(self, silent: Sequence[int]) -> None:
        """An unrolled die is rolled, in Qwinto all three; missing answers are passes."""
        if self.phase == "roll":
            self._roll(max(self.rules.choices("roll", {}), key=len))
        else:
            self._close({**self._answers(), **{seat: {"type": "pass"} for seat in silent}})

    def _go_on(self) -> None:
        if self.status == PLAYING and not self._is_any_person_there():
            self._abort("nobody_left")
        self._settle()

    def _set_state(self, seat: int, state: str) -> None:
        self.chairs[seat].update(state=state, silences=0)

    def on_seat_came_back(self, data: Data, _version: int) -> None:
        is_away = self.chairs.get(data["seat"], {}).get("state") == AWAY
        must(self.status == PLAYING and is_away, "rules", "only who is away comes back")
        self.add("seat_came_back", {"seat": data["seat"]})
        self._set_state(data["seat"], THERE)

    def on_seat_resigned(self, data: Data, _version: int) -> None:
        state = self.chairs.get(data["seat"], {}).get("state", RESIGNED)
        must(self.status == PLAYING and state != RESIGNED, "rules", "only who plays can resign")
        self.add("seat_resigned", {"seat": data["seat"]})
        self._set_state(data["seat"], RESIGNED)
        if sum(chair["state"] != RESIGNED for chair in self.chairs.values()) == 1:
            if self.sealed:  # an answer already sealed counts
                self._close(self._answers())
            self._end("last_seat_standing")
        self._go_on()

    # Staff, and after the end

    def on_time_credited(self, data: Data, _version: int) -> None:
        must(self.status == PLAYING and self.deadline is not None, "rules", "no clock runs")
        is_new = data["seconds"] > 0 and data["key"] not in self.credited
        must(is_new, "rules", "time is given, and once for an outage")
        self.credited.add(data["key"])
        self.deadline = later(self.deadline or "", data["seconds"])
        self.add("time_credited", {**data, "deadline": self.deadline})

    def on_clock_paused(self, data: Data, _version: int) -> None:
        must(self.status == PLAYING and not self.is_paused, "rules", "there is no clock to pause")
        self.is_paused, self.deadline = True, None
        self.add("clock_paused", data)

    def on_clock_resumed(self, data: Data, _version: int) -> None:
        must(self.status == PLAYING and self.is_paused, "rules", "there is no clock to resume")
        self.is_paused = False
        self.deadline = self._whole_time()
        self.add("clock_resumed", {**data, "deadline": self.deadline})

    def on_game_aborted(self, data: Data, _version: int) -> None:
        must(self.status in (OPEN, PLAYING), "rules", "the game is over already")
        must(not self.sealed, "rules", "what was sealed has to be revealed first")
        self._abort(data["reason"])

    def on_game_voided(self, data: Data, _version: int) -> None:
        must(self.status not in ("", VOIDED), "rules", "there is nothing to void")
        must(not self.sealed, "rules", "what was sealed has to be revealed first")
        self.add("game_voided", {"reason": data["reason"], "server_seed": self.luck.revealed()})
        self.status, self.deadline = VOIDED, None

    def on_rematch_created(self, data: Data, _version: int) -> None:
        must(self.status in OVER, "rules", "the game is not over")
        self.add("rematch_created", data)


class UnknownTable(Table):
    """A game whose rules are not known here: seeds, dice and sealed answers are checked, and nothing else."""

    def what_follows(self, coming: Sequence[Data]) -> list[Fact]:
        event = coming[0]
        data, self.coming = event["data"], coming
        must(event["version"] != 1 or event["type"] == "game_created", "rules", "a log begins with its game's creation")
        looks = getattr(self, f"look_at_{event['type']}", None)
        if looks is not None:
            looks(data, event["version"])
        self.status = BECOMES.get(event["type"], self.status)
        return [(event["type"], {**data, "server_seed": self.luck.revealed()} if "server_seed" in data else data)]

    def look_at_seat_taken(self, data: Data, _version: int) -> None:
        self.chairs[data["seat"]] = data

    def look_at_seat_left(self, data: Data, _version: int) -> None:
        self.chairs.pop(data["seat"], None)

    def look_at_game_started(self, data: Data, _version: int) -> None:
        taken = sorted(self.chairs)
        self.luck.entropy = entropy_of(self.chairs[seat]["client_seed"] for seat in taken)
        is_mixed = data["entropy"] == self.luck.entropy and data["seats"] == taken
        must(taken and is_mixed, "dice", "the seats' seeds do not give this entropy")
        must(data["first"] == self._first(len(taken)), "dice", "the seed draws another first seat")

    def look_at_dice_rolled(self, data: Data, _version: int) -> None:
        self.roll += 1
        must(data["roll"] == self.roll, "dice", f"this should be roll {self.roll}")
        for name in sorted(_names(data["dice"])):
            must(same(_shown(data["dice"], name), self._face(name)), "dice", f"the seed gives {name} another face")

    def look_at_answer_sealed(self, data: Data, version: int) -> None:
        answer = {"action": data.get("action"), "nonce": data.get("nonce")}
        self.sealed.append({"seat": data["seat"], "version": version, **answer})

    def look_at_phase_closed(self, data: Data, _version: int) -> None:
        if data["answers"] is not None:
            must(same(data["answers"], self.sealed), "rules", "what is revealed is not what was sealed")
            self.sealed = []


def _is_clock(clock: Any, visibility: str) -> bool:
    if clock is None:
        return visibility == "private"
    is_whole = misshapen(clock, "roll_s:number answer_s:number") is None
    return is_whole and all(5 <= seconds <= 1_209_600 for seconds in clock.values())


def _names(dice: Data) -> list[str]:
    """The name under which each die was drawn: the white ones are two."""
    names: list[str] = []
    for name, face in dice.items():
        names += [f"{name}{place + 1}" for place in range(len(face))] if isinstance(face, list) else [name]
    return names


def _shown(dice: Any, name: str) -> Any:
    """What the die of this name shows, among dice as players see them."""
    if not isinstance(dice, dict):
        return None
    faces, place = dice.get(name[:-1]), "123456789".find(name[-1:] or "-")
    return faces[place] if isinstance(faces, list) and 0 <= place < len(faces) else dice.get(name)


# The log: line by line, each in its place in the chain


class Log:
    """An export: its events as far as the chain is sound, and what is wrong with the next one."""

    def __init__(self, text: str | bytes) -> None:
        try:
            lines = (text.decode() if isinstance(text, bytes) else text).split("\n")
        except UnicodeDecodeError:
            raise Bad("form", "this is not UTF-8", 0) from None
        first, *self.lines = lines if lines[-1] or len(lines) == 1 else lines[:-1]
        self.header = _header(first)
        self.is_known = (self.header["ruleset"], self.header["sheet"]) in RULES
        self.events: list[Data] = []
        self.fault: Bad | None = None
        try:
            for line in self.lines:
                self.events.append(self._linked(self._read(line)))
        except Bad as bad:
            self.fault = bad

    def _read(self, line: str) -> Data:
        must(len(self.events) < self.header["events"], "form", f"the header tells of {self.header['events']} events")
        event: Data = parse(line)
        wrong = misshapen(event, ENVELOPE)
        must(wrong is None, "form", f"the envelope is not sound: {wrong}")
        wrong = self._wrong_in(event["type"], event["v"], event["data"])
        must(wrong is None, "form", f"{event['type']} is not sound: {wrong}")
        must(event["game"] == self.header["game"], "form", "this is another game's")
        return event

    def _wrong_in(self, type_: str, v: int, data: Data) -> str | None:
        shape = SHAPES.get(type_)
        if shape is None or v != 1:
            return None if not self.is_known and type_ not in MEANT else "not known to this verifier"
        may_hide = type_ == "answer_sealed" and not self.header["complete"] and "action" not in data
        return misshapen(data, "seat:number" if may_hide else shape)

    def _linked(self, event: Data) -> Data:
        before = self.events[-1] if self.events else {"hash": GENESIS, "at": ""}
        must(event["version"] == len(self.events) + 1, "chain", f"version {event['version']} stands here")
        must(event["prev"] == before["hash"], "chain", "prev is not the hash of the event before")
        must(event["at"] >= before["at"], "chain", "this is earlier than the event before")
        is_sound = is_hidden(event) or event["hash"] == hash_of(event)
        must(is_sound, "chain", "the hash is not that of this event")
        return event

    def hidden(self) -> int:
        return sum(map(is_hidden, self.events))

    def event(self, index: int, wanted: str) -> Data:
        if index < len(self.events):
            return self.events[index]
        raise self.fault or Bad("form", f"the log ends before {wanted}")

    def coming(self, index: int) -> list[Data]:
        """The event of this place and those of the same instant after it."""
        return list(takewhile(lambda event: event["at"] == self.events[index]["at"], self.events[index:]))


def _header(line: str) -> Data:
    try:
        header = parse(line)
        wrong = misshapen(header, HEADER, is_closed=False)
        must(wrong is None, "form", f"the header is not sound: {wrong}")
        is_ours = header["format"] == "qwixx-log" and header["format_version"] == 1
        must(is_ours, "form", "this is no qwixx-log of version 1")
    except Bad as bad:
        raise Bad("form", bad.why, 0) from None
    return dict(header)


def is_hidden(event: Data) -> bool:
    return event["type"] == "answer_sealed" and "action" not in event["data"]


def hash_of(event: Data) -> str:
    """Contract, section 10."""
    body = {name: event[name] for name in ("at", "data", "game", "type", "v", "version")}
    return hashlib.sha256(event["prev"].encode() + canonical(body)).hexdigest()


BLAMED = {"dice": "dice", "first": "dice", "entropy": "dice", "ranking": "scores", "server_seed": "commitment"}


def compare(event: Data, type_: str, data: Data, at: str) -> None:
    """What stands in the log against what must stand there."""
    must(event["type"] == type_, "rules", f"{type_} must come here, not {event['type']}")
    for name in sorted(data):
        found = event["data"].get(name)
        is_same = same(found, data[name])
        wanted, told = canonical(data[name]).decode(), canonical(found).decode()
        must(is_same, BLAMED.get(name, "rules"), f"{type_}: {name} must be {wanted}, not {told}")
    must(event["at"] == at, "rules", f"{type_} must happen at {at}, together with what caused it")


# The report


def verify(text: str | bytes, noted: Sequence[str] = ()) -> Data:
    """What was checked and what was found. `noted`: hashes or the commitment, as a player saw them during the game."""
    report: Data = {"ok": False, "bad": None, "checks": dict.fromkeys(CHECKS, "not finished"), "notes": []}
    report |= dict.fromkeys(
        ("game", "ruleset", "sheet", "events", "complete", "status", "commitment", "head", "result")
    )
    try:
        log = Log(text)
        report |= {name: log.header[name] for name in ("game", "ruleset", "sheet", "complete")}
        report["events"] = len(log.lines)
        luck = Luck(log.header["game"], log.events)
        table = Table(luck) if log.is_known else UnknownTable(luck)
        done = 0
        while done < len(log.lines):
            done = _replay(log, table, done, report)
        _conclude(log, table, report)
        _check_noted(log, table, noted)
    except Bad as bad:
        report |= {"ok": False, "notes": [], "bad": {"version": bad.version, "check": bad.check, "why": bad.why}}
        report["checks"] = dict.fromkeys(CHECKS, "not finished") | {bad.check: "failed"}
    return report


def _replay(log: Log, table: Table, done: int, report: Data) -> int:
    """One thing that somebody did, and all that follows from it; how many events are done then."""
    index = done
    try:
        event = log.event(done, "")
        if done == 0:
            _check_beginning(log, event)
        for index, (type_, data) in enumerate(table.what_follows(log.coming(done)), start=done):
            found = log.event(index, type_)
            compare(found, type_, data, event["at"])
            report["head"] = found["hash"]
    except Bad as bad:
        raise Bad(bad.check, bad.why, index + 1) from None
    return index + 1


def _check_beginning(log: Log, event: Data) -> None:
    must(event["type"] == "game_created", "rules", "a log begins with its game's creation")
    for name in ("ruleset", "sheet"):
        must(event["data"][name] == log.header[name], "form", f"the header tells of another {name}")


def _conclude(log: Log, table: Table, report: Data) -> None:
    count, is_over = len(log.lines), table.status in OVER
    report |= {"status": table.status, "result": table.result, "commitment": table.luck.promise}
    if not count or count < log.header["events"]:
        raise Bad("form", f"the header tells of {log.header['events']} events", count + 1)
    if log.header["complete"] and not is_over:
        raise Bad("form", "the log is said to be complete, but the game is not over", count + 1)
    if is_over and not log.header["complete"]:
        raise Bad("form", "the log is said not to be complete, but the game is over", 0)
    report |= {"ok": True, "checks": _verdicts(log, table), "notes": _notes(log, table)}


def _check_noted(log: Log, table: Table, noted: Sequence[str]) -> None:
    known = {table.luck.promise, *(event["hash"] for event in log.events)}
    for one in noted:
        if one not in known:
            raise Bad("chain", f"this log does not hold what you noted: {one}", 0)


def _verdicts(log: Log, table: Table) -> dict[str, str]:
    is_checked = {
        "commitment": table.luck.is_revealed,
        "dice": table.luck.is_revealed,
        "rules": log.is_known,
        "scores": table.result is not None,
    }
    return {check: "ok" if is_checked.get(check, True) else "not checked" for check in CHECKS}


def _notes(log: Log, table: Table) -> list[str]:
    notes = {
        "The game is not over: its seed is still secret, so commitment and dice cannot be checked yet.": (
            not table.luck.is_revealed
        ),
        f"Sealed answers that are still hidden, and whose hashes cannot be checked yet: {log.hidden()}.": log.hidden(),
        "The rules of this sheet are not known to this verifier: moves and scores were not checked.": not log.is_known,
        "The game ended without a result: there are no scores to check.": (
            log.is_known and table.status in (ABORTED, VOIDED) and table.result is None
        ),
        "Staff took the game out of the count.": table.status == VOIDED,
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
        lines.append(f"  last sound hash: {report['head']}")
    if report["ok"]:
        return "\n".join([*lines, "Everything that can be checked is as it should be."])
    bad = report["bad"]
    return "\n".join([*lines, f"BAD at version {bad['version']} ({bad['check']}): {bad['why']}"])


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

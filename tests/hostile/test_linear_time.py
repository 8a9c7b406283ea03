"""Work on text that a client sends takes linear time: four times the text takes about four times as long."""

import ast
import contextlib
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.http import QueryDict
from rest_framework.exceptions import ValidationError

from games.api import conditional_requests, list_filters, request_bodies
from games.api.play import requests
from games.commands import command_requests
from games.game.decisions import game_settings
from games.game.json import strict_json
from games.game.notation import document, event_lines, notation_values
from games.game.notation.notation_values import NotationError
from games.rules.refused import Refused
from games.streams import frames, handshake
from games.webhooks import public_addresses
from players.api import pagination, serializers
from players.api.views import leaderboard_views, report_views
from players.database.refusal import RequestRefused
from players.languages import accept_language
from players.limits import addresses
from players.mail import email_addresses
from players.redis_servers import redis_addresses
from players.telemetry import redaction
from qwixx_service.http import django_pools, static_files, texts
from qwixx_service.http.middleware import request_ids
from qwixx_service.observability import log_config

ROOT = Path(__file__).parents[2]
SHORT, LONG = 16_000, 64_000  # the longest body has 64 KiB
LARGEST_FACTOR = 10  # linear work gives 4, quadratic work 16
SHORTEST_S = 200e-6  # shorter times are noise
RUNS = 5
TRIES = 5  # quadratic work fails all of them, a busy machine only some
REFUSALS = (Refused, RequestRefused, ValidationError, NotationError)


class Work(NamedTuple):
    """A function that reads client text, texts of about a given length that are hard for it, and its patterns."""

    name: str
    run: Callable[[str], Any]
    texts: tuple[Callable[[int], str], ...]
    patterns: tuple[str, ...] = ()


def long_name_and_many_values(n: int) -> str:
    return '{"\\u00e9' + "a" * (n // 2) + '": [' + "1," * (n // 4) + "1]}"


ACTION_TEXTS = (
    lambda n: "{" * 17 + '"' + '\\"' * (n // 2),
    lambda n: '{"a": "' + "\\\\" * (n // 2),
    lambda n: '{"a": ' * (n // 6),
    lambda n: "[" * n,
    lambda n: "[" * (n // 2) + "]" * (n // 2),
    lambda n: '{"a": [' + "[]," * (n // 3) + "[]]}",
    lambda n: '{"a": "' + "\\ud800" * (n // 6) + '"}',
    lambda n: '{"a": "' + "\\u0061" * (n // 6) + '"}',
    lambda n: '{"a": ' + "9" * n + "}",
    lambda n: '{"a": 0.' + "9" * n + "}",
    lambda n: '{"a": 1e' + "9" * n + "}",
    lambda n: "{" + ",".join(f'"{number}":0' for number in range(n // 8)) + "}",
    lambda n: "{" + " " * n,
    lambda n: " " * n + "{}" + " " * n,
    long_name_and_many_values,
)


def errors_of_game(body: request_bodies.CreateGame) -> Any:
    return game_settings.errors_in(body.settings(), body.client_seed)


MARKS = (
    lambda n: "e" + "\u0345" * (n // 2) + "\u0334" * (n // 2),
    lambda n: "e" + "\u0315\u0300" * (n // 2),
    lambda n: " " * n,
    lambda n: "x" * n,
)
HINTS = (
    lambda n: "Invalid enum value '" + "`'" * (n // 2),
    lambda n: "`" + "'" * n,
    lambda n: "one of " + "one of " * (n // 7),
    lambda n: "each one of" + " " * n,
    lambda n: "1a" * (n // 2),
    lambda n: "\n" * n,
)
DIGITS = (lambda n: "9" * n, lambda n: "0" * n + "x", lambda n: "-" * n)
WORKS = (
    Work("JSON", strict_json.object_in, ACTION_TEXTS),
    Work("action", command_requests.action_in, ACTION_TEXTS),
    Work("frame", frames.read, ACTION_TEXTS),
    Work(
        "charset",
        lambda text: strict_json.text_of(b"{}", text),
        (
            lambda n: "a; charset" + " ;" * (n // 2),
            lambda n: "a;" + " " * n + "charset",
            lambda n: "a; charset=" + '"' * n,
        ),
    ),
    Work("name", serializers.name_field().run_validation, MARKS),
    Work("device", serializers.device_field().run_validation, MARKS),
    Work("e-mail", serializers.email_field().run_validation, MARKS),
    Work("registered e-mail", serializers.RegisterBody().fields["email"].run_validation, MARKS),
    Work("looked up e-mail", email_addresses.normalize, MARKS),
    Work("checked e-mail", email_addresses.address_error, (*MARKS, lambda n: "a." * (n // 2) + "@" + "a." * n)),
    Work("report", report_views.ReportBody().fields["text"].run_validation, MARKS),
    Work("mailed link", serializers.TokenBody().fields["token"].run_validation, MARKS),
    Work(
        "time of a list",
        lambda text: list_filters.read(QueryDict(f"ended_after={text}")),
        (*DIGITS, lambda n: "2026-01-31T12:00:00." + "1" * n, lambda n: "2026-01-31T12:00:00Z" * (n // 20)),
        (r"games/api/list_filters.py: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)",),
    ),
    Work(
        "player of a list",
        lambda text: list_filters.read(QueryDict(f"player={text}")),
        (*DIGITS, lambda n: "00000000" + "-0000" * (n // 5)),
        ("games/api/list_filters.py: [0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}",),
    ),
    Work("number of a query", requests.whole, DIGITS, ("games/api/play/requests.py: (-?)([0-9]+)",)),
    Work(
        "body of a new game",
        lambda text: request_bodies.read(strict_json.object_in(text), request_bodies.CreateGame, also=errors_of_game),
        (
            lambda n: '{"ruleset": "qwixx", "bots": [' + '"x",' * (n // 4) + '"x"]}',
            lambda n: '{"bots": [' + "5," * (n // 2) + "5]}",
            lambda n: '{"bots": ["x"' + ',"x"' * (n // 8) + "]" + "".join([f',"{i}":0' for i in range(n // 16)]) + "}",
        ),
    ),
    Work(
        "client seed",
        game_settings.check_client_seed,
        (lambda n: "a" * n, lambda n: "a" * 64 + "!" * n),
        ("games/game/decisions/game_settings.py: [A-Za-z0-9_-]{0,64}",),
    ),
    Work(
        "cursor",
        lambda text: pagination.cursor({"cursor": text}, has_value=True),
        (lambda n: "after." + "1" * n, lambda n: "after." * (n // 6), lambda n: "after.1." + "a" * n),
        ("players/api/pagination.py: (after|before)\\.(?:(-?[0-9]{1,10})\\.)?([0-9a-f-]{36})",),
    ),
    Work(
        "limit of a list",
        lambda text: pagination.limit({"limit": text}),
        DIGITS,
        ("players/api/pagination.py: [0-9]{1,3}",),
    ),
    Work(
        "day of a leaderboard",
        lambda text: leaderboard_views.day_of({"at": text}),
        DIGITS,
        ("players/api/views/leaderboard_views.py: [0-9]{4}-[0-9]{2}-[0-9]{2}",),
    ),
    Work(
        "request id",
        request_ids.request_id_of,
        (lambda n: "a" * n, lambda n: "a" * 64 + "\n" * n),
        ("qwixx_service/http/middleware/request_ids.py: [A-Za-z0-9._~:/+=-]{1,64}",),
    ),
    Work(
        "expected value",
        lambda text: texts.expected(text, "en"),
        HINTS,
        (
            "qwixx_service/http/texts/__init__.py: \\d+|`[^`]*`|'[^']*'",
            "qwixx_service/http/texts/__init__.py: ((?:each )?one of) (.+)",
        ),
    ),
    Work("If-Match", conditional_requests.expected_version, (*DIGITS, lambda n: '"' * n)),
    Work(
        "If-None-Match", lambda text: conditional_requests.is_not_modified(text, '"1"'), (lambda n: "W/," * (n // 3),)
    ),
    Work(
        "Accept-Language",
        lambda text: accept_language.preferred(f"{text}{time.perf_counter()}"),  # not the same text twice: it is cached
        (lambda n: "de;q=1," * (n // 7),),
    ),
    Work("after of a stream", lambda text: handshake.after({"after": text}), DIGITS),
    Work("forwarded address", lambda text: addresses.address("", text, 1), (lambda n: " ," * (n // 2),)),
    Work(
        "path of a request that hashes",
        django_pools.HASHING.fullmatch,
        (lambda n: "/account/reset/" + "a" * n, lambda n: "/api/v1/players" * (n // 15)),
        ("qwixx_service/http/django_pools.py: " + django_pools.HASHING.pattern,),
    ),
    Work(
        "path of a file of the page",
        static_files.PAGE_FILE.fullmatch,
        (lambda n: "page/0123456789ab/" + "/" * n, lambda n: "page/" * (n // 5)),
        ("qwixx_service/http/static_files.py: " + static_files.PAGE_FILE.pattern,),
    ),
    Work(
        "notation of a game",
        lambda text: document.read("[Game g]\n@ 2026-01-02T12:00:00.000000Z\n" + text),
        (
            lambda n: "[" + "A" * n,
            lambda n: "[A " + "]" * n,
            lambda n: "@ +" + "1" * n,
            lambda n: "@ " + "2026-" * (n // 5),
            lambda n: "a" * n,
            lambda n: "a/" + "1" * n,
            lambda n: "game_created " + " hash=" * (n // 6),
            lambda n: "game_created " + " hash=" + "0" * n,
            lambda n: "game_created " + "(" * n,
            lambda n: "game_created " + "a" * n,
            lambda n: "game_created " + "red:1,1" * (n // 7),
            lambda n: "game_created " + "red:1" + ",1" * (n // 2),
            lambda n: "game_created a=" + "1" * n,
            lambda n: "game_created a=" + "x" * n + "!",
            lambda n: "game_created " + "[" * n,
            lambda n: "game_created " + " ".join(f"a{chr(97 + k % 26)}=1" for k in range(n // 5)),
        ),
        tuple(
            f"games/game/notation/{file}.py: {each.pattern}"
            for file, each in (
                ("document", document.TAG),
                ("document", document.HASH),
                ("event_lines", event_lines.HEAD),
                ("event_lines", event_lines.NAMED),
                ("event_lines", event_lines.DICE),
                ("event_lines", event_lines.ACTION),
                ("notation_values", notation_values.WORD),
                ("notation_values", notation_values.NUMBER),
                ("notation_values", notation_values.RELATIVE),
                ("notation_values", notation_values.TIME),
            )
        ),
    ),
    Work(
        "URL of a webhook",
        lambda text: public_addresses.checked_url(text, allow_loopback=False),
        (lambda n: "https://" + "a." * (n // 2), lambda n: "https://" + "-" * n + "_", lambda n: ":" * n),
    ),
    Work(
        "host of a webhook",
        public_addresses.NAME.fullmatch,
        (lambda n: "a." * (n // 2), lambda n: "-" * n + "_"),
        ("games/webhooks/public_addresses.py: " + public_addresses.NAME.pattern,),
    ),
    Work(
        "log line",
        redaction.redacted,
        (lambda n: "a" * n, lambda n: "1." * (n // 2), lambda n: "a@" + "b." * (n // 2), lambda n: "://" * (n // 3)),
        tuple(f"players/telemetry/redaction.py: {pattern.pattern}" for pattern, _ in redaction.RULES),
    ),
    Work(
        "id of a command",
        log_config.PLAIN_KEY.fullmatch,
        (lambda n: "a" * n,),
        ("qwixx_service/observability/log_config.py: " + log_config.PLAIN_KEY.pattern,),
    ),
    Work("address", addresses.address_key, (lambda n: ":" * n, lambda n: "1:" * (n // 2), lambda n: "[" * n)),
)
# Patterns that run on text of the service itself, of its servers or of its operator.
ON_OWN_TEXT = {
    """games/web/build.py: (?:\\bfrom\\s*|\\bimport\\s*)["']([^"']+)["']""",
    "players/api/token_authentication.py: <(?:\\w+:)?(\\w+)>",
    "games/web/views.py: text/\\w+\\.json",
    "games/management/monthly_dump.py: ([0-9]{4})-(0[1-9]|1[0-2])",
    "games/management/monthly_dump.py: ([0-9a-f]{64})  (\\S+)",
    """qwixx_service/documents/used_components.py: b'"#/components/(\\\\w+)/([\\\\w-]+)"'""",
    "players/redis_servers/redis_addresses.py: " + redis_addresses.ADDRESS.pattern,
    "qwixx_service/embedded/binaries.py: (\\w+).*?(\\d+)",
    "qwixx_service/embedded/postgres.py: (?:FATAL|PANIC|ERROR|error): +(.+)",
    "qwixx_service/embedded/valkey.py: \\d+:\\w \\d+ \\w+ \\d+ [\\d:.]+ (?P<level>\\S) (?P<message>.+)",
}

LINTER = "qwixx_service/database/online_migrations.py"  # reads only our own migrations


def seconds(run: Callable[[str], Any], text: str) -> float:
    """The shortest of several runs, in time of this thread: other processes do not count."""
    times = []
    for _ in range(RUNS):
        start = time.thread_time()
        with contextlib.suppress(*REFUSALS):
            run(text)
        times.append(time.thread_time() - start)
    return min(times)


def is_linear(run: Callable[[str], Any], make: Callable[[int], str]) -> bool:
    return seconds(run, make(LONG)) < LARGEST_FACTOR * max(seconds(run, make(SHORT)), SHORTEST_S)


@pytest.mark.parametrize(
    ("run", "make"), [pytest.param(work.run, make, id=work.name) for work in WORKS for make in work.texts]
)
def test_four_times_the_text_takes_about_four_times_as_long(
    run: Callable[[str], Any], make: Callable[[int], str]
) -> None:
    assert any(is_linear(run, make) for _ in range(TRIES))


def patterns() -> Iterator[str]:
    """Every pattern that is given to a function of `re`, with its file."""
    for package in ("games", "players", "qwixx_service"):
        for path in {*(ROOT / package).rglob("*.py")} - {ROOT / LINTER}:
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and re.fullmatch(r"re\.\w+", ast.unparse(node.func)):
                    yield f"{path.relative_to(ROOT)}: {ast.literal_eval(node.args[0])}"


def test_every_pattern_is_measured_or_runs_on_text_of_the_service() -> None:
    measured = {pattern for work in WORKS for pattern in work.patterns}
    assert set(patterns()) == measured | ON_OWN_TEXT

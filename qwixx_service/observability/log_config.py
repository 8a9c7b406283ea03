"""What the service logs, and in which form: a JSON object to a line for programs, or text for people."""

import logging
import logging.config
import re
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
import structlog
from structlog.stdlib import ProcessorFormatter
from structlog.typing import EventDict, Processor

from players.telemetry import line_writer, log_context
from players.telemetry.redaction import redacted

JSON, TEXT = "json", "text"
PLAIN_KEY = re.compile(r"[A-Za-z0-9-]{1,63}")  # shaped like no secret and no address
FIRST_FIELDS = ("time", "level", "event", "request", "route", "player", "game", "version", "command", "ms")


def is_not_beat_tick(record: logging.LogRecord) -> bool:
    return not str(record.msg).startswith("Scheduler: Sending due task")


def is_not_socket_address(record: logging.LogRecord) -> bool:
    """uvicorn logs the address of every WebSocket, which may hold a ticket."""
    return '"WebSocket %s"' not in str(record.msg)


# What uvicorn logs of each connection, or of what a client sends.
OF_CLIENTS = (
    *("Invalid HTTP request", "Unsupported upgrade", "No supported WebSocket"),
    *("Invalid UTF-8 sequence", "parser failed", "opening handshake failed"),
    *("connection open", "connection closed", "connection rejected", "HTTP response sent"),
)


def is_not_of_client(record: logging.LogRecord) -> bool:
    """A client could fill the log by these lines."""
    return not str(record.msg).startswith(OF_CLIENTS)


def log_config(level: str, form: str) -> dict[str, Any]:
    """For `configure`; but for `form` it is a dictionary for `logging.config.dictConfig`."""
    filters = {
        "no_beat_ticks": is_not_beat_tick,
        "no_socket_addresses": is_not_socket_address,
        "no_lines_of_clients": is_not_of_client,
    }
    return {
        "form": form,
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {
            name: {"()": "django.utils.log.CallbackFilter", "callback": callback} for name, callback in filters.items()
        },
        "formatters": {"lines": {"()": line_formatter, "form": form}},
        "handlers": {"lines": {"()": LineHandler, "formatter": "lines"}},
        "root": {"handlers": ["lines"], "level": level},
        "loggers": {
            # Django and uvicorn configure handlers of their own.
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            "django.server": {"handlers": [], "level": "INFO", "propagate": True},
            "uvicorn": {"handlers": [], "level": "INFO", "propagate": True},
            "uvicorn.access": {"handlers": [], "level": "CRITICAL", "propagate": False},  # it logs addresses and URLs
            # A client's mistake is reported in its response.
            "django.request": {"level": "ERROR"},
            "django.security": {"level": "CRITICAL"},
            # Celery logs every task of every second; `/metrics` counts them.
            "celery.beat": {"filters": ["no_beat_ticks"]},
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.app.trace": {"level": "WARNING"},
            # It logs the URL of every request, which may hold a secret of its owner.
            "httpx": {"level": "WARNING"},
            "uvicorn.error": {"filters": ["no_socket_addresses", "no_lines_of_clients"]},
        },
    }


def configure(config: dict[str, Any]) -> None:
    """Django calls it with the setting LOGGING, in every process."""
    config = dict(config)
    form, level = config.pop("form"), logging.getLevelNamesMapping()[config["root"]["level"]]
    logging.config.dictConfig(config)
    line_writer.lines.render = line_renderer(form)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(key="time"),  # seconds, which the renderer turns into text
            log_context.merge,
            as_argument,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=EventSink,
        cache_logger_on_first_use=True,
    )


def as_argument(_logger: Any, _method: str, event: EventDict) -> tuple[tuple[EventDict], dict[str, Any]]:
    """The last processor of our own lines: the thread that writes them renders them, too."""
    return (event,), {}


class EventSink:
    """What structlog calls at the end of its processors."""

    def __init__(self, name: str = "") -> None:
        self._name = name

    def info(self, event: EventDict) -> None:
        event["logger"] = self._name
        line_writer.lines.put(event)

    debug = warning = info


class LineHandler(logging.Handler):
    """Lines of the standard library's loggers: ours for warnings and errors, and those of all packages."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            line_writer.lines.put(self.format(record), is_urgent=True)
        except Exception:  # noqa: BLE001  (documented: a handler leaves to this what went wrong with a record)
            self.handleError(record)


def line_formatter(form: str) -> logging.Formatter:
    """Without a traceback's local variables, which may hold anything."""
    rendering: list[Processor] = [ProcessorFormatter.remove_processors_meta]
    if form == JSON:
        rendering.append(structlog.processors.format_exc_info)
    return ProcessorFormatter(
        foreign_pre_chain=[
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.processors.TimeStamper(fmt="iso", key="time"),
            log_context.merge,
        ],
        processors=[*rendering, final_processor(form), _hide],
    )


def line_renderer(form: str) -> line_writer.Render:
    final: Any = final_processor(form)

    def render(event: line_writer.Event) -> str:
        return str(final(None, "", shown(event)))

    return render


def shown(event: line_writer.Event) -> EventDict:
    """The values as they are printed. Of our own fields only the id of a command is a text that a client has chosen."""
    values: EventDict = {name: str(value) if type(value) is UUID else value for name, value in event.items()}
    values["time"] = datetime.fromtimestamp(values["time"], UTC).isoformat(timespec="microseconds")[:26] + "Z"
    if "command" in values and not PLAIN_KEY.fullmatch(values["command"]):
        values["command"] = redacted(values["command"])
    return values


def final_processor(form: str) -> Processor:
    if form == JSON:
        return as_json
    return structlog.dev.ConsoleRenderer(
        colors=False, timestamp_key="time", exception_formatter=structlog.dev.plain_traceback, pad_event_to=8
    )


def as_json(_logger: Any, _method: str, event: EventDict) -> str:
    """The same fields first in every line, so that people can read it, too."""
    ordered = {name: event.pop(name) for name in FIRST_FIELDS if name in event}
    return msgspec.json.encode(ordered | dict(event), enc_hook=str).decode()


def _hide(_logger: Any, _method: str, line: Any) -> str:
    return redacted(str(line))

"""What the service logs, in which form."""

import logging
from typing import Any


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


def log_config(level: str) -> dict[str, Any]:
    """For `logging.config.dictConfig`."""
    filters = {
        "no_beat_ticks": is_not_beat_tick,
        "no_socket_addresses": is_not_socket_address,
        "no_lines_of_clients": is_not_of_client,
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {
            name: {"()": "django.utils.log.CallbackFilter", "callback": callback} for name, callback in filters.items()
        },
        "formatters": {"plain": {"format": "{levelname:<7} {name}: {message}", "style": "{"}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
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

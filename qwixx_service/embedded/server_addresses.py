"""Whether the addresses of given servers can be addresses at all, said in one sentence; asks nobody at them."""

from urllib.parse import urlsplit

import psycopg
import redis
from psycopg.conninfo import conninfo_to_dict

from qwixx_service.embedded.data_folder import CannotStart

POSTGRES = (
    "DATABASE_URL is not the address of a PostgreSQL database: it looks like postgresql://user:password@host:5432/name"
)
REDIS = "REDIS_URL is not the address of a Redis or Valkey server: it looks like redis://host:6379/0 or unix:///path/of/socket"


def database(url: str) -> str:
    """The same address. What is wrong with it is not quoted: it may hold a password.

    >>> database("postgresql://me@/games?host=/run&port=5432")
    'postgresql://me@/games?host=/run&port=5432'
    """
    try:
        is_sound = urlsplit(url).scheme in ("postgresql", "postgres") and conninfo_to_dict(url).get("dbname")
        is_sound = is_sound and urlsplit(url).port != 0
    except (ValueError, psycopg.Error):
        is_sound = False
    if not is_sound:
        raise CannotStart(POSTGRES)
    return url


def broker(url: str) -> str:
    """
    >>> broker("unix:///run/valkey.sock?db=0")
    'unix:///run/valkey.sock?db=0'
    """
    try:
        redis.Redis.from_url(url)  # reads the address and asks nobody yet
        parts = urlsplit(url)
        is_sound = bool(parts.path) if parts.scheme == "unix" else parts.path in ("", "/") or parts.path[1:].isdigit()
    except ValueError:
        is_sound = False
    if not is_sound:
        raise CannotStart(REDIS)
    return url

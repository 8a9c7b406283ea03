"""Connects to the one of several hosts that can be used; a host that hangs delays no other one.

asyncpg tries hosts one after the other within one time-out, which the first of them would use up if it is frozen.
"""

import asyncio
from typing import Any
from urllib.parse import quote, urlencode

import asyncpg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

# The parameters of libpq that asyncpg reads from an address, or hands to the server as settings.
READ_BY_ASYNCPG = {
    "host", "port", "dbname", "user", "password", "passfile", "service", "sslmode", "sslcert", "sslkey", "sslrootcert",
    "sslcrl", "sslpassword", "ssl_min_protocol_version", "ssl_max_protocol_version", "target_session_attrs",
    "krbsrvname", "gsslib", "application_name", "options",
}  # fmt: skip


def address(conninfo: str) -> str:
    """A connection string of libpq as an address that asyncpg reads.

    >>> address("host=/run/postgresql dbname=qwixx connect_timeout=3 application_name='a b'")
    'postgresql://?application_name=a%20b&dbname=qwixx&host=%2Frun%2Fpostgresql'
    """
    given = {name: value for name, value in conninfo_to_dict(conninfo).items() if name in READ_BY_ASYNCPG}
    return f"postgresql://?{urlencode(sorted(given.items()), quote_via=quote, safe='')}"


def single_hosts(conninfo: str) -> list[str]:
    """An address for each host.

    >>> single_hosts("postgresql://one:5432,two:5433/qwixx")
    ['postgresql://?dbname=qwixx&host=one&port=5432', 'postgresql://?dbname=qwixx&host=two&port=5433']
    """
    given: dict[str, Any] = {**conninfo_to_dict(conninfo)}
    hosts = str(given.get("host") or "").split(",")
    ports = str(given.get("port") or "").split(",")
    if len(ports) != len(hosts):  # one port for all
        ports = ports[:1] * len(hosts)
    return [
        address(make_conninfo(**{**given, "host": host or None, "port": port or None}))
        for host, port in zip(hosts, ports, strict=True)
    ]


async def connect_to_any(conninfo: str, **options: Any) -> Any:
    """A connection to the host that was ready first and, with `target_session_attrs`, is of the wanted kind."""
    attempts = [asyncio.create_task(asyncpg.connect(each, **options)) for each in single_hosts(conninfo)]
    chosen = None
    try:
        chosen = await _first(attempts)
        return chosen.result()
    finally:
        for attempt in attempts:
            if attempt is not chosen:
                await _give_up(attempt)


async def _first(attempts: "list[asyncio.Task[Any]]") -> "asyncio.Task[Any]":
    """The first attempt that succeeds; if all fail, one that reached no server: its error is the one to report."""
    pending = set(attempts)
    while pending:
        done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
        for attempt in done:
            if attempt.exception() is None:
                return attempt
    return min(attempts, key=lambda each: isinstance(each.exception(), asyncpg.TargetServerAttributeNotMatched))


async def _give_up(attempt: "asyncio.Task[Any]") -> None:
    attempt.cancel()
    await asyncio.wait([attempt])
    if not attempt.cancelled() and attempt.exception() is None:
        attempt.result().terminate()

"""How the connections to PostgreSQL that one process may open are shared between what needs them."""

from typing import NamedTuple

from players.limits import budgets

LEAST, MOST = 14, 32
APART = 3  # the writer of the log, the heartbeat, and the connection that listens for changes of players
DIRECTORY = 2  # look-ups of tokens and names
CLAIMERS = 2  # sweeps
READERS = 8  # of the engine


class ConnectionBudget(NamedTuple):
    """Every thread of Django has a connection, so that none waits for one; `/metrics` has one more."""

    readers: int
    claimers: int
    directory: int
    threads: dict[str, int]  # by pool of `qwixx_service/http/django_pools.py`

    @property
    def django(self) -> int:
        return sum(self.threads.values()) + 1

    @property
    def total(self) -> int:
        return APART + self.readers + self.claimers + self.directory + self.django


def split(total: int) -> ConnectionBudget:
    """At most so many connections; a process cannot use more than MOST.

    >>> split(32).threads, split(32).readers, split(100).total
    ({'rest': 8, 'passwords': 4, 'admin': 2, 'pages': 2}, 8, 32)
    >>> split(14)
    ConnectionBudget(readers=2, claimers=2, directory=2, threads={'rest': 1, 'passwords': 1, 'admin': 1, 'pages': 1})
    """
    if total < LEAST:
        raise ValueError(f"a process needs at least {LEAST} connections")
    rest = min(total, MOST) - APART - DIRECTORY - CLAIMERS
    readers = max(2, min(READERS, rest // 3))
    threads = min(budgets.DJANGO_THREADS, rest - readers - 1)
    passwords = max(1, threads * budgets.PASSWORD_THREADS // budgets.DJANGO_THREADS)
    admin = max(1, threads * budgets.ADMIN_THREADS // budgets.DJANGO_THREADS)
    pages = max(1, threads * budgets.PAGE_THREADS // budgets.DJANGO_THREADS)
    shares = {"rest": threads - passwords - admin - pages, "passwords": passwords, "admin": admin, "pages": pages}
    return ConnectionBudget(readers, CLAIMERS, DIRECTORY, shares)

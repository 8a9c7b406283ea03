"""What connections of this process are counted under, and the metrics of their limits."""

from django.conf import settings
from prometheus_client import Counter, Gauge

from players.limits import budgets
from players.limits.addresses import address_key
from players.limits.networks import NetworkCounter

OPEN = Gauge("qwixx_http_connections", "Open HTTP connections, without WebSockets.", multiprocess_mode="livesum")
REJECTED = Counter("qwixx_http_rejected", "Requests and connections that were ended by a limit.", ["limit"])

# By the address of the clients.
connections = NetworkCounter(budgets.CONNECTIONS_PER_ADDRESS)
unread_bytes = NetworkCounter(budgets.UNREAD_BYTES_PER_ADDRESS)


def counted_network(client: tuple[str, int] | None) -> str:
    """What a connection is counted under: nothing behind a proxy, which counts its clients itself."""
    return address_key(client[0]) if client and not settings.NUM_PROXIES else ""

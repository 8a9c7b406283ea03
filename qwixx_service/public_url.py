"""What follows from the public address of the service: whether it is https, its origin and its host."""

from urllib.parse import urlsplit

from qwixx_service.embedded.data_folder import CannotStart

NOT_AN_ADDRESS = "PUBLIC_URL is not an address: it looks like https://play.example.org"


def checked(url: str) -> str:
    """The same address without a slash at its end.

    >>> checked("https://play.example.org/")
    'https://play.example.org'
    """
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises ValueError if it is no number
        is_valid = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_valid = False
    if not is_valid:
        raise CannotStart(NOT_AN_ADDRESS)
    return url.rstrip("/")


def is_https(url: str) -> bool:
    return urlsplit(url).scheme == "https"


def origin(url: str) -> str:
    """
    >>> origin("https://play.example.org:8443/dice")
    'https://play.example.org:8443'
    """
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def host(url: str) -> str:
    """The host as Django compares it with ALLOWED_HOSTS.

    >>> host("https://play.example.org:8443"), host("http://[::1]:8000")
    ('play.example.org', '[::1]')
    """
    name = urlsplit(url).hostname or ""
    return f"[{name}]" if ":" in name else name

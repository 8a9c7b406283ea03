"""What pages of other origins may do (CORS): tokens are sent in headers, so that no cookies are allowed."""

from typing import Any

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
REQUEST_HEADERS = (
    "Authorization",
    "Content-Type",
    "Accept-Language",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
    "X-Request-ID",
)
RESPONSE_HEADERS = (
    "ETag",
    "Retry-After",
    "X-Request-ID",
    "Idempotent-Replayed",
    "Location",
    "RateLimit",
    "RateLimit-Policy",
)

# For Starlette's `CORSMiddleware`; which origins there are is a setting.
CORS: dict[str, Any] = {
    "allow_methods": METHODS,
    "allow_headers": REQUEST_HEADERS,
    "expose_headers": RESPONSE_HEADERS,
    "max_age": 7200,
}

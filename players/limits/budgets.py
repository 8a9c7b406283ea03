"""The limits of connections, requests and threads: every number that bounds what one client may use."""

# The head of a request (contract, section 2): beyond these numbers 431 `head_too_large`.
HEAD_BYTES = 32 * 1024
HEAD_FIELDS = 100
# The time from the first byte to the last one: beyond these seconds 408 `too_slow`.
HEAD_S = 10.0
BODY_S = 30.0
BODY_BYTES = 64 * 1024  # beyond it 413 `too_large`

# Open HTTP connections of one address (IPv6: /64) in one process; further ones are closed at once. WebSockets are
# counted as streams instead.
CONNECTIONS_PER_ADDRESS = 500
# Requests that a client may send before it has the responses to earlier ones; beyond it the connection is cut.
PIPELINED_REQUESTS = 400
# A client with a full buffer (64 KiB) that reads less than 48 KiB of it within this time is disconnected.
UNREAD_S = 30.0
# A refused client may go on sending, and may read its response, for this long and this many bytes.
LINGER_S = 2.0
LINGER_BYTES = 8 * 1024 * 1024

# The threads in which Django runs, by what they serve: a part whose threads are all busy delays no other part.
REST_THREADS = 8
PASSWORD_THREADS = 4  # requests that hash a password; `players/accounts/passwords.py` bounds the hashing itself
ADMIN_THREADS = 2
PAGE_THREADS = 2
DJANGO_THREADS = REST_THREADS + PASSWORD_THREADS + ADMIN_THREADS + PAGE_THREADS
DATABASE_CONNECTIONS = DJANGO_THREADS + 1  # of Django's pool; `/metrics` queries from a thread of its own

# `/readyz`: a check serves all callers for a second; a part that does not answer in time is not usable.
READINESS_EVERY_S = 1.0
READINESS_TIMEOUT_S = 2.0

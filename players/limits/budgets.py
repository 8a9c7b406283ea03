"""The limits of connections, requests and threads: every number that bounds what one client may use."""

# The head of a request (contract, section 2): beyond these numbers 431 `head_too_large`.
HEAD_BYTES = 32 * 1024
HEAD_FIELDS = 100
# The time from the first byte to the last one: beyond these seconds 408 `too_slow`.
HEAD_S = 10.0
BODY_S = 30.0
BODY_BYTES = 64 * 1024  # beyond it 413 `too_large`
QUERY_PARAMETERS = 50  # of the hot routes; beyond it 400

# Open connections of one address (IPv6: /64) in one process, WebSockets among them; further ones are closed at once.
CONNECTIONS_PER_ADDRESS = 500
# Open streams (sockets, server-sent events, long polls) in one process: beyond it 429, or 4429 on a socket.
STREAMS_PER_SESSION, STREAMS_PER_ADDRESS = 20, 200
# Attempts within a minute, counted in PostgreSQL for all processes: beyond it 429.
WRONG_PASSWORDS_PER_ACCOUNT, WRONG_PASSWORDS_PER_ADDRESS = 5, 60
WRONG_CODES_PER_PLAYER, WRONG_CODES_PER_ADDRESS = 10, 60
# Requests that a client may send before it has the responses to earlier ones; beyond it the connection is cut.
PIPELINED_REQUESTS = 400
# Requests of one address that begin in one turn of the event loop, a handshake of a socket counting as four; more wait
# for the next turn.
BEGUN_AT_ONCE = 32
# A client with a full buffer (64 KiB) that reads less than 48 KiB of it within this time is disconnected.
UNREAD_S = 30.0
# Bytes of responses that wait for all clients of one address; the connection that exceeds it is cut. A response in one
# piece, such as the export of a long game, waits as a whole.
UNREAD_BYTES_PER_ADDRESS = 16 * 1024 * 1024
# A refused client may go on sending, and may read its response, for this long and this many bytes.
LINGER_S = 2.0
LINGER_BYTES = 8 * 1024 * 1024

# Frames of one WebSocket within a second; beyond it the socket is closed with 4429. A ping, a pong or a fragment counts
# as several: the application, which counts the other frames per session, never sees it.
FRAMES_PER_SECOND = 400
CONTROL_FRAME = 8
FRAGMENTS = 200  # of one message
# A socket whose client reads nothing for so long, or for which so many characters wait, is closed with 4408.
STALLED_AFTER_S, LARGEST_BACKLOG = 10.0, 256 * 1024
FRAME_BYTES = 64 * 1024  # of one message; beyond it 4400, as soon as so much of it has come

# Devices of one player that are logged in: one more logs out the one that was used longest ago. All of them are revoked
# in one transaction, with a lock for each.
DEVICES_PER_PLAYER = 100
# What one account owns: beyond it 409 `too_many_tokens`, `too_many_bots` or `too_many_webhooks`.
TOKENS_PER_ACCOUNT = 50
BOTS_PER_ACCOUNT = 5
WEBHOOKS_PER_ACCOUNT = 5
# Messages of one webhook that wait: what comes after them stays in the logs of the games, and is read from there later.
MESSAGES_WAITING = 200
MESSAGES_KEPT = 1000  # of one webhook, that were delivered or given up

# Requests of one address that wait for a thread or a log (`fair_queue.py`); beyond it 429. More than it has connections
# wait only if clients do not wait for their responses.
WAITING_PER_ADDRESS = CONNECTIONS_PER_ADDRESS
SOCKET_OPENINGS = 4  # sockets of the lobby and of players that read their first frames at once

# One call of `GET /players/me/games/stream`: beyond these it ends and names the cursor to go on with.
GAMES_PER_STREAM, GAMES_STREAM_S = 5_000, 120.0

# The threads in which Django runs, by what they serve: a part whose threads are all busy delays no other part.
REST_THREADS = 8
PASSWORD_THREADS = 4  # requests that hash a password; `players/accounts/passwords.py` bounds the hashing itself
ADMIN_THREADS = 2
PAGE_THREADS = 2
DJANGO_S = 20.0  # in which a response must begin, once the body is read; beyond it 503. No view waits on purpose
DJANGO_THREADS = REST_THREADS + PASSWORD_THREADS + ADMIN_THREADS + PAGE_THREADS

# `/readyz`: a check serves all callers for a second; a part that does not answer in time is not usable.
READINESS_EVERY_S = 1.0
READINESS_TIMEOUT_S = 2.0

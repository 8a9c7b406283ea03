"""Checks the hash chain of the audit log, which a trigger writes (`action_chain.sql`)."""

from datetime import UTC
from hashlib import sha256

from players.moderation.models import StaffAction

CHUNK = 1000  # rows in memory


def first_flaw() -> int | None:
    """The position of the first entry that was changed, removed or added outside the chain; None: it is sound."""
    before, expected = b"", 1
    chained = StaffAction.objects.filter(position__isnull=False).order_by("position", "pk")
    for action in chained.iterator(CHUNK):
        if action.position != expected or bytes(action.hash or b"") != chain_hash(before, action):
            return expected
        before, expected = bytes(action.hash or b""), expected + 1
    return None


def chain_hash(before: bytes, action: StaffAction) -> bytes:
    at = f"{action.at.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"
    fields = (
        *(action.position, action.by, at, action.what, action.kind, action.target),
        *(action.reason, action.detail, action.before, action.after),
    )
    texts = [str(field).encode() for field in fields]
    return sha256(before + b"".join(b"%d:%b" % (len(text), text) for text in texts)).digest()

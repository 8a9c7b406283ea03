"""Secrets and signatures of webhooks; Standard Webhooks names the headers."""

import base64
import secrets
from datetime import UTC, datetime

from django.utils.crypto import salted_hmac
from standardwebhooks import Webhook as Signer

from games.webhooks.models import Webhook

NONCE_BYTES = 32
SALT = "games.webhooks"


def new_nonce() -> bytes:
    return secrets.token_bytes(NONCE_BYTES)


def secret_of(nonce: bytes) -> str:
    """Not stored: a copy of the database alone signs nothing."""
    key = salted_hmac(SALT, nonce.hex(), algorithm="sha256").digest()
    return "whsec_" + base64.b64encode(key).decode()


def headers(webhook: Webhook, message_id: str, body: str, now: datetime) -> dict[str, str]:
    """The headers of one attempt. While two secrets are valid there are two signatures."""
    at = now.astimezone(UTC)
    signatures = [Signer(secret_of(nonce)).sign(message_id, at, body) for nonce in _valid_nonces(webhook, now)]
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


def _valid_nonces(webhook: Webhook, now: datetime) -> list[bytes]:
    nonces = [bytes(webhook.nonce)]
    if webhook.old_nonce is not None and webhook.old_until is not None and now < webhook.old_until:
        nonces.append(bytes(webhook.old_nonce))
    return nonces

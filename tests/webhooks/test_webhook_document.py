"""The receiver in the document verifies what the service sends."""

import re
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from standardwebhooks import WebhookVerificationError

from games.webhooks.endpoints import NewSecret
from games.webhooks.event_payloads import TYPES
from tests.webhooks.games import TestClock, deliver, start
from tests.webhooks.receiver import Receiver

DOCUMENT = (Path(__file__).resolve().parents[2] / "docs" / "guides" / "webhooks.md").read_text()


def test_the_receiver_of_the_document_verifies_a_message(
    webhook: NewSecret, receiver: Receiver, clock: TestClock, ann: UUID, bob: UUID
) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    names: dict[str, Any] = {}
    exec(program, names)  # noqa: S102  (our own document)
    start(clock, ann, bob)
    deliver(clock)
    headers, body = receiver.received[0]
    assert names["receive"](webhook.secret, headers, body)["type"] == "game.started"
    with pytest.raises(WebhookVerificationError):
        names["receive"](webhook.secret, headers, body.replace(b"started", b"stopped"))


def test_the_document_names_every_type() -> None:
    assert [name for name in TYPES if f"| `{name}` |" not in DOCUMENT] == []

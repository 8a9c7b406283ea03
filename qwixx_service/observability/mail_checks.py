"""What `manage.py check --deploy` says about secrets that would reach the logs."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register  # noqa: A004  (the name that Django gives it)

PRINTED_MAILS = Warning(
    "The worker prints mails: its log would hold e-mail addresses of players and links that set passwords.",
    hint="Give a mail server in EMAIL_URL, such as smtp+tls://user:password@host:587.",
    id="qwixx_service.W002",
)


@register(Tags.security, deploy=True)
def check_mails(**_: Any) -> list[CheckMessage]:
    return [PRINTED_MAILS] if settings.EMAIL_BACKEND.endswith(".console.EmailBackend") else []

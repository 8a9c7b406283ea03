"""What `manage.py check --deploy` says about the roles of the database."""

from typing import Any

from django.core.checks import CheckMessage, Tags, Warning, register  # noqa: A004  (the name that Django gives it)

from qwixx_service.database import roles

ONE_ROLE = Warning(
    "The service connects to PostgreSQL as the owner of its tables, so that it could change the log.",
    hint="Give the role qwixx_service in DATABASE_URL, and the owner in DATABASE_OWNER_URL: see docs/operations.md.",
    id="qwixx_service.W001",
)


@register(Tags.security, deploy=True)
def check_roles(**_: Any) -> list[CheckMessage]:
    return [ONE_ROLE] if roles.have_one_role() else []

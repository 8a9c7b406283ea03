"""Django's `migrate`, run by the owner of the tables, who then grants the service its rights."""

from typing import Any

from django.core.management.commands import migrate

from qwixx_service.database import roles


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        with roles.as_owner():
            super().handle(*args, **options)
            if not options["plan"]:
                roles.grant()

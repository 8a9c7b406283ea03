"""`manage.py create_first_admin`: creates the first login of the admin and prints it, once."""

import secrets
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import BaseCommand, CommandParser

from players.mail import email_addresses

EMAIL = "admin@localhost"


class Command(BaseCommand):
    help = "Creates a superuser and prints the password, unless there is a superuser already."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--email", default=EMAIL)

    def handle(self, *_args: Any, email: str, **_options: Any) -> None:
        password = first_admin(email)
        if password is None:
            self.stdout.write("There is an admin already.")
            return
        page = f"{settings.PUBLIC_URL}/admin/"
        self.stdout.write(f"Log in to {page} as {email} with {password} (shown only this once)")


def first_admin(email: str = EMAIL) -> str | None:
    """The password of the new superuser; None: there is one already."""
    players = get_user_model().objects
    if players.filter(is_superuser=True).exists():
        return None
    password = secrets.token_urlsafe(12)
    players.create_superuser(email=email_addresses.normalize(email), password=password, name="admin")
    return password

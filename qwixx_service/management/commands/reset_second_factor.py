"""`manage.py reset_second_factor EMAIL`: removes the second factor of a member of staff who has lost it."""

from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from players.database.refusal import RequestRefused
from players.mail import email_addresses
from players.models import Player
from players.moderation import second_factor
from players.moderation.staff_actions import MAX_REASON_LENGTH


class Command(BaseCommand):
    help = "Removes the second factor of a member of staff, who sets up a new one at the next login."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")
        parser.add_argument("--reason", default="Reset on the server.", help="written to the audit log")

    def handle(self, *_args: Any, email: str, reason: str, **_options: Any) -> None:
        player = Player.objects.filter(email=email_addresses.normalize(email)).first()
        if player is None:
            raise CommandError(f"No account has the address {email}.")
        if not second_factor.is_enrolled(player):
            raise CommandError(f"{email} has no second factor.")
        try:
            second_factor.reset(player, reason, timezone.now())
        except RequestRefused:
            raise CommandError(f"The reason must have 1 to {MAX_REASON_LENGTH} characters.") from None
        self.stdout.write(f"The second factor of {email} is removed. Ask its owner to log in and set up a new one.")

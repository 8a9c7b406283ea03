"""The table of attempts that are counted against a limit."""

from typing import ClassVar

from django.db import models


class Attempt(models.Model):
    """One counted attempt, such as a wrong password. The key is a keyed hash, so the row names no player."""

    key = models.BinaryField(max_length=32)
    at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["key", "at"], name="players_attempt_key"),
            models.Index(fields=["at"], name="players_attempt_at"),
        ]

    def __str__(self) -> str:
        return f"{self.at}"

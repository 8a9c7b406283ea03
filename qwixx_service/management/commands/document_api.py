"""`manage.py document_api`: writes the copy of the API's document that is kept with the code."""

from typing import Any

from django.conf import settings
from django.core.management import BaseCommand

from qwixx_service.documents import openapi


class Command(BaseCommand):
    help = "Write docs/openapi.json."

    def handle(self, *_args: Any, **_options: Any) -> None:
        path = settings.BASE_DIR / "docs" / "openapi.json"
        path.write_bytes(openapi())
        self.stdout.write(f"{path.relative_to(settings.BASE_DIR)} is written")

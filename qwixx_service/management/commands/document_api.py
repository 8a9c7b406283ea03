"""`manage.py document_api`: writes the API documents into `docs/`."""

from typing import Any

from django.conf import settings
from django.core.management import BaseCommand

from qwixx_service.documents.views import LOCAL_URL, openapi, streams


class Command(BaseCommand):
    help = "Write docs/openapi.json and docs/asyncapi.json."

    def handle(self, *_args: Any, **_options: Any) -> None:
        for name, content in (("openapi.json", openapi(LOCAL_URL)), ("asyncapi.json", streams(LOCAL_URL))):
            path = settings.BASE_DIR / "docs" / name
            path.write_bytes(content)
            self.stdout.write(f"{path.relative_to(settings.BASE_DIR)} is written")

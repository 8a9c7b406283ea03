"""Moves the logs of old finished games from the database to files, and drops the partitions that had them."""

from argparse import ArgumentParser
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.log.archive import archiver
from games.log.archive.object_stores import StoreUnavailable, open_store
from games.log.archive.volumes import VolumeDamaged
from qwixx_service.database import roles

LEAST_DAYS = 31  # dumps of the last month, and figures of the last weeks, read the database


class Command(BaseCommand):
    help = "Archive the logs of games that ended long ago, as the owner of the tables; every process reads them there."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--older-than", type=int, required=True, metavar="DAYS", help=f"at least {LEAST_DAYS}")
        parser.add_argument("--to", metavar="URL", help="/a/folder or s3://bucket/prefix?endpoint=…; else ARCHIVE_URL")

    def handle(self, *_: Any, **options: Any) -> None:
        url, days = options["to"] or settings.ARCHIVE_URL, options["older_than"]
        if not url:
            raise CommandError("Name the archive: --to URL, or ARCHIVE_URL.")
        if days < LEAST_DAYS:
            raise CommandError(f"Games stay in the database for at least {LEAST_DAYS} days.")
        try:
            with roles.as_owner():
                count = archiver.run(open_store(url), url, datetime.now(UTC) - timedelta(days=days), self.stdout.write)
        except (ValueError, StoreUnavailable, VolumeDamaged, RuntimeError) as error:
            raise CommandError(f"{str(error)[0].upper()}{str(error)[1:]}.") from error
        self.stdout.write(f"{count} games archived.")

"""The app's name for Django, and what its parts add to deletion and export."""

from django.apps import AppConfig


class PlayersConfig(AppConfig):
    name = "players"

    def ready(self) -> None:
        from players.accounts import data_export, erasure
        from players.moderation import moderation
        from players.ratings import leaderboards, statistics

        erasure.ERASERS += [leaderboards.erase, moderation.erase]
        data_export.EXPORTERS |= {"results": statistics.results, "ratings": statistics.rating_changes}
        data_export.EXPORTERS |= {"moderation": moderation.export}

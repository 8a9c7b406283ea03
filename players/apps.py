"""The app's name for Django, and what its parts add to deletion and export."""

from django.apps import AppConfig


class PlayersConfig(AppConfig):
    name = "players"

    def ready(self) -> None:
        from players import boards, erasure, export, figures, moderation

        erasure.ERASERS += [boards.erase, moderation.erase]
        export.EXPORTERS |= {"results": figures.results, "ratings": figures.rating_changes}
        export.EXPORTERS |= {"moderation": moderation.export}

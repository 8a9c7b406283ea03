"""The app's name for Django, and what it adds to what others show."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from games import belongings, process, tasks
        from games.api.lists import waiting_for
        from players import erasure, export, profile, telling

        process.LISTENERS.append(tasks.told)
        profile.EXTRAS["games_waiting"] = lambda player: waiting_for(player).count()
        telling.TELLERS[:] = [process.tell_player]
        export.EXPORTERS |= {"games": belongings.games, "game_keys": belongings.keys}
        erasure.FAREWELLS.append(belongings.leave_all)
        erasure.ENGAGED.append(belongings.engaged)

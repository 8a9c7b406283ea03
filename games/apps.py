"""The app's name for Django, and what it adds to what others do and show."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from games import personal_data, runtime, tasks
        from games.log import game_lists, player_keys
        from games.matchmaking import invitations, tickets
        from games.rules.registry import RULESETS
        from players.accounts import data_export, erasure, profile
        from players.database import idempotency
        from players.ratings import results
        from players.social import blocks, notifications

        runtime.configure(listeners=tasks.COMMIT_LISTENERS)
        results.RULESETS[:] = RULESETS
        profile.EXTRAS["games_waiting"] = lambda player: game_lists.waiting_seats(player).count()
        notifications.TELLERS[:] = [runtime.tell_player]
        idempotency.KEEPERS[:] = [player_keys.Keys()]
        data_export.EXPORTERS |= {"games": personal_data.export_games, "game_keys": player_keys.export}
        data_export.EXPORTERS |= {"queue": tickets.export, "invitations": invitations.export, "company": blocks.export}
        erasure.ERASERS += [tickets.erase, invitations.erase, blocks.erase, player_keys.erase]
        erasure.FAREWELLS.append(personal_data.leave_all_games)
        erasure.ENGAGED.append(game_lists.in_unfinished)

"""The app's name for Django, and what it adds to what others do and show."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from games import belongings, invitations, keys, process, settling, tasks, tickets
        from games.api.lists import waiting_for
        from games.rules.registry import RULESETS
        from players import blocks, erasure, export, profile, receipts, results, telling

        process.LISTENERS += [tasks.told, settling.told]
        results.RULESETS[:] = RULESETS
        profile.EXTRAS["games_waiting"] = lambda player: waiting_for(player).count()
        telling.TELLERS[:] = [process.tell_player]
        receipts.KEEPERS[:] = [keys.Keys()]
        export.EXPORTERS |= {"games": belongings.games, "game_keys": keys.export}
        export.EXPORTERS |= {"queue": tickets.export, "invitations": invitations.export, "company": blocks.export}
        erasure.ERASERS += [tickets.erase, invitations.erase, blocks.erase, keys.erase]
        erasure.FAREWELLS.append(belongings.leave_all)
        erasure.ENGAGED.append(belongings.engaged)

"""The composition root: hands every package what it needs from packages that it may not import."""

from games import personal_data, results_tasks, runtime, tasks
from games.api.list_views import waiting_for
from games.log import player_keys
from games.matchmaking import invitations, tickets
from games.rules.registry import RULESETS
from players import extensions


def compose() -> None:
    """Django calls this once per process, when all apps are loaded."""
    extensions.install(
        extensions.Extensions(
            rulesets=tuple(RULESETS),
            profile_fields={"games_waiting": lambda player: waiting_for(player).count()},
            exporters={
                "games": personal_data.games,
                "game_keys": player_keys.export,
                "queue": tickets.export,
                "invitations": invitations.export,
            },
            erasers=(tickets.erase, invitations.erase, player_keys.erase),
            leave_games=personal_data.leave_all,
            players_in_games=personal_data.engaged,
            notify=runtime.tell_player,
            key_store=player_keys.Keys(),
        )
    )
    runtime.LISTENERS[:] = [tasks.told, results_tasks.told]

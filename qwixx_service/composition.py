"""The composition root: hands every package what it needs from packages that it may not import."""

from games import personal_data, runtime, tasks
from games.log import player_keys
from games.log.reads import game_lists, summaries
from games.matchmaking import invitations, tickets
from games.results import signals
from games.rules.registry import RULESETS
from games.webhooks import endpoints
from players import extensions


def compose() -> None:
    """Django calls this once per process, when all apps are loaded."""
    extensions.install(
        extensions.Extensions(
            rulesets={key: tuple(ruleset.sheets) for key, ruleset in RULESETS.items()},
            profile_fields={"games_waiting": lambda player: game_lists.waiting_seats(player).count()},
            exporters={
                "games": personal_data.export_games,
                "game_keys": player_keys.export,
                "queue": tickets.export,
                "invitations": invitations.export,
                "webhooks": endpoints.export,
            },
            erasers=(tickets.erase, invitations.erase, player_keys.erase, endpoints.erase, signals.erase),
            leave_games=personal_data.leave_all_games,
            players_in_games=game_lists.in_unfinished,
            hidden_games=game_lists.hidden,
            game_names=summaries.names,
            notify=runtime.tell_player,
            key_store=player_keys.PlayerKeyStore(),
        )
    )
    runtime.configure(listeners=tasks.COMMIT_LISTENERS)

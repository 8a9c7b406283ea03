"""The indexes of lists of games: each filter has one, and the results of finished games are found without their logs."""

from django.db import migrations, models
from django.db.models import Q

UNFINISHED_AND_PUBLIC = Q(("status__in", ("open", "playing")), ("visibility", "public"))
OVER_AND_PUBLIC = Q(("status__in", ("finished", "aborted", "voided")), ("visibility", "public"))


def added(name, *fields, condition, model="game"):
    return migrations.AddIndex(model_name=model, index=models.Index(fields=fields, name=name, condition=condition))


class Migration(migrations.Migration):
    dependencies = [("games", "0003_service_role")]

    operations = [
        added("games_game_unfinished", "id", condition=UNFINISHED_AND_PUBLIC),
        migrations.RemoveIndex(model_name="game", name="games_game_playing"),
        added("games_game_over_by_sheet", "status", "sheet", "id", condition=OVER_AND_PUBLIC),
        added("games_game_over_rated", "status", "id", condition=OVER_AND_PUBLIC & Q(("rated", True))),
        added("games_game_over_by_end", "ended_at", "id", condition=OVER_AND_PUBLIC),
        added("games_event_ends", "game", condition=Q(("type", "game_ended")), model="storedevent"),
    ]

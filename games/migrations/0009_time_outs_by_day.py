"""Time-outs can be counted by day. The log is the largest table: it is not locked meanwhile."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("games", "0008_roles")]

    operations = [
        AddIndexConcurrently(
            model_name="event",
            index=models.Index(
                condition=models.Q(("type", "time_ran_out")), fields=["at"], name="games_event_time_outs"
            ),
        ),
    ]

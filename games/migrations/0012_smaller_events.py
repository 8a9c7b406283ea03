"""Smaller events, written by a second version of the append."""

from django.db import migrations, models

from players.database.sql_files import run_sql


class Migration(migrations.Migration):
    dependencies = [("games", "0011_daily_figures")]

    operations = [
        migrations.AddField("storedevent", "body", models.TextField(null=True)),
        migrations.AlterField("storedevent", "data", models.JSONField(null=True)),
        *run_sql("games.log", "append_v2.sql"),
    ]

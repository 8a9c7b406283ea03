"""The pulse, outages, since when bots are waited for; `games_append` and `games_beat` in the SQL file of the same name."""

from pathlib import Path

from django.db import migrations, models

HERE = Path(__file__)
BEFORE = HERE.with_name("0002_append.sql").read_text()
BEFORE = BEFORE[BEFORE.index("CREATE FUNCTION games_append") :]


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0003_lists_of_games_that_are_over'),
    ]

    operations = [
        migrations.CreateModel(
            name='Outage',
            fields=[
                ('began', models.DateTimeField(primary_key=True, serialize=False)),
                ('ended', models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name='Pulse',
            fields=[
                ('id', models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                ('at', models.DateTimeField()),
                ('swept_at', models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name='game',
            name='bots_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('bots_at__isnull', False)), fields=['bots_at'], name='games_game_bots'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('status', 'open')), fields=['id'], name='games_game_unstarted'),
        ),
        migrations.AddConstraint(
            model_name='pulse',
            constraint=models.CheckConstraint(condition=models.Q(('id', 1)), name='games_pulse_is_one'),
        ),
        migrations.RunSQL(
            sql=HERE.with_suffix(".sql").read_text(),
            reverse_sql=f"DROP FUNCTION games_beat; DROP FUNCTION games_append; {BEFORE}",
        ),
    ]

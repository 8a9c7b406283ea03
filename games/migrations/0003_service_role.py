"""The functions through which the role of the service writes to the log and reads seeds."""

from django.db import migrations

from games.log import sql


class Migration(migrations.Migration):
    dependencies = [("games", "0002_roles")]

    operations = [migrations.RunSQL(sql.load("service_functions.sql"), migrations.RunSQL.noop)]

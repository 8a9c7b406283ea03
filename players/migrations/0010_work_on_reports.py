"""Reports are assigned to a member of staff, and have an outcome."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("players", "0009_audit_chain")]

    operations = [
        migrations.AddField("report", "outcome", models.CharField(blank=True, db_default="", default="", max_length=9)),
        migrations.AddField("report", "assigned_to", models.UUIDField(null=True)),
    ]

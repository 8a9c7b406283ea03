"""The roles of staff as groups: a viewer reads, a moderator acts on games and players, an administrator does all."""

from django.db import migrations

VIEW = (
    ("games", "game", "view_game"),
    ("players", "player", "view_player"),
    ("players", "report", "view_report"),
    ("players", "staffaction", "view_staffaction"),
)
MODERATE = (
    ("games", "game", "control_game"),
    ("players", "player", "ban_player"),
    ("players", "player", "revoke_session"),
    ("players", "report", "resolve_report"),
)
ADMINISTER = (
    ("games", "game", "void_game"),
    ("players", "player", "erase_player"),
    ("players", "player", "give_role"),
)
ROLES = {"viewer": VIEW, "moderator": VIEW + MODERATE, "administrator": VIEW + MODERATE + ADMINISTER}


def create_roles(apps, _schema_editor):
    """Permissions are created here because Django creates its own only after all migrations."""
    ContentType = apps.get_model("contenttypes", "ContentType")
    Group, Permission = apps.get_model("auth", "Group"), apps.get_model("auth", "Permission")
    for role, permissions in ROLES.items():
        group, _ = Group.objects.get_or_create(name=role)
        for app, model, codename in permissions:
            kind, _ = ContentType.objects.get_or_create(app_label=app, model=model)
            name = "Can " + codename.replace("_", " ")
            permission, _ = Permission.objects.get_or_create(
                content_type=kind, codename=codename, defaults={"name": name}
            )
            group.permissions.add(permission)


def delete_roles(apps, _schema_editor):
    apps.get_model("auth", "Group").objects.filter(name__in=ROLES).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0001_initial"),
        ("players", "0001_initial"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(create_roles, delete_roles)]

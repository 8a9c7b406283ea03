"""Staff of every role, logged in over HTTP as a browser does it, and players with games."""

from collections.abc import Callable, Iterator
from importlib import import_module

import httpx
import pytest
from django.apps import apps
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group
from django.utils import timezone

from players.models import Player
from tests.admin import second_factor
from tests.api.conftest import NewPlayer, ann, bob, new_player

__all__ = ["NewPlayer", "ann", "bob", "new_player"]

PASSWORD = "correct horse battery"


class Staff:
    """A member of staff with the session of a browser."""

    def __init__(self, http: httpx.Client, player: Player, recovery_codes: list[str]) -> None:
        self.http, self.player, self.recovery_codes = http, player, recovery_codes

    def page(self, path: str, status: int = 200) -> str:
        answer = self.http.get(f"/admin/{path}")
        assert answer.status_code == status, f"{path}: {answer.status_code}"
        return answer.text

    def perform(self, path: str, action: str, **form: str) -> httpx.Response:
        """Sends the form of a staff action, even if the page does not show it."""
        token = self.http.cookies["csrftoken"]
        data = {"csrfmiddlewaretoken": token, "staff_action": action, **form}
        return self.http.post(f"/admin/{path}/action/", data=data)


LogIn = Callable[[str], Staff]


@pytest.fixture
def log_in(server: str, transactional_db: None) -> Iterator[LogIn]:
    """Creates the roles again, because tables are emptied between tests."""
    import_module("games.migrations.0002_roles").create_roles(apps, None)
    clients: list[httpx.Client] = []

    def as_role(role: str) -> Staff:
        player = Player(name=role, email=f"{role}@example.org", password=make_password(PASSWORD), is_staff=True)
        player.email_confirmed_at = timezone.now()
        player.is_superuser = role == "superuser"
        player.save()
        player.groups.set(Group.objects.filter(name=role))
        http = httpx.Client(base_url=server, timeout=60, follow_redirects=True, headers={"Accept": "text/html"})
        clients.append(http)
        page = second_factor.enter_password(http, player.email or "", PASSWORD)
        recovery_codes = second_factor.enrol(http, page) if page.url.path == second_factor.ENROLMENT else []
        assert "Dashboard" in http.get("/admin/").text
        return Staff(http, player, recovery_codes)

    yield as_role
    for http in clients:
        http.close()

"""Mails from a request to a mailbox, through a web process, a worker and a mail server."""

from collections.abc import Iterator

import pytest

from players.mail import mail_texts
from tests.players.conftest import in_a_thread
from tests.players.devices import Device, checked, is_problem, is_refused_on_second_within_a_second
from tests.players.mail_server import Mailbox, mail_server
from tests.players.test_accounts import OTHER, PASSWORD, registered, sign_in, without_id
from tests.players.test_mailed_links import LINK


@pytest.fixture(scope="module")
def mailbox(django_db_setup: None) -> Iterator[Mailbox]:
    with mail_server() as mailbox:
        yield mailbox


def received(mailbox: Mailbox, email: str) -> tuple[str, str]:
    """The subject and the link of the next mail to this address; mails of other tests are skipped."""
    while True:
        message = mailbox.next()
        if message["To"] == email:
            found = LINK.search(message.get_content())
            assert found
            return str(message["Subject"]), found[1]


async def test_a_player_confirms_the_address_and_resets_the_password_by_mail(
    anonymous: Device, mailbox: Mailbox
) -> None:
    email = "zoe@example.org"
    german = {"Accept-Language": "de"}
    body = {"name": "Zoe", "email": email, "password": PASSWORD}
    created = checked(await anonymous.call("POST", "/players", json=body, headers=german), 201)
    zoe = anonymous._replace(token=created["token"])
    subject, token = await in_a_thread(received, mailbox, email)
    assert subject == mail_texts.texts("de")["mail_confirm"]["subject"]

    page = f"{anonymous.first}/account/confirm/{token}"
    shown = await anonymous.http.get(page, headers=german)
    assert (shown.status_code, shown.headers["content-language"]) == (200, "de")
    assert "Bestätigen" in shown.text
    assert not (await zoe.get("/players/me"))["email_confirmed"]
    done = await anonymous.http.post(page, headers=german)
    assert (done.status_code, mail_texts.texts("de")["confirm"]["done"] in done.text) == (200, True)
    assert (await zoe.get("/players/me"))["email_confirmed"]
    assert (await anonymous.http.post(page)).status_code == 410

    checked(await anonymous.call("POST", "/players/passwords/forgotten", json={"email": email.upper()}), 202)
    _subject, token = await in_a_thread(received, mailbox, email)
    page = f"{anonymous.second}/account/reset/{token}"
    weak = await anonymous.http.post(page, data={"password": "12345"}, headers=german)
    assert (weak.status_code, "zu kurz" in weak.text) == (422, True)
    await zoe.get("/players/me", on_second=True)
    done = await anonymous.http.post(page, data={"password": OTHER})
    assert (done.status_code, mail_texts.texts("en")["reset"]["done"] in done.text) == (200, True)
    is_problem(await zoe.call("GET", "/players/me", on_second=True), 401, "not_authenticated")
    is_problem(await sign_in(anonymous, PASSWORD, email), 401, "invalid_credentials")
    checked(await sign_in(anonymous, OTHER, email), 201)


async def test_an_app_confirms_and_resets_by_mail_without_the_pages(anonymous: Device, mailbox: Mailbox) -> None:
    ann = await registered(anonymous, email="app@example.org")
    _subject, token = await in_a_thread(received, mailbox, "app@example.org")
    is_problem(await anonymous.call("POST", "/players/confirmations", json={"token": "rubbish"}), 410, "link_expired")
    is_problem(await anonymous.call("POST", "/players/confirmations", json={}), 400, "malformed")
    checked(await anonymous.call("POST", "/players/confirmations", json={"token": token}), 204)
    checked(await anonymous.call("POST", "/players/passwords/forgotten", json={"email": "app@example.org"}), 202)
    _subject, token = await in_a_thread(received, mailbox, "app@example.org")
    weak = await anonymous.call("POST", "/players/passwords/reset", json={"token": token, "new": "app"})
    assert {error["pointer"] for error in is_problem(weak, 422, "weak_password")["errors"]} == {"/new"}
    checked(await anonymous.call("POST", "/players/passwords/reset", json={"token": token, "new": OTHER}), 204)
    await is_refused_on_second_within_a_second(ann)
    is_problem(await ann.call("GET", "/players/me"), 401, "not_authenticated")
    again = await anonymous.call("POST", "/players/passwords/reset", json={"token": token, "new": PASSWORD})
    is_problem(again, 410, "link_expired")


async def test_another_confirmation_link_is_mailed_on_request(anonymous: Device, mailbox: Mailbox) -> None:
    ann = await registered(anonymous, email="again@example.org")
    first = await in_a_thread(received, mailbox, "again@example.org")
    path, key = "/players/me/confirmation", {"Idempotency-Key": "k1"}
    responses = [await ann.call("POST", path, headers=key) for _ in range(2)]
    assert [response.status_code for response in responses] == [202, 202]
    assert [response.headers.get("idempotent-replayed") for response in responses] == [None, "true"]
    assert without_id(responses[0]) == without_id(responses[1])
    assert (await in_a_thread(received, mailbox, "again@example.org"))[0] == first[0]
    is_problem(await (await anonymous.create_guest()).call("POST", path), 403, "not_allowed")

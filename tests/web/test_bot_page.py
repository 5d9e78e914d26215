"""The page of a program: everybody sees its results, its owner alone what was sent and answered."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from bots_api.models import Delivery
from bots_api.services import shown_secret
from matches.models import User
from tests.cast import person
from tests.web.evening import NOBODY_LISTENS, Evening
from tests.web.test_tournament_pages import page, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(evening: Evening) -> str:
    return f"/b/{evening.bot.public_id}/"


@pytest.fixture
def log(evening: Evening) -> str:
    """The page of its version, on which the log stands."""
    return f"/v/{evening.bot.versions.get().agent.public_id}/"


def test_results_and_versions_are_public(client: Client, evening: Evening, address: str) -> None:
    text = words(page(client, address))
    assert "Absent-minded" in text
    assert "Plays when it remembers to." in text
    assert "bohdan" in text
    assert "v1 active" in text
    assert "0 won, 0 drawn, 3 lost" in text


def strangers(evening: Evening) -> dict[str, User | None]:
    """Everybody but the owner: nobody, a stranger, the organiser who is staff, other staff with every right."""
    return {
        "nobody": None,
        "Chrystyna": evening.chrystyna,
        "Anna, who organises": evening.anna,
        "the operator": person("operator", is_staff=True, is_superuser=True),
    }


def test_nobody_but_the_owner_sees_the_delivery_log(client: Client, evening: Evening, address: str, log: str) -> None:
    delivery = Delivery.objects.filter(agent__player=evening.bot.player).first()
    version = evening.bot.versions.get()
    secrets = ["Delivery log", NOBODY_LISTENS, shown_secret(version), delivery.message_id, "unreachable"]
    for who, user in strangers(evening).items():
        client.logout()
        if user:
            client.force_login(user)
        html = page(client, address)
        assert not [secret for secret in secrets if secret in html], who
        for path in (log, f"{log}?faults"):
            assert client.get(path).status_code == (404 if user else 302), who


def test_the_owner_sees_log_address_and_secret(client: Client, evening: Evening, log: str) -> None:
    client.force_login(evening.bohdan)
    response = client.get(log)
    html = response.content.decode()
    assert 'data-test="delivery-log"' in html
    assert NOBODY_LISTENS in html
    assert shown_secret(evening.bot.versions.get()) in html
    assert "could not be reached" in html
    assert response["Cache-Control"] == "private, no-store"


def test_faults_can_be_seen_alone_with_request_and_reply(client: Client, evening: Evening, log: str) -> None:
    agent = evening.bot.versions.get().agent
    fault = Delivery.objects.filter(agent=agent).exclude(outcome="ok").first()
    Delivery.objects.filter(pk=fault.pk).update(request='{"type":"decision"}', reply="<b>nonsense</b>")
    Delivery.objects.create(
        agent=agent, message="ping", seq=999, message_id="msg_fine", outcome="ok", action="", sent_at=fault.sent_at
    )
    client.force_login(evening.bohdan)
    assert "message 999" in words(page(client, log))
    html = page(client, f"{log}?faults")
    assert "message 999" not in words(html)
    assert "&lt;b&gt;nonsense&lt;/b&gt;" in html


def test_the_log_is_bounded(client: Client, evening: Evening, log: str, django_assert_max_num_queries) -> None:
    agent = evening.bot.versions.get().agent
    now = Delivery.objects.filter(agent=agent).first().sent_at
    Delivery.objects.bulk_create(
        Delivery(agent=agent, message="decision", seq=seq, message_id=f"dec_{seq}", outcome="ok", sent_at=now)
        for seq in range(1_000, 1_300)
    )
    client.force_login(evening.bohdan)
    with django_assert_max_num_queries(18):
        html = page(client, log)
    assert len(re.findall(r'class="log-line', html)) == 100
    assert "message 1299" in words(html)


def test_a_player_that_is_a_program_is_shown_as_one(client: Client, evening: Evening, address: str) -> None:
    response = client.get(f"/p/{evening.bot.player.public_id}/")
    assert (response.status_code, response["Location"]) == (302, address)


def test_owners_find_their_programs_on_the_front_page(client: Client, evening: Evening, address: str) -> None:
    assert address not in page(client, "/")
    client.force_login(evening.chrystyna)
    assert address not in page(client, "/")
    client.force_login(evening.bohdan)
    assert address in page(client, "/")


def test_logging_in_and_out(client: Client, evening: Evening) -> None:
    wrong = client.post("/login/", {"username": "bohdan", "password": "wrong"})
    assert "Please enter a correct username and password" in wrong.content.decode()
    right = client.post("/login/", {"username": "bohdan", "password": "bohdan opens the door"})
    assert (right.status_code, right["Location"]) == (302, "/")
    assert "Log out" in page(client, "/")
    assert client.get("/logout/").status_code == 405
    assert client.post("/logout/").status_code == 302
    assert "Log in" in page(client, "/")

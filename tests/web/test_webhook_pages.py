"""Webhooks in a browser: registered, changed, switched off, removed; each is its owner's alone."""

from __future__ import annotations

import re

import pytest
from django.db.models.functions import Now
from django.test import Client

from bots_api.models import Webhook, WebhookDelivery
from bots_api.webhooks.services import add, shown_secret
from matches.models import User
from tests.cast import person
from tests.web.test_tournament_pages import page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("broker")]

ADDRESS = "http://127.0.0.1:65535/news"


@pytest.fixture
def bohdan(client: Client) -> User:
    user = person("bohdan")
    client.force_login(user)
    return user


@pytest.fixture
def hook(bohdan: User) -> Webhook:
    return add(bohdan, ADDRESS, ["match.finished"])[0]


def of(hook: Webhook, path: str = "") -> str:
    return f"/webhooks/{hook.public_id}/{path}"


def test_one_is_registered_and_its_secret_shown(client: Client, bohdan: User) -> None:
    answer = client.post("/webhooks/", {"url": ADDRESS, "events": ["match.finished", "round.drawn"], "tournament": ""})
    hook = Webhook.objects.get()
    assert (hook.owner, hook.events) == (bohdan, ["match.finished", "round.drawn"])
    assert re.search(r'data-test="secret-once">([^<]+)<', answer.content.decode())[1] == shown_secret(hook)
    assert answer["Cache-Control"] == "private, no-store"
    assert shown_secret(hook) not in page(client, "/webhooks/")
    assert hook.deliveries.get().event == "ping"
    hook.deliveries.update(delivered_at=Now(), next_try_at=None)
    answer = client.post(of(hook, "ping/"), follow=True)
    assert "A ping is sent in a moment" in answer.content.decode()
    assert [one.event for one in hook.deliveries.all()] == ["ping", "ping"]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ({"url": "http://10.0.0.1/"}, "10.0.0.1"),
        ({"events": []}, "This field is required"),
        ({"events": ["everything"]}, "Select a valid choice"),
        ({"tournament": "cup"}, "Expected the id of a tournament"),
    ],
)
def test_what_cannot_be_is_told(client: Client, bohdan: User, typed: dict[str, object], told: str) -> None:
    answer = client.post("/webhooks/", {"url": ADDRESS, "events": ["match.finished"]} | typed)
    assert told in answer.content.decode()
    assert not Webhook.objects.exists()


def test_it_is_changed_switched_off_and_on_and_removed(client: Client, hook: Webhook) -> None:
    client.post(of(hook), {"url": f"{ADDRESS}/2", "events": ["standings.published"], "tournament": ""})
    hook.refresh_from_db()
    assert (hook.url, hook.events) == (f"{ADDRESS}/2", ["standings.published"])
    client.post(of(hook, "switch/"), {"active": "no"})
    hook.refresh_from_db()
    assert not hook.is_active
    assert "Switched off" in page(client, of(hook))
    client.post(of(hook, "switch/"), {"active": "yes"})
    before = shown_secret(hook)
    client.post(of(hook, "secret/"))
    hook.refresh_from_db()
    assert hook.is_active
    assert shown_secret(hook) != before
    client.post(of(hook, "delete/"))
    assert not Webhook.objects.exists()


def test_deliveries_are_shown_and_sent_again(client: Client, hook: Webhook) -> None:
    given_up = WebhookDelivery.objects.create(
        webhook=hook,
        event="match.finished",
        subject="one",
        body='{"type":"match.finished"}',
        attempts=9,
        next_try_at=None,
        last_status=502,
        last_reply="<b>bad gateway</b>",
    )
    html = page(client, of(hook))
    assert "given up" in html
    assert "&lt;b&gt;bad gateway&lt;/b&gt;" in html
    client.post(of(hook, f"deliveries/{given_up.public_id}/again/"))
    given_up.refresh_from_db()
    assert given_up.next_try_at is not None
    assert "given up" not in page(client, of(hook))


@pytest.mark.parametrize("who", ["nobody", "chrystyna", "operator"])
def test_a_webhook_is_its_owners_alone(client: Client, hook: Webhook, who: str) -> None:
    client.logout()
    if who != "nobody":
        client.force_login(person(who, is_staff=who == "operator", is_superuser=who == "operator"))
    expected = 302 if who == "nobody" else 404
    assert client.get(of(hook)).status_code == expected
    acts = ("", "switch/", "secret/", "delete/", f"deliveries/msg_{'0' * 22}/again/")
    for act in acts:
        assert (
            client.post(of(hook, act), {"url": "http://127.0.0.1:1/", "events": ["round.drawn"]}).status_code
            == expected
        )
    assert Webhook.objects.get().url == ADDRESS
    if who != "nobody":
        assert ADDRESS not in page(client, "/webhooks/")

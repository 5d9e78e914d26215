"""Webhooks by the API: one's own alone, the secret once, the log, and once more by hand."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_django import Settings

from bots_api.api.webhooks import NewWebhookSerializer, WebhookSecretSerializer
from bots_api.models import Webhook, WebhookDelivery
from bots_api.webhooks.services import MOST_WEBHOOKS, deliver_due
from matches.core.limits import Limit
from tests.api.program import Program
from tests.bots_api.webhooks.hooks import answering, club, tell, verified
from tests.rogues.program import Program as Site

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("broker")]
HOOK = {"url": "https://club.example.org/hook", "events": ["round.drawn"]}


@pytest.fixture
def anna() -> Program:
    return Program(club())


def test_a_webhook_is_registered_told_and_its_log_read(anna: Program) -> None:
    with Site(answering(500, 204)) as site:
        made = anna.post("webhooks", HOOK | {"url": site.url}, 201)
        WebhookDelivery.objects.all().delete()
        path = f"webhooks/{made['id']}"
        tell("one")
        deliver_due()
        (row,) = anna.get(f"{path}/deliveries")["results"]
        assert (row["event"], row["attempts"], row["last_status"]) == ("round.drawn", 1, 500)
        assert (row["last_detail"], row["delivered_at"]) == ("answered 500; expected 2xx", None)
        again = anna.post(f"{path}/deliveries/{row['id']}/again", status=202)
        assert again["id"] == row["id"]
        assert deliver_due() == 1
    first, second = site.received
    assert verified(second, made["secret"]) == row["body"]
    assert first.headers["webhook-id"] == second.headers["webhook-id"] == row["id"]
    assert anna.get(f"{path}/deliveries")["results"][0]["delivered_at"]


def test_one_that_is_registered_is_tried_at_once_and_whenever_its_owner_wants(anna: Program) -> None:
    with Site(answering(500, 204)) as site:
        made = anna.post("webhooks", HOOK | {"url": site.url}, 201)
        path = f"webhooks/{made['id']}"
        deliver_due()
        (row,) = anna.get(f"{path}/deliveries")["results"]
        assert (row["event"], row["attempts"], row["last_status"]) == ("ping", 1, 500)
        assert anna.post(f"{path}/ping", status=202)["id"] == row["id"], "it has not arrived"
        assert deliver_due() == 1
        assert anna.post(f"{path}/ping", status=202)["id"] != row["id"]
        assert deliver_due() == 1
    told = verified(site.received[1], made["secret"])
    assert told == row["body"]
    assert (told["type"], told["data"]["webhook"]) == ("ping", made["id"])
    anna("patch", path, {"is_active": False}, status=200)
    assert anna("post", f"{path}/ping", status=409).json()["code"] == "switched_off"


def test_the_secret_is_shown_once_and_changed(anna: Program) -> None:
    made = anna.post("webhooks", HOOK, 201, key="a")
    assert made["secret"].startswith("whsec_")
    assert anna.post("webhooks", HOOK, 201, key="a")["secret"] is None
    path = f"webhooks/{made['id']}"
    shown = anna.get(path)
    assert shown == {key: value for key, value in made.items() if key != "secret"}
    assert anna.get("webhooks")["results"] == [shown]
    assert anna.post(f"{path}/secret", key="b")["secret"] not in (made["secret"], None)
    assert anna.post(f"{path}/secret", key="b") == {"secret": None}
    for told in (NewWebhookSerializer(), WebhookSecretSerializer()):
        assert told.fields["secret"].allow_null


def test_so_many_are_sent_again_by_hand_and_no_more(anna: Program, settings: Settings) -> None:
    settings.LIMITS = settings.LIMITS | {"resends": Limit(2, 3_600)}
    path = f"webhooks/{anna.post('webhooks', HOOK, 201)['id']}"
    again = f"{path}/deliveries/{WebhookDelivery.objects.get().public_id}/again"
    assert [anna("post", again).status_code for _ in range(3)] == [202, 202, 429]
    assert WebhookDelivery.objects.get().attempts == 0


def test_a_webhook_is_changed_switched_off_and_removed(anna: Program) -> None:
    path = f"webhooks/{anna.post('webhooks', HOOK, 201)['id']}"
    changed = anna("patch", path, {"events": ["standings.published"], "tournament": "t_" + "0" * 22}, status=200).json()
    assert (changed["events"], changed["url"]) == (["standings.published"], HOOK["url"])
    off = anna("patch", path, {"is_active": False}, status=200).json()
    assert (off["is_active"], off["reason"]) == (False, "switched off by its owner")
    delivery = WebhookDelivery.objects.create(
        webhook=Webhook.objects.get(), event="round.drawn", subject="x", body="{}"
    )
    refused = anna("post", f"{path}/deliveries/{delivery.public_id}/again", status=409)
    assert refused.json()["code"] == "switched_off"
    assert anna("patch", path, {"is_active": True}, status=200).json()["reason"] == ""
    anna("delete", path, status=204)
    anna("get", path, status=404)
    assert not WebhookDelivery.objects.exists()


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"url": "ftp://example.org/"}, "url", "address_refused"),
        ({"url": "http://10.0.0.1/"}, "url", "address_refused"),
        ({"url": "https://example.org/" + "x" * 500}, "url", "max_length"),
        ({"events": []}, "events", "min_length"),
        ({"events": ["match.begun"]}, "events.0", "invalid_choice"),
        ({"tournament": "cup"}, "tournament", "bad_tournament"),
        ({"secret": "mine"}, "secret", "unknown_field"),
    ],
)
def test_what_cannot_be_is_refused_by_the_name_of_its_field(
    anna: Program, change: dict[str, Any], field: str, code: str
) -> None:
    told = anna("post", "webhooks", HOOK | change, status=400).json()
    assert (told["code"], [error["field"] for error in told["errors"]]) == (code, [field])
    path = f"webhooks/{anna.post('webhooks', HOOK, 201)['id']}"
    assert anna("patch", path, change, status=400).json()["code"] == code
    assert anna.get(path)["url"] == HOOK["url"]


def test_nobody_has_more_than_a_few(anna: Program) -> None:
    for number in range(MOST_WEBHOOKS):
        anna.post("webhooks", HOOK | {"url": f"https://club.example.org/{number}"}, 201)
    assert anna("post", "webhooks", HOOK, status=409).json()["code"] == "too_many"


def test_strangers_see_nothing_of_it(anna: Program) -> None:
    path = f"webhooks/{anna.post('webhooks', HOOK, 201)['id']}"
    again = f"{path}/deliveries/{WebhookDelivery.objects.get().public_id}/again"
    bohdan = Program(club("bohdan"))
    assert bohdan.get("webhooks")["results"] == []
    for method, address in (
        ("get", path),
        ("patch", path),
        ("delete", path),
        ("post", f"{path}/secret"),
        ("get", f"{path}/deliveries"),
        ("post", again),
    ):
        assert bohdan(method, address).status_code == 404, address
    assert Program(club(), "bot:write")("get", "webhooks", status=403).json()["code"] == "scope_missing"
    assert Webhook.objects.count() == 1

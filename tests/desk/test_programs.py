"""Programs on the desk: admitted unexamined, taken off the table with a reason, returned, retired."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from bots_api.models import BotVersion, Qualification, QualificationCase, Webhook
from bots_api.services import add_version, register_bot
from tests.cast import anna, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(client: Client) -> Client:
    client.force_login(anna())
    return client


@pytest.fixture
def version() -> BotVersion:
    return add_version(register_bot("Trump card", person("bohdan")), "v1", "http://127.0.0.1:59999/play")


def do(desk: Client, row: BotVersion | Webhook, verb: str, **typed: str) -> str:
    """Carries a verb out and returns the message that follows."""
    name = f"admin:bots_api_{row._meta.model_name}_verb"
    answer = desk.post(reverse(name, args=[row.pk, verb]), typed, follow=True)
    return " ".join(str(message) for message in answer.context["messages"])


def status(version: BotVersion) -> tuple[str, str]:
    version.agent.refresh_from_db()
    return version.agent.status, version.agent.status_reason


def test_a_version_goes_through_the_hands_of_the_desk(desk: Client, version: BotVersion) -> None:
    assert "Done" in do(desk, version, "admit")
    assert status(version) == ("active", "")
    assert "Say why" in do(desk, version, "quarantine", reason="  ")
    assert status(version) == ("active", "")
    do(desk, version, "quarantine", reason="it plays for two")
    assert status(version) == ("quarantined", "it plays for two")
    assert "out of date" in do(desk, version, "admit")
    do(desk, version, "return")
    assert status(version) == ("active", "")
    do(desk, version, "retire", reason="its owner asked for it")
    assert status(version) == ("retired", "its owner asked for it")
    assert "out of date" in do(desk, version, "return")


def test_a_ping_admits_nobody(desk: Client, version: BotVersion) -> None:
    assert "No good answer" in do(desk, version, "ping")
    assert status(version) == ("new", "")


def test_a_version_without_an_address_calls_us(desk: Client, version: BotVersion) -> None:
    add = reverse("admin:bots_api_botversion_add")
    desk.post(add, {"bot": version.bot_id, "label": "v2", "url": ""})
    assert BotVersion.objects.get(agent__label="v2").agent.kind == "pull"
    answer = desk.post(add, {"bot": version.bot_id, "label": "a b", "url": ""}, follow=True)
    assert "Call a version something like v1" in answer.content.decode()


def test_who_may_only_look_moves_nothing(client: Client, version: BotVersion) -> None:
    olena = person("olena", is_staff=True)
    olena.user_permissions.add(Permission.objects.get(codename="view_botversion"))
    client.force_login(olena)
    assert "may not change" in do(client, version, "admit")
    assert status(version) == ("new", "")


def test_what_a_case_asked_and_was_answered_is_not_on_the_desk(desk: Client, version: BotVersion) -> None:
    run = Qualification.objects.create(version=version, status="failed")
    QualificationCase.objects.create(
        qualification=run, number=1, code="ping", outcome="failed", request="asked-this", reply="said-that"
    )
    html = desk.get(reverse("admin:bots_api_qualification_change", args=[run.pk])).content.decode()
    assert "failed" in html
    assert 'name="_' not in html, "nothing there is saved"
    assert "asked-this" not in html
    assert "said-that" not in html
    assert desk.get(reverse("admin:bots_api_qualification_add")).status_code == 403


def test_a_webhook_is_switched_off_with_a_reason(desk: Client, version: BotVersion) -> None:
    hook = Webhook.objects.create(owner=anna(), url="https://club.example.org/", events=["match.finished"], secret=b"s")
    assert "Say why" in do(desk, hook, "switch_off")
    do(desk, hook, "switch_off", reason="it asks us to")
    hook.refresh_from_db()
    assert (hook.is_active, hook.reason) == (False, "it asks us to")
    for model in ("webhook", "challenge", "qualification", "botversion"):
        assert desk.get(reverse(f"admin:bots_api_{model}_changelist")).status_code == 200

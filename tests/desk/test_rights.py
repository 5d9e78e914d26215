"""Whoever has the desk's door open still needs the right for each thing on it: Olena is staff and has none."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from bots_api.models import BotVersion
from bots_api.services import register_bot
from matches.models import Match, User
from matches.services.versions import house_agent
from tests.cast import anna, person, tournament
from tournaments.models import Entry

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]


@pytest.fixture
def olena(client: Client) -> User:
    staff = person("olena", is_staff=True)
    client.force_login(staff)
    return staff


def allow(user: User, *codenames: str) -> None:
    user.user_permissions.add(*Permission.objects.filter(codename__in=codenames))


@pytest.mark.parametrize("right", [None, "view_botversion", "change_botversion"])
def test_a_version_is_added_by_those_alone_who_may_add_one(client: Client, olena: User, right: str | None) -> None:
    bot = register_bot("Bohdan's bot", person("bohdan"))
    allow(olena, right or "")
    address = reverse("admin:bots_api_botversion_add")
    sent = {"bot": bot.pk, "label": "v1", "url": "http://127.0.0.1:59999/play"}
    assert client.get(address).status_code == 403
    assert client.post(address, sent).status_code == 403
    assert not BotVersion.objects.exists()
    allow(olena, "add_botversion", "view_bot")
    assert client.post(address, sent).status_code == 302
    assert BotVersion.objects.count() == 1


@pytest.mark.parametrize("right", [None, "view_entry", "change_entry"])
def test_an_entry_is_taken_out_by_those_alone_who_may_delete_one(
    client: Client, olena: User, right: str | None
) -> None:
    entry = tournament("greedy@1", "random@1").entries.first()
    allow(olena, right or "")
    address = reverse("admin:tournaments_entry_delete", args=[entry.pk])
    assert client.post(address, {"post": "yes"}).status_code == 403
    assert Entry.objects.count() == 2
    allow(olena, "delete_entry")
    assert client.post(address, {"post": "yes"}).status_code == 302
    assert list(Entry.objects.values_list("number", flat=True)) == [1]


@pytest.mark.parametrize("right", [None, "view_tournament", "add_tournament"])
def test_players_are_entered_by_those_alone_who_may_change_the_tournament(
    client: Client, olena: User, right: str | None
) -> None:
    cup = tournament()
    player = house_agent("greedy@1", "Greta").player
    allow(olena, right or "")
    address = reverse("admin:tournaments_tournament_enter", args=[cup.pk])
    assert client.get(address).status_code == 403
    assert client.post(address, {"players": [player.pk]}).status_code == 403
    assert not cup.entries.exists()
    allow(olena, "change_tournament")
    assert client.post(address, {"players": [player.pk]}).status_code == 302
    assert cup.entries.count() == 1


def test_who_may_only_look_finds_no_door_to_entering(client: Client, olena: User) -> None:
    cup = tournament()
    allow(olena, "view_tournament")
    page = client.get(reverse("admin:tournaments_tournament_change", args=[cup.pk]))
    assert b"Enter players" not in page.content


def test_a_reason_is_asked_for_by_the_verbs_that_need_one(client: Client) -> None:
    client.force_login(anna())
    page = client.get(reverse("admin:tournaments_tournament_change", args=[tournament().pk]))
    assert {verb.name for verb in page.context["verbs"] if verb.needs_reason} == {"cancel"}
    assert page.content.count(b'name="reason"') == 1


@pytest.mark.parametrize("right", [None, "view_match", "change_match"])
def test_a_match_is_made_by_those_alone_who_may_add_one(client: Client, olena: User, right: str | None) -> None:
    allow(olena, right or "")
    agents = [house_agent("greedy@1", name) for name in ("Greta", "Gerd")]
    seats = {"seat_1": agents[0].pk, "seat_2": agents[1].pk}
    sent = {"rules": "moscow/2@1", "boards": "1", "deals": "1", "control": "ladder", **seats}
    address = reverse("admin:matches_match_add")
    assert client.get(address).status_code == 403
    assert client.post(address, sent).status_code == 403
    assert not Match.objects.exists()
    allow(olena, "add_match", "view_match")
    assert client.get(address).status_code == 200
    assert client.post(address, sent).status_code == 302
    assert Match.objects.count() == 1


def test_who_may_only_look_reads_the_rules_and_chooses_none(client: Client, olena: User) -> None:
    allow(olena, "view_tournament")
    page = client.get(reverse("admin:tournaments_tournament_change", args=[tournament().pk])).content.decode()
    assert "data-rules-options" not in page
    assert "leads to the first trick." in page

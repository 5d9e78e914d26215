"""Players on the desk: whose they are, and names that cannot be taken for another's."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from bots_api.models import Bot
from bots_api.services import register_bot
from matches.core.names import NameRefused, parse_name
from matches.models import Player, PlayerKind
from matches.services.versions import house_agent
from tests.cast import anna, person

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("  Богдан \u00a0 Хмельницький ", "Богдан Хмельницький"),
        ("Ｂｏｔ", "Bot"),
        ("Café", "Caf\u00e9"),
        ("house:greedy", "house:greedy"),
        ("O'Neill – 7", "O'Neill – 7"),
        ("x" * 60, "x" * 60),
    ],
)
def test_a_name_is_written_down_in_one_way(typed: str, name: str) -> None:
    assert parse_name(typed) == name


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "  \u3000 ",
        "Bo\u200bhdan",
        "\u202eBohdan",
        "Bohdan\u200f",
        "Bo\thdan",
        "Bo\x00hdan",
        "Bo\u00adhdan",
        "Bo\u2028hdan",
        "Bo\ufe0fhdan",
        "\u3164",
        "Bo\ud800hdan",
        "x" * 61,
        "\ufdfa" * 10,  # eighteen letters each once it is normalised
    ],
)
def test_a_name_with_something_unseen_in_it_is_none(typed: str) -> None:
    with pytest.raises(NameRefused):
        parse_name(typed)
    with pytest.raises(NameRefused):
        register_bot(typed, person("bohdan"))
    assert not Player.objects.exists()


@pytest.mark.parametrize("other", ["богдан", "БОГДАН", "Богдан", "Богдан\u00a0"])
def test_names_that_differ_in_case_alone_are_one(client: Client, other: str) -> None:
    register_bot("Богдан", person("bohdan"))
    with pytest.raises(NameRefused, match="already") as refusal:
        register_bot(other, person("chrystyna"))
    assert refusal.value.code == "name_taken"
    client.force_login(anna())
    answer = client.post(reverse("admin:bots_api_bot_add"), {"name": other, "owner": anna().pk, "about": ""})
    assert "already" in str(answer.context["adminform"].form.errors["name"])
    assert Bot.objects.count() == 1


@pytest.mark.parametrize("name", ["house:solver", "House: Solver", "ＨＯＵＳＥ:solver", "house :mine"])
def test_a_name_that_begins_as_the_houses_do_is_the_houses(client: Client, name: str) -> None:
    with pytest.raises(NameRefused, match="house programs'") as refusal:
        register_bot(name, person("chrystyna"))
    assert refusal.value.code == "name_house"
    client.force_login(anna())
    answer = client.post(reverse("admin:bots_api_bot_add"), {"name": name, "owner": anna().pk, "about": ""})
    assert "house programs" in str(answer.context["adminform"].form.errors["name"])
    assert not Player.objects.exists()
    assert house_agent("solver@1").player.name == "house:solver"


def test_the_database_takes_no_name_that_differs_in_case_alone() -> None:
    owner = person("bohdan")
    Player.objects.create(name="Богдан", kind=PlayerKind.BOT, owner=owner)
    with pytest.raises(IntegrityError, match="player_name_once"), transaction.atomic():
        Player.objects.create(name="бОГДАН", kind=PlayerKind.BOT, owner=owner)


def test_a_house_program_takes_nobodys_name() -> None:
    register_bot("Greta", person("bohdan"))
    for name in ("Greta", "greta"):
        with pytest.raises(NameRefused, match=name):
            house_agent("greedy@1", name)
    ron = house_agent("random@1", "Ron")
    assert house_agent("random@1", " Ron ") == ron
    assert house_agent("greedy@1", "Ron").player == ron.player


def change(client: Client, player: Player, **fields: object):
    sent = {"name": player.name, "agents-TOTAL_FORMS": "0", "agents-INITIAL_FORMS": "0", **fields}
    answer = client.post(reverse("admin:matches_player_change", args=[player.pk]), sent)
    player.refresh_from_db()
    return answer


def test_a_player_is_renamed_with_the_same_care(client: Client) -> None:
    client.force_login(anna())
    player = register_bot("Greta", person("bohdan")).player
    register_bot("Ron", person("chrystyna"))
    for name, why in (("ron", "already"), ("Gre\u200bta", "seen")):
        answer = change(client, player, name=name, owner=player.owner_id)
        assert why in str(answer.context["adminform"].form.errors["name"])
    assert change(client, player, name=" greta ", owner=player.owner_id).status_code == 302
    assert player.name == "greta"


def test_a_program_changes_hands_by_a_superuser_alone(client: Client) -> None:
    bohdan, chrystyna = person("bohdan"), person("chrystyna")
    olena = person("olena", is_staff=True)
    olena.user_permissions.add(*Permission.objects.filter(codename__in=["change_player", "view_user"]))
    player = register_bot("Greta", bohdan).player
    client.force_login(olena)
    assert change(client, player, name="Gretchen", owner=chrystyna.pk).status_code == 302
    assert (player.name, player.owner) == ("Gretchen", bohdan)
    client.force_login(anna())
    change(client, player, owner=chrystyna.pk)
    assert player.owner == chrystyna


def test_a_house_program_has_no_owner_whoever_asks(client: Client) -> None:
    client.force_login(anna())
    player = house_agent("greedy@1", "Greta").player
    assert change(client, player, owner=anna().pk).status_code == 302
    assert player.owner is None

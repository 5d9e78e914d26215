"""Entering by the API without directing: Bohdan enters his own programs, Chrystyna hers, and nobody the other's."""

from __future__ import annotations

import pytest
from django.test import Client

from bots_api.services import add_version, register_bot
from matches.models import AgentStatus, Player, PlayerKind, User
from matches.services.players import person as player
from matches.services.versions import house_agent, set_status
from tests.api.program import Program
from tests.cast import anna, person
from tournaments.models import Tournament
from tournaments.services import entries, running, stages

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("broker")]


@pytest.fixture
def bohdan() -> Program:
    return Program(person("bohdan"), "comp:enter")


@pytest.fixture
def chrystyna() -> Program:
    return Program(person("chrystyna"), "comp:enter")


def bot_of(name: str, owner: str, *labels: str) -> Player:
    """A program with active versions."""
    bot = register_bot(name, User.objects.get(username=owner))
    for label in labels or ("v1",):
        set_status(add_version(bot, label).agent_id, AgentStatus.ACTIVE)
    return bot.player


def cup(rules: str = "moscow/2", status: str = "open") -> Tournament:
    row = Tournament.objects.create(slug="cup", name="Cup", organiser=anna(), rules=rules, boards=1, deals=1)
    if status != "draft":
        entries.open_registration(row.pk)
    row.refresh_from_db()
    return row


def at(row: Tournament) -> str:
    return f"tournaments/{row.public_id}/own-entries"


def test_an_owner_enters_checks_in_and_leaves(bohdan: Program, chrystyna: Program) -> None:
    row = cup()
    greta, olha = bot_of("Greta", "bohdan", "v1", "v2"), bot_of("Olha", "chrystyna")
    mine = bohdan.post(at(row), {"players": [greta.public_id]}, status=201)
    assert [member["label"] for member in mine["members"]] == ["v2"]
    hers = chrystyna.post(at(row), {"players": [olha.agents.get().public_id]}, status=201)
    assert [one["id"] for one in bohdan.get(at(row))] == [mine["id"]]
    running.open_check_in(row.pk, by=anna())
    assert bohdan.post(f"{at(row)}/{mine['id']}/check-in")["checked_in_at"]
    assert bohdan.post(f"{at(row)}/{mine['id']}/check-out")["checked_in_at"] is None
    bohdan("delete", f"{at(row)}/{mine['id']}", status=204)
    assert [one.public_id for one in row.entries.all()] == [hers["id"]]


def test_it_withdraws_once_play_is_on(bohdan: Program) -> None:
    row = cup()
    greta = bot_of("Greta", "bohdan")
    mine = bohdan.post(at(row), {"players": [greta.public_id]}, status=201)
    for label in ("greedy@1", "random@1"):
        entries.enter(row.pk, house_agent(label))
    stages.plan(row.pk, "round_robin")
    running.start(row.pk, bytes(32))
    refused = bohdan("delete", f"{at(row)}/{mine['id']}", status=409)
    assert refused.json()["code"] == "entries_closed"
    gone = bohdan.post(f"{at(row)}/{mine['id']}/withdraw", {"reason": "the machine is down"})
    assert gone["status"] == "withdrawn"
    again = bohdan("post", at(row), {"players": [bot_of("Gerta", "bohdan").public_id]}, status=409)
    assert again.json()["code"] == "registration_closed"


def test_a_pair_of_ones_own(bohdan: Program, chrystyna: Program) -> None:
    row = cup("klabor/pairs")
    two = [bot_of(name, "bohdan").public_id for name in ("Greta", "Gerta")]
    mine = bohdan.post(at(row), {"players": two, "name": "The twins"}, status=201)
    assert (mine["name"], len(mine["members"])) == ("The twins", 2)
    mixed = [bot_of("Grete", "bohdan").public_id, bot_of("Olha", "chrystyna").public_id]
    for program in (bohdan, chrystyna):
        assert program("post", at(row), {"players": mixed}, status=409).json()["code"] == "not_yours"


def test_nobody_enters_as_somebody_else(bohdan: Program, chrystyna: Program) -> None:
    olha, greta, gerta = bot_of("Olha", "chrystyna"), bot_of("Greta", "bohdan"), bot_of("Gerta", "bohdan")
    row = cup("klabor/pairs")
    for players, name, code in [
        ([greta], "The best", "name_set"),
        ([greta, gerta], "house:greedy", "name_house"),
        ([greta, gerta], olha.name.upper(), "name_taken"),
    ]:
        body = {"players": [one.public_id for one in players], "name": name}
        assert bohdan("post", at(row), body, status=409).json()["code"] == code
    owner = User.objects.get(username="bohdan")
    himself = Player.objects.create(name="Bohdan", kind=PlayerKind.PERSON, owner=owner)
    assert chrystyna("post", at(row), {"players": [himself.public_id]}, status=409).json()["code"] == "not_yours"
    assert not himself.agents.exists()
    assert bohdan.post(at(row), {"players": [greta.public_id], "name": "Greta"}, status=201)["name"] == "Greta"


def test_what_is_another_owners_is_not_touched(bohdan: Program, chrystyna: Program) -> None:
    row = cup()
    greta = bot_of("Greta", "bohdan")
    refused = chrystyna("post", at(row), {"players": [greta.public_id]}, status=409)
    assert refused.json()["code"] == "not_yours"
    mine = bohdan.post(at(row), {"players": [greta.public_id]}, status=201)
    for method, path in [("delete", ""), ("post", "/check-in"), ("post", "/check-out"), ("post", "/withdraw")]:
        place = f"{at(row)}/{mine['id']}{path}"
        assert chrystyna(method, place, {}, status=403).json()["code"] == "not_yours"
        assert Client().generic(method.upper(), f"/api/v1/{place}").status_code == 401
        other = Program(person(f"danylo{method}{path[1:]}"), "bot:write")
        assert other(method, place, {}, status=403).json()["code"] == "scope_missing"
    assert chrystyna.get(at(row)) == []


def test_versions_that_do_not_play_and_tournaments_that_are_not_there(bohdan: Program) -> None:
    row = cup(status="draft")
    idle = register_bot("Idle", User.objects.get(username="bohdan")).player
    bohdan("post", at(row), {"players": [idle.public_id]}, status=404)
    entries.open_registration(row.pk)
    assert bohdan("post", at(row), {"players": [idle.public_id]}, status=409).json()["code"] == "no_active_version"
    bohdan("post", at(row), {"players": ["p_" + "0" * 22]}, status=404)
    greta = bot_of("Greta", "bohdan")
    bohdan.post(at(row), {"players": [greta.public_id]}, status=201)
    assert bohdan("post", at(row), {"players": [greta.public_id]}, status=409).json()["code"] == "entered_already"


def test_programs_play_among_programs_and_people_among_people(bohdan: Program) -> None:
    row = cup()
    owner = User.objects.get(username="bohdan")
    himself = player("Bohdan", owner)
    entries.enter_player(row.pk, player("Ada"))
    bohdan.post(at(row), {"players": [himself.public_id]}, status=201)
    refused = bohdan("post", at(row), {"players": [bot_of("Greta", "bohdan").public_id]}, status=409)
    assert refused.json()["code"] == "people_only"
    row.entries.all().delete()
    entries.enter(row.pk, house_agent("greedy@1"))
    assert bohdan("post", at(row), {"players": [himself.public_id]}, status=409).json()["code"] == "programs_only"

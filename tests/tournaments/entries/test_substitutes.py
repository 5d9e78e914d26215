"""Bringing others in: from the next match on, with old results as they were."""

from __future__ import annotations

import pytest

from matches.models import Agent, AgentStatus, Match, Player
from matches.services.players import person
from matches.services.versions import set_status
from tests.cast import SEED, tournament
from tests.tournaments.entries.fields import house
from tournaments.errors import TournamentError
from tournaments.models import Entry, Tournament
from tournaments.services import entries, running

pytestmark = pytest.mark.django_db


def team(*names: str, substitutes: tuple[str, ...] = ()) -> Entry:
    """A pair with those who stand by, entered in a tournament for pairs."""
    cup = tournament(rules="klabor/pairs")
    return entries.enter(
        cup.pk, *(house(name) for name in names), substitutes=[house(name) for name in substitutes], name="Cossacks"
    )


def change(entry: Entry, out: str, comes: str) -> None:
    players = [Player.objects.get(name=name).pk for name in (out, comes)]
    entries.substitute(entry.pk, *players)


def members(entry: Entry) -> list[str]:
    return list(entry.members.order_by("position").values_list("player__name", flat=True))


def hands(entry: Entry) -> list[str]:
    return [agent.player.name for agent in Entry.objects.get(pk=entry.pk).seat_agents()]


def test_a_team_is_entered_with_those_who_stand_by() -> None:
    cossacks = team("Olha", "Roman", substitutes=("Petro", "Taras"))
    assert members(cossacks) == ["Olha", "Roman", "Petro", "Taras"]
    assert hands(cossacks) == ["Olha", "Roman"]


def test_who_stands_by_changes_places() -> None:
    cossacks = team("Olha", "Roman", substitutes=("Petro", "Taras"))
    change(cossacks, "Roman", "Taras")
    assert members(cossacks) == ["Olha", "Taras", "Petro", "Roman"]
    assert hands(cossacks) == ["Olha", "Taras"]


def test_a_stranger_comes_in_and_who_goes_stands_by() -> None:
    cossacks = team("Olha", "Roman")
    house("Sofiia")
    change(cossacks, "Olha", "Sofiia")
    assert members(cossacks) == ["Sofiia", "Roman", "Olha"]


def test_a_program_that_played_both_hands_goes_whole() -> None:
    alone = team("Olha")
    house("Sofiia")
    change(alone, "Olha", "Sofiia")
    assert (members(alone), hands(alone)) == (["Sofiia"], ["Sofiia", "Sofiia"])


def test_the_newest_version_of_a_program_takes_over() -> None:
    cup = tournament()
    entry = entries.enter(cup.pk, house("Olha"))
    player = entry.members.get().player
    newer = Agent.objects.create(player=player, kind="house", label="greedy@1", status=AgentStatus.ACTIVE)
    entries.substitute(entry.pk, player.pk, player.pk)
    assert entry.members.get().agent == newer
    entries.substitute(entry.pk, player.pk, player.pk)
    assert [event.payload["came"] for event in cup.events.filter(kind="substituted")] == ["Olha greedy@1"]


def started() -> Tournament:
    cup = tournament("random@1", "random@1", "random@1")
    return running.start(cup.pk, SEED)


def seats_of(cup: Tournament) -> dict[tuple[int, str], set[str]]:
    """Who sits at each match, by its round, with its status."""
    matches = Match.objects.filter(pairing__round__stage__tournament=cup).prefetch_related("seats__agent__player")
    return {
        (match.round_number, match.status): {seat.agent.player.name for seat in match.seats.all()} for match in matches
    }


def test_drawn_matches_that_have_not_begun_are_played_by_the_one_who_came() -> None:
    cup = started()
    first = Match.objects.filter(seats__agent__player__name="Random 1").order_by("round_number").first()
    Match.objects.filter(pk=first.pk).update(
        status="running", started_at=first.created_at, lease_until=first.created_at, lease_owner="lane"
    )
    house("Sofiia")
    change(cup.entries.get(number=1), "Random 1", "Sofiia")
    seats = seats_of(cup)
    begun = next(names for (_, status), names in seats.items() if status == "running")
    waiting = [names for (_, status), names in seats.items() if status == "ready"]
    assert "Random 1" in begun
    assert sum("Sofiia" in names for names in waiting) == 1
    assert not any("Random 1" in names for names in waiting)
    assert cup.events.get(kind="substituted").payload["matches"] == 1


def test_the_lanes_are_told_when_the_one_who_came_thinks_long() -> None:
    cup = started()
    thinker = Player.objects.create(name="Thinker", kind="house")
    Agent.objects.create(player=thinker, kind="house", label="pimc@1", status=AgentStatus.ACTIVE)
    change(cup.entries.get(number=1), "Random 1", "Thinker")
    thinking = Match.objects.filter(house_thinks=True)
    assert {match.pk for match in thinking} == set(
        Match.objects.filter(seats__agent__player=thinker).values_list("pk", flat=True)
    )
    assert thinking.count() == 2


def test_a_person_takes_over_what_is_not_reported_yet_and_no_program_s_seat() -> None:
    cup = tournament()
    for name in ("Olha", "Roman"):
        entries.enter_player(cup.pk, person(name))
    person("Petro")
    entries.enter(cup.pk, house("Danylo"))
    running.start(cup.pk, SEED)
    change(cup.entries.get(name="Olha"), "Olha", "Petro")
    assert set(map(frozenset, seats_of(cup).values())) == {
        frozenset({"Petro", "Roman"}),
        frozenset({"Petro", "Danylo"}),
        frozenset({"Roman", "Danylo"}),
    }
    assert cup.events.get(kind="substituted").payload["matches"] == 2
    house("Sofiia")
    change(cup.entries.get(name="Olha"), "Petro", "Sofiia")
    assert cup.events.filter(kind="substituted").last().payload["matches"] == 0


def test_partners_who_change_hands_keep_their_seats_in_what_is_drawn() -> None:
    cossacks = team("Olha", "Roman")
    cup = cossacks.tournament
    entries.enter(cup.pk, house("Danylo"))
    running.start(cup.pk, SEED)
    change(cossacks, "Olha", "Roman")
    assert hands(cossacks) == ["Roman", "Olha"]
    seated = Match.objects.get().seats.filter(side=0).order_by("index")
    assert list(seated.values_list("agent__player__name", flat=True)) == ["Olha", "Roman"]


def test_who_cannot_be_brought_in() -> None:
    cossacks = team("Olha", "Roman", substitutes=("Petro",))
    entries.enter(cossacks.tournament_id, house("Danylo"), house("Vira"))
    quarantined = house("Kateryna")
    set_status(quarantined.pk, AgentStatus.QUARANTINED, "refused our signature")
    codes = []
    for out, comes in (("Olha", "Danylo"), ("Danylo", "Petro"), ("Olha", "Kateryna")):
        with pytest.raises(TournamentError) as refusal:
            change(cossacks, out, comes)
        codes.append(refusal.value.code)
    with pytest.raises(TournamentError) as refusal:
        entries.substitute(cossacks.pk, Player.objects.get(name="Olha").pk, 0)
    assert [*codes, refusal.value.code] == ["entered_already", "not_a_member", "no_active_version", "no_such_player"]
    assert members(cossacks) == ["Olha", "Roman", "Petro"]


def test_a_team_names_its_hands_before_its_substitutes_and_is_not_endless() -> None:
    for names, others, code in (
        (("Olha",), ("Petro",), "substitutes_too_early"),
        (("Olha", "Roman"), tuple(f"Petro {number}" for number in range(7)), "too_many_members"),
        (("Olha", "Roman"), ("Olha",), "entered_already"),
    ):
        Tournament.objects.all().delete()
        with pytest.raises(TournamentError) as refusal:
            team(*names, substitutes=others)
        assert refusal.value.code == code

"""Tournaments at tables of two, three, four and pairs: who is entered, what is drawn, what is counted."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest
from django.db import IntegrityError, transaction

from matches.models import Agent, AgentStatus, Match, ResultSeat
from matches.services.versions import house_agent, set_status
from tests.cast import play_out, played, tournament
from tests.matches.drawn import at_once
from tournaments.errors import TournamentError
from tournaments.models import Entry, EntryMember, Pairing, PairingSeat, Tournament
from tournaments.models.fields import MOST_MEMBERS
from tournaments.services import drawing_up, entries, running, starting
from tournaments.services.history import meetings_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]


def house(name: str, label: str = "random@1") -> Agent:
    return house_agent(label, name)


def seats_of(match: Match) -> list[tuple[int, int, str]]:
    """Index, side and player of each seat."""
    return list(match.seats.order_by("index").values_list("index", "side", "agent__player__name"))


def code_of(error: pytest.ExceptionInfo[TournamentError]) -> str:
    return error.value.code


@pytest.mark.parametrize(
    ("rules", "kind", "hands"),
    [("moscow/2", "2", 1), ("moscow/3@1", "3", 1), ("house/4", "4", 1), ("klabor/pairs", "pairs", 2)],
)
def test_a_tournament_knows_its_kind_of_table(rules: str, kind: str, hands: int) -> None:
    competition = Tournament(rules=rules)
    assert (competition.table_kind, competition.hands) == (kind, hands)


@pytest.mark.parametrize(
    ("rules", "entrants", "told"),
    [("moscow/2", 1, "two"), ("klabor/pairs", 1, "two"), ("moscow/3", 2, "table of 3"), ("house/4", 3, "table of 4")],
)
def test_too_few_for_one_table_are_told_so(rules: str, entrants: int, told: str) -> None:
    competition = tournament(*["random@1"] * entrants, rules=rules)
    with pytest.raises(TournamentError, match=told) as refusal:
        running.start(competition.pk)
    assert code_of(refusal) == "too_few_entries"


def test_a_pair_is_one_entry_of_two_members_in_the_order_of_their_hands() -> None:
    competition = tournament(rules="klabor/pairs")
    one = entries.enter(competition.pk, house("Olha"), house("Roman"))
    two = entries.enter(competition.pk, house("Petro"), house("Taras"), name="The  Cossacks")
    alone = entries.enter(competition.pk, house("Danylo"))
    assert [entry.name for entry in (one, two, alone)] == ["Olha & Roman", "The Cossacks", "Danylo"]
    hands = [[agent.player.name for agent in entry.seat_agents()] for entry in competition.entries.order_by("number")]
    assert hands == [["Olha", "Roman"], ["Petro", "Taras"], ["Danylo", "Danylo"]]


def test_partners_sit_opposite_and_a_single_member_plays_both_hands() -> None:
    competition = tournament(rules="klabor/pairs")
    entries.enter(competition.pk, house("Olha"), house("Roman"))
    entries.enter(competition.pk, house("Danylo"))
    running.start(competition.pk)
    assert seats_of(Match.objects.get()) == [(0, 0, "Olha"), (1, 1, "Danylo"), (2, 0, "Roman"), (3, 1, "Danylo")]
    pairing = Pairing.objects.get()
    assert list(pairing.seats.values_list("seat", "side", "entry__name")) == [(0, 0, "Olha & Roman"), (1, 1, "Danylo")]


def test_two_longest_names_fit_into_a_pair_s() -> None:
    competition = tournament(rules="klabor/pairs")
    for one, other in ("AB", "CD"):
        entries.enter(competition.pk, house(one * 60), house(other * 60))
    running.start(competition.pk)
    assert Match.objects.get().title == f"{'A' * 60} & {'B' * 60} – {'C' * 60} & {'D' * 60}"


def test_who_cannot_be_entered() -> None:
    competition = tournament(rules="klabor/pairs")
    olha, roman, petro, taras = (house(name) for name in ("Olha", "Roman", "Petro", "Taras"))
    entries.enter(competition.pk, olha, roman)
    set_status(taras.pk, AgentStatus.QUARANTINED, "refused our signature")
    taras.refresh_from_db()
    for agents, name, code in (
        ((olha,), None, "entered_already"),
        ((petro, roman), None, "entered_already"),
        ((petro, petro), None, "entered_already"),
        ((petro, taras), None, "version_not_active"),
        ((petro, house("Danylo"), house("Vira")), None, "too_many_members"),
        ((petro,), "olha & ROMAN", "name_taken"),
        ((petro,), " ", "name_missing"),
    ):
        with pytest.raises(TournamentError) as refusal:
            entries.enter(competition.pk, *agents, name=name)
        assert code_of(refusal) == code
    assert list(competition.entries.values_list("name", flat=True)) == ["Olha & Roman"]


def test_of_many_who_enter_a_player_at_once_one_does() -> None:
    competition = tournament(rules="klabor/pairs")
    star, partners = house("Olha"), [house(f"Partner {number}") for number in range(6)]

    def enter(partner: Agent) -> str:
        try:
            return entries.enter(competition.pk, star, partner).name
        except TournamentError as refusal:
            return refusal.code

    told = at_once(*(partial(enter, partner) for partner in partners))
    assert sorted(told)[1:] == ["entered_already"] * 5
    assert EntryMember.objects.filter(tournament=competition).count() == 2
    assert competition.entries.get().number == 1


def test_entries_at_once_take_numbers_without_gaps() -> None:
    competition = tournament(rules="klabor/pairs")
    pairs = [(house(f"Olha {number}"), house(f"Roman {number}")) for number in range(6)]
    at_once(*(partial(entries.enter, competition.pk, *pair) for pair in pairs))
    assert sorted(competition.entries.values_list("number", flat=True)) == [1, 2, 3, 4, 5, 6]
    assert EntryMember.objects.filter(tournament=competition).count() == 12


def test_each_for_himself_has_no_partner() -> None:
    competition = tournament(rules="house/4")
    with pytest.raises(TournamentError) as refusal:
        entries.enter(competition.pk, house("Olha"), house("Roman"))
    assert code_of(refusal) == "too_many_members"


def test_pairs_that_were_entered_before_the_table_was_changed_stop_the_start() -> None:
    competition = tournament("random@1", "random@1", rules="klabor/pairs")
    entries.enter(competition.pk, house("Olha"), house("Roman"))
    drawing_up.redraw(competition.pk, {"rules": "moscow/3"})
    with pytest.raises(TournamentError, match="Olha & Roman has 2 members") as refusal:
        running.start(competition.pk)
    assert code_of(refusal) == "too_many_members"


@pytest.mark.parametrize(
    ("columns", "constraint"),
    [
        ({"position": 0}, "member_position_once"),
        ({"position": MOST_MEMBERS}, "member_position_at_table"),
        ({"player_id": "other"}, "member_once_in_a_tournament"),
        ({"agent_id": "other"}, "member_version_once_in_a_tournament"),
    ],
)
def test_the_database_refuses_a_member(columns: dict[str, object], constraint: str) -> None:
    competition = tournament(rules="klabor/pairs")
    entry = entries.enter(competition.pk, house("Olha"))
    other = entries.enter(competition.pk, house("Petro")).members.get()
    free = house("Vira")
    values = {"position": 1, "player_id": free.player_id, "agent_id": free.pk}
    values |= {key: getattr(other, key) if value == "other" else value for key, value in columns.items()}
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        EntryMember.objects.create(tournament=competition, entry=entry, **values)


@pytest.mark.parametrize(
    ("column", "constraint"),
    [("tournament_id", "member_of_its_entrys_tournament"), ("agent_id", "member_plays_its_players_version")],
)
def test_the_database_refuses_a_member_of_something_else(column: str, constraint: str) -> None:
    entry = entries.enter(tournament().pk, house("Olha"))
    elsewhere = {"tournament_id": tournament(slug="elsewhere").pk, "agent_id": house("Petro").pk}
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        EntryMember.objects.filter(entry=entry).update(**{column: elsewhere[column]})


@pytest.mark.parametrize("columns", [{"side": 2}, {"seat": 2}, {"seat": 4, "side": 4}])
def test_the_database_refuses_a_seat_off_the_table(columns: dict[str, int]) -> None:
    competition = running.start(tournament("random@1", "random@1").pk)
    seats = PairingSeat.objects.filter(round__stage__tournament=competition, seat=1)
    with pytest.raises(IntegrityError, match="pairing_seat_at_table"), transaction.atomic():
        seats.update(**columns)


def test_the_database_refuses_two_entries_of_one_name() -> None:
    competition = tournament("random@1", rules="klabor/pairs")
    with pytest.raises(IntegrityError, match="entry_name_once"), transaction.atomic():
        Entry.objects.create(tournament=competition, name="RANDOM 1", number=2)


def test_the_database_refuses_a_format_that_there_is_not() -> None:
    competition = running.start(tournament("random@1", "random@1").pk)
    with pytest.raises(IntegrityError, match="stage_format_known"), transaction.atomic():
        competition.stages.update(format="lottery")


@pytest.mark.parametrize("deals", [0, 101])
def test_the_database_refuses_a_number_of_deals(deals: int) -> None:
    competition = tournament()
    with pytest.raises(IntegrityError, match="tournament_deals"), transaction.atomic():
        Tournament.objects.filter(pk=competition.pk).update(deals=deals)
    Tournament.objects.filter(pk=competition.pk).update(deals=None)


@pytest.mark.parametrize(("rules", "entrants", "games"), [("moscow/3", 5, 3), ("house/4", 5, 4), ("moscow/3", 3, 1)])
def test_larger_tables_seat_everybody_equally_often_and_say_who_sits_out(rules: str, entrants: int, games: int) -> None:
    competition = running.start(tournament(*["random@1"] * entrants, rules=rules).pk)
    pairings = Pairing.objects.filter(round__stage__tournament=competition)
    seats = competition.game_rules.players
    tables = pairings.exclude(status="bye")
    assert {pairing.seats.count() for pairing in tables} == {seats}
    assert {pairing.match.seats.count() for pairing in tables} == {seats}
    assert {pairing.match for pairing in pairings.filter(status="bye")} <= {None}
    seated = Counter(tables.values_list("seats__entry__number", flat=True))
    assert seated == dict.fromkeys(range(1, entrants + 1), games)
    rounds = {pairing.round_id for pairing in pairings}
    assert pairings.filter(status="bye").count() == len(rounds) * entrants - seats * tables.count()
    assert competition.stages.get().format == "tables"


def test_what_is_too_large_counts_every_seat_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starting, "MOST_PARTIES", 2_799)
    competition = tournament(*["random@1"] * 20, rules="house/4", boards=20)
    with pytest.raises(TournamentError, match="would be 2800 parties: 35 pairings, 20 boards each"):
        running.start(competition.pk)
    monkeypatch.setattr(starting, "MOST_PARTIES", 2_800)
    running.start(competition.pk)
    assert Match.objects.count() == 35


@pytest.mark.parametrize(
    ("rules", "deals", "entrants"),
    [
        ("moscow/2", None, 2),
        ("moscow/3", 1, 4),
        ("house/4", 1, 4),
        ("klabor/pairs", 1, 3),
        ("short/3", None, 3),
        ("short_dava/2", None, 3),
        ("site/pairs", None, 2),
    ],
)
def test_a_tournament_is_played_to_its_published_standings(rules: str, deals: int | None, entrants: int) -> None:
    competition = played("greedy@1", *["random@1"] * (entrants - 1), rules=rules, deals=deals)
    assert competition.status == "published"
    rows = competition.snapshots.get().rows
    assert sum(row["points"] for row in rows) == sum(
        {2: 4, 3: 18, 4: 24}[pairing.seats.count()]
        for pairing in Pairing.objects.filter(round__stage__tournament=competition, status="decided")
    )
    assert sum(row["difference"] for row in rows) == 0
    assert len({row["played"] for row in rows}) == 1


def test_partners_bring_home_the_same_and_the_standings_count_it_once() -> None:
    competition = tournament(rules="klabor/pairs")
    entries.enter(competition.pk, house("Olha"), house("Roman", "greedy@1"))
    entries.enter(competition.pk, house("Danylo", "greedy@1"))
    running.start(competition.pk, bytes(32))
    play_out(competition)
    by_side = [
        set(ResultSeat.objects.filter(index__in=hands).values_list("points", "card_points", "place", "outcome"))
        for hands in ((0, 2), (1, 3))
    ]
    assert [len(side) for side in by_side] == [1, 1]
    (meeting,) = meetings_of(competition.stages.get())
    assert meeting.scores == tuple(next(iter(side))[0] for side in by_side)
    assert sum(meeting.points) == 4

"""What an organiser does with a draw beside the format, and what the standings make of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from matches.services.players import person
from tests.tournaments.services.people import SEED, open_tables, people, play
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import Audience
from tournaments.formats.positions import format_reasons
from tournaments.models import Round, Tournament
from tournaments.organising.desk_page import read_desk
from tournaments.services import draws, entries, results, running
from tournaments.services.ranking import live_standings, stage_standings

pytestmark = pytest.mark.django_db


def started(count: int, *formats: tuple[str, dict[str, object]], **options: object) -> Tournament:
    return running.start(people(count, *formats, **{"auto_draw": False, **options}).pk, SEED)


def newest(competition: Tournament) -> Round:
    return Round.objects.filter(stage__tournament=competition).order_by("id").last()


def let_out(drawn: Round, audience: Audience = Audience.PUBLIC) -> Round:
    draws.confirm(drawn.pk)
    return draws.release(drawn.pk, audience)


def ids(competition: Tournament, *numbers: int) -> list[str]:
    known = dict(competition.entries.values_list("number", "public_id"))
    return [known[number] for number in numbers]


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(TournamentError) as refusal:
        act()
    return refusal.value.code


def places(competition: Tournament) -> list[tuple[int, int]]:
    numbers = dict(competition.entries.values_list("public_id", "number"))
    return [(row.place, numbers[row.entry]) for row in live_standings(competition)]


@pytest.mark.parametrize(
    ("tables", "groups"),
    [
        ([(4, 1), (2, 3)], {1: [1, 4], 2: [2, 3]}),  # seats changed
        ([(1, 2), (3, 4)], {1: [1, 4], 2: [2, 3]}),  # across groups, which counts for both
    ],
)
def test_groups_stay_what_the_draw_made_them_whoever_is_seated_by_hand(
    tables: list[tuple[int, int]], groups: dict[int, list[int]]
) -> None:
    play_off = ("single_elimination", {"takes": {"of_each": 1}})
    competition = started(4, ("groups", {"settings": {"groups": 2}}), play_off)
    drawn = draws.begin_changes(newest(competition).pk)
    draws.change(drawn.pk, [ids(competition, *table) for table in tables], "they came by one car")
    let_out(drawn)
    play(competition)
    stage = competition.stages.get(number=1)
    rows = stage_standings(stage)
    assert {group: sorted(row.number for row in rows if row.group == group) for group in groups} == groups
    kept = sorted(pairing.group or 0 for pairing in drawn.pairings.all())
    assert kept == ([1, 2] if tables[0] == (4, 1) else [0, 0])
    assert competition.stages.get(number=2).status == "running"


def without_a_draw() -> Tournament:
    """Two are left in a Swiss, and they have met."""
    competition = started(4, ("swiss", {"settings": {"rounds": 3}}))
    let_out(newest(competition))
    first = [seat.entry.number for seat in open_tables(competition)[0].seats.all()]
    play(competition)
    for one in competition.entries.exclude(number__in=first):
        entries.withdraw(one.pk, "went home")
    return competition


def test_where_the_format_has_no_draw_the_organiser_makes_one() -> None:
    competition = without_a_draw()
    stage = competition.stages.get()
    assert refused(lambda: draws.propose(stage.pk)) == "no_pairing"
    assert "seat this round by hand" in competition.events.filter(kind="no_draw").last().payload["text"]
    assert is_offered_by_hand(competition)
    drawn = draws.propose_by_hand(stage.pk)
    assert draws.propose_by_hand(stage.pk) == drawn
    competition.refresh_from_db()
    assert (drawn.number, drawn.status, competition.is_by_the_rules) == (2, "changing", False)
    here = sorted(competition.entries.filter(status="active").values_list("number", flat=True))
    assert format_reasons(draws.violations(drawn.pk)) == [["not_seated", number] for number in here]
    assert refused(lambda: draws.confirm(drawn.pk)) == "nobody_seated"
    draws.change(drawn.pk, [ids(competition, *here)], "they want to play on")
    let_out(drawn)
    assert not draws.drawn_again(drawn)
    play(competition)
    assert live_standings(competition)[0].points == 8
    assert newest(competition).number == 2
    running.finish(competition.pk)
    competition.refresh_from_db()
    assert competition.status == "published"


def is_offered_by_hand(competition: Tournament) -> bool:
    return "propose_by_hand" in {one.name for one in read_desk(competition).verbs}


def test_where_the_format_has_a_draw_nothing_is_made_by_hand() -> None:
    competition = started(4, ("swiss", {"settings": {"rounds": 2}}))
    assert not is_offered_by_hand(competition)
    drawn = draws.propose_by_hand(competition.stages.get().pk)
    competition.refresh_from_db()
    assert (drawn.status, drawn.pairings.count(), competition.is_by_the_rules) == ("proposed", 2, True)


def test_what_is_played_is_not_hidden() -> None:
    competition = started(4, ("swiss", {"settings": {"rounds": 2}}))
    drawn = draws.confirm(newest(competition).pk)
    assert refused(lambda: draws.release(drawn.pk, Audience.HIDDEN)) == "hidden_release"
    assert draws.release(drawn.pk, Audience.PARTICIPANTS).status == "released"


@pytest.mark.parametrize("format_name", ["swiss", "single_elimination", "double_elimination"])
def test_results_count_when_everybody_may_see_the_round_or_it_is_over(format_name: str) -> None:
    settings = {"rounds": 3} if format_name == "swiss" else {}
    competition = started(4, (format_name, {"settings": settings}))
    before = places(competition)
    drawn = let_out(Round.objects.get(stage__tournament=competition, number=1), Audience.PARTICIPANTS)
    play(competition, most=1)
    assert (places(competition), [row.points for row in live_standings(competition)]) == (before, [0] * 4)
    draws.release(drawn.pk)
    assert sum(row.points for row in live_standings(competition)) == 4
    Round.objects.filter(pk=drawn.pk).update(audience=Audience.PARTICIPANTS)
    play(competition)
    assert sum(row.points for row in live_standings(competition)) == 8


def test_a_bracket_that_is_confirmed_round_by_round_breaks_nothing() -> None:
    competition = started(3, ("double_elimination", {}))
    while drawn := Round.objects.filter(stage__tournament=competition, status="proposed").order_by("number").first():
        let_out(drawn)
        play(competition)
    told = competition.events.filter(kind="round_confirmed").values_list("payload__violations", flat=True)
    assert len(told) > 3
    assert all(broken == [] for broken in told)
    assert competition.status == "published"


def test_a_stage_that_everybody_has_left_is_over_without_an_empty_round() -> None:
    competition = started(4, ("swiss", {"settings": {"rounds": 3}}), auto_draw=True)
    play(competition, most=2)
    for one in competition.entries.all():
        entries.withdraw(one.pk, "ill")
    results.settle(competition.pk)
    competition.refresh_from_db()
    rounds = Round.objects.filter(stage__tournament=competition).exclude(status="withdrawn")
    assert [drawn.pairings.exists() for drawn in rounds] == [True] * len(rounds)
    assert competition.status == "published"


def test_nobody_comes_late_into_a_stage_whose_rounds_are_all_drawn() -> None:
    competition = started(4, ("swiss", {"settings": {"rounds": 1}}), late_until_round=9)
    let_out(newest(competition))
    late = person("Late")
    assert refused(lambda: entries.enter_player(competition.pk, late)) == "no_rounds_left"
    assert competition.entries.count() == 4


def test_who_leaves_a_table_elimination_is_in_no_proposal_that_is_on_the_desk() -> None:
    competition = started(16, ("table_elimination", {}), rules="house/4")
    let_out(newest(competition))
    play(competition)
    through = [seat.entry for seat in newest(competition).pairings.first().seats.all()]
    assert newest(competition).number == 2
    entries.withdraw(through[0].pk, "ill")
    assert newest(competition).pairings.filter(seats__entry=through[0]).count() == 0
    assert draws.confirm(newest(competition).pk).status == "confirmed"

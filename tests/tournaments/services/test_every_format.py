"""Each format from the start to published standings, played by house programs card by card; larger in the proof."""

from __future__ import annotations

from typing import Any

import pytest

from matches.lane import drive
from matches.models import Match
from matches.services.outbox import deliver_due
from tests.cast import SEED, tournament
from tests.engine.agreements import FULL
from tournaments.models import Round, Stage, Tournament
from tournaments.services import draws, running, stages

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]

TWO: dict[str, Any] = {"rules": "moscow/2"}
FOUR: dict[str, Any] = {"rules": "house/4"}
ALLOW: dict[str, Any] = {"short_tables": "allow"}
INDIVIDUALS: dict[str, Any] = {"rules": "klabor/pairs", "entries_are": "individuals"}
PROGRAMS = ("random@1", "greedy@1") if FULL else ("random@1",)
Chain = tuple[tuple[str, dict[str, Any]], ...]


def of_programs(count: int, chain: Chain, options: dict[str, Any]) -> Tournament:
    labels = [PROGRAMS[number % len(PROGRAMS)] for number in range(count)]
    competition = tournament(*labels, **options)
    for name, columns in chain:
        stages.plan(competition.pk, name, **columns)
    return running.start(competition.pk, SEED)


def play_to_the_end(competition: Tournament) -> None:
    """Lane and news by turns, for as long as there is something to play."""
    while Match.objects.filter(status="ready").exists():
        drive(slots=16, seconds=60)
        deliver_due()
    competition.refresh_from_db()


@pytest.mark.parametrize(
    ("small", "large", "chain", "options"),
    [
        pytest.param(4, 9, (("round_robin", {}),), TWO, id="round_robin"),
        pytest.param(4, 12, (("groups", {"settings": {"groups": 2}}),), TWO, id="groups"),
        pytest.param(4, 15, (("swiss", {"settings": {"rounds": 2}}),), TWO, id="swiss"),
        pytest.param(5, 13, (("single_elimination", {"settings": {"third_place": True}}),), TWO, id="single"),
        pytest.param(4, 11, (("double_elimination", {}),), TWO, id="double"),
        pytest.param(4, 6, (("gauntlet", {}),), TWO, id="gauntlet"),
        pytest.param(4, 9, (("tables", {}),), FOUR, id="tables"),
        pytest.param(5, 14, (("tables_swiss", {"settings": {"rounds": 2}}),), FOUR, id="tables_swiss"),
        pytest.param(8, 16, (("table_elimination", {}),), FOUR, id="table_elimination"),
        pytest.param(
            7, 15, (("tables_swiss", {"settings": {"rounds": 2} | ALLOW}),), FOUR, id="tables_swiss of three and four"
        ),
        pytest.param(
            7, 14, (("table_elimination", {"settings": ALLOW}),), FOUR, id="table_elimination of three and four"
        ),
        pytest.param(4, 8, (("whist", {}),), INDIVIDUALS, id="whist"),
        pytest.param(4, 12, (("partner_swiss", {"settings": {"rounds": 2}}),), INDIVIDUALS, id="partner_swiss"),
        pytest.param(
            6,
            16,
            (("swiss", {"settings": {"rounds": 2}}), ("double_elimination", {"takes": {"first": 4}})),
            TWO,
            id="swiss, then four",
        ),
        pytest.param(
            4,
            12,
            (("groups", {"settings": {"groups": 2}}), ("single_elimination", {"takes": {"of_each": 1}})),
            TWO,
            id="groups, then a play-off",
        ),
        pytest.param(
            2,
            4,
            (("single_elimination", {"length": "best_of", "boards": 3}),),
            TWO | {"deals": None},
            id="best of three",
        ),
    ],
)
def test_programs_play_a_format_to_published_standings(
    small: int, large: int, chain: Chain, options: dict[str, Any]
) -> None:
    competition = of_programs(large if FULL else small, chain, options)
    play_to_the_end(competition)
    assert competition.status == "published"
    assert set(Stage.objects.values_list("status", flat=True)) == {"finished"}
    rounds = Round.objects.filter(stage__tournament=competition)
    assert all(draws.drawn_again(one) for one in rounds)
    matches = Match.objects.filter(pairing__round__in=rounds)
    assert set(matches.values_list("status", flat=True)) == {"finished"}
    boards = [board.commitment for match in matches for board in match.boards.all()]
    assert len(boards) == len(set(boards)) >= len(matches)
    assert len(competition.snapshots.order_by("number").last().rows) == competition.entries.count()

"""Formats with settings and fields of their own, played by people to published standings, the better number winning."""

from __future__ import annotations

from typing import Any

import pytest

from matches.core.agreement import ReportedScore
from tests.tournaments.services.people import SEED, people, play, stay_away
from tournaments.models import Pairing, Round
from tournaments.services import draws, running

pytestmark = pytest.mark.django_db

TWO = {"rules": "moscow/2"}
FOUR = {"rules": "house/4"}
INDIVIDUALS = {"rules": "klabor/pairs", "entries_are": "individuals"}


@pytest.mark.parametrize(
    ("name", "settings", "entries", "options", "played"),
    [
        ("round_robin", {"cycles": 2}, 4, TWO, 12),
        ("groups", {"groups": 2}, 7, TWO, 9),
        ("single_elimination", {"third_place": True}, 6, TWO, 6),
        ("double_elimination", {}, 5, TWO, 8),
        ("gauntlet", {"kind": "challenger"}, 4, TWO, 3),
        ("tables_swiss", {"rounds": 2}, 9, FOUR, 4),
        ("whist", {}, 5, INDIVIDUALS, 5),
    ],
)
def test_a_format_is_played_from_its_start_to_published_standings(
    name: str, settings: dict[str, object], entries: int, options: dict[str, Any], played: int
) -> None:
    competition = people(entries, (name, {"settings": settings}), **options)
    running.start(competition.pk, SEED)
    assert play(competition) == played
    assert competition.status == "published"
    assert {row["entry"] for row in competition.snapshots.get().rows} == set(
        competition.entries.values_list("public_id", flat=True)
    )
    rounds = Round.objects.filter(stage__tournament=competition)
    assert set(rounds.values_list("status", flat=True)) == {"closed"}
    assert all(draws.drawn_again(one) for one in rounds)
    assert not Pairing.objects.filter(round__in=rounds, status__in=["open", "waiting"]).exists()


def test_where_a_round_has_no_tables_nobody_who_was_cut_comes_back_in() -> None:
    """At three of four tables nobody comes, at the fourth one: no more tables are drawn."""
    competition = people(16, ("table_elimination", {"settings": {"advance": 2}}), **FOUR)
    running.start(competition.pk, SEED)
    first = iter([stay_away_all_but_one, *[stay_away_all] * 3])
    assert play(competition, lambda table: next(first)(table), most=4) == 4
    rounds = Round.objects.filter(stage__tournament=competition).order_by("number")
    assert [one.number for one in rounds if one.pairings.exists()] == [1]
    assert play(competition) == 0


def stay_away_all(table: Pairing) -> ReportedScore:
    return stay_away(table, 0, 1, 2, 3)


def stay_away_all_but_one(table: Pairing) -> ReportedScore:
    return stay_away(table, 0, 1, 2)

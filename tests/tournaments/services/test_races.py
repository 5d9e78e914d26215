"""Many at once, over connections of their own: a round is drawn once, confirmed once, and its matches exist once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from matches.core.agreement import ReportedScore
from matches.models import Match
from tests.matches.drawn import at_once
from tests.tournaments.services.people import SEED, better_number_wins, open_tables, people, play, say
from tournaments.errors import TournamentError
from tournaments.models import FormerMatch, Pairing, Round, Stage
from tournaments.services import corrections, draws, results, running

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]


def eight(act: Callable[[], object]) -> None:
    at_once(*[act] * 8)


def test_eight_proposals_confirmations_and_releases_at_once_make_one_round() -> None:
    competition = people(6, ("swiss", {"settings": {"rounds": 2}}), auto_draw=False)
    running.start(competition.pk, SEED)
    stage = Stage.objects.get(tournament=competition)
    first = Round.objects.get(stage=stage)
    draws.take_back(first.pk, "to draw it eight times at once")
    eight(lambda: draws.propose(stage.pk))
    proposed = Round.objects.get(stage=stage, status="proposed")
    eight(lambda: draws.confirm(proposed.pk))
    eight(lambda: draws.release(proposed.pk))
    assert Match.objects.filter(pairing__round=proposed, status="awaited").count() == 3
    assert Match.objects.count() == 3
    assert stage.rounds.count() == 2


def test_the_last_results_of_a_round_that_come_at_once_draw_the_next_one_once() -> None:
    competition = people(8, ("swiss", {"settings": {"rounds": 2}}))
    running.start(competition.pk, SEED)
    tables = open_tables(competition)

    def tell(table: Pairing) -> Callable[[], None]:
        def act() -> None:
            say(table.match, better_number_wins(table))
            results.settle(competition.pk)

        return act

    at_once(*map(tell, tables))
    assert list(Round.objects.order_by("number").values_list("number", "status")) == [(1, "closed"), (2, "released")]
    assert Match.objects.count() == 8


def test_eight_corrections_at_once_refill_a_bracket_once() -> None:
    competition = people(4, ("single_elimination", {}))
    running.start(competition.pk, SEED)
    play(competition, most=2)
    semi_final = Pairing.objects.get(round__number=1, number=1)
    score = ReportedScore((1, 2))
    eight(lambda: corrections.correct(semi_final.match.public_id, score, "read upside down"))
    assert FormerMatch.objects.count() == 1
    assert Match.objects.exclude(status="void").count() == 3
    assert semi_final.match.reports.filter(status="confirmed").count() == 1


def test_eight_reopenings_beside_corrections_and_annulments_change_the_named_match_once() -> None:
    competition = people(4, ("single_elimination", {}))
    running.start(competition.pk, SEED)
    named = open_tables(competition)[0].match

    def refused(act: Callable[[], object]) -> Callable[[], str]:
        def tried() -> str:
            try:
                act()
            except TournamentError as refusal:
                return refusal.code
            return ""

        return tried

    told = at_once(*[refused(lambda: corrections.reopen(named.public_id, "a card was missing"))] * 8)
    assert sorted(told) == [""] + ["no_such_table"] * 7
    assert FormerMatch.objects.get().match == named
    again = Pairing.objects.get(round__number=1, number=1).match
    score = ReportedScore((1, 2))
    at_once(
        *[refused(lambda: corrections.reopen(again.public_id, "once more"))] * 2,
        *[refused(lambda: corrections.correct(again.public_id, score, "misread"))] * 2,
        *[refused(lambda: corrections.void(again.public_id, "annulled"))] * 2,
    )
    newest = Pairing.objects.get(round__number=1, number=1).match
    assert newest == again or (newest.status, newest.reports.count()) == ("awaited", 0)

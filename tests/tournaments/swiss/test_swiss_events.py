"""Random events with everything that happens in them: legal in every round, and never worse than another's draw."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.tournaments.swiss.criteria import Judge
from tests.tournaments.swiss.events import late_position, positions, random_event
from tests.tournaments.swiss.oracle import drawn_by_gacrux
from tests.tournaments.swiss.showing import compared, faults_with_settings, late_faults
from tournaments.formats.swiss import Settings, draw_next, matching


def test_every_round_is_legal_and_no_worse_than_another_implementation_draws_it():
    seen = compared(range(40), most=30)
    assert seen.faults == []
    assert seen.same > 150


def test_no_needless_rematch_and_no_needless_second_bye_late_in_small_fields():
    tried, faults = late_faults(range(150))
    assert faults == []
    assert tried > 100


def test_with_owners_acceleration_and_annulled_meetings_nothing_is_given_up_needlessly_or_untold():
    tried, faults = faults_with_settings(range(30))
    assert faults == []
    assert tried > 100


def test_a_judge_tells_a_worse_draw_from_a_better_one():
    """Exchanging the partners of two tables is worse or illegal, whichever two they are."""
    position = list(positions(random_event(3, least=16, most=16)))[2]
    judge = Judge(position)
    drawn = [table.entrants for table in draw_next(position, Settings()).tables if len(table.entrants) == 2]
    byes = [table.entrants for table in draw_next(position, Settings()).tables if len(table.entrants) == 1]
    best = judge.vector(drawn + byes)
    for first in range(len(drawn)):
        for second in range(first):
            (a, b), (c, d) = drawn[first], drawn[second]
            others = [pair for pair in drawn if pair not in ((a, b), (c, d))] + byes
            for changed in ([(a, c), (b, d)], [(a, d), (b, c)]):
                assert judge.broken(others + changed) or judge.vector(others + changed) > best


@pytest.mark.parametrize("seed", [0, 7, 11])
def test_the_same_input_in_any_order_gives_the_same_draw(seed):
    for position in positions(random_event(seed, most=24)):
        turned = replace(
            position, entrants=tuple(reversed(position.entrants)), meetings=tuple(reversed(position.meetings))
        )
        assert draw_next(position, Settings()) == draw_next(turned, Settings())


def test_the_library_for_want_of_the_fast_one_draws_the_same(monkeypatch):
    drawn = {seed: draw_next(late_position(seed), Settings()) for seed in _DRAWABLE}
    monkeypatch.setattr(matching, "rustworkx", None)
    assert {seed: draw_next(late_position(seed), Settings()) for seed in _DRAWABLE} == drawn


_DRAWABLE = [seed for seed in range(40) if Judge(late_position(seed)).can_be_paired()]


def test_positions_that_no_swiss_comes_to_are_drawn_alike():
    for seed in _DRAWABLE:
        position = late_position(seed)
        drawn = draw_next(position, Settings())
        assert frozenset(frozenset(table.entrants) for table in drawn.tables) == drawn_by_gacrux(position)

"""R43-R51: writing a played deal. The maker is seat 0 unless a case says otherwise."""

from dataclasses import replace

import pytest

from engine import Rules
from engine.rules import Beat
from engine.scoring import Pool, PoolFrom, Pools, Verdict, Written, shares, verdict_of, write_deal
from tests.engine.notation import pairs, rules, three_seats

HANG, BAIT = PoolFrom.HANG, PoolFrom.BAIT


def sheet(
    agreed: Rules,
    *points: int,
    waiting: Pools = (),
    baits: tuple[int, ...] = (0, 0, 0),
    trickless: tuple[int, ...] = (),
    maker: int = 0,
) -> Written:
    return write_deal(agreed, maker, points, trickless, waiting, baits[: agreed.sides])


def totals(agreed: Rules, *deals: tuple[int, ...]) -> list[tuple[int, ...]]:
    """What is written deal by deal, waiting points and baits carried on."""
    waiting, baits, lines = (), (0,) * agreed.sides, []
    for points in deals:
        after = write_deal(agreed, 0, points, (), waiting, baits)
        waiting, baits = after.waiting, after.baits
        lines.append(after.written)
    return lines


def test_r45_made_everybody_writes_his_own() -> None:
    after = sheet(rules(), 92, 70)
    assert (after.verdict, after.written, after.waiting, after.baits) == (Verdict.MADE, (92, 70), (), (0, 0))


def test_e13_r46_bait() -> None:
    after = sheet(rules(), 70, 92)
    assert (after.verdict, after.written, after.baits) == (Verdict.BAIT, (0, 162), (1, 0))
    assert sheet(rules(), 92, 70, maker=1).written == (162, 0)


@pytest.mark.parametrize(
    ("beat", "points", "verdict"),
    [
        ("each", (60, 55, 47), Verdict.MADE),
        ("sum", (60, 55, 47), Verdict.BAIT),
        ("each", (55, 55, 52), Verdict.HANG),
        ("sum", (81, 41, 40), Verdict.HANG),
        ("each", (81, 41, 40), Verdict.MADE),
        ("each", (52, 55, 55), Verdict.BAIT),
    ],
)
def test_r44_whom_the_maker_must_beat(beat: str, points: tuple[int, ...], verdict: Verdict) -> None:
    assert verdict_of(replace(three_seats(rules()), beat=Beat(beat)), 0, points) is verdict


@pytest.mark.parametrize("beat", ["each", "sum"])
def test_r44_with_two_both_are_the_same(beat: str) -> None:
    found = [verdict_of(replace(rules(), beat=Beat(beat)), 0, points) for points in ((82, 80), (81, 81), (80, 82))]
    assert found == [Verdict.MADE, Verdict.HANG, Verdict.BAIT]


def test_e14_r46_three_players() -> None:
    highest = sheet(three_seats(rules()), 52, 55, 55)
    assert (highest.written, highest.waiting) == ((0, 55, 55), (Pool(52, (1, 2), BAIT),))
    halves = sheet(replace(three_seats(rules(bait_to="halves")), beat=Beat.SUM), 52, 55, 55)
    assert (halves.written, halves.waiting) == ((0, 81, 81), ())
    assert sheet(three_seats(rules()), 52, 54, 56).written == (0, 54, 108)


def test_r46_what_does_not_divide_goes_to_the_maker_s_left() -> None:
    agreed = three_seats(rules(bait_to="halves"))
    assert sheet(agreed, 51, 55, 56).written == (0, 55 + 26, 56 + 25)
    assert sheet(agreed, 56, 51, 55, maker=1).written == (56 + 25, 0, 55 + 26)


def test_r46_halves_with_two_is_all() -> None:
    assert sheet(rules(bait_to="halves"), 71, 91).written == (0, 162)


def test_r46_a_pair_s_bait_goes_to_the_other_pair() -> None:
    assert sheet(pairs(rules()), 70, 92, maker=2).written == (0, 162)
    assert shares(pairs(rules()), 7, [1, 0]) == (3, 4)


def test_r47_hang_the_maker_s_points_wait() -> None:
    after = sheet(rules(), 81, 81)
    assert (after.verdict, after.written, after.baits) == (Verdict.HANG, (0, 81), (0, 0))
    assert after.waiting == (Pool(81, (0, 1), HANG),)


@pytest.mark.parametrize(("points", "lines"), [((100, 62), (181, 62)), ((62, 100), (0, 243))])
def test_e15_r47_r49_the_next_deal_wins_them(points: tuple[int, ...], lines: tuple[int, ...]) -> None:
    assert totals(rules(), (81, 81), points) == [(0, 81), lines]


def test_r49_compared_is_what_each_writes_before_waiting_points() -> None:
    """Two pools, 60 and 10, over 100 to 62: both to the first; each is compared with the same figures."""
    pools = (Pool(60, (0, 1), HANG), Pool(10, (1,), BAIT))
    after = sheet(rules(), 100, 62, waiting=pools)
    assert (after.written, after.waiting) == ((160, 72), ())


def test_r49_equal_waits_on() -> None:
    agreed = three_seats(rules())
    pools = (Pool(30, (1, 2), HANG),)
    after = sheet(agreed, 80, 41, 41, waiting=pools)
    assert (after.written, after.waiting) == ((80, 41, 41), pools)
    assert sheet(agreed, 80, 42, 40, waiting=pools).written == (80, 72, 40)


def test_r49_a_pool_is_never_settled_by_the_deal_that_made_it() -> None:
    after = sheet(three_seats(rules()), 52, 55, 55, waiting=(Pool(30, (0, 1, 2), HANG),))
    assert after.written == (0, 55, 55)
    assert [pool.points for pool in after.waiting] == [30, 52]


def test_r49_a_pool_of_nothing_is_not_made() -> None:
    assert sheet(rules(), 0, 0).waiting == ()
    assert sheet(three_seats(rules()), 0, 55, 55).waiting == ()


def test_r49_hang_to_defenders() -> None:
    agreed = rules(hang_to="defenders")
    after = sheet(agreed, 81, 81)
    assert after.waiting == (Pool(81, (1,), HANG),)
    assert sheet(agreed, 100, 62, waiting=after.waiting).written == (100, 143)


@pytest.mark.parametrize(
    ("repeat", "lines"),
    [
        ("sum", [(0, 81), (0, 75), (256, 62), (90, 72)]),
        ("queue", [(0, 81), (0, 75), (181, 62), (165, 72)]),
        ("release_first", [(0, 81), (81, 75), (175, 62), (90, 72)]),
        ("split_defenders", [(0, 81), (0, 75 + 156), (100, 62), (90, 72)]),
    ],
)
def test_e16_r50_hang_upon_hang(repeat: str, lines: list[tuple[int, ...]]) -> None:
    """Hangs of 81 and 75, then two made deals."""
    assert totals(rules(hang_repeat=repeat), (81, 81), (75, 75), (100, 62), (90, 72)) == lines


def test_r50_sum_is_one_pool_and_queue_two() -> None:
    older = (Pool(81, (0, 1), HANG),)
    assert sheet(rules(), 75, 75, waiting=older).waiting == (Pool(156, (0, 1), HANG),)
    queue = sheet(rules(hang_repeat="queue"), 75, 75, waiting=older)
    assert [pool.points for pool in queue.waiting] == [81, 75]


def test_r50_sum_joins_only_pools_with_the_same_eligible() -> None:
    older = (Pool(81, (1, 2), HANG), Pool(9, (0, 1, 2), BAIT))
    after = sheet(three_seats(rules()), 60, 60, 42, waiting=older)
    assert after.waiting == (*older, Pool(60, (0, 1, 2), HANG))


def test_r50_a_bait_s_pool_is_always_settled() -> None:
    """Queue: the oldest hang pool and every bait pool; a bait's pool alone does not make a hang a repeat."""
    agreed = three_seats(rules(hang_repeat="queue"))
    pools = (Pool(9, (1, 2), BAIT), Pool(81, (0, 1, 2), HANG), Pool(75, (0, 1, 2), HANG))
    after = sheet(agreed, 80, 42, 40, waiting=pools)
    assert (after.written, after.waiting) == ((161, 51, 40), pools[2:])
    first = sheet(three_seats(rules(hang_repeat="split_defenders")), 60, 60, 42, waiting=pools[:1])
    assert [pool.points for pool in first.waiting] == [9, 60]


def test_r50_release_first_pays_the_maker_of_the_new_hang() -> None:
    pools = (Pool(81, (0, 1), HANG),)
    after = sheet(rules(hang_repeat="release_first"), 75, 75, waiting=pools, maker=1)
    assert (after.written, after.waiting) == ((75, 81), (Pool(75, (0, 1), HANG),))


def test_r50_split_defenders_takes_everything_waiting() -> None:
    agreed = three_seats(rules(hang_repeat="split_defenders"))
    pools = (Pool(9, (1, 2), BAIT), Pool(80, (0, 1, 2), HANG))
    after = sheet(agreed, 60, 60, 42, waiting=pools)
    assert (after.written, after.waiting) == ((0, 60 + 75, 42 + 74), ())


def fines_of_baits(agreed: Rules, count: int) -> list[int]:
    """Fines in all after each of so many baits."""
    paid, baits, lines = 0, (0, 0), []
    for _ in range(count):
        after = write_deal(agreed, 0, (70, 92), (), (), baits)
        baits, paid = after.baits, paid + after.fines[0]
        lines.append(paid)
    return lines


def test_e17_r51_fined_baits() -> None:
    each, third = rules(bait_fine_from=3), rules(bait_fine_from=3, bait_fine_then="every_third")
    assert fines_of_baits(each, 5) == [0, 0, 100, 200, 300]
    assert fines_of_baits(third, 6) == [0, 0, 100, 100, 100, 200]
    assert fines_of_baits(rules(bait_fine_from=1, bait_fine=20), 2) == [20, 40]
    assert fines_of_baits(rules(), 5) == [0] * 5


def test_r51_a_side_without_a_trick_pays_maker_or_not() -> None:
    agreed = rules(no_tricks_fine=50, bait_fine_from=1)
    assert sheet(agreed, 100, 0, trickless=(1,)).fines == (0, 50)
    assert sheet(agreed, 0, 100, trickless=(0,)).fines == (150, 0)  # both fall on one side
    assert sheet(agreed, 81, 81, trickless=()).fines == (0, 0)


def test_r51_a_hang_is_no_bait() -> None:
    assert sheet(rules(bait_fine_from=1), 81, 81, baits=(3, 3)).baits == (3, 3)

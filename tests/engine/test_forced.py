"""R18, R48: nobody writes after a hang, and its maker plays again."""

import pytest

from engine import Rules, Table, default_action, observe, parse_action, why_not
from engine.play import play_card
from engine.scoring import Pool, PoolFrom, Verdict, write_deal
from tests.engine.notation import deck, facts, finish, go, offered, rules, table, written

HANGS = deck("JC 7S JD KS TC KH 9H 9D TD", "AD 8H TH 7D AS 8C JH AH QS", "9C", "TS")  # clubs: 54 to 54
ALL = deck("AC TC KC AD TD KD JH 9H AH", "7C 8C 9C 7D 8D 9D 7S 8S 9S", "QH")  # hearts: everything to seat 0
NOTHING = deck("7C 8C 9C 7D 8D 9D 7S 8S 9S", "AC TC KC AD TD KD JH 9H AH", "QH")


def forced(*packs: tuple[int, ...], agreed: Rules | None = None, bids: str = "take", **party: object) -> Table:
    """The table after a hung deal with seat 0 as maker; seat 0 deals next by turns."""
    begun = table(HANGS, *packs, agreed=agreed or rules("klabor/2"), **party)  # type: ignore[arg-type]
    return finish(go(begun, bids))


def test_r48_nobody_writes_and_each_side_s_own_is_held() -> None:
    on = forced()
    line = written(on)
    assert (line["points"], line["written"], line["fines"]) == ((54, 54), (0, 0), (0, 0))
    assert line["waiting"] == [(54, (0,), "held"), (54, (1,), "held")]
    assert (on.totals, on.party.baits) == ((0, 0), (0, 0))


def test_r18_the_next_deal_has_no_bidding() -> None:
    on = forced(ALL)
    assert (on.deal.maker, on.deal.trump, on.deal.phase, on.deal.dealer) == (0, 2, "play", 0)
    assert on.deal.actions == ()
    assert facts(on) == ["! bottom AS"]
    assert (on.seat_to_act, on.deal.in_play.tricks.first_leader) == (0, 0)  # R37: the maker


def test_r18_r27_nothing_is_declared_or_asked() -> None:
    runs = deck("AS KS QS JS 7S 8S 8D 9D TC", "7H 8H 9H AC KC QC JC TD 7D", "JH")
    on = forced(runs, agreed=rules("moscow/2", hang="forced", declare="manual", first_lead="maker"))
    assert (on.deal.maker, on.seat_to_act) == (0, 0)
    assert offered(on).split()[0] == "exchange"
    assert {why_not(on, parse_action(word)).code for word in ("declare", "ask")} == {"forced_deal"}  # type: ignore[union-attr]
    of_itself = rules("moscow/2", hang="forced", declare="auto", first_lead="maker")
    deal = play_card(of_itself, on.deal, parse_action("play:AC"), (), ())
    assert (deal.history, deal.in_play.declarations.declared) == ((), (None, None))


def test_r18_bella_is_said_as_ever() -> None:
    on = forced(deck("7C 8C 9C 7D 8D 9D 7S 8S 9S", "AC TC JH AD TD KD KH QH AH", "7H"))
    assert (on.deal.dealer, on.seat_to_act) == (0, 0)
    assert [word for word in offered(on).split() if word.endswith("+bella")] == ["play:QH+bella", "play:KH+bella"]


def test_r18_r20_the_window_before_the_buy_in_is_there() -> None:
    on = forced(ALL, agreed=rules("klabor/2", seven_swap="buy_in"), bids="take pass pass")
    assert (on.phase, on.seat_to_act, offered(on)) == ("swap", 1, "pass")
    assert go(on, "pass pass").phase == "play"


def test_r18_r19_nothing_is_offered() -> None:
    on = finish(go(table(HANGS, ALL, agreed=rules("fifties/2", hang="forced")), "take no_offer"))
    assert (on.phase, on.deal.maker) == ("play", 0)


@pytest.mark.parametrize(
    ("pack", "points", "lines", "baits"),
    [
        # Seat 0 deals the forced deal, so the packs lie the other way round.
        (NOTHING, (105, 0), (159, 54), (0, 0)),  # made
        (ALL, (0, 105), (0, 213), (1, 0)),  # bait: his 54 go to the other, who writes 54 and 105 of his own
    ],
)
def test_r48_made_or_bait_settles_all_those_deals(
    pack: tuple[int, ...], points: tuple[int, ...], lines: tuple[int, ...], baits: tuple[int, ...]
) -> None:
    on = finish(forced(pack, agreed=rules("klabor/2", no_tricks_fine=0, target=900)))
    line = written(on)
    assert (line["points"], line["written"]) == (points, lines)
    assert (line["waiting"], on.party.baits) == ([], baits)
    assert on.phase == "bid"


def test_r48_hang_again_all_waits_on_and_the_same_seat_plays() -> None:
    again = finish(forced(HANGS))
    line = written(again)
    assert (line["points"], line["written"]) == ((54, 54), (0, 0))
    assert line["waiting"] == [(108, (0,), "held"), (108, (1,), "held")]
    assert (again.deal.maker, again.deal.forced, again.party.baits) == (0, True, (0, 0))


def sheet(preset: str, maker: int, points: tuple[int, ...], *waiting: Pool, **overrides: object) -> object:
    agreed = rules(preset, **overrides)
    out = write_deal(agreed, maker, points, [], waiting, (0,) * agreed.sides)
    return out.verdict, out.written, [(pool.points, pool.eligible, pool.source.value) for pool in out.waiting]


def held(*points: int) -> tuple[Pool, ...]:
    return tuple(Pool(count, (side,), PoolFrom.HELD) for side, count in enumerate(points))


OLD = Pool(30, (0, 1, 2), PoolFrom.BAIT)
MADE, BAIT, HANG = Verdict.MADE, Verdict.BAIT, Verdict.HANG


@pytest.mark.parametrize(
    ("points", "verdict", "lines", "waiting"),
    [
        ((90, 40, 32), MADE, (150, 100, 74), []),
        ((40, 90, 32), BAIT, (0, 250, 74), []),  # all of the maker's hundred to the highest of the forced deal
        ((40, 61, 61), BAIT, (0, 121, 103), [(100, (1, 2), "bait")]),  # equal there: all of it waits (R46, R49)
        ((61, 61, 40), HANG, (0, 0, 0), [(121, (0,), "held"), (121, (1,), "held"), (82, (2,), "held")]),
    ],
)
def test_r48_three_players(points: tuple[int, ...], verdict: Verdict, lines: tuple[int, ...], waiting: object) -> None:
    assert sheet("klabor/3", 0, points, *held(60, 60, 42)) == (verdict, lines, waiting)


def test_r46_r48_the_forced_deal_alone_finds_the_highest() -> None:
    assert sheet("klabor/3", 0, (40, 50, 72), *held(10, 100, 0)) == (BAIT, (0, 150, 122), [])


def test_r48_halves() -> None:
    assert sheet("klabor/3", 0, (41, 61, 60), *held(60, 60, 42), bait_to="halves") == (BAIT, (0, 172, 152), [])


def test_r48_what_is_held_stands_after_the_other_pools() -> None:
    assert sheet("klabor/3", 0, (61, 61, 40), OLD)[2] == [  # type: ignore[index]
        (30, (0, 1, 2), "bait"),
        (61, (0,), "held"),
        (61, (1,), "held"),
        (40, (2,), "held"),
    ]


def test_r48_an_entry_for_every_side_of_nothing_too() -> None:
    assert sheet("klabor/3", 0, (81, 81, 0))[2] == [(81, (0,), "held"), (81, (1,), "held"), (0, (2,), "held")]  # type: ignore[index]


def test_r48_r49_other_pools_are_settled_by_what_is_written_of_all() -> None:
    """90 to 72 in the forced deal, but with what was held side 1 writes most."""
    assert sheet("klabor/3", 0, (90, 72, 0), *(OLD, *held(10, 100, 52))) == (MADE, (100, 202, 52), [])


def test_r48_pairs() -> None:
    assert sheet("klabor/pairs", 3, (92, 70), *held(81, 81)) == (BAIT, (324, 0), [])


def test_r13_r18_r21_redealt_it_is_still_forced() -> None:
    sevens = deck("AC TC KC AD TD KD JH 9H AH", "7C 7D 7H 7S 8C 9C 8D 9D 8S", "QH")
    on = forced(sevens, agreed=rules("klabor/2", redeal_four_sevens="on", first_lead="eldest", next_dealer="rotate"))
    seat = next(seat for seat, cards in enumerate(on.deal.hands) if cards & 0x01010101 == 0x01010101)
    while on.seat_to_act != seat:
        on = go(on, default_action(on).text)
    again = go(on, "redeal")
    assert written(again)["end"] == "redeal"
    assert (again.deal.maker, again.deal.forced, again.deal.dealer) == (0, True, on.deal.dealer)
    assert [pool.source.value for pool in again.party.waiting] == ["held", "held"]


def test_r14_r48_after_a_hang_the_maker_may_deal() -> None:
    assert forced(agreed=rules("klabor/2", hang_dealer="maker")).deal.dealer == 0


def test_r53_r54_a_hang_that_is_held_ends_no_party_by_itself() -> None:
    assert not forced(totals=(480, 0)).over


def test_r71_what_is_held_burns_with_the_last_deal() -> None:
    over = forced(agreed=rules("klabor/2", deals=1))
    assert over.result is not None
    assert (over.result.winner, over.totals) == (None, (0, 0))


def test_r18_the_view_of_a_forced_deal() -> None:
    seen = observe(forced(ALL), 1).as_json()
    assert seen["table"]["maker"] == 0  # type: ignore[index]
    assert [pool["from"] for pool in seen["table"]["waiting"]] == ["held", "held"]  # type: ignore[index]

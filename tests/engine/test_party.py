"""R12-R15, R51-R57, R71 and forfeits: from deal to deal, and how a party ends."""

from dataclasses import replace

import pytest

from engine import IllegalAction, Rules, SetupError, Table, apply, default_action, forfeit, parse_action, why_not
from engine.closing import best_other
from engine.deal import Deal
from engine.dealers import next_dealer
from engine.ending import _target_winner
from engine.party import Outcome, Party, new_party
from engine.scoring import Pool, PoolFrom, shares
from engine.table import deal_after
from engine.writing import write
from tests.engine.notation import deck, finish, go, offered, pairs, rules, table, three_seats, written

# Hearts by `take`, every seat playing the first card it may (see `finish`).
EASY = deck("AC TC KC AD TD KD JH 9H AH", "7C 8C 9C 7D 8D 9D 7S 8S 9S", "QH")  # all to eldest
HANGS = deck("JC 7S JD KS TC KH 9H 9D TD", "AD 8H TH 7D AS 8C JH AH QS", "9C", "TS")  # clubs: 54 to 54


def last_of(agreed: Rules, pack: tuple[int, ...], bids: str = "take") -> tuple[Table, Deal]:
    """The table before the last card of a deal, and the deal after it."""
    at = go(table(pack, agreed=agreed), bids)  # type: ignore[arg-type]
    while True:
        action = next(action for action in at.legal if action.text.startswith("play:"))
        deal = deal_after(at, action)
        if deal.end is not None:
            return at, deal
        at = apply(at, action)


def after(agreed: Rules, totals: tuple[int, ...], pack: tuple[int, ...] = EASY, bids: str = "take") -> Party:
    """The party after a deal that leaves these totals."""
    _, deal = last_of(agreed, pack, bids)
    empty = new_party(agreed, 0)
    gained = write(agreed, empty, deal).totals
    before = tuple(total - gain for total, gain in zip(totals, gained, strict=True))
    return write(agreed, replace(empty, totals=before), deal)


def won(party: Party) -> tuple[int | None, str] | None:
    return None if party.result is None else (party.result.winner, party.result.reason.value)


def test_r12_rotate_or_the_deal_s_winner() -> None:
    for dealer in (0, 1):
        # eldest is 1 - dealer and takes everything
        assert finish(go(table(EASY, dealer=dealer), "take")).deal.dealer == 1 - dealer
        rotating = finish(go(table(EASY, agreed=rules(next_dealer="rotate"), dealer=dealer), "take"))
        assert rotating.deal.dealer == 1 - dealer
    swapped = deck("7C 8C 9C 7D 8D 9D 7S 8S 9S", "AC TC KC AD TD KD JH 9H AH", "QH")
    assert finish(go(table(swapped), "take")).deal.dealer == 1
    assert finish(go(table(swapped, agreed=rules(next_dealer="rotate")), "take")).deal.dealer == 0


def test_r12_waiting_points_won_count_and_fines_do_not() -> None:
    waiting = (Pool(400, (1,), PoolFrom.BAIT),)
    assert finish(go(table(EASY, waiting=waiting), "take")).deal.dealer == 1
    fined = finish(go(table(EASY, agreed=rules(no_tricks_fine=500, target=900)), "take"))
    assert (fined.deal.dealer, fined.totals[1]) == (0, -500)


def test_r12_equal_or_partners_the_nearer_to_the_left() -> None:
    """Four in pairs: seats 1 and 3 won; from dealer 1 on, 3 is nearer to the left than 1."""
    agreed, (_, deal) = pairs(rules()), last_of(rules(), EASY)
    outcome = Outcome((0, 0), (0, 90), (), (0, 0), (0, 0))
    assert [next_dealer(agreed, replace(deal, dealer=dealer), outcome) for dealer in range(4)] == [1, 3, 3, 1]
    equal = replace(outcome, written=(90, 90))
    assert [next_dealer(agreed, replace(deal, dealer=dealer), equal) for dealer in range(4)] == [1, 2, 3, 0]


def test_r13_all_pass_the_next_seat_deals_and_waiting_stays() -> None:
    waiting = (Pool(81, (0, 1), PoolFrom.HANG),)
    thrown_in = go(table(EASY, waiting=waiting, baits=(1, 2)), "pass pass pass pass")
    assert thrown_in.deal.dealer == 0
    assert (thrown_in.party.waiting, thrown_in.party.baits) == (waiting, (1, 2))
    assert written(thrown_in)["waiting"] == [(81, (0, 1), "hang")]


@pytest.mark.parametrize(
    ("overrides", "dealer"),
    [
        ({}, 0),  # the maker, who hung
        ({"hang_dealer": "next"}, 1),  # as the deal's winner: the defender wrote
        ({"hang_dealer": "next", "next_dealer": "rotate"}, 0),
    ],
)
def test_r14_after_a_hang(overrides: dict[str, object], dealer: int) -> None:
    hung = finish(go(table(HANGS, agreed=rules(**overrides)), "take"))
    assert written(hung) == {
        "end": "played",
        "points": (54, 54),
        "written": (0, 54),
        "waiting": [(54, (0, 1), "hang")],
        "fines": (0, 0),
    }
    assert hung.deal.dealer == dealer


@pytest.mark.parametrize("option", ["winner", "rotate"])
def test_r15_the_dealer_of_the_next_party_comes_from_the_match(option: str) -> None:
    """The rule is the match's to apply; a party takes the dealer it is given."""
    agreed = rules(party_dealer=option)
    assert agreed.party_dealer == option
    assert [table(EASY, agreed=agreed, dealer=dealer).deal.dealer for dealer in (0, 1)] == [0, 1]


def test_r52_the_target_ends_the_party() -> None:
    assert won(after(rules(), (501, 300))) == (0, "target")
    assert won(after(rules(), (300, 501))) == (1, "target")
    assert won(after(rules(), (500, 300))) is None
    assert won(after(rules(target=300), (299, 300))) == (1, "target")


@pytest.mark.parametrize(
    ("both_reach", "totals", "winner"),
    [
        ("highest", (510, 530), 1),  # E18
        ("last_trick", (510, 530), 0),
        ("maker", (510, 530), 0),
        ("highest", (530, 510), 0),
        ("last_trick", (510, 510), 0),
    ],
)
def test_e18_r52_both_reach(both_reach: str, totals: tuple[int, ...], winner: int) -> None:
    """Seat 0 is the maker and takes the last trick."""
    assert won(after(rules(both_reach=both_reach), totals)) == (winner, "target")


def test_e18_r52_equal_under_highest_is_another_deal() -> None:
    assert won(after(rules(both_reach="highest"), (510, 510))) is None


def test_r52_by_maker_or_last_trick_of_another_seat() -> None:
    """The dealer is the maker; eldest takes every trick."""
    for both_reach, winner in (("maker", 1), ("last_trick", 0)):
        assert won(after(rules(both_reach=both_reach), (510, 530), bids="pass take")) == (winner, "target")


def test_r52_last_trick_of_one_who_has_not_reached() -> None:
    _, deal = last_of(rules(), EASY)
    agreed = three_seats(rules(both_reach="last_trick"))
    assert _target_winner(agreed, (400, 510, 530), deal) == 2
    assert _target_winner(agreed, (400, 530, 530), deal) is None


def test_r51_r52_totals_are_compared_after_fines() -> None:
    fined = after(rules(no_tricks_fine=50), (300, 501))
    assert fined.deals[-1].fines == (0, 50)
    assert won(fined) == (1, "target")
    assert won(after(rules(no_tricks_fine=50), (300, 451))) is None


@pytest.mark.parametrize(("blocks", "ending"), [("off", (1, "target")), ("on", None)])
def test_r53_a_hang_ends_no_party(blocks: str, ending: object) -> None:
    party = after(rules(hang_blocks_end=blocks), (300, 510), HANGS)
    assert won(party) == ending
    assert [pool.points for pool in party.deals[-1].waiting] == [54]  # burnt with the party, but listed


@pytest.mark.parametrize(
    ("totals", "ending"),
    [((300, 50), (0, "lead")), ((299, 50), None), ((20, 270), (1, "lead")), ((501, 50), (0, "target"))],
)
def test_r54_a_lead_ends_the_party_too(totals: tuple[int, ...], ending: object) -> None:
    assert won(after(rules(lead_limit=250), totals)) == ending


def test_r53_r54_a_hang_blocks_the_lead() -> None:
    assert won(after(rules(lead_limit=250, hang_blocks_end="on"), (20, 270), HANGS)) is None


def test_r71_a_party_of_so_many_deals() -> None:
    agreed = rules(deals=2, target=100)
    begun = go(table(EASY, EASY, HANGS, agreed=agreed), "pass pass pass pass")
    one = finish(go(begun, "take"))
    assert (one.over, max(one.totals) >= 100) == (False, True)  # no target, and all_pass is no deal played
    two = finish(go(one, "take"))
    assert two.result is not None
    assert (two.result.reason, two.result.winner, len(two.party.deals)) == ("deals", 1, 3)


def test_r71_deals_are_counted_as_they_are_played() -> None:
    """An accepted offer is one of them, a pack thrown in is none."""
    agreed = rules("fifties/2", deals=5)
    at = go(table(EASY, EASY, EASY, agreed=agreed), "pass pass pass pass take offer accept")
    assert (at.party.played, len(at.party.deals)) == (1, 2)
    at = finish(go(at, "take no_offer"))
    assert (at.party.played, len(at.party.deals)) == (2, 3)
    assert write(agreed, replace(at.party, played=4), last_of(agreed, EASY, "take no_offer")[1]).result is not None


def test_r71_equal_after_the_last_deal_nobody_wins() -> None:
    assert won(after(rules(deals=1), (200, 200))) == (None, "deals")
    assert won(after(rules(deals=1), (0, 700))) == (1, "deals")
    assert won(after(rules(deals=2), (700, 0))) is None


def test_r71_no_lead_and_no_close() -> None:
    assert won(after(rules(deals=2, lead_limit=10), (300, 0))) is None
    assert "close" not in offered(go(table(EASY, agreed=rules(deals=2)), "take AC 7C"))


def test_r71_waiting_points_burn() -> None:
    party = after(rules(deals=1, hang_blocks_end="on"), (10, 20), HANGS)
    assert won(party) == (1, "deals")


# --- closing early

# Hearts by `take`: eldest takes an empty trick with the trump jack. He holds bella, and so a terz in trumps.
CLOSER = deck("JH KH QH 9C TC QC 7D 8D TD", "7H 8S 9S AC KC 9D JD TS QS", "8H")
# The same with a plain terz and no bella.
PLAIN_TERZ = deck("JH 9C TC JC 7D 8D TD 7S AD", "7H 8S 9S AC KC 9D JD TS QS", "8H")


def closed(before: str, totals: tuple[int, int], pack: tuple[int, ...] = CLOSER, **overrides: object) -> Table:
    return go(table(pack, agreed=rules(**overrides), totals=totals), f"take {before} close")  # type: ignore[arg-type]


def test_e19_r55_a_standing_terz_and_the_jack() -> None:
    done = closed("declare JH 7H", (461, 300), PLAIN_TERZ)
    assert done.result is not None
    assert (done.result.winner, done.result.reason, done.result.totals) == (0, "closed", (501, 300))
    assert (written(done)["end"], written(done)["points"], written(done)["written"]) == ("closed", (40, 0), (40, 0))


@pytest.mark.parametrize(
    ("pack", "total", "before"),
    [
        (PLAIN_TERZ, 461, "declare JH 7H"),
        (PLAIN_TERZ, 481, "JH 7H"),  # not declared
        (CLOSER, 461, "JH 7H"),  # 20 for bella unsaid, but still in hand
        (CLOSER, 461, "JH+bella 7H"),
        (CLOSER, 441, "declare JH 7H"),
    ],
)
def test_r55_reached_and_one_point_short(pack: tuple[int, ...], total: int, before: str) -> None:
    for short, winner, reason in ((0, 0, "closed"), (1, 1, "false_close")):
        done = closed(before, (total - short, 300), pack)
        assert done.result is not None
        assert (done.result.winner, done.result.reason) == (winner, reason)


def test_r55_the_others_write_nothing_and_waiting_does_not_count() -> None:
    waiting = (Pool(81, (0, 1), PoolFrom.HANG),)
    begun = table(CLOSER, totals=(460, 300), waiting=waiting)
    done = go(begun, "take JH 7H close")
    assert done.result is not None
    assert done.result.reason == "false_close"
    assert written(done)["waiting"] == [(81, (0, 1), "hang")]


def test_r55_bella_gone_unsaid_does_not_count() -> None:
    """King and queen are played in silence: 461 + 20 for the jack + 4 and 3 for them."""
    silent = "JH 7H KH 8S QH 9S"
    assert closed(silent, (474, 0)).result.reason == "closed"  # type: ignore[union-attr]
    assert closed(silent, (473, 0)).result.reason == "false_close"  # type: ignore[union-attr]


def test_r55_sequences_that_wait_for_the_last_trick_do_not_count() -> None:
    tied = deck("JH 9C TC JC 7D 8D TD 7S AD", "7H 9S TS JS AC KC 9D JD 8C", "8H")
    for tie, reason in (("order", "closed"), ("last_trick", "false_close")):
        begun = table(tied, agreed=rules(sequence_tie=tie), totals=(461, 300))
        assert go(begun, "take declare JH 7H close").result.reason == "closed"  # type: ignore[union-attr]
        assert go(begun, "take declare JH declare 7H close").result.reason == reason  # type: ignore[union-attr]


def test_r55_when_close_is_offered() -> None:
    begun = go(table(CLOSER), "take")
    assert "close" not in offered(begun)
    assert "close" not in offered(go(begun, "JH"))  # not to lead
    led = go(begun, "JH 7H")
    assert offered(led).startswith("close play:")  # true or not
    assert "close" not in offered(go(led, "9C"))
    assert "close" not in offered(go(table(CLOSER, agreed=rules(close="off")), "take JH 7H"))
    reason = why_not(begun, parse_action("close"))
    assert reason is not None
    assert reason.code == "not_to_lead"


def test_r56_a_false_close_loses_the_party() -> None:
    done = closed("JH 7H", (0, 0))
    assert done.result is not None
    assert (done.result.winner, done.result.reason) == (1, "false_close")
    assert written(done) == {
        "end": "false_close",
        "points": (0, 0),
        "written": (0, 0),
        "waiting": [],
        "fines": (0, 0),
    }


def test_r56_of_several_the_highest_other_then_the_nearest_to_the_left() -> None:
    agreed = three_seats(rules())
    assert best_other(agreed, (900, 100, 200), 0) == 2
    assert best_other(agreed, (100, 100, 900), 2) == 0
    assert [best_other(agreed, (7, 7, 7), seat) for seat in range(3)] == [1, 2, 0]


def test_r56_nothing_happens_but_not_twice() -> None:
    on = closed("JH 7H", (0, 0), false_close="nothing")
    assert (on.over, on.seat_to_act, on.phase) == (False, 0, "play")
    assert "close" not in offered(on)
    reason = why_not(on, parse_action("close"))
    assert reason is not None
    assert reason.code == "closed_falsely"
    assert "close" not in offered(go(on, "KH 8S"))  # nor later in the deal
    played = finish(on)
    assert written(played)["end"] == "played"
    assert go(played, "take").deal.in_play.barred == 0  # but in the next


@pytest.mark.parametrize(
    ("before", "lines", "totals"),
    [((200, 100), (-200, 400), (0, 500)), ((0, 100), (0, 0), (0, 100)), ((-50, 100), (50, 0), (0, 100))],
)
def test_r56_double(before: tuple[int, int], lines: tuple[int, int], totals: tuple[int, int]) -> None:
    done = closed("JH 7H", before, false_close="double", no_tricks_fine=50, bait_fine_from=1)
    assert (written(done)["end"], written(done)["written"]) == ("false_close", lines)
    assert (done.totals, written(done)["fines"], done.party.baits) == (totals, (0, 0), (0, 0))
    assert not done.over
    assert done.deal.dealer == (1 if lines[1] > lines[0] else 0)  # R12


def test_r56_double_may_end_the_party_by_r52_or_r54() -> None:
    done = closed("JH 7H", (200, 101), false_close="double")
    assert done.result is not None
    assert (done.result.winner, done.result.reason) == (1, "target")
    led = closed("JH 7H", (100, 50), false_close="double", lead_limit=250)
    assert led.result is not None
    assert (led.result.winner, led.result.reason) == (1, "lead")


def test_r56_double_is_split_among_several() -> None:
    assert shares(three_seats(rules()), 2 * 101, [2, 0]) == (101, 0, 101)
    assert shares(three_seats(rules()), 7, [2, 0]) == (3, 0, 4)


def test_r57_not_on_the_trump_jack_s_trick() -> None:
    begun = go(table(CLOSER, agreed=rules(close_not_on_jack="on")), "take JH 7H")
    assert "close" not in offered(begun)
    reason = why_not(begun, parse_action("close"))
    assert reason is not None
    assert reason.code == "jack_trick"
    assert "close" in offered(go(begun, "KH 8S"))  # another trick since


# --- forfeits


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("actions", ["", "pass", "take JH"])
def test_forfeit_ends_the_party_now(seat: int, actions: str) -> None:
    begun = go(table(CLOSER, totals=(40, 30)), actions)
    done = forfeit(begun, seat)
    assert done.result is not None
    assert (done.result.winner, done.result.reason, done.result.forfeiter) == (1 - seat, "forfeit", seat)
    assert (done.totals, done.over, done.seat_to_act, done.ply) == ((40, 30), True, None, begun.ply)
    last = done.party.deals[-1]
    assert (last.end, last.actions, last.maker) == ("forfeit", begun.deal.actions, begun.deal.maker)
    assert (last.points, last.written, last.fines) == ((0, 0), (0, 0), (0, 0))


def test_forfeit_of_what_is_over_or_of_nobody() -> None:
    done = forfeit(table(CLOSER), 0)
    with pytest.raises(IllegalAction, match="the party is over"):
        forfeit(done, 1)
    with pytest.raises(IllegalAction, match="the party is over"):
        default_action(done)
    for nobody in (2, -1, True, 10**5000):
        with pytest.raises(SetupError, match="a seat is a number from 0 to 1"):
            forfeit(table(CLOSER), nobody)
    with pytest.raises(IllegalAction, match="the party is over"):
        apply(done, parse_action("pass"))

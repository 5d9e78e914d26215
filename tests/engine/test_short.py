"""R58, R59: a party of one deal for stakes, and raising them; forfeits and faults in it."""

import pytest

from engine import (
    EndReason,
    IllegalAction,
    Rules,
    Table,
    apply,
    default_action,
    forfeit,
    observe,
    parse_action,
    record_of,
    replay,
    verify,
    why_not,
)
from engine.rules import Short
from engine.short import _for_the_highest, _for_the_maker
from tests.engine.notation import deck, finish, go, offered, rules, table, written

ALL = deck("AC TC KC AD TD KD JH 9H AH", "7C 8C 9C 7D 8D 9D 7S 8S 9S", "QH")  # hearts: all to eldest


def played(agreed: Rules, bids: str) -> Table:
    return finish(go(table(ALL, agreed=agreed), bids))


def test_r58_one_deal_and_what_is_written_is_what_was_counted() -> None:
    over = played(rules("short/2"), "take")
    line = written(over)
    assert line["written"] == line["points"] == over.totals == (105, 0)
    assert (line["waiting"], line["fines"], over.party.baits) == ([], (0, 0), (0, 0))
    assert over.result is not None
    assert (over.result.winner, over.result.reason, over.result.stakes) == (0, "short", (1, -1))


@pytest.mark.parametrize(
    ("preset", "bids", "stakes"),
    [
        ("short/2", "take", (1, -1)),
        ("short/2", "pass take", (1, -1)),  # who named trumps does not matter
        ("short_bait/2", "take", (1, -1)),
        ("short_bait/2", "pass take", (2, -2)),  # a lost game costs two
    ],
)
def test_r58_stakes_of_two(preset: str, bids: str, stakes: tuple[int, ...]) -> None:
    over = played(rules(preset), bids)
    assert over.result is not None
    assert (over.result.winner, over.result.stakes) == (0, stakes)


@pytest.mark.parametrize(
    ("table_of", "points", "winner", "stakes"),
    [
        ("short/2", (81, 81), None, (0, 0)),
        ("short/3", (80, 41, 41), 0, (2, -1, -1)),
        ("short/3", (41, 80, 41), 1, (-1, 2, -1)),
        ("short/3", (70, 70, 22), None, (0, 0, 0)),
        ("moscow/2", (70, 92), 1, (-1, 1)),
    ],
)
def test_r58_plain(table_of: str, points: tuple[int, ...], winner: int | None, stakes: tuple[int, ...]) -> None:
    assert _for_the_highest(rules(table_of, short="plain"), points) == (winner, stakes)


def test_r58_plain_for_pairs_and_for_four() -> None:
    assert _for_the_highest(rules("klabor/pairs", short="plain", jackpot="off"), (100, 62)) == (0, (1, -1))
    assert _for_the_highest(rules("house/4", short="plain", jackpot="off"), (50, 60, 30, 22)) == (1, (-1, 3, -1, -1))


@pytest.mark.parametrize(
    ("preset", "maker", "points", "winner", "stakes"),
    [
        ("short_bait/2", 1, (62, 100), 1, (-1, 1)),
        ("short_bait/2", 1, (100, 62), 0, (2, -2)),
        ("short_bait/2", 0, (81, 81), None, (0, 0)),
        ("short_bait/3", 1, (40, 90, 32), 1, (-1, 2, -1)),
        ("short_bait/3", 1, (60, 70, 32), None, (1, -2, 1)),  # R44: he must beat the sum
        ("short_bait/3", 1, (49, 81, 32), None, (0, 0, 0)),
    ],
)
def test_r58_for_the_maker(
    preset: str, maker: int, points: tuple[int, ...], winner: int | None, stakes: tuple[int, ...]
) -> None:
    assert rules(preset).short is Short.BAIT
    assert _for_the_maker(rules(preset), maker, points) == (winner, stakes)


def test_r58_each_other_is_beaten_where_the_table_says_so() -> None:
    assert _for_the_maker(rules("short_bait/3", beat="each"), 1, (60, 70, 32)) == (1, (-1, 2, -1))


def test_r13_r58_a_pack_thrown_in_is_not_the_deal() -> None:
    on = go(table(ALL, agreed=rules("short/2")), "pass pass pass pass")
    assert (on.over, on.deal_number, on.totals) == (False, 1, (0, 0))
    sevens = deck("7C 7D 7H 7S AC KC 9S TS KS", "TC 8C 9C TD JD QD 8D 9D AS", "JH")
    claimed = go(table(sevens, agreed=rules("short/2", redeal_four_sevens="on")), "redeal")
    assert (claimed.over, claimed.deal.dealer) == (False, 1)


def test_r58_r55_no_close() -> None:
    assert rules("short/2", close="on").close is False


def test_r58_fines_hangs_and_leads_are_of_no_effect() -> None:
    agreed = rules("short/2", no_tricks_fine=50, bait_fine_from=1, hang="forced", lead_limit=1, target=1)
    over = played(agreed, "pass take")
    assert over.result is not None
    assert (over.totals, over.result.reason, over.result.stakes) == ((105, 0), "short", (1, -1))


DAVA = rules("short_dava/2")
TURNS = deck("JH 9H AC KC QC 7D 8D 9S TS", "AH TH 7C 8C 9C JD QD KD AS", "KH", "QH")


def raised(actions: str, agreed: Rules = DAVA) -> Table:
    return go(table(TURNS, agreed=agreed), actions)


def test_r59_dava_stands_with_the_rights_and_loses_none() -> None:
    begun = raised("take")
    assert (offered(begun).split()[:2], begun.stake) == (["declare", "dava"], 1)
    asked = go(begun, "dava")
    assert (asked.phase, asked.seat_to_act, offered(asked), asked.stake) == ("dava", 1, "accept surrender", 1)
    assert default_action(asked).text == "surrender"
    back = go(asked, "accept")
    assert (back.phase, back.seat_to_act, back.stake) == ("play", 0, 2)
    assert offered(back).split()[0] == "declare"
    assert observe(back, 0).as_json()["table"]["stake"] == 2  # type: ignore[index]


def test_r59_only_who_accepted_last_raises_again() -> None:
    back = raised("take dava accept")
    assert "dava" not in offered(back)
    reason = why_not(back, parse_action("dava"))
    assert reason is not None
    assert (reason.code, "R59" in reason.text) == ("not_your_dava", True)
    other = go(back, "AC")
    assert "dava" in offered(other)
    again = go(other, "dava accept")
    assert (again.stake, again.seat_to_act) == (3, 1)
    assert "dava" not in offered(again)
    assert "dava" in offered(go(again, "7C"))


def test_r59_at_first_either_may() -> None:
    assert "dava" in offered(raised("take AC"))


@pytest.mark.parametrize(("steps", "stakes"), [("arithmetic", (1, 2, 3, 4)), ("geometric", (1, 2, 4, 8))])
def test_r59_steps(steps: str, stakes: tuple[int, ...]) -> None:
    on = raised("take", rules("short_dava/2", dava=steps))
    seen = [on.stake]
    for actions in ("dava accept AC", "dava accept 7C", "dava accept KC"):
        on = go(on, actions)
        seen.append(on.stake)
    assert tuple(seen) == stakes


def test_r59_surrender_loses_the_stake_as_it_stood() -> None:
    over = raised("take dava accept AC dava surrender")
    assert over.result is not None
    assert (over.result.winner, over.result.reason, over.result.stakes) == (1, EndReason.SURRENDER, (-2, 2))
    line = written(over)
    assert (line["end"], line["points"], line["written"], over.totals) == ("surrendered", (0, 0), (0, 0), (0, 0))


def test_r59_played_out_the_stakes_are_multiplied() -> None:
    over = finish(go(table(ALL, agreed=rules("short_bait/2", dava="geometric")), "pass take dava accept"))
    assert over.result is not None
    assert over.result.stakes == (4, -4)


def test_r59_nothing_else_is_an_answer() -> None:
    asked = raised("take dava")
    with pytest.raises(IllegalAction, match=r"no answer to dava: accept or surrender \(R59\)"):
        apply(asked, parse_action("play:AC"))


def test_r59_not_where_it_is_not_agreed() -> None:
    plain = go(table(ALL, agreed=rules("short/2")), "take")
    reason = why_not(plain, parse_action("dava"))
    assert reason is not None
    assert reason.code == "not_agreed"


@pytest.mark.parametrize(("actions", "stake"), [("take", 1), ("take dava accept", 2), ("take dava", 1)])
def test_r58_who_forfeits_pays_the_stake_as_it_stands(actions: str, stake: int) -> None:
    over = forfeit(raised(actions), 0)
    assert over.result is not None
    assert (over.result.winner, over.result.stakes, over.totals) == (1, (-stake, stake), (0, 0))
    assert verify(record_of(over)) is None


def test_r58_who_forfeits_pays_everybody() -> None:
    over = forfeit(table(ALL, agreed=rules("short/3")), 1)
    assert over.result is not None
    assert (over.result.winner, over.result.stakes, over.result.forfeiter) == (2, (1, -2, 1), 1)


@pytest.mark.parametrize(
    ("begun", "seat", "stakes"),
    [
        ("take", 0, (-2, 2)),  # the maker: as much as his lost game
        ("take", 1, (1, -1)),
        ("pass", 0, (-1, 1)),  # nobody has named trumps
    ],
)
def test_r58_in_short_bait_the_maker_who_forfeits_pays_no_less_than_a_lost_game(
    begun: str, seat: int, stakes: tuple[int, int]
) -> None:
    over = forfeit(go(table(ALL, agreed=rules("short_bait/2")), begun), seat)
    assert over.result is not None
    assert over.result.stakes == stakes
    assert verify(record_of(over)) is None


@pytest.mark.parametrize("faults", ["bait_on_cards", "klabor", "kharkov_full", "none"])
def test_r58_r66_an_illegal_card_pays_the_stake_whatever_the_table(faults: str) -> None:
    agreed = rules("short_dava/2", illegal_move="rules", fault_table=faults)
    over = apply(go(table(TURNS, agreed=agreed), "take dava accept AC"), parse_action("play:JD"), "illegal")
    assert over.result is not None
    assert (over.result.winner, over.result.reason, over.result.stakes) == (0, "short", (2, -2))
    assert (written(over)["end"], over.party.baits) == ("fault", (0, 0))
    assert written(over)["points"] == written(over)["written"] == over.totals


def test_r58_r66_with_three_several_collect_and_nobody_wins() -> None:
    agreed = rules("short/3", illegal_move="rules")
    begun = go(table(agreed=agreed), "take")
    led = go(begun, next(word for word in offered(begun).split() if word.startswith("play:")))
    assert led.seat_to_act is not None
    held = [f"play:{card}" for card in observe(led, led.seat_to_act).as_json()["you"]["hand"]]  # type: ignore[index]
    wrong = [word for word in held if word not in offered(led).split()]
    over = apply(led, parse_action(wrong[0]), "illegal")
    assert over.result is not None
    assert (over.result.winner, over.result.stakes) == (None, (1, -2, 1))


@pytest.mark.parametrize("actions", ["take dava surrender", "take dava accept declare AC dava accept"])
def test_records_carry_stakes(actions: str) -> None:
    on = raised(actions)
    over = on if on.over else finish(on)
    record = record_of(over)
    assert verify(record) is None
    assert replay(record).party == over.party
    assert record["result"]["stakes"] == list(over.result.stakes)  # type: ignore[index,union-attr,arg-type]

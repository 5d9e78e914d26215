"""Every point is scored once, and the dealer is a function of the events: read off the record alone."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Rules, record_of, rules_of
from engine.cards import POINTS
from engine.presets import PRESETS
from tests.engine.drawing import FEW, SEEDS, agreements, party
from tests.engine.test_laws import played_cards

Deal = dict[str, Any]
"""A deal as a record has it (protocol §3)."""

EVERY_PRESET = pytest.mark.parametrize("preset", PRESETS)


def waits(deal: Deal) -> int:
    return sum(pool["points"] for pool in deal["waiting"])


def side_of(agreed: Rules, seat: int) -> int:
    return seat % 2 if agreed.pairs else seat


def is_short(agreed: Rules) -> bool:
    return agreed.as_json()["short"] != "off"


def voids_deal(agreed: Rules, deal: Deal) -> bool:
    """An illegal card that costs a redeal and 100 (R66)."""
    return deal["end"] == "fault" and agreed.fault_table == "klabor" and not is_short(agreed)


# --- where points are not conserved, or not by the count


def _nothing(agreed: Rules, before: list[int], deal: Deal) -> bool:
    return not any(deal["written"]) and not any(deal["points"])


def _fifty(agreed: Rules, before: list[int], deal: Deal) -> bool:
    """R19: the maker writes 50."""
    maker = side_of(agreed, deal["maker"])
    return deal["written"] == [50 * (side == maker) for side in range(agreed.sides)] and not any(deal["points"])


def _prize(agreed: Rules, before: list[int], deal: Deal) -> bool:
    """R25: nobody writes, or one side the target."""
    jackpot = agreed.as_json()["jackpot"]
    assert isinstance(jackpot, dict)
    party_won = jackpot["prize"] == "party" and agreed.deals is None
    return sorted(deal["written"]) == [0] * (agreed.sides - 1) + [0 if party_won else agreed.target]


def _count(agreed: Rules, before: list[int], deal: Deal) -> bool:
    """R55: one side writes its count, whatever it is made of, and has reached the target."""
    side = side_of(agreed, int(deal["actions"][-1][0]))
    others = [points for other, points in enumerate(deal["points"]) if other != side]
    return deal["written"] == deal["points"] and not any(others) and deal["totals"][side] >= agreed.target


def _doubled(agreed: Rules, before: list[int], deal: Deal) -> bool:
    """R56: nothing, or the closer's total lost and twice as much for the others."""
    if agreed.false_close == "lose":
        return _nothing(agreed, before, deal)
    side = side_of(agreed, int(deal["actions"][-1][0]))
    gains = [points for other, points in enumerate(deal["written"]) if other != side]
    fair = max(gains) - min(gains) <= 1
    return deal["totals"][side] == 0 and sum(gains) == 2 * max(0, before[side]) and fair


OTHERWISE: dict[str, tuple[str, Callable[[Rules, list[int], Deal], bool]]] = {
    "all_pass": ("R13 R16", _nothing),
    "redeal": ("R13 R21", _nothing),
    "offer_accepted": ("R19", _fifty),
    "jackpot": ("R25", _prize),
    "closed": ("R55", _count),
    "false_close": ("R56", _doubled),
    "surrendered": ("R59", _nothing),
    "forfeit": ("protocol §3", _nothing),
}
"""Ends by which written is not what was counted, with the clause that says so; waiting points stay.

R48, R50: what is released was waiting, so that it is conserved as all of R49; R53: what burns stands in the last deal.
"""


@EVERY_PRESET
@given(st.data())
@FEW
def test_every_point_is_scored_once(preset: str, data: st.DataObject) -> None:
    agreed = data.draw(agreements(preset))
    record: Any = record_of(party(agreed, data.draw(SEEDS))[-1].after)
    totals, waiting = [0] * agreed.sides, []
    for deal in record["deals"]:
        lines = zip(totals, deal["written"], deal["fines"], strict=True)
        assert deal["totals"] == [before + written - fine for before, written, fine in lines]
        if deal["end"] in OTHERWISE or voids_deal(agreed, deal):
            clause, holds = OTHERWISE.get(deal["end"], ("R66", _nothing))
            assert holds(agreed, totals, deal), (clause, deal)
            assert deal["waiting"] == waiting
        else:
            before = sum(pool["points"] for pool in waiting)
            assert sum(deal["written"]) + waits(deal) - before == sum(deal["points"]), deal
            assert is_short(agreed) <= (deal["written"] == deal["points"])  # R58
        assert_fines(agreed, deal)
        totals, waiting = deal["totals"], deal["waiting"]
    assert record["result"] is None or record["result"]["totals"] == totals


def assert_fines(agreed: Rules, deal: Deal) -> None:
    """R51: only of a deal that was played; R66: a bait's, or 100."""
    if deal["end"] not in ("played", "fault") or is_short(agreed):
        assert not any(deal["fines"])
    elif voids_deal(agreed, deal):
        offender = side_of(agreed, int(deal["actions"][-1][0]))
        assert deal["fines"] == [100 * (side == offender) for side in range(agreed.sides)]
    else:
        bait, none = agreed.bait_fine, agreed.no_tricks_fine if deal["end"] == "played" else 0
        assert set(deal["fines"]) <= {0, bait, none, bait + none}


@EVERY_PRESET
@given(st.data())
@FEW
def test_what_is_counted_is_cards_last_trick_sequences_and_bella(preset: str, data: st.DataObject) -> None:
    """R43: of a deal that was played all cards count, unless a sequence or bella needed a trick."""
    agreed = data.draw(agreements(preset))
    for turn in party(agreed, data.draw(SEEDS)):
        if not turn.ended or turn.after.party.deals[-1].end != "played":
            continue
        deal = turn.after.party.deals[-1]
        assert deal.trump is not None
        cards = sum(POINTS[deal.trump][card] for card in played_cards(deal.actions))
        extras = sum(deal.points) - cards - 10
        bella = 20 * any("+bella" in text for text in deal.actions)
        declared = sum(run.worth for runs in turn.deal.in_play.declarations.declared for run in runs or ())
        assert extras in range(0, bella + declared + 1, 10)


@EVERY_PRESET
@given(st.data())
@FEW
def test_the_dealer_is_a_function_of_the_events(preset: str, data: st.DataObject) -> None:
    agreed = data.draw(agreements(preset))
    turns = party(agreed, data.draw(SEEDS))
    last = turns[-1].after
    record: Any = record_of(last)
    dealers = [deal["dealer"] for deal in record["deals"]]
    assert dealers[:1] in ([], [record["first_dealer"]])
    if not last.over:
        dealers.append(last.deal.dealer)
    derived = [dealer_after(agreed, deal) for deal in record["deals"]]
    assert dealers[1:] == derived[: len(dealers) - 1]


def dealer_after(agreed: Rules, deal: Deal) -> int:
    """R12-R14 and R66, sentence by sentence."""
    values, seats = agreed.as_json(), agreed.players
    left = [(deal["dealer"] + step) % seats for step in range(1, seats + 1)]
    if deal["end"] == "redeal" or voids_deal(agreed, deal):
        return left[-1]
    if deal["end"] == "all_pass":
        return left[0]
    if values["hang_dealer"] == "maker" and hung(agreed, deal):
        return int(deal["maker"])
    if values["next_dealer"] == "rotate":
        return left[0]
    best = max(deal["written"])
    return next(seat for seat in left if deal["written"][side_of(agreed, seat)] == best)


def hung(agreed: Rules, deal: Deal) -> bool:
    """R47: the maker's side has exactly what it had to beat."""
    if deal["end"] != "played" or is_short(agreed):
        return False
    maker = side_of(agreed, deal["maker"])
    others = [points for side, points in enumerate(deal["points"]) if side != maker]
    return bool(deal["points"][maker] == (sum(others) if agreed.beat == "sum" else max(others)))


def test_the_parties_of_these_laws_end_in_every_way() -> None:
    """Guards the laws above against proving nothing: every end, and hangs, are among parties like theirs."""
    seen = set()
    for preset in PRESETS:
        agreed = rules_of(preset, {"illegal_move": "rules", "target": 150})
        for seed in range(25):
            for turn in party(agreed, seed):
                if turn.ended:
                    deal = turn.after.party.deals[-1]
                    record: Any = record_of(turn.after)
                    seen.add(deal.end.value)
                    seen |= {"hang"} if hung(agreed, record["deals"][-1]) else set()
    assert seen == {*OTHERWISE, "played", "fault", "hang"}

"""The bots that sample: legal at every table, the same again at fixed worlds, within their budget, and no cheats."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest

from engine import PartySetup, Rules, apply, legal_actions, observe, start
from engine.bots import HOUSE, HOUSE_VERSIONS, THINKERS, UnknownBot, house, plays
from engine.bots.knowledge import WHOLE_PACK, Knowledge
from engine.bots.pimc import Pimc
from engine.bots.sampling import BUDGET_MS, worth_weighing
from engine.bots.solver import Solver
from engine.bots.worlds import hidden_of
from engine.fast.deal import PLAYED, FastDeal
from engine.fast.hidden import Hidden
from engine.fast.outcome import HANG, Outcome
from engine.fast.terms import terms_of
from engine.fast.weighing import ahead
from engine.presets import PRESETS
from engine.view import View
from tests.engine.agreements import FULL
from tests.engine.notation import SEED, deck, go, rules, table

PLIES = 400 if FULL else 45
"""So many turns of a party are played."""

NAMES = ("pimc:worlds=2", "solver:worlds=2")


def walk(name: str, agreed: Rules) -> int:
    """A party of this bot against itself, legal and the same again; returns how many turns it had."""
    bot, at = house(name), start(PartySetup(agreed, SEED))
    for turn in range(PLIES):
        if (seat := at.seat_to_act) is None:
            return turn
        view = observe(at, seat)
        chosen = bot.choose(view, random.Random(at.ply))
        assert chosen in legal_actions(at)
        assert chosen is house(name).choose(view, random.Random(at.ply))
        at = apply(at, chosen)
    return PLIES


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("preset", PRESETS)
def test_sampling_bots_play_every_table_that_they_say(name: str, preset: str) -> None:
    agreed = rules(preset)
    if plays(name, agreed):
        assert walk(name, agreed)
    else:
        with pytest.raises(ValueError, match="solver is for two players"):
            walk(name, agreed)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "overrides",
    [
        {"offer": "fifty", "target": 200},
        {"obligation": "on", "declare": "auto", "target": 200},
        {"seven_swap": "buy_in", "declare_until": "second_card", "false_close": "nothing", "target": 100},
        {"redeal_poor": 40, "redeal_four_sevens": "on", "bella_when": "pair_card", "target": 200},
        {"jackpot": {"length": 6, "trumps_only": False, "from_ace": False, "first_cards": True, "prize": "party"}},
        {"hang": "forced", "hundred": 5, "buy_in": 4, "bella_to": "halves"},
    ],
)
def test_sampling_bots_play_other_agreements(name: str, overrides: dict[str, object]) -> None:
    assert walk(name, rules(**overrides))


def test_raises_and_offers_are_answered() -> None:
    """In Short with dava, and with fifties, both phases come up and are played."""
    for agreed, words in ((rules("short_dava/2"), ("dava",)), (rules("fifties/2"), ("offer", "no_offer"))):
        said = set()
        for seed in range(6):
            at = start(PartySetup(agreed, bytes([seed]) * 32))
            for _ in range(40):
                if at.seat_to_act is None:
                    break
                chosen = house("pimc:worlds=3").choose(observe(at, at.seat_to_act), random.Random(seed))
                said.add(chosen.text)
                at = apply(at, chosen)
        assert said.intersection(words)


def view_of(actions: str, **overrides: object) -> View:
    at = go(
        table(deck("JH 9H AH TH AC TC 7D 8D 9D", "7C 8C 9C JD QD KD 7S 8S 9S", "8H"), agreed=rules(**overrides)),
        actions,
    )
    assert at.seat_to_act is not None
    return observe(at, at.seat_to_act)


def test_a_budget_is_kept_by_the_clock_given() -> None:
    """Every look at the clock costs a millisecond here: so many looks, so many worlds, and then an answer."""
    looks = count()
    bot = Pimc(budget_ms=20, clock=lambda: next(looks) / 1000)
    assert bot.choose(view_of("take declare"), random.Random(1)) in view_of("take declare").legal
    assert next(looks) <= 22


def test_without_time_for_a_world_greedy_answers() -> None:
    looks = count()
    view = view_of("take declare")
    assert Pimc(budget_ms=1, clock=lambda: next(looks)).choose(view, random.Random(1)) is house("greedy").choose(
        view, random.Random(1)
    )


def test_a_solver_out_of_positions_plays_its_worlds_out(monkeypatch: pytest.MonkeyPatch) -> None:
    view = view_of("take declare")
    with monkeypatch.context() as patch:
        patch.setattr("engine.bots.solver.LIMIT", 1)
        assert Solver(worlds=4).choose(view, random.Random(1)) in view.legal


@pytest.mark.parametrize("bot", [Pimc(worlds=4), Solver(worlds=4)], ids=["pimc", "solver"])
def test_where_no_world_fits_greedy_answers(bot: Pimc | Solver, monkeypatch: pytest.MonkeyPatch) -> None:
    def contradictory(known: Knowledge) -> Hidden:
        hidden = hidden_of(known)
        hidden.absent[1 - known.view.seat] = WHOLE_PACK
        return hidden

    view = view_of("take declare")
    with monkeypatch.context() as patch:
        patch.setattr("engine.bots.sampling.hidden_of", contradictory)
        assert bot.choose(view, random.Random(1)) is house("greedy").choose(view, random.Random(1))


@pytest.mark.parametrize("bot", [Pimc(worlds=20), Solver(worlds=20)], ids=["pimc", "solver"])
def test_the_answer_hangs_on_the_view_alone(bot: Pimc | Solver) -> None:
    """The dealer's hidden cards changed, his played one apart: the eldest's view is the same, and the answer."""
    views = []
    for dealer in ("7C 8C 9C JD QD KD 7S 8S TS", "7C JS QS KD JC QC TD AD AS"):
        at = go(table(deck("JH 9H AH TH AC TC 7D 8D 9D", dealer, "8H", bottom="9S")), "take JH 7C")
        views.append(observe(at, 0))
    assert views[0] == views[1]
    assert bot.choose(views[0], random.Random(3)) is bot.choose(views[1], random.Random(3))


@pytest.mark.parametrize("bot", [Pimc(worlds=20), Solver(worlds=20)], ids=["pimc", "solver"])
def test_sampling_bots_bid_on_a_good_hand_only(bot: Pimc | Solver) -> None:
    good, bad = view_of(""), view_of("pass")
    assert bot.choose(good, random.Random(1)).text == "take"
    assert bot.choose(bad, random.Random(1)).text == "pass"


def test_a_party_that_can_be_closed_is_closed() -> None:
    """R55: 490 points and a trick with the jack: closing wins at once, in every world."""
    at = table(deck("JH 9H AH TH AC TC 7D 8D 9D", "7C 8C 9C JD QD KD 7S 8S 9S", "8H"), totals=(490, 0))
    at = go(at, "take JH 7C")
    view = observe(at, 0)
    assert "close" in [action.text for action in view.legal]
    assert Pimc(worlds=20).choose(view, random.Random(1)).text == "close"


def test_a_point_too_few_is_not_closed() -> None:
    """R56: 480 and the jack's 20 are 500: closing loses the party."""
    at = table(deck("JH 9H AH TH AC TC 7D 8D 9D", "7C 8C 9C JD QD KD 7S 8S 9S", "8H"), totals=(480, 0))
    at = go(at, "take JH 7C")
    assert Pimc(worlds=20).choose(observe(at, 0), random.Random(1)).text != "close"


@pytest.mark.parametrize(
    ("preset", "overrides", "totals", "winner"),
    [
        ("moscow/2", {}, (520, 480), 0),
        ("moscow/2", {}, (480, 500), -1),
        ("moscow/2", {"both_reach": "highest"}, (510, 530), 1),
        ("moscow/2", {"both_reach": "highest"}, (530, 530), -1),
        ("moscow/2", {"both_reach": "last_trick"}, (530, 510), 1),
        ("moscow/2", {"both_reach": "last_trick"}, (530, 500), 0),
        ("moscow/2", {"both_reach": "maker"}, (510, 530), 0),
        ("moscow/2", {"both_reach": "maker"}, (500, 530), 1),
        ("fifties/2", {}, (260, 10), 0),
        ("fifties/2", {}, (260, 11), -1),
    ],
)
def test_r52_r54_who_wins_by_a_deal(
    preset: str, overrides: dict[str, object], totals: tuple[int, int], winner: int
) -> None:
    """Seat 0 made it, seat 1 took the last trick; nothing is written beside these totals."""
    assert by_totals(rules(preset, **overrides), totals) == winner


def test_r49_points_that_wait_may_reach_the_target() -> None:
    assert by_totals(rules("moscow/2"), (480, 400), taker=0, waiting=20) == -1
    assert by_totals(rules("moscow/2"), (480, 400), taker=0, waiting=21) == 0


def test_r53_a_hang_ends_no_party() -> None:
    blocked = rules("moscow/2", hang_blocks_end="on")
    assert by_totals(blocked, (520, 480), verdict=HANG) == -1
    assert by_totals(blocked, (520, 480)) == 0


def by_totals(agreed: Rules, totals: tuple[int, ...], taker: int = -1, waiting: int = 0, verdict: int = 0) -> int:
    deal, outcome = FastDeal(terms_of(agreed)), Outcome()
    deal.totals, deal.end, deal.maker, deal.leader = [*totals, 0, 0], PLAYED, 0, 1
    outcome.verdict = verdict
    return ahead(deal, outcome, taker, waiting)


def test_one_solver_for_each_thread() -> None:
    """Four threads ask at once what one asked alone: as plain Python they take turns in the midst of a search."""
    views, bot = [view_of("take"), view_of("take declare JH 7C")], Solver(worlds=4)
    alone = [bot.choose(view, random.Random(1)) for view in views]
    with ThreadPoolExecutor(4) as threads:
        asked = [threads.submit(bot.choose, views[n % 2], random.Random(1)) for n in range(24)]
    assert [answer.result() for answer in asked] == alone * 12


def test_equal_cards_are_weighed_once() -> None:
    """Seven and eight of diamonds touch, the nine is beside them: one of the three is enough."""
    texts = [action.text for action in worth_weighing(view_of("take declare"))]
    assert "play:9H" in texts
    assert len({"play:7D", "play:8D", "play:9D"} & set(texts)) == 1


def test_settings_stand_behind_the_name() -> None:
    assert isinstance(house("pimc:worlds=40"), Pimc)
    assert house("pimc:worlds=40").worlds == 40  # type: ignore[attr-defined]
    assert house("solver:budget_ms=20").budget_ms == 20  # type: ignore[attr-defined]
    assert house("pimc").budget_ms == BUDGET_MS  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "name",
    [
        "pimc:",
        "pimc:worlds",
        "pimc:worlds=0",
        "pimc:worlds=-1",
        "pimc:worlds=1000000001",
        "pimc:budget_ms=" + "9" * 5000,
        "pimc:depth=3",
        "greedy:worlds=1",
    ],
)
def test_settings_that_do_not_exist_are_refused(name: str) -> None:
    with pytest.raises(UnknownBot, match="setting"):
        house(name)


def test_a_bot_has_a_budget_or_a_number_of_worlds() -> None:
    with pytest.raises(ValueError, match="either budget_ms or worlds"):
        Pimc(budget_ms=10, worlds=10)
    with pytest.raises(ValueError, match="from 1"):
        Pimc(worlds=0)
    with pytest.raises(ValueError, match="to 1000000000"):
        Pimc(budget_ms=10**400)


def test_every_house_bot_has_a_version() -> None:
    assert list(HOUSE_VERSIONS) == list(HOUSE)
    assert set(HOUSE) - THINKERS == {"random", "greedy"}
    assert plays("solver", rules("moscow/2"))
    assert not plays("solver:worlds=3", rules("moscow/3"))
    assert plays("pimc", rules("klabor/pairs"))

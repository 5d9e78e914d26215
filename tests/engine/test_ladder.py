"""The ladder: boards that are the same from every side, figures worked by hand, intervals that keep their level."""

import json
import math
import random
import sys
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

import pytest

from engine import View, suits_of
from engine.__main__ import main
from engine.actions import Action
from engine.bots import house
from engine.cards import SUITS, texts_of
from engine.deal import Phase
from engine.ladder import (
    Board,
    Duel,
    Estimate,
    Tally,
    elo_difference,
    exposures,
    mean_of,
    play_board,
    saving_of,
    telling,
)
from engine.ladder.boards import board_rules, margin_of, play_between, seed_of
from engine.ladder.climbing import LOOKS, Plan, climb, step_of
from engine.ladder.elo import elo_of, score_of, tally_of
from engine.ladder.estimates import t_quantile
from engine.ladder.places import fitted, places
from engine.ladder.playing import crew_of, play_boards
from engine.presets import PRESETS

GREEDY_RANDOM = ("greedy", "random")


def test_every_seating_of_two_bots() -> None:
    assert exposures(2) == ((0, 1), (1, 0))
    assert exposures(3) == ((0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
    assert len(exposures(4)) == 8


@pytest.mark.parametrize(
    ("seating", "paid", "margin"),
    [
        ((0, 1), (100, 62), 38),
        ((1, 0), (100, 62), -38),
        ((0, 1, 1), (60, 30, 10), 2 * 60 - 30 - 10),  # 40 points, in halves
        ((1, 0, 0), (60, 30, 10), 30 + 10 - 2 * 60),
        ((0, 1, 1, 1), (9, 0, 3, 6), 3 * 9 - 0 - 3 - 6),  # 6 points, in thirds
    ],
)
def test_margin_of_an_exposure(seating: tuple[int, ...], paid: tuple[int, ...], margin: int) -> None:
    assert margin_of(seating, paid) == margin


def test_points_and_verdict_of_a_board() -> None:
    assert (Board(0, (38, -10), 1).points, Board(0, (38, -10), 1).verdict) == (14.0, 1)
    assert (Board(0, (10, -40, 0, 0, 0, 0), 2).points, Board(0, (10, -40, 0, 0, 0, 0), 2).verdict) == (-2.5, -1)
    assert Board(0, (5, -5), 1).verdict == 0
    assert tally_of([Board(0, (1, 0), 1), Board(1, (0, 0), 1), Board(2, (0, 2), 1)]) == Tally(2, 1, 0)


@dataclass
class Watching:
    """Plays as greedy does and keeps, for every exposure, the dealer and the hands on which the first deal is bid."""

    seen: list[dict[int, tuple[int, list[str]]]] = field(default_factory=list)

    def choose(self, view: View, rng: random.Random) -> Action:
        if view.ply == 0:
            self.seen.append({})
        if view.phase is Phase.BID and view.deal == 0:
            self.seen[-1][view.seat] = view.dealer, texts_of(view.hand)
        return house("greedy").choose(view, rng)


@pytest.mark.parametrize("preset", ["moscow/2", "site/3", "house/4", "klabor/pairs"])
def test_r70_every_exposure_is_the_same_deal_in_other_suits(preset: str) -> None:
    bot, duel = Watching(), Duel(preset, ("watching", "watching"))
    sides = board_rules(preset, 1).sides
    for number in range(5):
        bot.seen.clear()
        play_between(duel, bot, bot, number)
        assert len(bot.seen) == len(exposures(sides))
        found: dict[int, tuple[int, set[str]]] = {}
        for exposure, seen in enumerate(bot.seen):
            back = str.maketrans(suits_of(seed_of(duel, number), exposure), SUITS)
            for seat, (dealer, hand) in seen.items():
                dealt = dealer, {card.translate(back) for card in hand}
                assert found.setdefault(seat, dealt) == dealt
        assert found[1][0] == 0


def test_a_bot_is_no_better_than_itself() -> None:
    boards = [play_board(Duel("moscow/2", ("greedy", "greedy")), number) for number in range(40)]
    assert mean_of([board.points for board in boards]).low <= 0 <= mean_of([board.points for board in boards]).high


@pytest.mark.parametrize("preset", PRESETS)
def test_a_board_of_every_preset_is_the_same_again(preset: str) -> None:
    duel = Duel(preset, GREEDY_RANDOM)
    assert play_board(duel, 3) == play_board(duel, 3)
    assert play_board(duel, 3).margins != play_board(duel, 4).margins


def test_a_board_of_more_deals_counts_them() -> None:
    assert board_rules("site/3", 3).deals == 3
    assert play_board(Duel("site/3", GREEDY_RANDOM, deals=3), 0).unit == 2 * 3
    assert play_board(Duel("short/3", GREEDY_RANDOM, deals=3), 0).unit == 2


def test_processes_play_the_same_boards() -> None:
    duel = Duel("site/3", GREEDY_RANDOM, seed="shared")
    with crew_of(2) as crew:
        assert play_boards(crew, duel, range(3, 12)) == play_boards(None, duel, range(3, 12))


@pytest.mark.parametrize(
    ("level", "freedom", "t"),
    [
        (0.95, 1, 12.706),
        (0.95, 2, 4.303),
        (0.95, 4, 2.776),
        (0.95, 9, 2.262),
        (0.99, 10, 3.169),
        (0.95, 30, 2.042),
        (0.90, 120, 1.658),
        (0.95, 100_000, 1.960),
    ],
)
def test_quantiles_of_student_as_tables_have_them(level: float, freedom: int, t: float) -> None:
    assert t_quantile(level, freedom) == pytest.approx(t, abs=0.0006)


def test_mean_by_hand() -> None:
    """2 4 4 4 5 5 7 9: mean 5, squares about it 32, so s² = 32/7 and the error √(32/7/8) = 0.756; t of 7 is 2.365."""
    mean = mean_of([2, 4, 4, 4, 5, 5, 7, 9])
    assert mean.value == 5
    assert (mean.low, mean.high) == (pytest.approx(5 - 1.788, abs=0.001), pytest.approx(5 + 1.788, abs=0.001))
    assert mean.half == pytest.approx(1.788, abs=0.001)


def test_elo_and_scores() -> None:
    """Ten to one are 400; three to one 190.85 = 400 · log10 3."""
    assert elo_of(10 / 11) == pytest.approx(400)
    assert elo_of(0.75) == pytest.approx(190.85, abs=0.01)
    assert (elo_of(0.5), elo_of(0), elo_of(1)) == (0, -math.inf, math.inf)
    assert score_of(elo_of(0.3)) == pytest.approx(0.3)


def test_elo_difference_by_hand() -> None:
    """15 won, 5 lost: odds 15½ to 5½, log 1.0361, error √(1/15½ + 1/5½) = 0.4963, t of 20 is 2.086, 173.72 a unit."""
    elo = elo_difference(Tally(15, 0, 5))
    assert elo.value == pytest.approx(190.85, abs=0.01)
    assert elo.low == pytest.approx(173.72 * (1.0361 - 2.086 * 0.4963), abs=0.1)
    assert elo.high == pytest.approx(173.72 * (1.0361 + 2.086 * 0.4963), abs=0.1)
    mirrored = elo_difference(Tally(5, 0, 15)).swapped()
    assert (mirrored.low, mirrored.high) == (pytest.approx(elo.low), pytest.approx(elo.high))


def test_draws_are_half_wins_and_say_more_than_wins_and_losses() -> None:
    drawn, fought = elo_difference(Tally(5, 10, 5)), elo_difference(Tally(10, 0, 10))
    assert drawn.value == fought.value == 0
    assert drawn.half < fought.half


def test_a_perfect_score_has_a_lower_bound_only() -> None:
    """Ten of ten: a score below 0.025^(1/10) = 0.6915 brings it about less often than once in 40; 140.3 in Elo."""
    perfect = elo_difference(Tally(10, 0, 0))
    assert (perfect.value, perfect.high) == (math.inf, math.inf)
    assert perfect.low == pytest.approx(140.3, abs=0.1)
    assert elo_difference(Tally(0, 0, 10)) == perfect.swapped() == Estimate(-math.inf, -math.inf, -perfect.low)


@pytest.mark.parametrize(
    ("elo", "said"),
    [
        (Estimate(math.inf, 120, math.inf), "at least +120"),
        (Estimate(-math.inf, -math.inf, -120), "at most -120"),
        (Estimate(300, 120, math.inf), "+300 (+120 or more)"),
        (Estimate(-300, -math.inf, -120), "-300 (-120 or less)"),
        (Estimate(30, -12, 72), "+30 (-12 to +72)"),
    ],
)
def test_a_bound_is_said_where_it_is_all_that_is_known(elo: Estimate, said: str) -> None:
    assert telling.said_elo(elo) == said


def covered(estimate: Estimate, truth: float) -> bool:
    return estimate.low <= truth <= estimate.high


@pytest.mark.parametrize("shape", ["normal", "skewed", "stakes"])
def test_intervals_of_means_keep_their_level(shape: str) -> None:
    """2 000 samples of 40 boards: between 93 and 97 of 100 intervals hold the truth, 0."""
    rng = random.Random(f"means {shape}")
    draws = {
        "normal": lambda: rng.gauss(0, 60),
        "skewed": lambda: rng.expovariate(1 / 40) - rng.expovariate(1 / 40),
        "stakes": lambda: rng.choice((-2, -1, -1, 1, 1, 2)),
    }
    hits = sum(covered(mean_of([draws[shape]() for _ in range(40)]), 0) for _ in range(2000))
    assert 0.93 <= hits / 2000 <= 0.97


@pytest.mark.parametrize(("win", "draw", "boards"), [(0.5, 0, 40), (0.4, 0.3, 40), (0.75, 0.05, 60), (0.9, 0.02, 100)])
def test_intervals_of_elo_keep_their_level(win: float, draw: float, boards: int) -> None:
    """2 000 duels: between 93 and 98 of 100 intervals hold the truth; scores are few, so never exactly 95."""
    rng, truth, hits = random.Random(f"elo {win} {draw}"), elo_of(win + draw / 2), 0
    for _ in range(2000):
        results = rng.choices((1, 0, -1), (win, draw, 1 - win - draw), k=boards)
        tally = Tally(results.count(1), results.count(0), results.count(-1))
        hits += covered(elo_difference(tally), truth)
    assert 0.93 <= hits / 2000 <= 0.98


def test_two_bots_are_as_far_apart_as_their_score() -> None:
    """29 of 40 and the drawn board beside them: 29½ to 11½, 400 · log10(29½ / 11½) = 163.65."""
    strengths = fitted(("a", "b"), {("b", "a"): Tally(29, 0, 11)})
    assert strengths["a"] == 1
    assert strengths["b"] == pytest.approx(29.5 / 11.5)
    assert 400 * math.log10(strengths["b"]) == pytest.approx(163.65, abs=0.01)


def test_three_bots_by_hand() -> None:
    """Scores that odds of 1 to 2 to 6 explain exactly are explained by them, each pair's drawn board counted in."""
    tallies = {("b", "a"): Tally(39, 1, 19), ("c", "b"): Tally(59, 1, 19), ("c", "a"): Tally(119, 1, 19)}
    strengths = fitted(("a", "b", "c"), tallies)
    assert strengths["b"] == pytest.approx(2, rel=1e-4)
    assert strengths["c"] == pytest.approx(6, rel=1e-4)


def boards_of(verdicts: list[int]) -> list[Board]:
    return [Board(number, (verdict, 0), 1) for number, verdict in enumerate(verdicts)]


def test_who_never_lost_stands_at_least_where_its_boards_put_it() -> None:
    stand = places(("a", "b"), {("b", "a"): boards_of([1] * 20)})
    assert stand["a"] == Estimate(0, 0, 0)
    assert stand["b"] == elo_difference(Tally(20, 0, 0))
    assert places(("b", "a"), {("b", "a"): boards_of([1] * 20)})["a"] == elo_difference(Tally(0, 0, 20))


def test_who_lost_by_way_of_others_stands_somewhere() -> None:
    """c has lost nothing to a but something to b, and b to a: so far away is c, or more."""
    met = {("b", "a"): [1] * 39 + [-1], ("c", "b"): [1] * 30 + [-1] * 10, ("c", "a"): [1] * 40}
    stand = places(("a", "b", "c"), {pair: boards_of(verdicts) for pair, verdicts in met.items()})
    assert math.isfinite(stand["c"].value)
    assert stand["c"].low < stand["c"].value < stand["c"].high == math.inf


@pytest.mark.parametrize(
    ("gaps", "boards"), [((100, 100), 60), ((500,), 48), ((600,), 48), ((700,), 48), ((800,), 48), ((450, 250), 48)]
)
def test_intervals_of_places_keep_their_level(gaps: tuple[int, ...], boards: int) -> None:
    """40 ladders: at least 85 of 100 intervals hold the truth, near the ends of the scale, too, and none is a point."""
    rng, hits = random.Random(f"ladders {gaps}"), 0
    elos = {"abc"[at]: sum(gaps[:at]) for at in range(len(gaps) + 1)}
    for _ in range(40):
        met = {
            (one, other): boards_of(
                [1 if rng.random() < score_of(elos[one] - elos[other]) else -1 for _ in range(boards)]
            )
            for other, one in combinations(elos, 2)
        }
        stand = places(tuple(elos), met)
        hits += sum(covered(stand[bot], elo) for bot, elo in elos.items() if bot != "a")
        assert all(stand[bot].low < stand[bot].high for bot in elos if bot != "a")
    assert hits / (40 * len(gaps)) >= 0.85


def test_saving_by_hand() -> None:
    """10 0, 0 6, 4 2, 2 4: one deal varies by (56/3 + 20/3)/2 = 12⅔, a board's mean by 1: worth 12⅔ ÷ 2 as many."""
    rows = [(10, 0), (0, 6), (4, 2), (2, 4)]
    saving = saving_of(Duel("moscow/2", GREEDY_RANDOM), [Board(at, row, 1) for at, row in enumerate(rows)])
    assert saving.single == pytest.approx((38 / 3) ** 0.5)
    assert saving.board == pytest.approx(1)
    assert saving.ratio.value == pytest.approx(38 / 6)


def test_boards_without_chance_save_everything() -> None:
    rows = [Board(at, (at, 7 - at), 1) for at in range(6)]
    assert saving_of(Duel("moscow/2", GREEDY_RANDOM), rows).ratio == Estimate(math.inf, math.inf, math.inf)


@pytest.mark.parametrize(("shared", "ratio"), [(0.0, 1.0), (0.6, 2.5)])
def test_saving_is_what_the_exposures_have_in_common(shared: float, ratio: float) -> None:
    """Two exposures whose cards tell with opposite signs in that correlation: the ratio is 1 ÷ (1 - shared)."""
    rng, boards = random.Random(f"saving {shared}"), []
    for number in range(1500):
        cards = rng.gauss(0, 1000 * shared**0.5)
        one, other = (round(rng.gauss(sign * cards, 1000 * (1 - shared) ** 0.5)) for sign in (1, -1))
        boards.append(Board(number, (one, other), 1))
    assert covered(saving_of(Duel("moscow/2", GREEDY_RANDOM), boards).ratio, ratio)


def test_looking_often_calls_few_things_a_step() -> None:
    """Two equal bots, looked at until a step is seen: at most 5 of 100 times one is, 400 tries."""
    rng, plan, steps = random.Random("looks"), Plan(("a", "b"), 8, "0", 1, True), 0
    duel = Duel("moscow/2", ("b", "a"))
    for _ in range(400):
        boards = [Board(at, (rng.choice((-9, -3, 3, 9)), 0), 1) for at in range(plan.boards << LOOKS - 1)]
        looks = (boards[: plan.boards << look] for look in range(LOOKS))
        steps += any(step_of(duel, seen, plan.level).significant for seen in looks)
    assert steps / 400 <= 0.05


def test_greedy_stands_above_random_and_the_ladder_stops_there() -> None:
    ladder = climb(None, "moscow/2", Plan(("random", "greedy"), 10, "0", 1, True))
    assert ladder.climbs
    assert ladder.steps[0].bots == ("random", "greedy")
    assert ladder.steps[0].tally.boards <= 10 << LOOKS - 1
    assert ladder.steps[0].deals == 2 * ladder.steps[0].tally.boards
    assert ladder.elo["random"].value == 0 < ladder.elo["greedy"].low


ASKED = ("ladder", "--rules", "moscow/2,short/3", "--boards", "20", "--processes", "1", "--bots")


def test_the_command_prints_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*ASKED, "random,greedy"]) == 0
    said = capsys.readouterr().out
    assert main([*ASKED, "random,greedy"]) == 0
    assert capsys.readouterr().out == said
    assert "| bot    | Elo above random" in said
    assert "| greedy over random | 20     | 40    | +" in said
    assert "stakes a deal" in said
    assert said.count(" yes ") == 2


def test_who_waits_at_a_terminal_is_told_how_far_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    main([*ASKED, "random,greedy", "--json"])
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2
    assert told[0].startswith("greedy over random: +")
    assert told[0].endswith(" on 20 boards; significant: yes")


@pytest.mark.parametrize("bots", ["greedy,pimc:worlds=4", "greedy,pimc:worlds=4,solver:worlds=2"])
def test_bots_that_play_a_table_climb_it(bots: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Worlds counted, not timed: the same figures on every machine; `solver` is left out where three play."""
    main(["ladder", "--rules", "moscow/2,site/3", "--bots", bots, "--boards", "2", "--processes", "1", "--json"])
    for ladder in json.loads(capsys.readouterr().out)["ladders"]:
        assert ladder["plan"]["bots"] == bots.split(",")[: 2 if ladder["rules"] == "site/3" else None]


def test_a_step_down_is_said_and_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*ASKED, "greedy,random"]) == 1
    assert capsys.readouterr().out.count(" no ") == 2


def test_figures_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*ASKED, "random,greedy", "--json", "--variance", "2"]) == 0
    figures = json.loads(capsys.readouterr().out)
    ladders = figures["ladders"]
    assert figures["savings"][0]["boards"] == 2
    assert [ladder["rules"] for ladder in ladders] == ["moscow/2", "short/3"]
    assert ladders[0]["steps"][0]["points"]["low"] > 0


def test_the_page_says_how_it_was_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "strength.md"
    assert main([*ASKED, "random,greedy", "--variance", "2", "--write", str(path)]) == 0
    page, said = path.read_text(encoding="utf-8"), capsys.readouterr().out
    assert f"--bots random,greedy --boards 20 --deals 1 --seed 0 --variance 2 --write {path}" in page
    tables = [line for line in said.splitlines() if line.startswith("|")]
    assert [line for line in page.splitlines() if line.startswith("|")] == tables
    assert sum("greedy over random" in line for line in tables) == 2
    assert sum("greedy and random" in line for line in tables) == 4
    assert main([*ASKED, "random,greedy", "--until-significant", "--write", str(path)]) == 0
    assert "neighbours play until it is" in path.read_text(encoding="utf-8")
    assert "What duplicate boards save" not in path.read_text(encoding="utf-8")


def test_the_page_is_written_after_every_ladder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, pages = tmp_path / "strength.md", []
    kept = Path.write_text
    monkeypatch.setattr(Path, "write_text", lambda self, text, **how: pages.append(text) or kept(self, text, **how))
    assert main([*ASKED, "random,greedy", "--variance", "2", "--write", str(path)]) == 0
    assert [page.count("greedy over random") for page in pages] == [1, 2, 2]
    assert ["Not finished" in page for page in pages] == [True, True, False]


def test_a_seed_that_is_no_text_is_written_as_it_can_be(tmp_path: Path) -> None:
    path = tmp_path / "strength.md"
    assert main([*ASKED, "random,greedy", "--seed", "\udcff", "--write", str(path)]) in (0, 1)
    assert "\\udcff" in path.read_text(encoding="utf-8")


def test_a_page_and_figures_come_from_the_same_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "strength.md"
    assert main([*ASKED, "random,greedy", "--json", "--write", str(path)]) == 0
    points = json.loads(capsys.readouterr().out)["ladders"][0]["steps"][0]["points"]["value"]
    assert f"{points:+.1f} (" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--bots", "random,brave"), "there is no house bot 'brave'"),
        (("--bots", "random"), "--bots random: expected two or more, all different, that play moscow/2"),
        (("--bots", "random,random"), "expected two or more, all different"),
        (("--rules", "nowhere/2"), "there is no preset 'nowhere/2'"),
        (("--boards", "1"), "--boards 1: expected 2 or more"),
        (("--boards", "9" * 23), "expected 2 or more, 1000000 at most"),
        (("--processes", "5000"), "--processes 5000: expected 1 or more, 1000 at most"),
        (("--write", "/nowhere/at/all.md"), "--write /nowhere/at/all.md: there is no folder /nowhere/at"),
        (("--write", "/"), "Is a directory"),
        (("--deals", "0"), "--deals 0: expected 1 or more"),
        (("--processes", "0"), "--processes 0: expected 1 or more"),
        (("--variance", "1"), "--variance 1: expected 2 or more"),
    ],
)
def test_what_cannot_be_measured_is_said(
    arguments: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ladder", *arguments]) == 2
    assert says in capsys.readouterr().err

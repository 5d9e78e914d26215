"""`python -m engine bench` at a tiny size: figures that can be right. How fast anything is, is not asked."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import replace

import pytest

from engine.benchmarks.command import PARTS, absent_parts
from engine.benchmarks.figures import Figure, Measure, Size, measured, share
from engine.benchmarks.limit import limit_program, run_limit
from engine.benchmarks.own import TABLES, core, step_through
from engine.benchmarks.peers import peer_measures
from engine.benchmarks.report import GOALS, number, told, told_shares
from engine.benchmarks.shares import UNIT, parts_of
from engine.presets import rules_of
from tests.engine.test_building import can_compile
from tests.engine.test_command_line import engine

PEERS = {"OpenSpiel": "pyspiel", "colver": "colver"}
TINY = ("--runs", "1", "--seconds", "0.001")


def figure(what: str, value: float, by: str = "compiled", unit: str = "deals/s") -> Figure:
    return Figure(what, "moscow/2", by, value, value / 2, value * 2, unit)


def test_every_table_is_measured_by_batch_step_and_reference() -> None:
    done = engine("bench", "--only", "own,reference", "--json", *TINY)
    assert (done.returncode, done.stderr) == (0, "")
    said = json.loads(done.stdout)
    assert said["core"] == core()
    seen = {(one["what"], one["on"]): one["value"] for one in said["figures"]}
    expected = {(what, name) for what in ("batch", "step", "batch, greedy", "reference") for name in TABLES}
    assert set(seen) == expected
    assert all(value > 0 for value in seen.values())


def test_what_searches_is_measured() -> None:
    said = json.loads(engine("bench", "--only", "thinkers", "--json", *TINY).stdout)
    seen = {(one["what"], one["on"], one["unit"]): one["value"] for one in said["figures"]}
    assert all(value > 0 for value in seen.values())
    assert set(seen) == {
        ("solver, median deal", "moscow/2", "ms"),
        ("solver, p95 deal", "moscow/2", "ms"),
        ("solver", "moscow/2", "worlds in 50 ms"),
        *(("pimc", name, "worlds in 50 ms") for name in TABLES),
    }


def test_the_rest_is_printed_for_people() -> None:
    """Peers that are not here are named; where the core is compiled, its plain form is measured beside it."""
    done = engine("bench", "--only", "own,plain,peers,limit,shares", *TINY)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"the core is {core()}" in done.stdout
    lines = [line for line in done.stdout.splitlines() if line.startswith("batch ")]
    assert len(lines) == len(TABLES) * (2 if core() == "compiled" else 1)
    assert len([line for line in done.stdout.splitlines() if line.startswith("Where the batch's time goes at ")]) == 4
    for name, module in PEERS.items():
        absent = f"{name} is not installed here" in done.stdout
        assert absent == (importlib.util.find_spec(module) is None)
        assert any(name in line and "deals/s" in line for line in done.stdout.splitlines()) is not absent
    with limit_program() as program:
        assert any(line.startswith("limit ") for line in done.stdout.splitlines()) == (program is not None)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--only", "own,everything"), "--only everything: expected some of own, "),
        (("--runs", "0"), "expected at least one run"),
        (("--seconds", "-1"), "expected at least one run, of more than 0 s"),
        (("--seconds", "nan"), "expected at least one run, of more than 0 s"),
    ],
)
def test_what_cannot_be_measured_is_said_in_a_line(arguments: tuple[str, ...], says: str) -> None:
    done = engine("bench", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_figure_is_the_median_of_its_runs() -> None:
    """Each run is of as many as take about as long as asked for; the clock is the measure's own here."""
    took = iter([1.0, 2.0, 4.0, 1.0])
    (seen,) = measured([Measure("x", "y", "z", lambda n: n * next(took))], Size(runs=3, seconds=1.0))
    assert (seen.value, seen.low, seen.high) == (0.5, 0.25, 1.0)


def test_a_share_of_values() -> None:
    values = [float(value) for value in range(100, 0, -1)]
    assert share(values, 0.95) == 96.0
    assert share([3.0], 0.95) == 3.0


def test_the_limit_plays_the_game() -> None:
    """A pack is thrown in when both pass twice: one of 64; whoever is maker makes about as often as not."""
    with limit_program() as program:
        if program is None:
            assert not can_compile()
            return
        seen = run_limit(program, 100_000, seed=7)
    assert seen["deals"] == 100_000
    assert seen["thrown_in"] + seen["made"] + seen["bait"] + seen["hang"] == 100_000
    assert 1_400 < seen["thrown_in"] < 1_730
    assert 45_000 < seen["made"] < 53_000
    assert 19 < seen["decisions"] / 100_000 < 21
    assert 90 < seen["written"] / seen["deals"] < 190


def test_steps_play_as_many_deals_as_asked() -> None:
    """A deal is about as many decisions as the limit in C counts."""
    rules = rules_of("moscow/2", {"deals": 2})
    assert 19 < step_through(rules, 400) / 400 < 21
    assert 19 < step_through(rules, 800) / 800 < 21


def test_those_peers_are_measured_that_are_here() -> None:
    """In the suite's own environment there are none; `make bench-peers` has them, and the proof of speed says so."""
    measures = peer_measures()
    here = {name for name, module in PEERS.items() if importlib.util.find_spec(module)}
    assert {one.by.split()[0] for one in measures} == here
    assert all(one.run(1) > 0 for one in measures)


def test_what_is_said_of_figures() -> None:
    rows = [figure("batch", 900_000.0), figure("step", 44_000.0), figure("limit", 1_800_000.0, "C")]
    lines = told(rows)
    assert lines[0].split() == ["what", "game", "by", "median", "lowest", "highest", "÷", "limit"]
    assert " ".join(lines[1].split()) == "batch moscow/2 compiled 900 000 450 000 1 800 000 deals/s 0.500"
    assert lines[-2:] == [
        "Goal of 800 000 deals/s for batch at moscow/2: met",
        "Goal of 45 000 deals/s for step at moscow/2: missed",
    ]
    solved = replace(figure("solver, p95 deal", 5.0), unit="ms")
    assert told([solved])[-1] == "Goal of 6 ms for solver, p95 deal at moscow/2: met"
    assert {name for _, name, _ in GOALS} <= set(TABLES)
    assert number(0.123456) == "0.123"


def test_what_is_missing_is_said() -> None:
    assert absent_parts(("limit", "peers"), []) == [
        "No limit in C: there is no C compiler here",
        "OpenSpiel is not installed here (make bench-peers)",
        "colver is not installed here (make bench-peers)",
    ]
    assert (
        absent_parts(PARTS, [figure("limit", 1.0, "C"), figure("step", 1.0, "OpenSpiel"), figure("x", 1, "colver")])
        == []
    )


def test_parts_of_the_time_sum_to_the_whole() -> None:
    took = {
        "dealt": 200.0,
        "played": 900.0,
        "counted": 1_000.0,
        "by turns": 950.0,
        "asked twice": 1_100.0,
        "chosen twice": 1_250.0,
        "rows": 1_100.0,
        "batch": 1_250.0,
    }
    parts = parts_of(took)
    assert sum(parts.values()) == pytest.approx(1_250.0)
    assert parts["legal actions"] == pytest.approx(150.0)
    assert parts["step"] == pytest.approx(400.0)
    assert parts_of({**took, "counted": 880.0})["outcome"] == 0.0
    rows = [replace(figure(what, value, unit=UNIT), low=value, high=value) for what, value in parts.items()]
    (line,) = told_shares(rows)
    assert line.startswith("Where the batch's time goes at moscow/2, compiled, 1 250 ns a deal: ")
    assert "step 32%" in line

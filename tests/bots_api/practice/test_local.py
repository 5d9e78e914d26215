"""`python -m bots_api.local`: strength with its interval, at home, without a server or a database."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from bots_api.local import main
from tests.bots_api.conformance import programs as are
from tests.bots_api.conformance.test_check import SECRET, deserted, run
from tests.rogues.program import Program


def test_strength_is_told_with_its_interval_and_records_are_written(tmp_path: Path) -> None:
    file = tmp_path / "boards.jsonl"
    with Program(are.well) as program:
        told = run(
            "bots_api.local", "--bot", program.url, "--vs", "house:greedy", "--boards", "6", "--record", str(file)
        )
    assert told.returncode == 0, told
    said = " ".join(told.stdout.split())
    assert "6 boards, 12 parties of moscow/2" in said
    assert "points a deal more than house:greedy (95 %:" in said
    assert "no faults" in said
    assert len(file.read_text().splitlines()) == 12
    verified = subprocess.run(
        [sys.executable, "-m", "engine", "verify", str(file)], capture_output=True, text=True, check=True
    )
    assert "12 verified" in verified.stdout


def test_two_programs_meet_and_programs_can_read_the_figures(capsys: pytest.CaptureFixture[str]) -> None:
    with ExitStack() as running:
        first, second = (running.enter_context(Program(are.well)) for _ in range(2))
        bots = ["--bot", first.url, "--bot", second.url, "--secret", SECRET]
        assert main([*bots, "--rules", "moscow/3", "--boards", "3", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["rules"], report["boards"], report["parties"]) == ("moscow/3", 3, 18)
    assert [player["name"] for player in report["players"]] == [first.url, second.url]
    # Two of one program, which leaves nothing to chance, come out even on every board.
    assert report["points_a_deal"] == {"value": 0.0, "low": 0.0, "high": 0.0}
    assert (report["boards_won"], report["boards_drawn"], report["boards_lost"]) == (0, 3, 0)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--vs", "house:deep"], "expected one of house:random, house:greedy"),
        (["--rules", "chess/2"], "--rules chess/2"),
        (["--rules", "house/4", "--vs", "house:solver"], "does not play house/4"),
        (["--boards", "1"], "expected 2 to"),
        (["--record", "/nowhere/at/all"], "No such file"),
        ([], "does not echo a ping"),
    ],
)
def test_what_cannot_be_played_is_said_first(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert main(["--bot", deserted(), *arguments]) == 2
    assert said in capsys.readouterr().err

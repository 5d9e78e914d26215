"""`python -m bots_api.local`: strength with its interval, at home, without a server or a database."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from bots_api.local import main
from deploy.embedded.paths import PROJECT
from tests.bots_api.conformance import programs as are
from tests.bots_api.conformance.test_check import NOWHERE, SECRET, deserted, run
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


def test_a_program_that_forfeits_is_told_so_before_any_figure(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with Program(are.but(are.is_decision, are.says({}, 500))) as program:
        bot = ["--bot", program.url, "--secret", SECRET, "--boards", "2"]
        assert main(bot) == 1
        said = " ".join(capsys.readouterr().out.split())
        assert main([*bot, "--json"]) == 1
    assert said.index("4 of 4 parties were forfeited: this is no measure of play.") < said.index("points a deal more")
    assert "stronger" not in said
    report = json.loads(capsys.readouterr().out)
    assert (report["is_measure_of_play"], report["forfeits"], report["players"][0]["forfeits"]) == (False, 4, 4)


def test_whoever_reads_no_further_is_shown_no_traceback() -> None:
    with Program(are.well) as program:
        command = [sys.executable, "-m", "bots_api.local", "--bot", program.url, "--boards", "2"]
        environment = {**os.environ, **NOWHERE, "SECRET": SECRET}
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=PROJECT, env=environment
        ) as running:
            assert running.stdout is not None
            assert running.stderr is not None
            assert "against house:greedy" in running.stdout.readline()
            running.stdout.close()
            assert (running.stderr.read(), running.wait(60)) == ("", 2)


def test_a_record_is_there_as_soon_as_its_board_is_over(tmp_path: Path) -> None:
    """Whatever becomes of the run: the second board is never told."""
    file = tmp_path / "boards.jsonl"
    file.write_text("of an earlier run")
    with Program(are.well) as program, pytest.MonkeyPatch.context() as patch:
        patch.setattr("bots_api.practice.account.Account.add", interrupts)
        assert main(["--bot", program.url, "--secret", SECRET, "--boards", "2", "--record", str(file)]) == 2
    assert [json.loads(line)["record"] for line in file.read_text().splitlines()][:2] == ["manela/1"] * 2


def interrupts(*_: object) -> None:
    raise KeyboardInterrupt

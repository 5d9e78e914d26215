"""`python -m bots_api.check`: a grade on the terminal and an exit status, where neither server nor database is."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from base64 import b64encode

import pytest

from bots_api.check import main
from bots_api.conformance import CASES
from deploy.embedded.paths import PROJECT
from tests.bots_api.conformance import programs as are
from tests.rogues.program import Program

SECRET = "whsec_" + b64encode(are.KEY).decode()
NOWHERE = {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing", "BROKER_URL": "redis://127.0.0.1:1/0"}


def run(module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command of ours in a process of its own, where neither a database nor a broker is."""
    return subprocess.run(
        [sys.executable, "-m", module, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=PROJECT,
        env={**os.environ, **NOWHERE, "COLUMNS": "100", "SECRET": SECRET},
        check=False,
    )


def deserted() -> str:
    """An address at which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}/"


def test_a_good_program_is_told_that_it_may_play() -> None:
    with Program(are.well) as program:
        told = run("bots_api.check", program.url)
    assert told.returncode == 0, told
    assert f"Passed {len(CASES)} of {len(CASES)}. It may play." in told.stdout
    assert told.stderr == ""


def test_a_failure_is_shown_with_request_reply_and_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    with Program(are.FAULTY["tables"]()) as program:
        assert main([program.url, "--secret", SECRET]) == 1
    said = " ".join(capsys.readouterr().out.replace("│", " ").split())
    for part in ("✗ tables", "moscow/3", "is right at each of them", '"players":3', "HTTP 500", "It may not play yet."):
        assert part in said


def test_json_has_every_case_whole(capsys: pytest.CaptureFixture[str]) -> None:
    with Program(are.FAULTY["ping"]()) as program:
        assert main([program.url, "--secret", SECRET, "--json"]) == 1
    grade = json.loads(capsys.readouterr().out)
    assert [case["code"] for case in grade["cases"]] == [case.code for case in CASES]
    assert (grade["may_play"], grade["passed"], grade["tried"]) == (False, 0, 1)
    assert grade["cases"][0]["reply"] == 'HTTP 200\n{"challenge": "yours"}'


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["http://10.0.0.1/"], "not an address on the open internet"),
        (["ftp://localhost/"], "begins with"),
        (["http://localhost:9000/", "--secret", "whsec_short"], "expected whsec_"),
        (["http://localhost:9000/", "--secret", b64encode(are.KEY).decode()], "expected whsec_"),
    ],
)
def test_what_cannot_be_called_is_said(capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    assert main(arguments) == 2
    assert said in capsys.readouterr().err


def test_where_nobody_answers_the_status_is_two(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([deserted()]) == 2
    said = capsys.readouterr().out
    assert "No connection" in said
    assert "Passed 0 of 1" in said

"""`python -m engine`, run as a program."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def engine(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "engine", *arguments]
    return subprocess.run(command, input=given, capture_output=True, text=True, cwd=ROOT, timeout=60, check=False)


@pytest.fixture(scope="module")
def records() -> str:
    return engine("random", "moscow/2", "3", "--seed", "1", "--set", "target=150").stdout


def test_random_makes_records_that_verify(records: str) -> None:
    lines = records.splitlines()
    assert [json.loads(line)["rules"] for line in lines] == ["moscow/2@1"] * 3
    assert json.loads(lines[0])["overrides"] == {"target": 150}
    done = engine("verify", "-", given=records)
    assert done.returncode == 0
    assert done.stdout.splitlines() == [f"stdin line {number}: ok" for number in (1, 2, 3)] + ["3 verified"]


def test_random_is_reproducible(records: str) -> None:
    assert engine("random", "moscow/2", "3", "--seed", "1", "--set", "target=150").stdout == records
    assert engine("random", "moscow/2", "3", "--seed", "2", "--set", "target=150").stdout != records


def test_verify_reads_a_record_a_list_and_lines(records: str, tmp_path: Path) -> None:
    lines = records.splitlines()
    one, many, rows = tmp_path / "one.json", tmp_path / "many.json", tmp_path / "rows.jsonl"
    one.write_text(json.dumps(json.loads(lines[0]), indent=1))
    many.write_text(json.dumps([json.loads(line) for line in lines]))
    rows.write_text("\n".join([*lines, ""]) + "\n")
    done = engine("verify", str(one), str(many), str(rows))
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "7 verified"
    assert done.stdout.splitlines()[0] == f"{one}: ok"


def test_verify_names_the_first_difference(records: str) -> None:
    record = json.loads(records.splitlines()[0])
    record["deals"][0]["totals"][1] += 1
    done = engine("verify", "-", given=json.dumps(record))
    totals = json.loads(records.splitlines()[0])["deals"][0]["totals"][1]
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        f"stdin: deal 0, totals.1: expected {totals}, found {totals + 1}",
        "0 verified, 1 refused",
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{}\n{", "stdin line 2 is not JSON"),
        ("[1]", "stdin record 1: a record is a JSON object, not 1"),
        ("7", "stdin: a record is a JSON object"),
        ("[" * 100_000, "stdin line 1 is not JSON"),
        ("1" * 5000, "stdin line 1 is not JSON"),
    ],
)
def test_malformed_input_is_a_clear_error(text: str, says: str) -> None:
    done = engine("verify", "-", given=text)
    assert done.returncode in (1, 2)
    assert says in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("verify", "no such file"), "no such file cannot be read"),
        (("random", "klabor/2", "1"), "not played by this engine yet"),
        (("random", "moscow/2", "1", "--set", "target=0"), "target cannot be 0"),
        (("random", "moscow/2", "1", "--set", "target"), "expected OPTION=VALUE"),
        (("play", "--bots", "human"), "expected 2 of human, random, greedy"),
        (("play", "--bots", "human,brave"), "expected 2 of human, random, greedy"),
    ],
)
def test_what_cannot_be_done_is_said(arguments: tuple[str, ...], says: str) -> None:
    done = engine(*arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_nothing_to_verify_is_no_success() -> None:
    assert engine("verify", "-").returncode == 1


def test_play_asks_again_and_ends_politely() -> None:
    done = engine("play", "--bots", "greedy,human", "--seed", "1", given="nonsense\nplay:7C\npass\n")
    assert done.returncode == 0
    assert "'nonsense' is no action" in done.stdout
    assert "is not for now" in done.stdout
    assert "you may: take pass" in done.stdout
    assert done.stdout.endswith("No more input: the party stops here.\n")


def test_play_to_the_end_with_open_hands() -> None:
    done = engine("play", "--bots", "greedy,random", "--seed", "4", "--show", "--set", "deals=2")
    assert done.returncode == 0
    assert done.stdout.count(", upcard ") >= 2
    assert "(deals)" in done.stdout.splitlines()[-1]


def test_play_shows_the_hand_of_a_claim() -> None:
    """Bots of chance claim what they may; R21's hand is among what is printed."""
    agreed = ("--set", "deals=20", "--set", "redeal_poor=200", "--seed", "1")
    done = engine("play", "--bots", "random,random", "--show", *agreed)
    lines = done.stdout.splitlines()
    claims = [at for at, line in enumerate(lines) if line.endswith(" redeal")]
    assert claims
    for at in claims:
        assert lines[at + 1].startswith(f"  ! show {lines[at].split()[0]} ")
        assert lines[at + 2].startswith("--- redeal: ")
    assert lines[-2].startswith("--- ")
    assert " play:" in lines[-3]


def test_a_reader_that_has_enough_is_no_error() -> None:
    """The pipe closes after the first line; nothing is printed to stderr."""
    read, write = os.pipe()
    command = [sys.executable, "-m", "engine", "random", "moscow/2", "400", "--set", "target=50"]
    with subprocess.Popen(command, stdout=write, stderr=subprocess.PIPE, text=True, cwd=ROOT) as program:
        os.close(write)
        os.read(read, 10)
        os.close(read)
        assert program.stderr is not None
        assert program.stderr.read() == ""
        assert program.wait(timeout=30) == 0

"""The verifiers in `docs/verify/` against the engine and each other (R67-R70).

1 000 vectors; with `PROOF_FULL` set in the environment, 10 000.
"""

import importlib.util
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from engine import PartySetup, apply, commitment, default_action, entropy_of, lot, pack_of, record_of, rules_of, start
from engine.cards import SUITS, format_card
from tests.node import node

FOLDER = Path(__file__).parents[2] / "docs" / "verify"
PYTHON, JAVASCRIPT = FOLDER / "verify_deal.py", FOLDER / "verify_deal.mjs"
COUNT = 10_000 if os.environ.get("PROOF_FULL") else 1_000
SEED = bytes(range(32)).hex()
# One process for all vectors: reads them from stdin, answers with a list.
DRIVER = f"""
import {{ readFileSync }} from "node:fs";
import {{ main }} from {json.dumps(JAVASCRIPT.as_uri())};
const found = [];
for (const asked of JSON.parse(readFileSync(0, "utf8"))) found.push(await main(asked));
console.log(JSON.stringify(found));
"""


def verifier() -> ModuleType:
    spec = importlib.util.spec_from_file_location("verify_deal", PYTHON)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(*command: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, input=given, capture_output=True, text=True, timeout=120, check=False)


def vector(rng: random.Random) -> tuple[dict[str, object], list[str]]:
    """What the engine gives, and how the verifiers are asked for it."""
    seed, number, seats = rng.randbytes(32), rng.choice((rng.randrange(50), rng.randrange(2**32))), rng.randint(2, 4)
    parts = [rng.randbytes(rng.choice((0, 1, 32, 64))) for _ in range(rng.randint(0, 4))]
    suits, entropy = "".join(rng.sample(SUITS, 4)), entropy_of(parts)
    expected = {
        "commitment": commitment(seed),
        "entropy": entropy.hex(),
        "first_dealer": lot(seed, seats),
        "pack": [format_card(card) for card in pack_of(seed, entropy, number, suits)],
    }
    sent = f"parts={','.join(part.hex() for part in parts)}" if rng.random() < 0.5 else f"entropy={entropy.hex()}"
    return expected, [f"seed={seed.hex()}", sent, f"number={number}", f"suits={suits}", f"seats={seats}"]


def test_r67_python_javascript_and_the_engine_agree() -> None:
    rng = random.Random("verifiers")
    expected, asked = zip(*(vector(rng) for _ in range(COUNT)), strict=True)
    python = verifier()
    assert [python.main(arguments) for arguments in asked] == list(expected)
    done = run(node(), "--input-type=module", "-e", DRIVER, given=json.dumps(asked))
    assert done.stderr == ""
    assert json.loads(done.stdout) == list(expected)


@pytest.fixture(scope="module")
def commands() -> tuple[tuple[str, ...], ...]:
    return (sys.executable, "-I", "-S", str(PYTHON)), (node(), str(JAVASCRIPT))


@pytest.mark.parametrize(
    "asked",
    [
        (f"seed={SEED}",),
        (f"seed={SEED}", "parts=aa,,bb", "number=7", "suits=SHDC", "seats=3"),
        (f"seed={SEED}", f"entropy={SEED}", "number=4294967295", "seats=4"),
    ],
)
def test_both_command_lines_print_the_same(commands: tuple[tuple[str, ...], ...], asked: tuple[str, ...]) -> None:
    python, javascript = (run(*command, *asked) for command in commands)
    assert (python.returncode, python.stderr) == (0, "")
    assert python.stdout == javascript.stdout
    assert json.loads(python.stdout)["commitment"] == commitment(bytes.fromhex(SEED))


@pytest.mark.parametrize(
    "asked",
    [
        (),
        ("seed=abc",),
        ("seed=" + SEED[:-2],),
        (f"seed={SEED}", "number=-1"),
        (f"seed={SEED}", "number=4294967296"),
        (f"seed={SEED}", "number=x"),
        (f"seed={SEED}", "seats=0"),
        (f"seed={SEED}", "suits=CCHS"),
        (f"seed={SEED}", "entropy=aa"),
        (f"seed={SEED}", "parts=a"),
        ("record=/there/is/no/such/file",),
    ],
)
def test_both_refuse_what_makes_no_sense(commands: tuple[tuple[str, ...], ...], asked: tuple[str, ...]) -> None:
    for command in commands:
        done = run(*command, *asked)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({}, []),
        ({"commitment": "00" * 32}, ["commitment"]),
        ({"first_dealer": 2}, ["first_dealer"]),
        ({"suits": "SHDC"}, ["deal 0", "deal 1"]),
        ({"entropy": SEED}, ["deal 0", "deal 1"]),
    ],
)
def test_both_check_a_record(
    commands: tuple[tuple[str, ...], ...], tmp_path: Path, change: dict[str, object], wrong: list[str]
) -> None:
    rules = rules_of("moscow/2", {"deals": 2, "obligation": "on"})
    table = start(PartySetup(rules, bytes.fromhex(SEED), suits="DCHS"))
    while not table.over:
        table = apply(table, default_action(table))
    record = record_of(table)
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record | change))
    assert [json.loads(run(*command, f"record={file}").stdout) for command in commands] == [{"wrong": wrong}] * 2

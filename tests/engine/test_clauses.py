"""Every clause that the playable presets use is named by a test, and by the module that holds it."""

import re
from pathlib import Path

HERE = Path(__file__).parent
ENGINE = HERE.parents[1] / "engine"

# R6 to R71 as far as they concern two players of moscow and kharkov, or an option that may be set for them.
# Not here: R18, R48 (forced deals), R25 (jackpots), R30 (three players), R58-R60 (Short, dava),
# R61-R63 (stakes and marks), R64-R66 (faults): options this engine refuses by name, or another module's.
CLAUSES = [*range(1, 18), *range(19, 25), *range(26, 30), 31, 32, *range(33, 48), *range(49, 58), *range(67, 72)]
EXAMPLES = [*range(1, 20), 22, 23, 24, 25]


def named_in(texts: list[str], letter: str) -> set[int]:
    """Numbers of clauses or examples that tests are named by, or name where they list their cases."""
    found = {int(number) for text in texts for number in re.findall(rf"\b{letter}(\d+)\b", text)}
    return found | {
        int(n)
        for text in texts
        for name in re.findall(r"def test_(\w+)", text)
        for n in re.findall(rf"(?:^|_){letter.lower()}(\d+)(?=_|$)", name)
    }


def test_clauses_without_a_test() -> None:
    texts = [path.read_text() for path in HERE.glob("test_*.py") if path != Path(__file__)]
    assert [f"R{clause}" for clause in CLAUSES if clause not in named_in(texts, "R")] == []
    assert [f"E{example}" for example in EXAMPLES if example not in named_in(texts, "E")] == []


def test_clauses_without_a_module() -> None:
    texts = [path.read_text() for path in ENGINE.glob("*.py")]
    ranges = [(int(a), int(b)) for text in texts for a, b in re.findall(r"R(\d+)-R(\d+)", text)]
    named = named_in(texts, "R") | {clause for first, last in ranges for clause in range(first, last + 1)}
    assert [f"R{clause}" for clause in CLAUSES if clause not in named] == []


def test_the_readme_says_where_each_clause_is() -> None:
    text = (ENGINE / "README.md").read_text()
    ranges = [(int(a), int(b)) for a, b in re.findall(r"R(\d+)-R(\d+)", text)]
    named = named_in([text], "R") | {clause for first, last in ranges for clause in range(first, last + 1)}
    assert [f"R{clause}" for clause in CLAUSES if clause not in named] == []
    for row in re.findall(r"^\|.*\|$", text, re.MULTILINE):
        for module in re.findall(r"`(\w+\.py)`", row):
            assert (ENGINE / module).exists(), module


def test_modules_stay_short() -> None:
    assert [path.name for path in ENGINE.rglob("*.py") if len(path.read_text().splitlines()) > 400] == []

"""Every clause of the rule book is named by a test, and by the module that holds it."""

import re
from pathlib import Path

HERE = Path(__file__).parent
ENGINE = HERE.parents[1] / "engine"

# R64 is for the pencil and the paper at a live table: no program and no page does it.
CLAUSES = [clause for clause in range(1, 72) if clause != 64]
EXAMPLES = range(1, 26)


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

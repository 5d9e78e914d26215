"""What is handed out to be read: short, narrow, and without anything that would have to be installed."""

from __future__ import annotations

import pytest

from tests.proofs.examples import LONGEST, WIDEST, foreign_to, width_of
from tests.starters.programs import CALLED, CALLING, EXAMPLES


@pytest.mark.parametrize("name", [*CALLED, *CALLING])
def test_a_starter_fits_a_screen_and_needs_its_language_alone(name: str) -> None:
    program = EXAMPLES / name
    assert len(program.read_text(encoding="utf-8").splitlines()) <= LONGEST < 40
    assert width_of(program) <= WIDEST
    assert foreign_to(program) == set()


def test_each_of_them_is_tried() -> None:
    assert {path.name for path in EXAMPLES.iterdir() if path.is_file()} == {*CALLED, *CALLING}

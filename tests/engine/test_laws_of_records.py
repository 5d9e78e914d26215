"""What `python -m engine random` writes, `python -m engine verify` accepts, at every preset."""

from pathlib import Path

import pytest

from engine.__main__ import main
from engine.presets import PRESETS

PARTIES = 6
"""Of each preset; `make proof` takes 300."""


@pytest.mark.parametrize("preset", PRESETS)
def test_random_records_verify(preset: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["random", preset, str(PARTIES), "--seed", "7"]) == 0
    records = tmp_path / "records.jsonl"
    records.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["verify", str(records)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"{PARTIES} verified"

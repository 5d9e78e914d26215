"""A database that stood before there were stages: its running tournament goes on as it was."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest

from deploy.embedded.paths import PROJECT

NAME = "manela_of_old"


@contextmanager
def fresh_database(server: str) -> Iterator[str]:
    """An empty database beside the test's own."""
    address, mark, options = server.partition("?")
    with psycopg.connect(server, autocommit=True) as session:
        session.execute(f"DROP DATABASE IF EXISTS {NAME}")
        session.execute(f"CREATE DATABASE {NAME}")
        try:
            yield f"{address.rpartition('/')[0]}/{NAME}{mark}{options}"
        finally:
            session.execute(f"DROP DATABASE {NAME} WITH (FORCE)")


@pytest.fixture
def carried_over(database_url: str, broker: dict[str, str]) -> dict[str, object]:
    with fresh_database(database_url) as url:
        done = subprocess.run(
            [sys.executable, "-m", "tests.tournaments.services.old_rows"],
            cwd=PROJECT,
            env={**os.environ, **broker, "DATABASE_URL": url},
            capture_output=True,
            text=True,
        )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_running_tournament_with_byes_is_carried_over(carried_over: dict[str, object]) -> None:
    assert carried_over == {
        "stage": ["running", "round_robin", True],
        "entries": [[1, "Olha"], [2, "Petro"], [3, "Roman"]],
        "entrants": [1, 2, 3],
        "byes": [[1, [3], "zero_bye", [0]], [2, [2], "zero_bye", [0]], [3, [1], "zero_bye", [0]]],
        "pairings": [
            ["decided", ""],
            ["bye", "zero_bye"],
            ["open", ""],
            ["bye", "zero_bye"],
            ["open", ""],
            ["bye", "zero_bye"],
        ],
        "settled": True,
        "rounds": [["closed", "public", None], ["released", "public", None], ["released", "public", None]],
        "ids": 9,
        "tournament": ["running", True, 32],
        "tie_breaks": ["wins", "direct_encounter", "point_difference"],
    }

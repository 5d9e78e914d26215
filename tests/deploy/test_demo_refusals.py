"""What the demo cannot work with is told in a sentence, before anything is started or changed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from deploy.demo_stage import DemoFailed, free_port
from deploy.embedded.paths import PROJECT
from tests.deploy.test_demo import environment

WITHIN_S = 60
SECRET = "fritz7"


def refused(var: Path, module: str = "deploy.demo", *options: str, **variables: str) -> str:
    """What the program said on its way out; it must end with status 1 and no traceback."""
    run = subprocess.run(
        [sys.executable, "-m", module, *options],
        cwd=PROJECT,
        env=environment(var) | variables,
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
    )
    said = run.stdout + run.stderr
    assert run.returncode == 1, said
    assert "Traceback" not in said
    assert SECRET not in said
    return said


def a_file(folder: Path) -> Path:
    (folder / "var").touch()
    return folder / "var"


def below_a_file(folder: Path) -> Path:
    return a_file(folder) / "deeper"


def where_nobody_may_write(_: Path) -> Path:
    return Path("/proc/manela")  # root may write everywhere else


@pytest.mark.parametrize("place", [a_file, below_a_file, where_nobody_may_write])
@pytest.mark.parametrize("module", ["deploy.demo", "deploy.embedded"])
def test_a_var_folder_that_cannot_be_one(tmp_path: Path, module: str, place: Callable[[Path], Path]) -> None:
    var = place(tmp_path)
    assert f"MANELA_VAR is {var}: expected a folder" in refused(var, module)


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"MATCH_LANES": "abc"}, "MATCH_LANES is 'abc': expected a whole number"),
        ({"MANELA_EMBEDDED": "maybe"}, "MANELA_EMBEDDED is 'maybe'"),
        ({"DATABASE_URL": f"mysql://u:{SECRET}@localhost/x"}, "DATABASE_URL has the scheme 'mysql'"),
        ({"DATABASE_URL": f"postgresql://u:{SECRET}@localhost:port/x"}, "DATABASE_URL is no address"),
        ({"BROKER_URL": f"amqp://u:{SECRET}@localhost/"}, "BROKER_URL has the scheme 'amqp'"),
        ({"BROKER_URL": f"redis://u:{SECRET}@127.0.0.1:1/0"}, "BROKER_URL leads to no broker: "),
    ],
    ids=lambda case: next(iter(case)) if isinstance(case, dict) else None,
)
def test_a_variable_that_cannot_be_followed(
    tmp_path: Path, broker: dict[str, str], database_url: str, variables: dict[str, str], words: str
) -> None:
    assert words in refused(tmp_path, **({"DATABASE_URL": database_url} | broker | variables))


def test_a_database_that_refuses_is_named_first_and_without_its_password(
    tmp_path: Path, broker: dict[str, str]
) -> None:
    said = refused(tmp_path, DATABASE_URL=f"postgresql://anna:{SECRET}@127.0.0.1:1/cards", **broker)
    assert said.startswith("  Database   cards at 127.0.0.1:1 as anna, by DATABASE_URL\n")
    assert "DATABASE_URL leads to cards at 127.0.0.1:1 as anna, which fails: " in said


def test_a_database_that_does_not_exist(tmp_path: Path, broker: dict[str, str], database_url: str) -> None:
    with psycopg.connect(database_url) as session:
        told = session.info
        url = f"postgresql:///nowhere?host={told.host}&user={told.user}&port={told.port}"
    assert 'database "nowhere" does not exist' in refused(tmp_path, DATABASE_URL=url, **broker)


@pytest.mark.parametrize("port", ["0", "80", "1023", "65536", "-1", "many"])
def test_a_port_that_is_none(port: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "deploy.demo", f"--port={port}"], cwd=PROJECT, capture_output=True, text=True, timeout=30
    )
    assert run.returncode == 2
    assert f"expected a port from 1024 to 65535, not '{port}'" in run.stderr


def test_no_port_is_looked_for_beyond_the_last_one() -> None:
    with pytest.raises(DemoFailed, match="No free port"):
        free_port(65_536)

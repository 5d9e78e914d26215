"""One server for the tests that only call it; whoever ends or starves one has another."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.pull_program import Served, serving


@pytest.fixture(scope="package")
def server(session_env: dict[str, str]) -> Iterator[Served]:
    with serving(session_env) as served:
        yield served


@pytest.fixture(scope="package")
def elsewhere(session_env: dict[str, str]) -> Iterator[Served]:
    """A second process on the same rows."""
    with serving(session_env) as served:
        yield served

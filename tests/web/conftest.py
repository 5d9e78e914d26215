"""One evening, played once for all pages: committed, so that the lane's own thread sees it, and flushed at the end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.quicker import empty_tables
from tests.web.evening import Evening, hold_evening


@pytest.fixture(scope="module")
def evening(django_db_setup: None, django_db_blocker, broker_urls: dict[str, str]) -> Iterator[Evening]:
    with django_db_blocker.unblock():
        yield hold_evening()
        empty_tables()

"""The permutation test: cards that somebody does not see lie elsewhere, and not a byte that he gets is another one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.leaks.comparing import OWNERS, compare
from tests.leaks.evening import Terms

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(900)]


def test_nothing_that_leaves_the_service_tells_of_hidden_cards_before_they_are_revealed(
    child_env: dict[str, str], tmp_path: Path
) -> None:
    compared = compare(Terms(), child_env, tmp_path, OWNERS)
    assert "\n".join(compared.leaks) == ""
    assert compared.parties == 5
    assert compared.changed == 2 * compared.parties
    assert compared.answers > 500
    assert compared.opened >= compared.parties, "what is revealed must differ, or the worlds do not"

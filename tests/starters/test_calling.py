"""The starters that call: a match over a line that breaks again and again, and the end of a token."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from engine import verify
from matches.core.clocks import Control
from matches.lane import drive
from matches.models import Match, Party, PartyEvent
from tests.bots_api.pull.calling import caller
from tests.deploy.processes import within
from tests.pull_program import Served, serving
from tests.rogues.matches import match_of
from tests.starters.cutting import CuttingLine
from tests.starters.programs import CALLING, Starter, started

pytestmark = pytest.mark.django_db(transaction=True)
STREAM_BYTES = 4_000
"""Some three decisions; the last one is cut in two."""
LOST_REPLY = 5


@pytest.fixture(scope="module")
def server(session_env: dict[str, str]) -> Iterator[Served]:
    with serving(session_env) as served:
        yield served


def test_every_starter_plays_a_match_over_a_line_that_breaks(server: Served, tmp_path: Path) -> None:
    callers = {name: caller() for name in CALLING}
    for one in callers.values():
        match_of(one.version.agent, control=Control.CLASSIC)
    with ExitStack() as running:
        lines, starters = {}, {}
        for name, one in callers.items():
            lines[name] = running.enter_context(CuttingLine(server.base_url, STREAM_BYTES, LOST_REPLY))
            starters[name] = running.enter_context(started(tmp_path, name, lines[name].url, TOKEN=one.token))
        assert drive(slots=4, seconds=120) == len(CALLING)
    assert set(Match.objects.values_list("status", flat=True)) == {"finished"}
    assert [verify(party.record) for party in Party.objects.all()] == [None] * 2 * len(CALLING)
    assert not PartyEvent.objects.exclude(cause="")
    for name, line in lines.items():
        assert line.streams_cut > 1, name
        assert line.replies_lost > 1, name
        assert '"replayed"' in starters[name].output.replace("'", '"'), starters[name].output


def refused(starter: Starter) -> bool:
    return starter.has_ended and bool(starter.process.returncode) and "token" in starter.output


def test_a_starter_says_so_and_ends_where_its_token_is_not_good(server: Served, tmp_path: Path) -> None:
    for name in CALLING:
        with started(tmp_path, name, server.base_url, TOKEN="mnl_nobody") as starter:
            assert within(20, lambda starter=starter: refused(starter)), (name, starter.output)

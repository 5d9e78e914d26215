"""An examinee at an address: the tables, the line, and what was overheard of its faults."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from bots_api.conformance.line import Line
from bots_api.conformance.program import Examinee, Exchange
from bots_api.delivery_log import Delivered
from bots_api.endpoints import Endpoint
from bots_api.models import PUSH
from bots_api.practice import Numbers, PracticeSeat
from bots_api.practice.programs import Gone, NextNumber, nothing_follows
from bots_api.practice.table import tables
from bots_api.transport import open_transport
from matches.lag import LagMeter

OK: Final = "ok"


class _Faults:
    """The last thing that went wrong with each decision."""

    def __init__(self) -> None:
        self._lines: dict[str, Delivered] = {}

    def log(self, line: Delivered) -> None:
        if line.outcome != OK:
            self._lines[line.message_id] = line

    async def of(self, decision_id: str) -> Exchange:
        line = self._lines.get(decision_id)
        if line is None:
            return Exchange()
        status = f"HTTP {line.status}\n" if line.status else ""
        return Exchange(line.request, status + line.reply, line.detail)


@asynccontextmanager
async def examinee_at(
    endpoint: Endpoint, next_number: NextNumber | None = None, gone: Gone = nothing_follows
) -> AsyncIterator[Examinee]:
    """`next_number`: numbers of whoever else calls this program; without it they are counted here."""
    faults, number = _Faults(), next_number or Numbers().next
    seat = PracticeSeat(PUSH, endpoint.agent_id, "")
    async with (
        tables({endpoint.agent_id: endpoint}, faults.log, number, gone) as agents,
        open_transport(LagMeter()) as transport,
    ):
        yield Examinee(seat, agents, faults.of, Line(endpoint, transport, number, gone))

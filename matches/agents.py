"""How a lane reaches the programs at the seats: by the setting SEAT_AGENTS, one class per kind of agent.

House programs live in `matches.house`; programs reached over the network live in another room.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self

from django.conf import settings
from django.utils.module_loading import import_string

from engine import Action, Rules, View
from engine.party import DealRecord
from matches.core.clocks import Clock
from matches.core.faults import Cause
from matches.lag import LagMeter

if TYPE_CHECKING:
    from matches.ledger import Ledger


@dataclass(frozen=True, slots=True)
class GameRef:
    """One seat's party, in the words that a program may hear. `agent_id` is ours and is never sent."""

    agent_id: int
    label: str
    game: str
    match: str
    round_number: int
    rated: bool
    control: str
    rules: Rules
    seat: int
    party: int
    commitment: str


@dataclass(frozen=True, slots=True)
class Question:
    """A seat is to act: its view, its clock, the ticket. `chance` is for house programs alone and is never sent:

    it gives the bytes that theirs is drawn from.
    """

    ref: GameRef
    decision_id: str
    view: View
    clock: Clock
    chance: Callable[[], bytes]
    may_correct: bool = True


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: a legal action, or none and the cause. `elapsed_ms` is free of our own delays.

    `tried`: the action that was answered and is not legal, with the cause `illegal`; a table may punish it (R66).
    """

    action: Action | None
    elapsed_ms: int = 0
    cause: Cause | None = None
    corrected: bool = False
    tried: Action | None = None


class Agents(Protocol):
    """All agents of one kind, as one lane reaches them. Opened and closed with the lane."""

    def __init__(self, lag: LagMeter, ledger: Ledger) -> None: ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    async def begin(self, ref: GameRef) -> None:
        """Tells the program that a game begins."""
        ...

    def expect(self, ref: GameRef) -> None:
        """Tells that this seat is asked as soon as the last answer is committed: `decide` follows."""
        ...

    async def decide(self, question: Question) -> Answer:
        """Asks for an action; every fault is an answer, never an exception."""
        ...

    def deal_over(self, ref: GameRef, deal: DealRecord) -> None:
        """Tells the program what was written for a deal, once all of it is committed; nobody waits for that."""
        ...

    async def over(self, ref: GameRef, causes: Sequence[Cause | None]) -> None:
        """What follows for the version from a game that has come to its end, before that is written.

        Whoever goes on after a kill tells it again. `causes`: its decisions in order, None where it answered well.
        """
        ...

    async def end(self, ref: GameRef, result: Mapping[str, Any]) -> None:
        """Tells the program that the game is over."""
        ...

    def leave(self, ref: GameRef) -> None:
        """Forgets what was kept of a game that is over, or that others go on with, or nobody."""
        ...


class NotPlayedHere(Exception):
    """This code cannot play for that seat, whoever asks and however often; the text says why.

    Raised by agents where a game begins or goes on: the match is set aside for an organiser.
    """


def agents_of_every_kind(lag: LagMeter, ledger: Ledger) -> dict[str, Agents]:
    """One `Agents` per kind of SEAT_AGENTS, not yet opened. `ledger` does database work outside the loop."""
    return {kind: import_string(path)(lag, ledger) for kind, path in settings.SEAT_AGENTS.items()}

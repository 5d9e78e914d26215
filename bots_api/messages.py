"""The messages of protocol §2 to §6, each made in one place whichever way it travels. Pure.

What a program is told here it may know: an observation of its own seat, and what is public at the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from django.conf import settings

from bots_api import observation
from bots_api.wire import PROTOCOL
from engine.party import DealRecord
from engine.record import deal_json
from matches.agents import GameRef, Question


class Decisions:
    """Writes the decisions of running games; what does not change during a game is written once."""

    def __init__(self) -> None:
        self._openings: dict[str, str] = {}

    def text(self, question: Question, seq: int) -> str:
        return decision(self._opening(question), question, seq)

    def around(self, question: Question) -> tuple[str, str]:
        """The text before and after the number, for whoever draws that where the text goes."""
        return around(self._opening(question), question)

    def forget(self, game: str) -> None:
        self._openings.pop(game, None)

    def _opening(self, question: Question) -> str:
        game = question.ref.game
        if game not in self._openings:
            self._openings[game] = observation.opening(question.view)
        return self._openings[game]


def decision(beginning: str, question: Question, seq: int) -> str:
    """The decision object of protocol §4, as one line: the observation and its ticket.

    `beginning`: `observation.opening` of any view of the same game.
    """
    before, after = around(beginning, question)
    return f"{before}{seq}{after}"


def around(beginning: str, question: Question) -> tuple[str, str]:
    """What stands before and after the number in a decision object."""
    ref, clock = question.ref, question.clock
    seen = observation.text(beginning, question.view)
    return (
        f'{seen[:-1]},"type":"decision","decision_id":"{question.decision_id}","seq":',
        f',"game":"{ref.game}","match":"{ref.match}","round":{ref.round_number},'
        f'"rated":{observation.truth(ref.rated)},"clock":'
        f'{{"budget_ms":{clock.rules.budget_ms},"bank_ms":{clock.bank_ms},"grace_ms":{clock.rules.grace_ms},'
        f'"hard_ms":{clock.hard_ms},"last_charged_ms":{clock.last_charged_ms},"last_rtt_ms":{clock.last_rtt_ms}}}}}',
    )


def game_start(ref: GameRef) -> dict[str, Any]:
    """`entropy` (R68) is not taken yet, in matches of whole parties neither: what is answered is not read."""
    return {
        "protocol": PROTOCOL,
        "type": "game_start",
        "game": ref.game,
        "match": ref.match,
        "rules": ref.rules.name,
        "overrides": dict(ref.rules.overrides),
        "seat": ref.seat,
        "players": ref.rules.players,
        "pairs": ref.rules.pairs,
        "commitment": ref.commitment,
        "control": ref.control,
    }


def deal_over(ref: GameRef, deal: DealRecord) -> dict[str, Any]:
    """What was written for a deal and everything that was said and played in it, all of it public at the table.

    The pack is left out: with it the cards that nobody has shown, the stock and the bottom would be told.
    """
    told = deal_json(deal)
    del told["deck"]
    return {"protocol": PROTOCOL, "type": "deal_over", "game": ref.game, "match": ref.match, "deal": told}


def game_over(ref: GameRef, result: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "protocol": PROTOCOL,
        "type": "game_over",
        "game": ref.game,
        "match": ref.match,
        "result": dict(result),
        "record_url": f"{settings.PUBLIC_URL}/api/v1/parties/{ref.game}/record",
    }


class InGame(Protocol):
    """What is of one game of a match."""

    @property
    def game(self) -> str: ...

    @property
    def match(self) -> str: ...


def decision_closed(ref: InGame, decision_id: str, played: str, cause: str) -> dict[str, Any]:
    """What was played for a program that gave no answer in time, or none that stood; nothing in an annulled match."""
    return {
        "protocol": PROTOCOL,
        "type": "decision_closed",
        "game": ref.game,
        "match": ref.match,
        "decision_id": decision_id,
        "played": played,
        "cause": cause,
    }

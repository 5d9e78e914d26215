"""The rounds of a document's stage as rows: each in a few statements, however many tables it has."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from matches.core.lifecycle import OVER, MatchStatus
from matches.models import Result, ResultSeat
from matches.services.past import Past, PastSeat, past_matches
from tournaments.exports.document import MATCH, PAIRING, RESULT, RESULT_SEAT, ROUND, SEAT
from tournaments.formats.lifecycle import RoundStatus
from tournaments.imports.shape import check_pairing, check_round
from tournaments.imports.strict import Given, cleaned, columns, expect, moment
from tournaments.models import Entry, Feed, Pairing, PairingSeat, Round, Stage
from tournaments.services.writing import plan_of

Place = tuple[int, int]
"""A table of the stage by its round and number."""


class Rounds:
    """A stage's rounds being taken in, in order. `entries`: those of the stage, by their numbers in the tournament;
    `numbers`: theirs in the stage."""

    def __init__(self, stage: Stage, entries: Mapping[int, Entry], numbers: Collection[int]) -> None:
        self.stage, self.entries, self.numbers = stage, entries, numbers
        self.tables: dict[Place, Pairing] = {}

    def take(self, given: Given) -> None:
        """One round; raises what is wrong with it."""
        drawn = cleaned(Round(stage=self.stage, **columns(Round, ROUND, given)))
        check_round(self.stage, drawn, self.numbers)
        drawn.save()
        told = given["pairings"]
        pairings = [self._pairing(drawn, one) for one in told]
        seats = []
        for pairing, one in zip(pairings, told, strict=True):
            own = self._seats(pairing, one)
            check_pairing(self.stage, pairing, own, one["match"])
            seats += own
        self._with_matches(pairings, told)
        Pairing.objects.bulk_create(pairings)
        PairingSeat.objects.bulk_create(seats)
        self._feeds(seats, [seat["feed"] for one in told for seat in one["seats"]])
        if drawn.status != RoundStatus.WITHDRAWN:
            self.tables |= {(drawn.number, pairing.number): pairing for pairing in pairings}

    def _pairing(self, drawn: Round, given: Given) -> Pairing:
        condition = given["conditional_on"]
        earlier = None if condition is None else self.tables[_place(condition)]
        return cleaned(Pairing(round=drawn, conditional_on=earlier, **columns(Pairing, PAIRING, given)))

    def _seats(self, pairing: Pairing, given: Given) -> list[PairingSeat]:
        return [
            cleaned(
                PairingSeat(
                    round=pairing.round,
                    pairing=pairing,
                    entry=None if one["entry"] is None else self.entries[one["entry"]],
                    **columns(PairingSeat, SEAT, one),
                )
            )
            for one in given["seats"]
        ]

    def _with_matches(self, pairings: Sequence[Pairing], told: Sequence[Given]) -> None:
        """What was decided is written; what was still to be played is made anew by whoever goes on here."""
        over = [
            (pairing, one)
            for pairing, one in zip(pairings, told, strict=True)
            if one["match"] is not None and MatchStatus(one["match"]["status"]) in OVER
        ]
        plans = [plan_of(self.stage, pairing, self._seated(one), secrets.token_bytes(32)) for pairing, one in over]
        matches = past_matches(plans, [_past(one["match"]) for _, one in over])
        for (pairing, _), match in zip(over, matches, strict=True):
            pairing.match = match

    def _seated(self, given: Given) -> list[Entry]:
        return [self.entries[seat["entry"]] for seat in given["seats"]]

    def _feeds(self, seats: Sequence[PairingSeat], told: Sequence[Given | None]) -> None:
        Feed.objects.bulk_create(
            cleaned(Feed(seat=seat, source=self._source(feed), **columns(Feed, ("kind", "place"), feed)))
            for seat, feed in zip(seats, told, strict=True)
            if feed is not None
        )

    def _source(self, feed: Given) -> Pairing | None:
        return None if feed["source"] is None else self.tables[_place(feed["source"])]


def _place(given: Sequence[int]) -> Place:
    number, table = given
    return number, table


def _past(given: Given) -> Past:
    result = given["result"]
    expect(set(MATCH) <= set(given), f"match: expected {', '.join(MATCH)}.")
    reason = given["status_reason"]
    expect(isinstance(reason, str) and len(reason) <= 200, "match: status_reason: expected a text.")
    ended = {} if result is None else _told(Result, RESULT, result)
    seats = [] if result is None else [_told(ResultSeat, RESULT_SEAT, one) for one in result["seats"]]
    return Past(
        status=MatchStatus(given["status"]),
        reason=reason,
        started_at=moment(given["started_at"]),
        finished_at=moment(given["finished_at"]),
        seats=tuple(PastSeat(**seat) for seat in seats),
        **ended,
    )


def _told(model: type[ResultSeat] | type[Result], names: Sequence[str], given: Given) -> dict[str, Any]:
    told = columns(model, names, given)
    cleaned(model(**told))
    return told

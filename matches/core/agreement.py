"""What people say a match ended like: the score that one side reports, and whether it could be one at all.

In text a score has a number a side, `3:1` or `120:80:-20`; a side that did not come is a dash, and one that had nothing
to do but come may be a plus: `+:-`, `-:-`. Parties won, where they are told beside the points, follow in brackets:
`420:380 (3:1)`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine import Rules
from matches.core.outcome import MatchScore, Unit, outcomes_of, unit_of
from matches.core.plan import Length, parties_of

MOST_POINTS: Final = 99_999
ABSENT: Final = "-"
THERE: Final = "+"
_SCORE = re.compile(r"(?P<points>[^()]+)(?:\((?P<parties>[^()]+)\))?")
_NUMBER = re.compile(r"[-−]?[0-9]{1,6}", re.ASCII)
_COUNT = re.compile(r"[0-9]{1,3}", re.ASCII)


class ScoreRefused(ValueError):
    """A text that is no score; `code` is stable."""

    code = "bad_score"


@dataclass(frozen=True, slots=True)
class ReportedScore:
    """A score as it is told, by side.

    `points` are in the match's unit, 0 for a side of `absent`: sides that did not come, or did not play on.
    `parties`: how many each side won, where the match counts something else and it was told.
    """

    points: tuple[int, ...]
    parties: tuple[int, ...] | None = None
    absent: frozenset[int] = frozenset()

    def agrees_with(self, other: ReportedScore) -> bool:
        """Whether both tell the same; parties that one of them leaves out do not part them."""
        if (self.points, self.absent) != (other.points, other.absent):
            return False
        return None in (self.parties, other.parties) or self.parties == other.parties


@dataclass(frozen=True, slots=True)
class ScoreTerms:
    """What a score has to fit: how many sides, what they count, how long the match is. `parties`: at the most."""

    sides: int
    unit: Unit
    length: Length
    parties: int


def terms_of(rules: Rules, length: Length, boards: int) -> ScoreTerms:
    return ScoreTerms(rules.sides, unit_of(rules), length, parties_of(length, boards, rules.players))


def forfeit_of(sides: int, absent: Sequence[int]) -> ReportedScore:
    """A score of nothing but that these sides did not come."""
    return ReportedScore((0,) * sides, absent=frozenset(absent))


def parse_score(text: str) -> ReportedScore:
    """A score from its text form; raises ScoreRefused."""
    written = _SCORE.fullmatch(text.strip())
    if written is None:
        raise ScoreRefused(f"“{text}” is no score: expected such as 3:1.")
    sides = [one.strip() for one in written["points"].split(":")]
    parties = written["parties"]
    return ReportedScore(
        points=tuple(0 if one in (ABSENT, THERE) else _whole(one, _NUMBER) for one in sides),
        parties=None if parties is None else tuple(_whole(one.strip(), _COUNT) for one in parties.split(":")),
        absent=frozenset(side for side, one in enumerate(sides) if one == ABSENT),
    )


def _whole(text: str, pattern: re.Pattern[str]) -> int:
    if not pattern.fullmatch(text):
        raise ScoreRefused(f"“{text}” is no whole number, nor - for a side that did not come.")
    return int(text.replace("−", "-"))


def format_score(score: ReportedScore) -> str:
    """The text form; `parse_score` reads it."""
    bare = bool(score.absent) and not any(score.points)
    sides = [
        ABSENT if side in score.absent else THERE if bare else str(points) for side, points in enumerate(score.points)
    ]
    parties = "" if score.parties is None else f" ({':'.join(map(str, score.parties))})"
    return ":".join(sides) + parties


def why_not_score(score: ReportedScore, terms: ScoreTerms) -> str | None:
    """Why a match on these terms cannot have ended so: what was told, and what is possible. None if it can."""
    if len(score.points) != terms.sides:
        return f"{len(score.points)} numbers were given: this match has {terms.sides} sides, and each has one."
    if unknown := sorted(score.absent - set(range(terms.sides))):
        return f"There is no side {unknown[0] + 1} that could be absent: this match has {terms.sides} sides."
    for side in sorted(score.absent):
        if score.points[side]:
            return f"Side {side + 1} is said to be absent and to have {score.points[side]}: who is absent has 0."
    return _why_not_points(score, terms) or _why_not_parties(score, terms)


def _why_not_points(score: ReportedScore, terms: ScoreTerms) -> str | None:
    if terms.unit is Unit.PARTIES:
        return _why_not_won(score, terms)
    for points in score.points:
        if abs(points) > MOST_POINTS:
            return f"{points} cannot be: {MOST_POINTS} are the most."
    total = sum(score.points)
    if terms.unit is Unit.STAKES and total and not score.absent:
        return f"The stakes add up to {total}: what some won the others lost, so that the sum is 0."
    return None


def _why_not_won(score: ReportedScore, terms: ScoreTerms) -> str | None:
    """Where parties are what is counted."""
    told = ":".join(map(str, score.points))
    if min(score.points) < 0:
        return f"{told} cannot be: nobody wins fewer than 0 parties."
    if terms.length == Length.BEST_OF:
        return _why_not_best_of(score, terms.parties, told)
    total = sum(score.points)
    if total > terms.parties:
        return f"{told} are {total} parties: this match has {terms.parties}."
    if total < terms.parties and not score.absent:
        return f"{told} are {total} parties: this match has {terms.parties}, and each of them is won by somebody."
    return None


def _why_not_best_of(score: ReportedScore, parties: int, told: str) -> str | None:
    need = parties // 2 + 1
    possible = f"best of {parties} ends {need}:0 to {need}:{need - 1}, for either side."
    if score.absent:
        return None if max(score.points) <= need else f"{told} cannot be: {need} parties win the match."
    high, low = max(score.points), min(score.points)
    if high == low:
        return f"{told} is level: {possible}"
    return None if high == need else f"{told} cannot be: {possible}"


def _why_not_parties(score: ReportedScore, terms: ScoreTerms) -> str | None:
    """Where parties are told beside the points."""
    if score.parties is None:
        return None
    told = ":".join(map(str, score.parties))
    if len(score.parties) != terms.sides:
        return f"Parties were given for {len(score.parties)} sides: this match has {terms.sides}."
    if min(score.parties) < 0 or sum(score.parties) > terms.parties:
        return f"{told} parties cannot be: this match has {terms.parties}."
    if terms.unit is Unit.PARTIES and score.parties != score.points:
        return f"The points of this match are the parties won, and {told} are others: leave the second numbers out."
    if any(score.parties[side] for side in score.absent):
        return f"{told} parties cannot be: who is absent has won none."
    return None


def outcome_of(score: ReportedScore, unit: Unit) -> MatchScore:
    """What a score that fits means: more points are better, equal ones share a place, the absent come last and lose.

    Where nobody came all have lost, and the first place is nobody's.
    """
    there = [points for side, points in enumerate(score.points) if side not in score.absent]
    last = max(2, len(there) + 1)
    places = tuple(
        last if side in score.absent else 1 + sum(other > points for other in there)
        for side, points in enumerate(score.points)
    )
    return MatchScore(
        points=score.points,
        card_points=score.points if unit is Unit.POINTS else (0,) * len(places),
        places=places,
        outcomes=outcomes_of(places),
        forfeited_parties=0,
        parties=score.points if unit is Unit.PARTIES else score.parties,
    )

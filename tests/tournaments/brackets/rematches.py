"""In which losers' round two who have met can meet again: by every way through a bracket, not by luck."""

from __future__ import annotations

from collections import Counter

from tournaments.formats.brackets import LOSER, WINNER, Bracket, BracketMatch, Part, Place


def possible_rematches(bracket: Bracket) -> Counter[int]:
    """By losers' round (from 1): how many pairs of a winners' match and a losers' match the same two can sit in.

    Who lost a winners' match and who won it and lost a later one go two ways; both are followed to every losers' match
    that they can reach, and where they come to its two seats, the two can meet again.
    """
    numbers = {round_: number for number, round_ in enumerate(_rounds_of_losers(bracket), start=1)}
    found: Counter[int] = Counter()
    for match in bracket.matches:
        if match.part is not Part.WINNERS or match.is_bye:
            continue
        lost = _reached(bracket, Place(match.number, LOSER))
        won = _reached_later(bracket, match)
        for number in sorted(lost.keys() & won.keys()):
            if len(lost[number] | won[number]) > 1:
                found[numbers[bracket.by_number[number].round]] += 1
    return found


def _rounds_of_losers(bracket: Bracket) -> list[int]:
    return sorted({match.round for match in bracket.matches if match.part is Part.LOSERS})


def _reached(bracket: Bracket, place: Place) -> dict[int, set[int]]:
    """By losers' match: the seats of it that whoever takes this place can come to."""
    seats: dict[int, set[int]] = {}
    onward = bracket.ways.get(place)
    while onward is not None and onward.part is Part.LOSERS:
        seats.setdefault(onward.number, set()).add(onward.sources.index(place))
        place = Place(onward.number, WINNER)
        onward = bracket.ways.get(place)
    return seats


def _reached_later(bracket: Bracket, match: BracketMatch) -> dict[int, set[int]]:
    """The same of the match's winner, who loses any of the winners' matches to come."""
    seats: dict[int, set[int]] = {}
    onward = bracket.ways.get(Place(match.number, WINNER))
    while onward is not None and onward.part is Part.WINNERS:
        for number, reached in _reached(bracket, Place(onward.number, LOSER)).items():
            seats.setdefault(number, set()).update(reached)
        onward = bracket.ways.get(Place(onward.number, WINNER))
    return seats

"""In which losers' round two who have met can meet again: by every way through a bracket, not by luck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product

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


def first_by_masks(masks: Sequence[str]) -> int:
    """The first losers' round with a rematch if losers drop by these masks; by arithmetic, without a bracket.

    `masks`: of winners' rounds 1, 2, …, as bits from the top, the last of them one bit; the final's is empty. Who lost
    in round r sits, when those of round s drop, at the place of his first bits: they meet at once where all bits of the
    shorter mask are the beginning of the longer, else where the first bits that differ have been played away.
    """
    rounds = len(masks) + 1
    every = [*masks, ""]
    return min(
        _round_of(every[earlier], every[later], rounds) for later in range(1, rounds) for earlier in range(later)
    )


def _round_of(longer: str, shorter: str, rounds: int) -> int:
    common = next((at for at, bit in enumerate(shorter) if longer[at] != bit), len(shorter))
    meeting = rounds - common
    return 2 * (meeting - 1) - (common < len(shorter))


def latest_first_rematch(rounds: int, bits: int = 3) -> tuple[int, int]:
    """The latest first rematch of all masks that differ in so many first bits, and how many masks were tried."""
    lengths = range(rounds - 1, 0, -1)
    choices = [["".join(bit) for bit in product("01", repeat=min(length, bits))] for length in lengths]
    choices[0] = choices[0][:1]  # turning all of them about together changes nothing
    firsts = [
        first_by_masks([mask.ljust(length, "0") for mask, length in zip(masks, lengths, strict=True)])
        for masks in product(*choices)
    ]
    return max(firsts), len(firsts)

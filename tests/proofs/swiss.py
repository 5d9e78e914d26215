"""The Swiss at full size: 500 random events beside another implementation, and small fields late in an event."""

from __future__ import annotations

from tests.proofs.showing import Line, NotShown
from tests.tournaments.swiss.showing import compared, faults_with_settings, late_faults

EVENTS, LATE, SET = 500, 754, 1_000
COMMAND = "`python -m tests.proof swiss`"


def swiss() -> list[Line]:
    """Absolute criteria, the vector of criteria beside gacrux's, no needless rematch and no needless second bye."""
    return [_events(), _late_positions(), _settings()]


def _events() -> Line:
    seen = compared(range(EVENTS))
    if seen.faults:
        raise NotShown(f"{len(seen.faults)} faults, the first: {seen.faults[0]}")
    drawn = seen.rounds - seen.unpaired
    return Line(
        f"in {EVENTS} random events of 6 to 60 sides (odd fields, forfeits, byes asked for, late entries, leaving) no "
        "round breaks an absolute criterion of FIDE C.04.6, and none has a worse vector of criteria than gacrux's "
        "pairing of teams without colours",
        f"{drawn:,} rounds drawn: {seen.same:,} the same pairs, {seen.better:,} better, "
        f"{drawn - seen.same - seen.better:,} other pairs as good, none worse; {seen.unpaired} that have no legal "
        "pairing, said by both",
        COMMAND,
    )


def _late_positions() -> Line:
    tried, faults, seed = 0, [], 0
    while tried < LATE:
        more, wrong = late_faults(range(seed, seed + 1))
        tried, faults, seed = tried + more, faults + wrong, seed + 1
    if faults:
        raise NotShown(f"{len(faults)} faults, the first: {faults[0]}")
    return Line(
        f"{LATE} positions of 6 to 20 sides in rounds 4 to 6, paired at random before, where a legal pairing exists",
        "0 needless rematches, 0 needless second byes",
        COMMAND,
    )


def _settings() -> Line:
    tried, faults = faults_with_settings(range(SET))
    if faults:
        raise NotShown(f"{len(faults)} faults, the first: {faults[0]}")
    return Line(
        f"{SET:,} random events of 6 to 24 sides with owners kept apart, acceleration, annulled meetings and relief: "
        "everybody is drawn once, a rematch or second bye only where no legal pairing exists and then named, and the "
        "same input in another order gives the same draw",
        f"{tried:,} rounds, 0 faults",
        COMMAND,
    )

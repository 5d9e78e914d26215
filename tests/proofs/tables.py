"""Tables of three and four, individual pairs and round robins at full size: every field, and several events of each."""

from __future__ import annotations

from tests.proofs.showing import Line, NotShown
from tests.tournaments.tables.bounds import least_repeated
from tests.tournaments.tables.complete import faults_of_movement, faults_of_round_robin, faults_of_whist
from tests.tournaments.tables.playing import event, farthest_seats, plain_swaps
from tournaments.formats.table_designs import STARTERS
from tournaments.formats.tables_swiss import Settings, ShortTables
from tournaments.formats.whist import LEAST, MOST

ROUNDS, SEEDS = 6, 3
SMALL, LARGE = range(8, 40), range(40, 201)
LIMITS = {16: 24, 20: 14, 27: 1}
"""Repeated meetings that swaps reached in six rounds, 27 at six tables of four and one of three."""
LIMIT_SEEDS = 10
COMMAND = "`python -m tests.proof tables`"


def tables() -> list[Line]:
    """What is repeated in six rounds at tables of four, and that all that is drawn ahead is complete and balanced."""
    return [_large(), _limits(), _small(), _round_robins(), _whist(), _movements()]


def _large() -> Line:
    faults = []
    for size in LARGE:
        played = event(size, seed=size, rounds=ROUNDS)
        if played.repeated or farthest_seats(played.draws) > 2:
            faults.append(f"{size}: {played.repeats}, seats {farthest_seats(played.draws)} apart")
    if faults:
        raise NotShown("; ".join(faults))
    return Line(
        f"at tables of four, {ROUNDS} rounds, {LARGE[0]} to {LARGE[-1]} players: nobody meets anybody twice or has one "
        "seat more than two times more often than another",
        f"0 repeated meetings in {len(LARGE)} events, one of each size",
        COMMAND,
    )


def _limits() -> Line:
    """The worst of several events of each size, none of which may repeat more than its limit."""
    allow = Settings(rounds=ROUNDS, short_tables=ShortTables.ALLOW)
    worst = {
        size: max(event(size, seed, ROUNDS, settings=allow).repeated for seed in range(LIMIT_SEEDS)) for size in LIMITS
    }
    seen = ", ".join(f"{size}: at most {most}, limit {LIMITS[size]}" for size, most in worst.items())
    if any(most > LIMITS[size] for size, most in worst.items()):
        raise NotShown(seen)
    return Line(
        f"{', '.join(map(str, LIMITS))} players, {ROUNDS} rounds, {LIMIT_SEEDS} events each, tables of three allowed: "
        "never more repeated meetings than swaps reached",
        seen,
        COMMAND,
    )


def _small() -> Line:
    """Repeated meetings of all events of a size: ours, swaps one by one, and what no draw can do better."""
    rows, worse = [], []
    for size in SMALL:
        ours = sum(event(size, seed, ROUNDS).repeated for seed in range(SEEDS))
        theirs = sum(sum(plain_swaps(size, seed, ROUNDS)) for seed in range(SEEDS))
        rows.append(f"{size}: {ours} {theirs} {least_repeated(size, ROUNDS) * SEEDS}")
        print(f"  {rows[-1]}", flush=True)
        worse += [rows[-1]] if ours > theirs else []
    if worse:
        raise NotShown(f"more than by swaps one by one: {'; '.join(worse)}")
    return Line(
        f"{SMALL[0]} to {SMALL[-1]} players, {SEEDS} events each: no more repeated than by swaps one by one (players: "
        "repeated here, by swaps, and at least in any draw by counting)",
        ", ".join(rows),
        COMMAND,
    )


def _round_robins() -> Line:
    faults = [fault for size in range(3, 41) for cycles in range(1, 9) for fault in faults_of_round_robin(size, cycles)]
    return _shown(
        "round robins of 3 to 40 in 1 to 8 cycles: each two meet once a cycle, seats reversed in every second, first "
        "seats at most one apart in each cycle, nobody on one seat three times running, one free round each in odd "
        "fields",
        f"{38 * 8} draws",
        faults,
    )


def _whist() -> Line:
    faults = [fault for size in range(LEAST, MOST + 1) for fault in faults_of_whist(size)]
    return _shown(
        f"individual pairs, {LEAST} to {MOST} players: for 4k and 4k + 1 everybody partners each once and opposes each "
        "twice; in the others nobody partners anybody twice or opposes him three times; all sit out equally often",
        f"{MOST + 1 - LEAST} designs",
        faults,
    )


def _movements() -> Line:
    faults = [fault for size, seats in STARTERS for fault in faults_of_movement(size, seats)]
    return _shown("perfect movements: everybody meets everybody exactly once", f"{sorted(STARTERS)}", faults)


def _shown(claim: str, seen: str, faults: list[str]) -> Line:
    if faults:
        raise NotShown(f"{len(faults)} faults, the first: {faults[0]}")
    return Line(claim, f"{seen}, 0 faults", COMMAND)

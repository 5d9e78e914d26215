"""The append-only log of what was played: many matches' events in one statement, each under its own fence."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import connection
from psycopg import Cursor

from matches.party_play import Entry
from matches.services.claim import Lease

# FOR SHARE holds off a claim until the rows are in, so that the next owner of a match folds them too; in order of
# the keys, as every verb that locks several matches does, so that they cannot wait for each other.
APPEND = """
WITH asked AS (
    SELECT * FROM unnest(
        %s::bigint[], %s::bigint[], %s::bigint[], %s::int[], %s::text[], %s::int[], %s::text[], %s::text[],
        %s::bool[], %s::int[], %s::int[], %s::int[]
    ) AS row(match_id, fence, party_id, seq, kind, seat, action, cause, corrected, elapsed_ms, charged_ms, bank_ms)
), held AS (
    SELECT match.id FROM matches_match AS match JOIN asked ON asked.match_id = match.id
    WHERE match.fence = asked.fence AND match.status = 'running'
    ORDER BY match.id FOR SHARE OF match
)
INSERT INTO matches_partyevent
    (party_id, seq, kind, seat, action, cause, corrected, elapsed_ms, charged_ms, bank_ms, fence)
SELECT party_id, seq, kind, seat, action, cause, corrected, elapsed_ms, charged_ms, bank_ms, fence
FROM asked WHERE match_id IN (SELECT id FROM held)
ON CONFLICT (party_id, seq) DO NOTHING
RETURNING party_id, seq
"""


@dataclass(frozen=True, slots=True)
class Statement:
    """One SQL statement with its parameters; what it returns is for whoever made it."""

    sql: str
    parameters: Sequence[Any]


class NewEvent(NamedTuple):
    """An event still to be written: of which party, and under whose lease."""

    lease: Lease
    party_id: int
    entry: Entry

    def row(self) -> tuple[object, ...]:
        return (self.lease.match_id, self.lease.fence, self.party_id, *self.entry)


def append(events: Sequence[NewEvent]) -> frozenset[tuple[int, int]]:
    """Writes the events whose lease still holds; returns (party, seq) of those written.

    What is missing from the answer was not written: the fence is old, or the place in the log is taken.
    """
    (written,) = write_together([appending(events)])
    return frozenset(written)


def appending(events: Sequence[NewEvent]) -> Statement:
    """The statement behind `append`; it returns (party, seq) of the events written."""
    return Statement(APPEND, [list(column) for column in zip(*(event.row() for event in events), strict=True)])


def write_together(statements: Sequence[Statement]) -> list[list[tuple[Any, ...]]]:
    """Runs the statements in one trip and one transaction; returns the rows of each.

    Between two syncs of a pipeline everything is one transaction: all is committed, or nothing is.
    """
    with connection.cursor(), connection.wrap_database_errors:
        session = connection.connection
        with session.pipeline() if len(statements) > 1 else nullcontext():
            cursors = [Cursor(session).execute(one.sql, one.parameters) for one in statements]
        return [cursor.fetchall() for cursor in cursors]

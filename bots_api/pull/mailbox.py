"""The mailbox in SQL (`models.mailbox`): what a lane puts in and finds there, all of one moment's in one statement.

Every time in it is the database's clock. A decision's clock starts when it had been flushed to the program, and at
the latest so long after it was made that a program which is not there loses by it (protocol §6).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import connection

from bots_api import wire
from bots_api.models import MessageType, PullNotice
from engine import Action
from engine.actions import ACTION_OF, PLAYS
from matches.services.journal import Statement

LATEST_START_SECONDS: Final = 2
ALIVE_SECONDS: Final = 5
"""So long a server that has said nothing counts as there."""
ON_ITS_WAY_MS: Final = 1_000
"""So long after its deadline a decision stays open: an answer that came in time may still be in our own hands."""

STARTED = f"LEAST(decision.given_at, decision.made_at + interval '{LATEST_START_SECONDS} seconds')"
HARD_MS = "(decision.budget_ms + decision.bank_ms + decision.grace_ms)"
DEADLINE = f"{STARTED} + {HARD_MS} * interval '1 ms'"
ALIVE = f"server.seen_at > clock_timestamp() - interval '{ALIVE_SECONDS} seconds'"
SERVED = f"EXISTS (SELECT FROM bots_api_pullserver AS server WHERE {ALIVE} AND server.alive_since <= {STARTED})"
"""As far as is known yet; one that has been killed counts for a while."""
WAS_SERVED = f"""EXISTS (
        SELECT FROM bots_api_pullserver AS server WHERE server.alive_since <= {STARTED} AND server.seen_at >= {DEADLINE}
    )"""
"""For certain: a server was there from the start of the clock until the time was over, and after."""


class Asked(NamedTuple):
    """A decision to be put in. `before` and `after` stand around its number in its text; see `PullDecision`."""

    agent_id: int
    decision_id: str
    game: str
    match: str
    before: str
    after: str
    legal: Sequence[str]
    default_action: str
    revokes: Sequence[str]
    budget_ms: int
    bank_ms: int
    grace_ms: int
    is_correctable: bool


class Notice(NamedTuple):
    """A message that wants no answer. `before` and `after` stand around its number in its text."""

    agent_id: int
    message: str
    before: str
    after: str


class Ended(NamedTuple):
    """What came of a decision: an answer, or a cause and what was played.

    `body`: the decision as it was asked, where something was wrong. `first_tried`: what the program had to correct.
    `reply`: the last answer that was refused, as it came.
    """

    decision_id: str
    seq: int
    state: str
    action: str
    note: str
    elapsed_ms: int
    is_corrected: bool
    cause: str
    tried: str
    played: str
    sent_at: datetime
    body: str
    first_tried: str
    reply: str


# The counter's row is held until the commit, so that numbers become visible in their order. A decision that is there
# already, from a lane that was killed, keeps its number, text and clock; one that our own failure closed is opened
# again with new ones, under locks in the order of the keys, as the servers take theirs.
SEND = """
WITH asked AS (
    SELECT * FROM unnest(
        %s::int[], %s::bigint[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[],
        %s::text[], %s::int[], %s::int[], %s::int[], %s::bool[]
    ) AS row(place, agent_id, decision_id, game, match, before, after, legal, default_action, revokes,
             budget_ms, bank_ms, grace_ms, is_correctable)
), told AS (
    SELECT * FROM unnest(%s::int[], %s::bigint[], %s::text[], %s::text[], %s::text[])
        AS row(place, agent_id, message, before, after)
), known AS (
    SELECT decision_id FROM bots_api_pulldecision AS decision JOIN asked USING (decision_id)
    WHERE NOT (decision.state = 'closed' AND decision.cause = 'infra')
), fresh AS (
    SELECT * FROM asked WHERE decision_id NOT IN (SELECT decision_id FROM known)
), again AS (
    SELECT decision.decision_id, decision.id FROM bots_api_pulldecision AS decision JOIN fresh USING (decision_id)
    ORDER BY decision.id FOR NO KEY UPDATE OF decision
), sent AS (
    SELECT agent_id, place FROM fresh UNION ALL SELECT agent_id, place FROM told
), wanted AS (
    SELECT agent_id, count(*) AS number FROM sent GROUP BY agent_id
), held AS (
    SELECT counter.agent_id FROM bots_api_messagecounter AS counter JOIN wanted USING (agent_id)
    ORDER BY counter.agent_id FOR NO KEY UPDATE OF counter
), advanced AS (
    UPDATE bots_api_messagecounter AS counter SET last_seq = counter.last_seq + wanted.number
    FROM wanted WHERE counter.agent_id = wanted.agent_id AND counter.agent_id IN (SELECT agent_id FROM held)
    RETURNING counter.agent_id, counter.last_seq - wanted.number AS last_before
), numbered AS (
    SELECT place, last_before + row_number() OVER (PARTITION BY agent_id ORDER BY place) AS seq
    FROM sent JOIN advanced USING (agent_id)
), made AS (
    INSERT INTO bots_api_pulldecision AS decision (
        decision_id, agent_id, seq, game, match, body, legal, default_action, revokes, budget_ms, bank_ms, grace_ms,
        is_correctable, is_corrected, state, made_at, action, note, elapsed_ms, cause, tried, played,
        first_tried, reply
    )
    SELECT decision_id, agent_id, seq, game, match, before || seq || after, string_to_array(legal, ' '),
        default_action, string_to_array(revokes, ' '), budget_ms, bank_ms, grace_ms,
        is_correctable, false, 'open', clock_timestamp(), '', '', 0, '', '', '', '', ''
    FROM fresh JOIN numbered USING (place) LEFT JOIN again USING (decision_id) ORDER BY again.id
    ON CONFLICT (decision_id) DO UPDATE SET
        seq = excluded.seq, body = excluded.body, state = 'open', made_at = excluded.made_at, given_at = NULL,
        decided_at = NULL, elapsed_ms = 0, cause = '', tried = '', played = '', reply = ''
    WHERE decision.state = 'closed' AND decision.cause = 'infra'
    RETURNING decision_id
), noted AS (
    INSERT INTO bots_api_pullnotice (agent_id, seq, message, body)
    SELECT agent_id, seq, message, before || seq || after FROM told JOIN numbered USING (place)
)
SELECT decision_id, true FROM made UNION ALL SELECT decision_id, false FROM known
"""

# A row that somebody else holds is just being answered: it is passed over and looked at again. So no lane waits here.
# One whose time is over stays open until a server has said after it that it was there, or none of them can any more.
LOOK = f"""
WITH late AS (
    SELECT decision.id FROM bots_api_pulldecision AS decision
    WHERE decision.decision_id = ANY(%s) AND decision.state = 'open'
        AND {DEADLINE} + interval '{ON_ITS_WAY_MS} ms' < clock_timestamp() AND ({WAS_SERVED} OR NOT {SERVED})
    ORDER BY decision.id FOR UPDATE SKIP LOCKED
), closed AS (
    UPDATE bots_api_pulldecision AS decision
    SET state = 'closed', decided_at = clock_timestamp(), played = decision.default_action, elapsed_ms = {HARD_MS},
        cause = CASE WHEN {WAS_SERVED} THEN 'timeout' ELSE 'infra' END
    FROM late WHERE decision.id = late.id RETURNING decision.*
), ended AS (
    SELECT * FROM closed
    UNION ALL
    SELECT * FROM bots_api_pulldecision AS decision WHERE decision.decision_id = ANY(%s) AND decision.state <> 'open'
)
SELECT decision_id, seq, state, action, note, elapsed_ms, is_corrected, cause, tried, played,
    COALESCE(given_at, made_at), CASE WHEN state = 'closed' OR first_tried <> '' THEN body ELSE '' END,
    first_tried, reply
FROM ended
"""

# It cannot be far back: the decision was still to be played.
LOGGED = """
SELECT EXISTS (
    SELECT FROM (
        SELECT message_id, seq FROM bots_api_delivery WHERE agent_id = %s AND NOT is_repeat ORDER BY id DESC LIMIT 10000
    ) AS line WHERE line.message_id = %s AND line.seq = %s
)
"""


def notice(agent_id: int, kind: MessageType, message: Mapping[str, Any]) -> Notice:
    """A message to a version; its number comes last in it."""
    text = wire.encode(message).decode()
    return Notice(agent_id, kind.value, f'{text[:-1]},"seq":', "}")


def sending(letters: Sequence[Asked | Notice]) -> Statement:
    """Numbers and puts in what is sent, in this order; no decision twice.

    It returns (decision_id, whether it is new) of the decisions; one that is missing is of a version without counter.
    """
    asked = [(place, letter) for place, letter in enumerate(letters) if isinstance(letter, Asked)]
    told = [(place, letter) for place, letter in enumerate(letters) if isinstance(letter, Notice)]
    rows = [(place, *one._replace(legal=" ".join(one.legal), revokes=" ".join(one.revokes))) for place, one in asked]
    notices = [(place, *one) for place, one in told]
    return Statement(SEND, [*_columns(rows, 1 + len(Asked._fields)), *_columns(notices, 1 + len(Notice._fields))])


def _columns(rows: Sequence[tuple[object, ...]], width: int) -> list[list[object]]:
    return [[row[column] for row in rows] for column in range(width)]


def looking(decision_ids: Collection[str]) -> Statement:
    """Closes those of the open decisions whose time is over; returns the fields of `Ended` for all that ended."""
    ids = list(decision_ids)
    return Statement(LOOK, [ids, ids])


def is_served() -> bool:
    """Whether a server is there that programs can call."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT EXISTS (SELECT FROM bots_api_pullserver AS server WHERE {ALIVE})")
        return bool(cursor.fetchone()[0])


def is_logged(decision_id: str, seq: int, agent_id: int) -> bool:
    """Whether a lane that was killed has written what came of a decision, asked under this number, into the log."""
    with connection.cursor() as cursor:
        cursor.execute(LOGGED, [agent_id, decision_id, seq])
        return bool(cursor.fetchone()[0])


def is_told(decision_id: str, seq: int, agent_id: int) -> bool:
    """Whether a version has been told that a decision, asked under this number, was closed."""
    later = PullNotice.objects.filter(agent=agent_id, seq__gt=seq, message=MessageType.DECISION_CLOSED)
    return later.filter(body__contains=decision_id).exists()


def laid_for(tried: str, revokes: Collection[str]) -> Action | None:
    """The plain card that lies on the table if this illegal action is tried (R66); None if it is no revoke."""
    action = ACTION_OF.get(tried)
    if action is None or action.card is None:
        return None
    plain = PLAYS[action.card]
    return plain if plain.text in revokes else None

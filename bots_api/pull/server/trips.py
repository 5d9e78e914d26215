"""What the server of pulling programs reads and writes, for many programs on one trip to the database.

All times are the database's own, corrected by what passed in our process meanwhile: `age` is that correction, in
seconds. Rows are locked in order of their keys, so that two processes cannot wait for each other.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from bots_api.models import ApiToken
from bots_api.pull.mailbox import HARD_MS, STARTED
from bots_api.pull.server.verdicts import Kept, Verdict, judge
from bots_api.tokens import USED_EVERY
from bots_api.wire import Reply
from matches.services.journal import Statement, write_together

MOST_MAIL = 128
"""So much is read at once of what is new for a version; whoever is given so much asks for what follows."""


class Look(NamedTuple):
    """Whose mailbox is looked into, and the numbers above which its open decisions and its notices are wanted.

    `notices_after`: None for no notices.
    """

    agent_id: int
    decisions_after: int
    notices_after: int | None


class Mail(NamedTuple):
    """A message to a program: a notice, or a decision with its id."""

    seq: int
    body: str
    decision_id: str = ""


# A version's numbers become visible in their order (`models.mailbox`), and this is one moment's view of both tables:
# whoever asks for what follows its last number misses nothing.
MAIL = f"""
SELECT asked.place, mail.seq, mail.body, mail.decision_id
FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[])
    WITH ORDINALITY AS asked (agent_id, decisions_after, notices_after, place)
CROSS JOIN LATERAL (
    (
        SELECT decision.seq, decision.body, decision.decision_id FROM bots_api_pulldecision AS decision
        WHERE decision.agent_id = asked.agent_id AND decision.state = 'open' AND decision.seq > asked.decisions_after
        ORDER BY decision.seq LIMIT {MOST_MAIL}
    ) UNION ALL (
        SELECT notice.seq, notice.body, '' FROM bots_api_pullnotice AS notice
        WHERE notice.agent_id = asked.agent_id AND notice.seq > asked.notices_after
        ORDER BY notice.seq LIMIT {MOST_MAIL}
    ) ORDER BY seq LIMIT {MOST_MAIL}
) AS mail ORDER BY asked.place, mail.seq
"""


# The same as a question alone, which is asked for everybody who waits.
HAS_MAIL = """
SELECT asked.agent_id
FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[]) AS asked (agent_id, decisions_after, notices_after)
WHERE EXISTS (
    SELECT FROM bots_api_pulldecision AS decision
    WHERE decision.agent_id = asked.agent_id AND decision.state = 'open' AND decision.seq > asked.decisions_after
) OR EXISTS (
    SELECT FROM bots_api_pullnotice AS notice
    WHERE notice.agent_id = asked.agent_id AND notice.seq > asked.notices_after
)
"""


def look(asked: Sequence[Look]) -> list[list[Mail]]:
    """Per question what is new for the version, by its numbers: the first of it, where there is more than `MOST_MAIL`.

    What many ask alike is read once.
    """
    mail: dict[Look, list[Mail]] = {one: [] for one in asked}
    mine = list(mail.values())
    (rows,) = write_together([Statement(MAIL, _columns(mail))])
    for place, *told in rows:
        mine[place - 1].append(Mail(*told))
    return [mail[one] for one in asked]


def who_has_mail(asked: Sequence[Look]) -> frozenset[int]:
    """The versions for which there is something new."""
    (rows,) = write_together([Statement(HAS_MAIL, _columns(set(asked)))])
    return frozenset(agent_id for (agent_id,) in rows)


def _columns(asked: Collection[Look]) -> list[list[Any]]:
    return [list(column) for column in zip(*asked, strict=True)]


class Opened(NamedTuple):
    """A stream as it begins: its number of the version's streams, and the last message number."""

    number: int
    last_seq: int


# Nobody's number is read before those below it can be seen: it is drawn with the message's own row.
SUPERSEDE = """
WITH asked AS (SELECT DISTINCT agent_id FROM unnest(%s::bigint[]) AS row (agent_id) ORDER BY agent_id), raised AS (
    INSERT INTO bots_api_presence AS presence (agent_id, stream, seen_at)
    SELECT agent_id, 1, clock_timestamp() FROM asked
    ON CONFLICT (agent_id) DO UPDATE SET stream = presence.stream + 1, seen_at = clock_timestamp()
    RETURNING presence.agent_id, presence.stream
)
SELECT raised.agent_id, raised.stream, coalesce(counter.last_seq, 0)
FROM raised LEFT JOIN bots_api_messagecounter AS counter USING (agent_id)
"""


def open_streams(agent_ids: Sequence[int]) -> list[Opened]:
    """Makes a stream the newest of its version.

    Of two streams of one version on one trip both have one number: whoever serves them ends the first.
    """
    (begun,) = write_together([Statement(SUPERSEDE, [list(agent_ids)])])
    opened = {agent_id: Opened(*told) for agent_id, *told in begun}
    return [opened[agent_id] for agent_id in agent_ids]


class Given(NamedTuple):
    """A decision whose bytes were flushed at that moment (monotonic)."""

    decision_id: str
    flushed_at: float


class Put(NamedTuple):
    """An answer as it came in. `arrived_at`: when the whole of it was here (monotonic).

    `server`: the name of the process that took it, nothing where any will do. `raw`: its text, for the owner.
    """

    decision_id: str
    agent_id: int
    reply: Reply
    arrived_at: float
    server: str = ""
    raw: str = ""


class Unread(NamedTuple):
    """What was sent for a decision and is no answer: it changes nothing and is kept for the owner."""

    decision_id: str
    agent_id: int
    raw: str


SILENT_SECONDS = 3.0
"""A process that said nothing for so long was not there."""
GIVEN_UP_SECONDS = 60
"""What our own failure closed so long ago, and nobody has asked again, is not asked again as a rule."""


# What a crash would take back here costs a program nothing: its clock then starts later, or its owner sees less.
UNHURRIED = Statement("SELECT set_config('synchronous_commit', 'off', true)", [])
GIVE = """
WITH asked AS (SELECT * FROM unnest(%s::text[], %s::float8[]) AS row (decision_id, age)), held AS (
    SELECT decision.id, asked.age FROM bots_api_pulldecision AS decision JOIN asked USING (decision_id)
    WHERE decision.given_at IS NULL AND decision.state = 'open'
        AND decision.made_at <= clock_timestamp() - make_interval(secs => asked.age)
    ORDER BY decision.id FOR NO KEY UPDATE OF decision
)
UPDATE bots_api_pulldecision AS decision SET given_at = clock_timestamp() - make_interval(secs => held.age)
FROM held WHERE decision.id = held.id AND decision.given_at IS NULL RETURNING decision.id
"""
HOLD = """
SELECT decision.id
FROM bots_api_pulldecision AS decision JOIN unnest(%s::text[], %s::bigint[]) AS asked (decision_id, agent_id)
    USING (decision_id, agent_id)
ORDER BY decision.id FOR NO KEY UPDATE OF decision
"""
# The clock is looked at when the rows are held: whoever waits for them, or has them waited for, gains nothing by it.
# Nobody's clock runs before one of our servers was there. A server was there where it lived when the clock started and
# has said so after the deadline; the one that was asked is there now, unless it has just lost its database.
SPEAKS = f"server.seen_at > clock_timestamp() - interval '{SILENT_SECONDS} seconds'"
CLAIM = f"""
SELECT decision.decision_id, decision.agent_id,
    1000 * extract(epoch FROM clock_timestamp() - GREATEST({STARTED}, (
        SELECT min(server.alive_since) FROM bots_api_pullserver AS server WHERE {SPEAKS}
    ))),
    EXISTS (
        SELECT FROM bots_api_pullserver AS server WHERE server.alive_since <= {STARTED} AND (
            server.seen_at >= {STARTED} + {HARD_MS} * interval '1 ms'
            OR (asked.server IN (server.name, '') AND {SPEAKS})
        )
    ),
    coalesce(decision.decided_at < clock_timestamp() - interval '{GIVEN_UP_SECONDS} seconds', false),
    {", ".join(f"decision.{name}" for name in Kept.__dataclass_fields__)}
FROM bots_api_pulldecision AS decision
    JOIN unnest(%s::text[], %s::bigint[], %s::text[]) AS asked (decision_id, agent_id, server)
    USING (decision_id, agent_id)
"""
DECIDE = """
UPDATE bots_api_pulldecision AS decision SET
    is_corrected = row.is_corrected, state = row.state, action = row.action, note = row.note,
    elapsed_ms = row.elapsed_ms, cause = row.cause, tried = row.tried, played = row.played,
    first_tried = row.first_tried, reply = row.reply,
    decided_at = CASE WHEN row.state = 'open' THEN NULL ELSE clock_timestamp() END
FROM unnest(
    %s::bigint[], %s::bool[], %s::text[], %s::text[], %s::text[], %s::int[], %s::text[], %s::text[], %s::text[],
    %s::text[], %s::text[]
) AS row (id, is_corrected, state, action, note, elapsed_ms, cause, tried, played, first_tried, reply)
WHERE decision.id = row.id
"""
DECIDED = (
    *("id", "is_corrected", "state", "action", "note", "elapsed_ms", "cause", "tried", "played"),
    *("first_tried", "reply"),
)
KEEP = """
WITH asked AS (
    SELECT * FROM unnest(%s::text[], %s::bigint[], %s::text[]) AS row (decision_id, agent_id, reply)
), held AS (
    SELECT decision.id, asked.reply FROM bots_api_pulldecision AS decision JOIN asked USING (decision_id, agent_id)
    WHERE decision.state = 'open' ORDER BY decision.id FOR NO KEY UPDATE OF decision
)
UPDATE bots_api_pulldecision AS decision SET reply = held.reply
FROM held WHERE decision.id = held.id AND decision.state = 'open' RETURNING decision.id
"""


def settle(asked: Sequence[Given | Put | Unread]) -> list[Verdict | None]:
    """Writes what was given out, then judges the answers: nobody answers before his clock has started.

    A verdict without words is of a decision that the version does not have.
    """
    if given := [one for one in asked if isinstance(one, Given)]:
        _note_given(given)
    if unread := [one for one in asked if isinstance(one, Unread)]:
        _keep_unread(unread)
    puts = [one for one in asked if isinstance(one, Put)]
    verdicts = iter(_judged(puts) if puts else ())
    return [next(verdicts) if isinstance(one, Put) else None for one in asked]


def _note_given(given: Sequence[Given]) -> None:
    now = time.monotonic()
    ages = {one.decision_id: now - one.flushed_at for one in reversed(given)}  # of two the earlier counts
    write_together([UNHURRIED, Statement(GIVE, [list(ages), list(ages.values())])])


def _keep_unread(unread: Sequence[Unread]) -> None:
    latest = {(one.decision_id, one.agent_id): one.raw for one in unread}
    rows = [(*key, raw) for key, raw in latest.items()]
    write_together([UNHURRIED, Statement(KEEP, [list(column) for column in zip(*rows, strict=True)])])


class Claimed(NamedTuple):
    """A decision that is locked. `ran_ms`: so long its clock ran; `was_served`: one of our servers was there then.

    `is_given_up`: it was closed long ago.
    """

    ran_ms: float
    was_served: bool
    is_given_up: bool
    kept: Kept
    has_changed: bool = False


@transaction.atomic
def _judged(puts: Sequence[Put]) -> list[Verdict]:
    keys: list[Any] = [[put.decision_id for put in puts], [put.agent_id for put in puts]]
    with connection.cursor() as cursor:
        cursor.execute(HOLD, keys)
        cursor.execute(CLAIM, [*keys, [put.server for put in puts]])
        claimed = {(row[0], row[1]): Claimed(float(row[2]), row[3], row[4], Kept(*row[5:])) for row in cursor}
        read_at = time.monotonic()  # after the database has looked at its clock: the way there is not charged
        verdicts = [_verdict(claimed, put, read_at - put.arrived_at) for put in puts]
        if changed := [one.kept for one in claimed.values() if one.has_changed]:
            cursor.execute(DECIDE, [[getattr(kept, name) for kept in changed] for name in DECIDED])
    return verdicts


def _verdict(claimed: dict[tuple[str, int], Claimed], put: Put, age: float) -> Verdict:
    """Judges one answer; whoever answers the same decision on the same trip finds what it has become."""
    key = (put.decision_id, put.agent_id)
    if key not in claimed:
        return Verdict()
    one = claimed[key]
    elapsed_ms = _elapsed_ms(one.ran_ms, age)
    kept, verdict = judge(
        one.kept, put.reply, elapsed_ms, was_served=one.was_served, is_given_up=one.is_given_up, raw=put.raw
    )
    claimed[key] = one._replace(kept=kept, has_changed=one.has_changed or kept is not one.kept)
    return verdict


def _elapsed_ms(ran_ms: float, age: float) -> int:
    """What the program took: without the time that its answer lay with us, and never less than nothing."""
    return max(0, int(ran_ms - 1_000 * age))


TOKEN = (
    *("digest", "scopes", "expires_at", "revoked_at", "last_used_at"),
    *("owner__is_active", "version__agent__public_id"),
)
"""What is asked of a token: the version's secret, for one, is not to be deciphered at every call."""


def tokens_of(digests: Sequence[str]) -> list[ApiToken | None]:
    """The tokens with these digests, with owner and version; notes their use."""
    wanted = ApiToken.objects.select_related("owner", "version__agent").only(*TOKEN).filter(digest__in=set(digests))
    found = {token.digest: token for token in wanted}
    unused = Q(last_used_at=None) | Q(last_used_at__lt=timezone.now() - USED_EVERY)
    if due := [token.pk for token in found.values() if _is_due(token)]:
        ApiToken.objects.filter(unused, pk__in=sorted(due)).update(last_used_at=Now())
    return [found.get(digest) for digest in digests]


def _is_due(token: ApiToken) -> bool:
    return token.last_used_at is None or timezone.now() - token.last_used_at >= USED_EVERY


ALIVE = """
SELECT token.id FROM bots_api_apitoken AS token JOIN matches_user AS owner ON owner.id = token.owner_id
WHERE token.id = ANY(%s) AND token.revoked_at IS NULL AND token.expires_at > clock_timestamp() AND owner.is_active
"""


def still_good(token_ids: Collection[int]) -> frozenset[int]:
    """Those of the tokens with which one may still play."""
    with connection.cursor() as cursor:
        cursor.execute(ALIVE, [list(token_ids)])
        return frozenset(token_id for (token_id,) in cursor.fetchall())


def newest_streams(agent_ids: Sequence[int]) -> dict[int, int]:
    """The number of each version's newest stream, whichever process serves it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT agent_id, stream FROM bots_api_presence WHERE agent_id = ANY(%s)", [list(agent_ids)])
        return dict(cursor.fetchall())


SEEN = """
INSERT INTO bots_api_presence AS presence (agent_id, stream, seen_at)
SELECT agent_id, 0, clock_timestamp() FROM unnest(%s::bigint[]) AS row (agent_id) ORDER BY agent_id
ON CONFLICT (agent_id) DO UPDATE SET seen_at = excluded.seen_at
"""


def note_seen(agent_ids: Collection[int]) -> None:
    """Says of these versions that they are there."""
    with connection.cursor() as cursor:
        cursor.execute(SEEN, [sorted(agent_ids)])


# A process that was silent for so long is told from one that has just begun: clocks did not run meanwhile.
BEAT = """
INSERT INTO bots_api_pullserver AS server (name, alive_since, seen_at)
VALUES (%s, clock_timestamp(), clock_timestamp())
ON CONFLICT (name) DO UPDATE SET seen_at = excluded.seen_at, alive_since = CASE
    WHEN server.seen_at < clock_timestamp() - make_interval(secs => %s) THEN excluded.seen_at
    ELSE server.alive_since END
"""


def beat(name: str, silent_seconds: float) -> None:
    """Says of a process that it serves."""
    with connection.cursor() as cursor:
        cursor.execute(BEAT, [name, silent_seconds])


def leave(name: str) -> None:
    """Takes a process off the list, and those that were killed an hour ago or more."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM bots_api_pullserver WHERE name = %s OR seen_at < now() - interval '1 hour'", [name])

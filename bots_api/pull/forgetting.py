"""What is taken out of the mailbox: letters that nobody asks for any more, and decisions that nobody waits for."""

from __future__ import annotations

from typing import Final

from django.db import connection, transaction

from bots_api.pull.mailbox import DEADLINE
from matches.core.lifecycle import OVER

NOTICES_MINUTES: Final = 15
DECISIONS_HOURS: Final = 24
ABANDONED_SECONDS: Final = 60

# A match that goes on finds its decision, however late; one that is over and a practice that fell do not ask again. So
# it is not `infra`, which is asked again: a program would send its answer until then.
ABANDONED = """NOT EXISTS (
            SELECT FROM matches_match AS match WHERE match.public_id = decision.match AND NOT match.status = ANY(%s)
        )"""
CLOSE_ABANDONED = f"""
WITH abandoned AS (
    SELECT decision.id FROM bots_api_pulldecision AS decision
    WHERE decision.state = 'open'
        AND {DEADLINE} < clock_timestamp() - interval '{ABANDONED_SECONDS} seconds' AND {ABANDONED}
    ORDER BY decision.id FOR UPDATE SKIP LOCKED
)
UPDATE bots_api_pulldecision AS decision SET state = 'closed', cause = 'admin_void', decided_at = clock_timestamp()
FROM abandoned WHERE decision.id = abandoned.id
"""
FORGET_NOTICES = f"DELETE FROM bots_api_pullnotice WHERE made_at < now() - interval '{NOTICES_MINUTES} minutes'"
FORGET_DECISIONS = f"""
DELETE FROM bots_api_pulldecision AS decision
WHERE decision.state <> 'open' AND decision.made_at < now() - interval '{DECISIONS_HOURS} hours' AND {ABANDONED}
"""


@transaction.atomic
def forget_old_mail() -> None:
    """Closes what is open for nobody, deletes what nobody asks for: notices after minutes, decisions after a day."""
    over = [status.value for status in OVER]
    with connection.cursor() as cursor:
        cursor.execute(CLOSE_ABANDONED, [over])
        cursor.execute(FORGET_NOTICES)
        cursor.execute(FORGET_DECISIONS, [over])

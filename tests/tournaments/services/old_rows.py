"""`python -m tests.tournaments.services.old_rows`: a database as it was before there were stages, brought up to date.

Run with DATABASE_URL at an empty database. Writes a tournament that is being played, an odd field with byes, by the
models of then; migrates; prints what is there now.
"""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from itertools import combinations
from typing import Any

BEFORE = [("tournaments", "0002_append_only_snapshots"), ("matches", "0003_house_thinks")]
THEN = datetime(2026, 11, 29, 20, 0, tzinfo=UTC)
NAMES = ("Olha", "Petro", "Roman")


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    executor.migrate(BEFORE)
    write(executor.loader.project_state(BEFORE).apps)
    call_command("migrate", verbosity=0)
    print(json.dumps(told()))


def write(apps: Any) -> None:
    """Three entries, three rounds of one match and one bye each; the first round is over."""
    user = apps.get_model("matches", "User").objects.create(username="anna")
    tournament = apps.get_model("tournaments", "Tournament").objects.create(
        slug="old", name="Old", organiser=user, status="running", started_at=THEN, public_id="t_old", seed=bytes(32)
    )
    stage = apps.get_model("tournaments", "Stage").objects.create(tournament=tournament, number=1)
    entries = [_entry(apps, tournament, number, name) for number, name in enumerate(NAMES, start=1)]
    for number, met in enumerate(combinations(entries, 2), start=1):
        (free,) = (entry for entry in entries if entry not in met)
        status = {"status": "closed", "closed_at": THEN} if number == 1 else {"status": "released"}
        drawn = apps.get_model("tournaments", "Round").objects.create(stage=stage, number=number, **status)
        _pairing(apps, drawn, 1, met, _match(apps, number), "decided" if number == 1 else "open")
        _pairing(apps, drawn, 2, (free, None), None, "bye")


def _entry(apps: Any, tournament: Any, number: int, name: str) -> Any:
    player = apps.get_model("matches", "Player").objects.create(name=name, kind="house", public_id=f"p_{name}")
    agent = apps.get_model("matches", "Agent").objects.create(
        player=player, kind="house", label="random@1", status="active", public_id=f"v_{name}"
    )
    entry = apps.get_model("tournaments", "Entry").objects.create(
        tournament=tournament, name=name, number=number, public_id=f"e_{name}"
    )
    apps.get_model("tournaments", "EntryMember").objects.create(
        tournament=tournament, entry=entry, player=player, agent=agent
    )
    return entry


def _match(apps: Any, number: int) -> Any:
    state = {"status": "finished", "started_at": THEN, "finished_at": THEN} if number == 1 else {"status": "held"}
    return apps.get_model("matches", "Match").objects.create(
        public_id=f"m_{number}", rules="moscow/2@2", forfeit_points=400, due_at=THEN, round_number=number, **state
    )


def _pairing(apps: Any, drawn: Any, number: int, met: Any, match: Any, status: str) -> None:
    pairing = apps.get_model("tournaments", "Pairing").objects.create(
        round=drawn, number=number, match=match, status=status
    )
    for side, entry in enumerate(met):
        apps.get_model("tournaments", "PairingSeat").objects.create(
            round=drawn,
            pairing=pairing,
            seat=side,
            side=side,
            entry=entry,
            state="filled" if entry else "bye",
        )


def told() -> dict[str, Any]:
    """What the models of now read."""
    from tournaments.models import Pairing, Round, Tournament
    from tournaments.services import results
    from tournaments.services.history import entrants_of, meetings_of

    tournament = Tournament.objects.get(slug="old")
    stage = tournament.stages.get()
    pairings = Pairing.objects.order_by("round__number", "number")
    before = list(pairings.values_list("status", "bye"))
    results.settle(tournament.pk)
    return {
        "stage": [stage.status, stage.format, stage.started_at == THEN],
        "entries": list(stage.stage_entries.order_by("number").values_list("number", "entry__name")),
        "entrants": [one.number for one in entrants_of(stage)],
        "byes": [
            [one.round, list(one.entrants), one.kind, list(one.points)] for one in meetings_of(stage) if one.is_bye
        ],
        "pairings": before,
        "settled": list(pairings.values_list("status", "bye")) == before,
        "rounds": list(Round.objects.order_by("number").values_list("status", "audience", "draw")),
        "ids": len(
            {*pairings.values_list("public_id", flat=True)} | {*Round.objects.values_list("public_id", flat=True)}
        ),
        "tournament": [tournament.status, tournament.is_by_the_rules, len(bytes(tournament.lots_seed))],
        "tie_breaks": tournament.tie_breaks,
    }


if __name__ == "__main__":
    main()

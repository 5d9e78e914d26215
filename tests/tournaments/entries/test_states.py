"""What may happen to an entry, by its own state and by its tournament's: all of both."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from django.db import transaction

from tests.cast import tournament
from tests.tournaments.entries.fields import entry, house, moved, under_way
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import ENTRY_MOVES, EntryStatus, RoundStatus, TournamentStatus
from tournaments.models import Entry, Stage, Tournament
from tournaments.services import entries

pytestmark = pytest.mark.django_db

TO = {
    EntryStatus.ACTIVE: entries.reinstate,
    EntryStatus.WITHDRAWN: entries.withdraw,
    EntryStatus.NO_SHOW: entries.no_show,
    EntryStatus.EXPELLED: lambda pk: entries.expel(pk, "struck the table"),
}


def told(act: Callable[[], object]) -> str:
    """The code with which an act is refused, or that it was done; nothing of it stays."""
    with transaction.atomic():
        try:
            act()
        except TournamentError as refusal:
            return refusal.code
        finally:
            transaction.set_rollback(True)
    return "done"


def test_an_entry_makes_the_listed_moves_and_no_others() -> None:
    cup = under_way(RoundStatus.CLOSED)
    for old, new in product(EntryStatus, EntryStatus):
        Entry.objects.filter(number=1).update(status=old)
        one = entry(cup)
        if old == new or (old, new) in ENTRY_MOVES:
            assert TO[new](one.pk).status == entry(cup).status == new
        else:
            with pytest.raises(TournamentError, match="take it back in first") as refusal:
                TO[new](one.pk)
            assert (refusal.value.code, entry(cup).status) == ("illegal_move", old)


def acts_of(cup: Tournament) -> dict[str, Callable[[], object]]:
    """Every act, on entry 1, which is active, or on entry 2, which has withdrawn."""
    one, gone = entry(cup), entry(cup, 2)
    player = one.members.get().player_id
    return {
        "enter": lambda: entries.enter(cup.pk, house("Late Larysa")),
        "leave": lambda: entries.leave(one.pk),
        "check_in": lambda: entries.check_in(one.pk),
        "check_out": lambda: entries.check_out(one.pk),
        "withdraw": lambda: entries.withdraw(one.pk),
        "no_show": lambda: entries.no_show(one.pk),
        "expel": lambda: entries.expel(one.pk, "struck the table"),
        "reinstate": lambda: entries.reinstate(gone.pk),
        "ask_bye": lambda: entries.ask_bye(one.pk, 3),
        "take_back_bye": lambda: entries.take_back_bye(one.pk, 3),
        "substitute": lambda: entries.substitute(one.pk, player, house("Sofiia").player_id),
        "rate": lambda: entries.rate(one.pk, 1500),
        "seed_by_hand": lambda: entries.seed_by_hand(cup.pk, [gone.pk, one.pk, *later_ones(cup)]),
    }


def later_ones(cup: Tournament) -> list[int]:
    return list(cup.entries.filter(number__gt=2).values_list("pk", flat=True))


GOING = {"withdraw", "expel", "reinstate", "ask_bye", "take_back_bye", "substitute"}
BEFORE = GOING | {"enter", "leave", "rate", "seed_by_hand"}
POSSIBLE = {
    TournamentStatus.DRAFT: BEFORE,
    TournamentStatus.REGISTRATION: BEFORE,
    TournamentStatus.CHECK_IN: BEFORE | {"check_in", "check_out", "no_show"},
    TournamentStatus.RUNNING: GOING | {"enter", "no_show"},
    TournamentStatus.PAUSED: GOING | {"enter", "no_show"},
    TournamentStatus.FINISHED: set(),
    TournamentStatus.PUBLISHED: set(),
    TournamentStatus.CANCELLED: set(),
}
REFUSALS = {
    "enter": {"entries_closed"},
    "leave": {"entries_closed"},
    "rate": {"entries_closed"},
    "seed_by_hand": {"entries_closed"},
    "check_in": {"no_check_in"},
    "check_out": {"no_check_in"},
    "no_show": {"too_early", "tournament_over"},
}


@pytest.mark.parametrize("status", TournamentStatus)
def test_every_act_in_every_state_of_the_tournament(status: TournamentStatus) -> None:
    has_begun = status not in (TournamentStatus.DRAFT, TournamentStatus.REGISTRATION, TournamentStatus.CHECK_IN)
    cup = under_way(RoundStatus.CLOSED, RoundStatus.RELEASED, late_until_round=4)
    if not has_begun:
        Stage.objects.update(status="planned")
        cup.stages.get().rounds.all().delete()
    entries.ask_bye(entry(cup).pk, 3)
    Entry.objects.filter(number=2).update(status=EntryStatus.WITHDRAWN)
    for name, act in acts_of(moved(cup, status)).items():
        outcome = told(act)
        if name in POSSIBLE[status]:
            assert outcome == "done", f"{name} while {status}"
        else:
            assert outcome in REFUSALS.get(name, {"tournament_over"}), f"{name} while {status}"


@pytest.mark.parametrize("state", [EntryStatus.WITHDRAWN, EntryStatus.NO_SHOW, EntryStatus.EXPELLED])
def test_who_is_not_there_can_only_be_taken_back_or_out(state: EntryStatus) -> None:
    cup = under_way(RoundStatus.CLOSED)
    one = entry(cup)
    entries.ask_bye(one.pk, 3)
    Entry.objects.filter(pk=one.pk).update(status=state)
    acts = acts_of(cup)
    told_of = {name: told(acts[name]) for name in ("ask_bye", "take_back_bye", "substitute")}
    assert told_of == dict.fromkeys(told_of, "entry_not_active")
    moved(cup, TournamentStatus.CHECK_IN)
    assert {told(acts[name]) for name in ("check_in", "check_out")} == {"entry_not_active"}
    assert {told(acts[name]) for name in ("leave", "rate")} == {"done"}


def test_every_act_writes_one_line_into_the_log_and_the_same_twice_none() -> None:
    cup = under_way(RoundStatus.CLOSED, late_until_round=4)
    one = entry(cup)
    player = one.members.get().player_id
    newcomer = house("Sofiia").player_id
    acts: list[tuple[str, Callable[[], object]]] = [
        ("bye_asked", lambda: entries.ask_bye(one.pk, 3)),
        ("bye_taken_back", lambda: entries.take_back_bye(one.pk, 3)),
        ("withdrawn", lambda: entries.withdraw(one.pk, "ill")),
        ("reinstated", lambda: entries.reinstate(one.pk)),
        ("no_show", lambda: entries.no_show(one.pk)),
        ("expelled", lambda: entries.expel(one.pk, "struck the table")),
    ]
    for kind, act in acts:
        before = cup.events.count()
        act()
        act()
        told = list(cup.events.values_list("kind", flat=True))[before:]
        assert [one for one in told if not one.startswith("round_")] == [kind]  # rounds go on by themselves
    entries.reinstate(one.pk)
    entries.substitute(one.pk, player, newcomer)
    assert cup.events.last().kind == "substituted"
    assert cup.events.last().payload["came"] == "Sofiia random@1"


def test_an_expulsion_says_why() -> None:
    cup = tournament("random@1")
    assert told(lambda: entries.expel(entry(cup).pk, "  ")) == "reason_missing"
    assert entries.expel(entry(cup).pk, " struck the table ").status_reason == "struck the table"


def test_an_entry_that_is_gone_is_told_so() -> None:
    cup = tournament("random@1")
    gone = entry(cup).pk
    entries.leave(gone)
    for act in (entries.leave, entries.check_in, entries.withdraw, entries.reinstate):
        assert told(lambda act=act: act(gone)) == "entry_gone"

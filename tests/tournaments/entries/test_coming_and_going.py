"""Late entries, withdrawals and returns: from which round on, with which number, and what becomes of a proposal."""

from __future__ import annotations

import pytest

from tests.cast import anna, tournament
from tests.tournaments.entries.fields import entry, house, moved, under_way
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import EntryStatus, RoundStatus, TournamentStatus
from tournaments.models import Entry, Pairing, PairingSeat, Stage, StageEntry
from tournaments.services import entries
from tournaments.services.checking_in import close_check_in

pytestmark = pytest.mark.django_db
CLOSED, RELEASED, PROPOSED, CHANGING = (
    RoundStatus.CLOSED,
    RoundStatus.RELEASED,
    RoundStatus.PROPOSED,
    RoundStatus.CHANGING,
)


def test_a_late_entry_joins_the_next_round_behind_all_others_with_nothing() -> None:
    cup = under_way(CLOSED, RELEASED, late_until_round=3)
    late = entries.enter(cup.pk, house("Larysa"), club=" Debut  Kyiv ", rating=1700)
    assert (late.number, late.joined_round, late.club, late.rating) == (5, 3, "Debut Kyiv", 1700)
    place = StageEntry.objects.get(entry=late)
    assert (place.number, place.carried, place.reason) == (5, 0, {"code": "late", "round": 3})


@pytest.mark.parametrize(
    ("rounds", "until", "code"),
    [
        ((CLOSED,), 0, "entries_closed"),
        ((CLOSED,), 1, "entries_closed"),
        ((CLOSED, RELEASED), 2, "entries_closed"),
        ((CLOSED,), 2, None),
        ((CLOSED, PROPOSED), 2, None),
        ((CLOSED, CHANGING), 2, "round_changing"),
    ],
)
def test_until_when_one_may_come_late(rounds: tuple[RoundStatus, ...], until: int, code: str | None) -> None:
    cup = under_way(*rounds, late_until_round=until)
    if code is None:
        assert entries.enter(cup.pk, house("Larysa")).joined_round == 2
        return
    with pytest.raises(TournamentError) as refusal:
        entries.enter(cup.pk, house("Larysa"))
    assert refusal.value.code == code


def test_nobody_joins_what_was_drawn_whole() -> None:
    cup = under_way(RELEASED, format_name="round_robin", late_until_round=5)
    with pytest.raises(TournamentError, match="drawn for those who were there") as refusal:
        entries.enter(cup.pk, house("Larysa"))
    assert refusal.value.code == "late_entry_impossible"


def test_nobody_joins_a_later_stage() -> None:
    cup = under_way(CLOSED, late_until_round=5)
    Stage.objects.update(status="finished")
    Stage.objects.create(tournament=cup, number=2, format="swiss", status="running")
    with pytest.raises(TournamentError) as refusal:
        entries.enter(cup.pk, house("Larysa"))
    assert refusal.value.code == "entries_closed"


def test_who_withdraws_is_gone_from_the_next_draw_and_a_proposal_with_him_is_taken_back() -> None:
    cup = under_way(CLOSED, RELEASED, PROPOSED)
    gone = entries.withdraw(entry(cup).pk, "ill", anna())
    assert (gone.left_stage, gone.left_round, gone.status_reason) == (1, 3, "ill")
    drawn = cup.stages.get().rounds.filter(number=3).earliest("id")
    assert (drawn.status, drawn.status_reason) == (RoundStatus.WITHDRAWN, "Random 1: withdrawn")
    kinds = list(cup.events.filter(actor__isnull=False).values_list("kind", "actor__username"))
    assert kinds[-2:] == [("round_taken_back", "anna"), ("withdrawn", "anna")]
    anew = cup.stages.get().rounds.filter(number=3).latest("id")
    seated = anew.pairings.filter(seats__entry__isnull=False).values_list("seats__entry__number", flat=True)
    assert sorted(seated) == [2, 3, 4]


def test_nobody_goes_while_his_round_is_changed_by_hand() -> None:
    cup = under_way(CLOSED, CHANGING)
    with pytest.raises(TournamentError, match="Round 2 is being changed by hand"):
        entries.withdraw(entry(cup).pk)
    assert entry(cup).status == EntryStatus.ACTIVE


def test_in_a_round_robin_he_is_gone_from_his_first_table_that_is_not_decided() -> None:
    cup = under_way(RELEASED, RELEASED, RELEASED, format_name="round_robin")
    one, other = entry(cup), entry(cup, 2)
    for drawn, status in zip(cup.stages.get().rounds.all(), ("decided", "open", "open"), strict=True):
        pairing = Pairing.objects.create(round=drawn, number=1, status=status)
        for seat, who in enumerate((one, other)):
            PairingSeat.objects.create(round=drawn, pairing=pairing, seat=seat, side=seat, entry=who)
    assert entries.withdraw(one.pk).left_round == 2


def test_who_comes_back_takes_his_old_place_and_earns_nothing_for_what_he_missed() -> None:
    cup = under_way(CLOSED)
    entries.withdraw(entry(cup).pk)
    back = entries.reinstate(entry(cup).pk)
    assert (back.status, back.left_stage, back.left_round, back.joined_round) == ("active", None, None, 1)
    assert StageEntry.objects.filter(entry=back).count() == 1
    assert not back.asked_byes.exists()


def test_a_no_show_of_the_start_joins_late_whatever_round_late_entries_end_with() -> None:
    cup = under_way(CLOSED, RELEASED)
    StageEntry.objects.filter(entry=entry(cup, 2)).delete()
    Entry.objects.filter(number=2).update(status=EntryStatus.NO_SHOW)
    back = entries.reinstate(entry(cup, 2).pk)
    assert (back.number, back.joined_round) == (2, 3)
    assert StageEntry.objects.get(entry=back).number == 5


def test_a_stage_that_began_without_an_entry_goes_on_without_it() -> None:
    cup = under_way(CLOSED)
    entries.withdraw(entry(cup).pk)
    Stage.objects.update(status="finished")
    Stage.objects.create(tournament=cup, number=2, format="swiss", status="running")
    with pytest.raises(TournamentError, match="began without Random 1") as refusal:
        entries.reinstate(entry(cup).pk)
    assert refusal.value.code == "stage_without_it"


def test_who_did_not_go_on_leaves_no_trace_in_the_later_stage() -> None:
    cup = under_way(CLOSED)
    Stage.objects.update(status="finished")
    Stage.objects.create(tournament=cup, number=2, format="swiss", status="running")
    gone = entries.withdraw(entry(cup).pk)
    assert (gone.status, gone.left_stage, gone.left_round) == ("withdrawn", None, None)


def test_check_in_makes_no_shows_of_those_who_did_not_come() -> None:
    cup = moved(tournament("random@1", "random@1", "random@1", "random@1"), TournamentStatus.CHECK_IN)
    entries.check_in(entry(cup, 1).pk, anna())
    entries.check_in(entry(cup, 2).pk)
    entries.check_out(entry(cup, 2).pk)
    entries.withdraw(entry(cup, 3).pk)
    entries.enter(cup.pk, house("Larysa"))
    away = close_check_in(cup, anna())
    assert [one.number for one in away] == [2, 4]
    assert list(cup.entries.values_list("status", flat=True)) == [
        "active",
        "no_show",
        "withdrawn",
        "no_show",
        "active",
    ]
    assert entry(cup, 2).status_reason == "not checked in"
    assert cup.events.last().payload == {"no_shows": [entry(cup, 2).public_id, entry(cup, 4).public_id]}


def test_without_a_check_in_everybody_counts_as_there() -> None:
    cup = tournament("random@1", "random@1")
    assert close_check_in(cup) == []
    assert set(cup.entries.values_list("status", flat=True)) == {"active"}


def test_seeding_by_hand_numbers_everybody_anew() -> None:
    cup = tournament("random@1", "random@1", "random@1")
    order = [entry(cup, number).pk for number in (3, 1, 2)]
    entries.seed_by_hand(cup.pk, order, anna())
    assert list(cup.entries.order_by("number").values_list("number", "name")) == [
        (1, "Random 3"),
        (2, "Random 1"),
        (3, "Random 2"),
    ]


@pytest.mark.parametrize("order", [(1, 2), (1, 2, 2), (1, 2, 3, 3)])
def test_seeding_by_hand_names_everybody_once(order: tuple[int, ...]) -> None:
    cup = tournament("random@1", "random@1", "random@1")
    with pytest.raises(TournamentError, match="each of them once") as refusal:
        entries.seed_by_hand(cup.pk, [entry(cup, number).pk for number in order])
    assert refusal.value.code == "not_everybody_seeded"


@pytest.mark.parametrize("rating", [0, -5, 10_001])
def test_what_is_no_rating(rating: int) -> None:
    cup = tournament("random@1")
    with pytest.raises(TournamentError, match="1 to 10000") as refusal:
        entries.rate(entry(cup).pk, rating)
    assert refusal.value.code == "bad_rating"


def test_a_rating_can_be_taken_away() -> None:
    cup = tournament("random@1")
    assert entries.rate(entry(cup).pk, 1500).rating == 1500
    assert entries.rate(entry(cup).pk, None).rating is None

"""Times and tables: nobody and no table in two places at once, in one event or in two; moving loses nothing."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.utils import timezone

from matches.models import Player
from matches.services.players import person
from tests.cast import anna, tournament
from tests.tournaments.entries.fields import house
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import PairingStatus, RoundStatus, SeatState, StageStatus, TournamentStatus
from tournaments.models import (
    Entry,
    Pairing,
    PairingSeat,
    Round,
    Sitting,
    Stage,
    StageEntry,
    Tournament,
    Venue,
    VenueTable,
)
from tournaments.services import entries, schedule
from tournaments.services.state import lock

pytestmark = pytest.mark.django_db
TEN = datetime(2026, 12, 5, 10, tzinfo=UTC)
HOUR = 60


def hall(tables: int = 3, name: str = "Great hall") -> Venue:
    venue = Venue.objects.create(name=name)
    VenueTable.objects.bulk_create(
        VenueTable(venue=venue, name=f"{name[0]}{number}", position=number) for number in range(1, tables + 1)
    )
    return venue


def cup(*names: str, slug: str = "autumn-cup", venue: Venue | None = None) -> Tournament:
    """A tournament of people, whose first round is drawn: 1 with 2, 3 with 4, …"""
    row = tournament(slug=slug, venue=venue)
    for name in names:
        entries.enter_player(row.pk, known(name))
    stage = Stage.objects.create(tournament=row, format="swiss", settings={"rounds": 5}, status=StageStatus.RUNNING)
    field = list(row.entries.order_by("number"))
    StageEntry.objects.bulk_create(StageEntry(stage=stage, entry=one, number=one.number) for one in field)
    draw(Round.objects.create(stage=stage, number=1), field)
    Tournament.objects.filter(pk=row.pk).update(status=TournamentStatus.RUNNING, started_at=TEN)
    row.refresh_from_db()
    return row


def known(name: str) -> Player:
    return Player.objects.filter(name=name).first() or person(name)


def draw(drawn: Round, field: list[Entry]) -> None:
    for number, pair in enumerate(zip(field[::2], field[1::2], strict=False), start=1):
        pairing = Pairing.objects.create(round=drawn, number=number)
        for seat, entry in enumerate(pair):
            PairingSeat.objects.create(round=drawn, pairing=pairing, seat=seat, side=seat, entry=entry)


def first_round(row: Tournament) -> Round:
    return Round.objects.exclude(status=RoundStatus.WITHDRAWN).get(stage__tournament=row, number=1)


def plan(row: Tournament, starts_at: datetime = TEN, minutes: int = HOUR, tables: list[int] | None = None) -> None:
    schedule.plan_round(first_round(row).pk, starts_at, minutes, tables)


def sheet(row: Tournament) -> dict[int, tuple[str, str, set[str]]]:
    """By pairing: when, at which table, who."""
    found = {}
    for pairing in Pairing.objects.filter(round__stage__tournament=row).order_by("number"):
        rows = list(pairing.sittings.select_related("player", "table"))
        table = "".join(one.table.name for one in rows if one.table)
        when = rows[0].during.lower.strftime("%H:%M") if rows else ""
        found[pairing.number] = (when, table, {one.player.name for one in rows if one.player})
    return found


def refusal_of(act: Callable[[], object]) -> TournamentError:
    with pytest.raises(TournamentError) as refusal:
        act()
    return refusal.value


def test_the_first_of_the_draw_sits_at_the_first_table() -> None:
    row = cup("Olha", "Roman", "Petro", "Taras", venue=hall())
    plan(row)
    assert sheet(row) == {1: ("10:00", "G1", {"Olha", "Roman"}), 2: ("10:00", "G2", {"Petro", "Taras"})}
    drawn = first_round(row)
    assert (drawn.starts_at, drawn.minutes) == (TEN, HOUR)
    assert row.events.last().payload == {
        "stage": 1,
        "round": 1,
        "starts_at": "2026-12-05T10:00:00+00:00",
        "minutes": HOUR,
    }


def test_other_tables_can_be_chosen_and_without_a_venue_people_still_have_their_time() -> None:
    row = cup("Olha", "Roman", "Petro", "Taras")
    plan(row)
    assert sheet(row) == {1: ("10:00", "", {"Olha", "Roman"}), 2: ("10:00", "", {"Petro", "Taras"})}
    tables = list(hall().tables.order_by("-position").values_list("pk", flat=True))
    plan(row, tables=tables)
    assert [table for _, table, _ in sheet(row).values()] == ["G3", "G2"]


def test_programs_sit_at_tables_but_may_be_everywhere_at_once() -> None:
    venue = hall(1)
    row = cup("Olha", slug="first", venue=venue)
    program = entries.enter(tournament(slug="second").pk, house("Danylo"))
    other = program.tournament
    stage = Stage.objects.create(tournament=other, format="swiss", status=StageStatus.RUNNING)
    draw(Round.objects.create(stage=stage, number=1), [program, program_of(other, "Vira")])
    Tournament.objects.filter(pk=other.pk).update(venue=venue)
    plan(other)
    assert sheet(other) == {1: ("10:00", "G1", set())}
    assert row.entries.count() == 1


def program_of(row: Tournament, name: str) -> Entry:
    return entries.enter(row.pk, house(name))


@pytest.mark.parametrize(
    ("tables", "code"), [([], "too_few_tables"), ([0, 0], "no_such_table"), ([-1, 0], "no_such_table")]
)
def test_tables_are_there_once_and_enough(tables: list[int], code: str) -> None:
    row = cup("Olha", "Roman", "Petro", "Taras")
    ids = list(hall().tables.values_list("pk", flat=True))
    chosen = [ids[table] if table >= 0 else 0 for table in tables]
    assert refusal_of(lambda: plan(row, tables=chosen)).code == code


def test_a_player_in_two_events_is_told_with_the_other_event_and_time() -> None:
    plan(cup("Olha", "Roman", slug="autumn-cup"), minutes=90)
    winter = cup("Petro", "Olha", slug="winter-cup")
    refusal = refusal_of(lambda: plan(winter, TEN + timedelta(hours=1)))
    assert refusal.code == "clash"
    assert str(refusal) == (
        "Olha plays at “Autumn cup”, round 1, table 1, 05.12.2026 12:00–13:30. "
        "Choose another time or other tables; nothing is changed."
    )
    assert first_round(winter).starts_at is None
    plan(winter, TEN + timedelta(minutes=90))


def test_a_table_of_two_events_is_told_too_and_in_the_zone_of_the_venue() -> None:
    venue = hall()
    Venue.objects.update(time_zone="Asia/Tokyo")
    plan(cup("Olha", "Roman", slug="autumn-cup", venue=venue))
    winter = cup("Petro", "Taras", slug="winter-cup", venue=Venue.objects.get())
    assert "Table G1 is taken by “Autumn cup”, round 1, table 1, 05.12.2026 19:00–20:00." in str(
        refusal_of(lambda: plan(winter))
    )


def test_a_preview_tells_the_same_and_changes_nothing() -> None:
    venue = hall()
    plan(cup("Olha", "Roman", slug="autumn-cup", venue=venue))
    winter = cup("Olha", "Taras", slug="winter-cup", venue=venue)
    found = schedule.clashes(first_round(winter).pk, TEN, HOUR)
    assert [(one.name, one.is_table, one.event) for one in found] == [
        ("Olha", False, "Autumn cup"),
        ("G1", True, "Autumn cup"),
    ]
    assert schedule.clashes(first_round(winter).pk, TEN + timedelta(hours=1), HOUR) == []
    assert not Sitting.objects.filter(pairing__round__stage__tournament=winter).exists()


def test_a_plan_that_does_not_fit_leaves_the_one_before() -> None:
    plan(cup("Olha", "Roman", slug="autumn-cup"), TEN + timedelta(hours=3))
    winter = cup("Olha", "Taras", "Petro", "Vira", slug="winter-cup", venue=hall())
    plan(winter)
    before = sheet(winter)
    refusal_of(lambda: plan(winter, TEN + timedelta(hours=3)))
    assert sheet(winter) == before
    assert first_round(winter).starts_at == TEN


def test_a_meeting_moves_alone_and_keeps_what_is_not_said() -> None:
    row = cup("Olha", "Roman", "Petro", "Taras", venue=hall())
    plan(row)
    second = Pairing.objects.get(number=2)
    schedule.move_pairing(second.pk, TEN + timedelta(hours=2))
    assert sheet(row)[2] == ("12:00", "G2", {"Petro", "Taras"})
    schedule.move_pairing(second.pk, table=VenueTable.objects.get(name="G3").pk)
    assert sheet(row)[2] == ("12:00", "G3", {"Petro", "Taras"})
    assert {row.during.upper - row.during.lower for row in second.sittings.all()} == {timedelta(minutes=HOUR)}
    taken = VenueTable.objects.get(name="G1").pk
    assert "Table G1 is taken" in str(refusal_of(lambda: schedule.move_pairing(second.pk, TEN, table=taken)))
    assert sheet(row)[2] == ("12:00", "G3", {"Petro", "Taras"})


def test_a_meeting_without_any_time_is_not_moved_to_a_table_only() -> None:
    row = cup("Olha", "Roman", venue=hall())
    table = VenueTable.objects.get(name="G1").pk
    pairing = Pairing.objects.get()
    assert refusal_of(lambda: schedule.move_pairing(pairing.pk, table=table)).code == "no_time"
    assert row.events.filter(kind="pairing_moved").count() == 0


@pytest.mark.parametrize(
    ("starts_at", "minutes", "code"),
    [(TEN.replace(tzinfo=None), HOUR, "bad_time"), (TEN, 0, "bad_time"), (TEN, 24 * 60 + 1, "bad_time")],
)
def test_what_is_no_time(starts_at: datetime, minutes: int, code: str) -> None:
    row = cup("Olha", "Roman")
    assert refusal_of(lambda: plan(row, starts_at, minutes)).code == code


def test_what_is_played_needs_no_time_and_keeps_the_one_it_had() -> None:
    row = cup("Olha", "Roman", "Petro", "Taras", venue=hall())
    plan(row)
    Pairing.objects.filter(number=1).update(status=PairingStatus.DECIDED)
    plan(row, TEN + timedelta(hours=1))
    assert [when for when, _, _ in sheet(row).values()] == ["10:00", "11:00"]
    Round.objects.update(status=RoundStatus.CLOSED, closed_at=TEN)
    assert refusal_of(lambda: plan(row)).code == "round_over"


def test_a_plan_is_cleared_whole() -> None:
    row = cup("Olha", "Roman", venue=hall())
    plan(row)
    schedule.clear(first_round(row).pk, anna())
    schedule.clear(first_round(row).pk, anna())
    assert (Sitting.objects.count(), first_round(row).starts_at) == (0, None)
    assert row.events.filter(kind="schedule_cleared").count() == 1


def test_a_seat_filled_later_and_one_brought_in_get_their_time() -> None:
    row = cup("Olha", "Roman", "Petro", "Taras", venue=hall())
    seat = PairingSeat.objects.get(entry__name="Taras")
    taras, seat.entry, seat.state = seat.entry, None, SeatState.OPEN
    seat.save()
    plan(row)
    assert sheet(row)[2] == ("10:00", "G2", {"Petro"})
    seat.entry, seat.state = taras, SeatState.FILLED
    seat.save()
    schedule.follow(lock(row.pk))
    assert sheet(row)[2] == ("10:00", "G2", {"Petro", "Taras"})
    entries.substitute(row.entries.get(name="Petro").pk, known("Petro").pk, known("Vira").pk)
    assert sheet(row)[2] == ("10:00", "G2", {"Vira", "Taras"})
    before = list(Sitting.objects.order_by("id").values_list("id", flat=True))
    schedule.follow(lock(row.pk))
    assert list(Sitting.objects.order_by("id").values_list("id", flat=True)) == before


def test_whom_a_change_finds_elsewhere_is_logged_once_and_the_rest_stays() -> None:
    row = cup("Olha", "Roman", slug="autumn-cup", venue=hall())
    plan(row)
    plan(cup("Vira", "Taras", slug="winter-cup"))
    entries.substitute(row.entries.get(name="Roman").pk, known("Roman").pk, known("Vira").pk)
    for _ in range(2):
        schedule.follow(lock(row.pk))
    assert sheet(row)[1] == ("10:00", "G1", {"Olha", "Roman"})
    assert ["Vira plays at" in event.payload["text"] for event in row.events.filter(kind="schedule_clashes")] == [True]


def test_a_round_drawn_again_takes_over_times_and_tables() -> None:
    row = cup("Olha", "Roman", "Petro", "Taras", venue=hall())
    tables = list(VenueTable.objects.order_by("-position").values_list("pk", flat=True))
    plan(row, tables=tables)
    old = first_round(row)
    Round.objects.filter(pk=old.pk).update(status=RoundStatus.WITHDRAWN)
    field = {one.name: one for one in row.entries.all()}
    again = Round.objects.create(stage=old.stage, number=1, status=RoundStatus.PROPOSED)
    draw(again, [field[name] for name in ("Olha", "Petro", "Roman", "Taras")])
    schedule.follow(lock(row.pk))
    again.refresh_from_db()
    assert (again.starts_at, again.minutes) == (TEN, HOUR)
    assert not Sitting.objects.filter(pairing__round=old).exists()
    assert sheet_of(again) == {1: {"G3", "Olha", "Petro"}, 2: {"G2", "Roman", "Taras"}}


def sheet_of(drawn: Round) -> dict[int, set[str]]:
    rows = Sitting.objects.filter(pairing__round=drawn).select_related("player", "table", "pairing")
    found: dict[int, set[str]] = {}
    for row in rows:
        found.setdefault(row.pairing.number, set()).add(str(row.player or row.table))
    return found


def test_what_is_annulled_or_cancelled_frees_its_players() -> None:
    row = cup("Olha", "Roman", "Petro", "Taras")
    plan(row)
    Pairing.objects.filter(number=1).update(status=PairingStatus.VOID)
    schedule.follow(lock(row.pk))
    assert set(Sitting.objects.values_list("player__name", flat=True)) == {"Petro", "Taras"}
    Tournament.objects.filter(pk=row.pk).update(status=TournamentStatus.CANCELLED)
    schedule.follow(lock(row.pk))
    assert not Sitting.objects.exists()


def test_who_has_finished_early_can_play_the_next_round_early() -> None:
    row = cup("Olha", "Roman", "Petro", "Taras", venue=hall())
    now = timezone.now()
    begun = (now - timedelta(minutes=20)).replace(microsecond=0)
    plan(row, begun)
    Pairing.objects.filter(number=1).update(status=PairingStatus.DECIDED)
    other = cup("Olha", "Petro", slug="winter-cup")
    soon = now + timedelta(minutes=5)
    assert {one.name for one in schedule.clashes(first_round(other).pk, soon, 10)} == {"Olha", "Petro"}
    schedule.follow(lock(row.pk))
    assert [one.name for one in schedule.clashes(first_round(other).pk, soon, 10)] == ["Petro"]
    held = Sitting.objects.filter(pairing__round=first_round(row), pairing__number=1)
    assert {(one.during.lower, now <= one.during.upper < soon) for one in held} == {(begun, True)}


def test_what_was_decided_before_its_time_takes_none() -> None:
    row = cup("Olha", "Roman")
    plan(row, timezone.now() + timedelta(hours=1))
    Pairing.objects.update(status=PairingStatus.DECIDED)
    schedule.follow(lock(row.pk))
    assert not Sitting.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_events_that_plan_one_player_at_once_do_not_both_get_him() -> None:
    cups = [cup("Olha", f"Roman {number}", slug=f"cup-{number}") for number in range(4)]

    def told(row: Tournament) -> str:
        try:
            plan(row)
        except TournamentError as refusal:
            return refusal.code
        finally:
            connection.close()
        return "planned"

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(told, cups)) == ["clash", "clash", "clash", "planned"]
    assert Sitting.objects.count() == 2

"""Calendars: what is in them, what stays the same when things move, and what nobody may learn from them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from icalendar import Calendar, Event

from matches.models import Player
from tests.cast import anna
from tests.tournaments.entries.test_schedule import TEN, cup, draw, first_round, hall, known, plan
from tournaments.formats.lifecycle import Audience, RoundStatus, TournamentStatus
from tournaments.models import Pairing, Round, Tournament, Venue
from tournaments.services import draws, schedule

pytestmark = pytest.mark.django_db


def fetched(path: str, client: Client | None = None) -> list[Event]:
    response = (client or Client()).get(path)
    assert (response.status_code, response["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    calendar = Calendar.from_ical(response.content)
    assert str(calendar["VERSION"]) == "2.0"
    return list(calendar.walk("VEVENT"))


def of_tournament(row: Tournament, client: Client | None = None) -> list[Event]:
    return fetched(f"{row.get_absolute_url()}calendar.ics", client)


def of_player(name: str) -> list[Event]:
    return fetched(f"/p/{Player.objects.get(name=name).public_id}/calendar.ics")


@pytest.fixture
def planned() -> Tournament:
    row = cup("Olha", "Roman", "Petro", "Taras", venue=hall())
    plan(row)
    return row


def test_a_round_tells_when_where_and_who_meets_whom(planned: Tournament) -> None:
    (event,) = of_tournament(planned)
    assert (event.start, event.end) == (TEN, TEN + timedelta(hours=1))
    assert str(event["SUMMARY"]) == "Autumn cup, round 1"
    assert str(event["DESCRIPTION"]) == "Table 1 (G1): Olha – Roman\nTable 2 (G2): Petro – Taras"
    assert str(event["LOCATION"]) == "Great hall"
    assert str(event["URL"]) == "http://testserver/t/autumn-cup/rounds/"
    assert str(event["STATUS"]) == "CONFIRMED"


def test_the_start_of_a_tournament_is_in_it(planned: Tournament) -> None:
    Tournament.objects.update(starts_at=TEN - timedelta(hours=1))
    begins, _ = of_tournament(planned)
    assert (begins.start, str(begins["SUMMARY"])) == (TEN - timedelta(hours=1), "Autumn cup begins")


def test_a_player_sees_his_own_meeting_with_its_table(planned: Tournament) -> None:
    (event,) = of_player("Petro")
    assert str(event["SUMMARY"]) == "Autumn cup, round 1: Petro – Taras"
    assert str(event["LOCATION"]) == "Great hall, table G2"
    assert event.start == TEN


def test_what_moves_keeps_its_uid_and_its_sequence_grows(planned: Tournament) -> None:
    (before,), (mine,) = of_tournament(planned), of_player("Olha")
    plan(planned, TEN + timedelta(hours=2))
    (after,), (moved,) = of_tournament(planned), of_player("Olha")
    for old, new in ((before, after), (mine, moved)):
        assert old["UID"] == new["UID"]
        assert int(new["SEQUENCE"]) > int(old["SEQUENCE"])
        assert (old.start, new.start) == (TEN, TEN + timedelta(hours=2))
        assert new["DTSTAMP"].dt >= old["DTSTAMP"].dt


def test_a_round_drawn_again_is_the_same_appointment_with_another_opponent(planned: Tournament) -> None:
    (before,) = of_player("Olha")
    old = first_round(planned)
    draws.take_back(old.pk, "Roman is ill", anna())
    (cancelled,) = of_tournament(planned)
    assert (str(cancelled["STATUS"]), "DESCRIPTION" in cancelled) == ("CANCELLED", False)
    field = {one.name: one for one in planned.entries.all()}
    again = Round.objects.create(stage=old.stage, number=1)
    draw(again, [field[name] for name in ("Olha", "Petro", "Roman", "Taras")])
    schedule.follow(planned)
    (after,) = of_player("Olha")
    assert after["UID"] == before["UID"]
    assert int(after["SEQUENCE"]) > int(before["SEQUENCE"])
    assert str(after["SUMMARY"]) == "Autumn cup, round 1: Olha – Petro"
    assert [str(event["STATUS"]) for event in of_tournament(planned)] == ["CONFIRMED"]


def test_a_meeting_with_a_time_of_its_own_is_an_appointment_of_its_own(planned: Tournament) -> None:
    second = Pairing.objects.get(number=2)
    schedule.move_pairing(second.pk, TEN + timedelta(hours=3), 30)
    whole, moved = of_tournament(planned)
    assert (whole.start, moved.start, moved.end) == (TEN, TEN + timedelta(hours=3), TEN + timedelta(hours=3.5))
    assert str(moved["UID"]) == f"{second.public_id}@manela"


@pytest.mark.parametrize(
    ("status", "audience"),
    [
        (RoundStatus.PROPOSED, Audience.PUBLIC),
        (RoundStatus.CHANGING, Audience.PUBLIC),
        (RoundStatus.CONFIRMED, Audience.PUBLIC),
        (RoundStatus.RELEASED, Audience.HIDDEN),
        (RoundStatus.RELEASED, Audience.PARTICIPANTS),
    ],
)
def test_what_is_not_public_is_in_no_calendar_whoever_asks(
    planned: Tournament, status: RoundStatus, audience: Audience
) -> None:
    Round.objects.update(status=status, audience=audience)
    client = Client()
    client.force_login(anna())
    assert of_tournament(planned, client) == of_tournament(planned) == of_player("Olha") == []


def test_what_is_cancelled_says_so(planned: Tournament) -> None:
    Tournament.objects.update(status=TournamentStatus.CANCELLED, starts_at=TEN)
    assert [str(event["STATUS"]) for event in (*of_tournament(planned), *of_player("Olha"))] == ["CANCELLED"] * 3


def test_a_draft_has_no_calendar(planned: Tournament) -> None:
    Tournament.objects.update(status=TournamentStatus.DRAFT)
    assert Client().get(f"{planned.get_absolute_url()}calendar.ics").status_code == 404
    assert of_player("Olha") == []


def test_without_a_time_nothing_is_in_the_calendar() -> None:
    row = cup("Olha", "Roman")
    assert of_tournament(row) == of_player("Olha") == []
    known("Vira")
    assert of_player("Vira") == []


def test_the_same_is_the_same_to_the_byte_and_is_not_sent_again(planned: Tournament) -> None:
    client, path = Client(), f"{planned.get_absolute_url()}calendar.ics"
    first, second = client.get(path), client.get(path)
    assert first.content == second.content
    assert client.get(path, headers={"If-None-Match": first["ETag"]}).status_code == 304
    plan(planned, datetime(2026, 12, 6, 10, tzinfo=UTC))
    assert client.get(path, headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_names_cannot_write_lines_into_a_calendar(planned: Tournament) -> None:
    planned.entries.filter(name="Olha").update(name="Olha; BEGIN:VEVENT, \\n")
    Tournament.objects.update(description="x\r\nBEGIN:VEVENT\r\nUID:evil", starts_at=TEN)
    assert [str(event["UID"])[:2] for event in of_tournament(planned)] == ["t_", "t_"]
    assert "Olha; BEGIN:VEVENT, \\n – Roman" in str(of_tournament(planned)[1]["DESCRIPTION"])


def test_a_calendar_costs_no_more_queries_for_more_tables(
    planned: Tournament, django_assert_max_num_queries: object
) -> None:
    with django_assert_max_num_queries(12):  # type: ignore[operator]
        of_tournament(planned)


def test_halls_and_their_tables_are_made_at_the_desk() -> None:
    client = Client()
    client.force_login(anna())
    counts = {"TOTAL_FORMS": 2, "INITIAL_FORMS": 0, "MIN_NUM_FORMS": 0, "MAX_NUM_FORMS": 1000}
    sent = {"name": "Club", "address": "", "time_zone": "Europe/Kyiv"} | {
        f"tables-{key}": n for key, n in counts.items()
    }
    sent |= {"tables-0-name": "A", "tables-0-position": 1, "tables-1-name": "B", "tables-1-position": 2}
    assert client.post("/admin/tournaments/venue/add/", sent).status_code == 302
    assert list(Venue.objects.get().tables.values_list("name", flat=True)) == ["A", "B"]


def test_the_page_leads_to_the_calendar_where_there_is_something_in_it(planned: Tournament) -> None:
    path = planned.get_absolute_url()
    assert f'href="{path}calendar.ics"' in Client().get(path).content.decode()
    Tournament.objects.update(venue=None)
    assert "calendar.ics" not in Client().get(path).content.decode()

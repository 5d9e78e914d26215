"""States that must not exist: PostgreSQL refuses each, whoever writes it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import IntegrityError, connection, models, transaction
from django.db.utils import DatabaseError
from django.utils import timezone

from matches import models as rooms
from matches.models import (
    Agent,
    Board,
    Game,
    KeptAnswer,
    Match,
    MatchSeat,
    Outbox,
    Party,
    PartyEvent,
    Player,
    Result,
    ResultSeat,
    SavedRules,
    ScoreReport,
)
from matches.services.journal import append
from tests.cast import person
from tests.matches.drawn import claimed, drawn, event

pytestmark = pytest.mark.django_db
NOW = timezone.now()


def changed(model: type[models.Model], **columns: object) -> Callable[[], object]:
    """Any row of a table with these values; a finished match is what the rest of the cases starts from."""
    return lambda: model.objects.update(**columns)


def copied(model: type[models.Model], **columns: object) -> Callable[[], object]:
    """The first row of a table once more, with these values; public ids are drawn anew unless given."""

    def copy() -> None:
        row = model.objects.order_by("pk").first()
        assert row is not None
        row.pk = None
        row._state.adding = True
        if hasattr(row, "public_id"):
            row.public_id = type(row)().public_id
        for name, value in columns.items():
            setattr(row, name, value)
        row.save(force_insert=True)

    return copy


def a_party_finished(**columns: object) -> Callable[[], object]:
    whole = {"status": "finished", "record_json": b"{}", "totals": [1, 2], "finished_at": NOW}
    return changed(Party, **{**whole, **columns})


def a_shout() -> None:
    """A kind that does not exist breaks another constraint too, which comes first: that one is taken away."""
    connection.check_constraints()
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE matches_partyevent DROP CONSTRAINT party_event_action_or_forfeit")
    copied(PartyEvent, seq=1, kind="shout")()


def two_winners() -> None:
    ResultSeat.objects.update(outcome="won")
    copied(ResultSeat, index=2, side=0)()
    copied(ResultSeat, index=1, side=1)()


def two_open_reports_of_a_side() -> None:
    for version in (2, 3):
        copied(ScoreReport, version=version, status="reported", settled_at=None)()


REFUSED = {
    "match_status_known": changed(Match, status="playing", lease_until=None),
    "match_control_known": changed(Match, control="leisure"),
    "match_overrides_are_an_object": changed(Match, overrides=[]),
    "match_has_boards": changed(Match, boards_planned=0),
    "match_length_known": changed(Match, length="endless"),
    "match_is_played_or_reported": changed(Match, is_reported=True),
    "match_best_of_is_odd": changed(Match, length="best_of", boards_planned=2),
    "match_running_has_started": changed(Match, status="running", started_at=None, lease_until=None),
    "match_finished_has_time": changed(Match, status="finished", finished_at=None, lease_until=None),
    "match_lease_only_while_running": changed(Match, status="ready", lease_until=NOW),
    "match_seat_once": copied(MatchSeat),
    "match_agent_on_one_side": copied(MatchSeat, index=2, side=2),
    "match_seat_on_a_side": changed(MatchSeat, side=3),
    "match_seat_at_table": changed(MatchSeat, index=models.F("index") + 4, side=models.F("index") + 4),
    "board_number_once": copied(Board, commitment="another"),
    "matches_board_commitment_key": copied(Board, number=9),
    "board_first_dealer_at_table": changed(Board, first_dealer=4),
    "party_exposure_once": copied(Party, number=9),
    "party_attempt_once": copied(Party, rotation=3),
    "party_status_known": changed(Party, status="lost"),
    "party_finished_has_record": a_party_finished(record_json=None),
    "party_absent_are_an_array": changed(Party, absent={"seat": 1}),
    "party_reason_known": a_party_finished(reason="boredom"),
    "party_forfeited_by_somebody": a_party_finished(reason="forfeit"),
    "party_at_a_table": changed(Party, rotation=4),
    "party_suits_are_all_four": changed(Party, suits="CDHH"),
    "party_totals_are_an_array": a_party_finished(totals={"0": 1}),
    "party_stakes_are_an_array": a_party_finished(stakes=1),
    "game_seat_once": copied(Game, match_seat_id=-1),
    "game_match_seat_once": copied(Game, seat=3),
    "party_event_once": copied(PartyEvent),
    "party_event_kind_known": a_shout,
    "party_event_action_or_forfeit": copied(PartyEvent, seq=1, action=""),
    "party_event_charged_within": copied(PartyEvent, seq=1, charged_ms=2, elapsed_ms=1),
    "answer_key_once": copied(KeptAnswer),
    "outbox_kind_known": changed(Outbox, kind="match_liked"),
    "player_name_once": lambda: copied(Player, name=Player.objects.order_by("pk")[0].name.swapcase())(),
    "player_kind_known": changed(Player, kind="ghost"),
    "player_house_has_no_owner": lambda: Player.objects.update(kind="house", owner=person("chrystyna")),
    "agent_label_once": copied(Agent),
    "agent_status_known": changed(Agent, status="ill"),
    "result_seat_once": copied(ResultSeat),
    "result_outcome_known": changed(ResultSeat, outcome="fair"),
    "result_outcome_as_place": changed(ResultSeat, outcome="won", place=2),
    "result_place_at_table": changed(ResultSeat, outcome="lost", place=5),
    "result_seat_on_a_side": changed(ResultSeat, side=3),
    "result_won_by_one_side": two_winners,
    "result_absent_has_lost": changed(ResultSeat, is_absent=True),
    "result_kind_known": changed(Result, kind="dreamt"),
    "report_version_once": copied(ScoreReport, status="rejected"),
    "report_confirmed_once": copied(ScoreReport, version=2),
    "report_open_once_a_side": two_open_reports_of_a_side,
    "report_kind_known": changed(ScoreReport, kind="rumour", side=None),
    "report_status_known": changed(ScoreReport, status="liked"),
    "report_of_a_side": changed(ScoreReport, side=None),
    "report_ruling_is_settled": changed(ScoreReport, kind="ruling", side=None, status="reported", settled_at=None),
    "report_settled_has_time": changed(ScoreReport, settled_at=None),
    "report_points_are_an_array": changed(ScoreReport, points={"0": 3}),
    "report_parties_are_an_array": changed(ScoreReport, parties=3),
    "report_absent_are_an_array": changed(ScoreReport, absent={"side": 1}),
    "saved_rules_name_once": lambda: copied(SavedRules, name=SavedRules.objects.get().name.swapcase())(),
    "saved_rules_overrides_are_an_object": changed(SavedRules, overrides=[]),
}


@pytest.fixture
def _rows() -> None:
    """One row of everything, without the trip through a whole match."""
    match = drawn()
    append([event(claimed())])
    result = Result.objects.create(match=match)
    seat = match.seats.order_by("index").first()
    assert seat is not None
    ResultSeat.objects.create(
        result=result, index=0, side=0, agent=seat.agent, points=0, card_points=0, place=1, outcome="drawn"
    )
    ScoreReport.objects.create(
        match=match, version=1, kind="report", side=0, points=[1, 0], status="confirmed", settled_at=NOW
    )
    Outbox.objects.create(kind="match_finished", match=match, consumer="nobody")
    bohdan = person("bohdan")
    SavedRules.objects.create(owner=bohdan, name="At home", rules="moscow/2@1")
    KeptAnswer.objects.create(user=bohdan, key="once", request_sha256="0" * 64)


@pytest.mark.usefixtures("_rows")
@pytest.mark.parametrize("name", REFUSED)
def test_the_database_refuses(name: str) -> None:
    with pytest.raises(IntegrityError, match=f'"{name}"'), transaction.atomic():
        REFUSED[name]()


def test_every_constraint_of_the_room_is_tried() -> None:
    """A unique column that is no constraint of its own is named by the database; those stand in the list too."""
    stated = {
        constraint.name
        for model in vars(rooms).values()
        if isinstance(model, type) and issubclass(model, models.Model) and model._meta.app_label == "matches"
        for constraint in model._meta.constraints
    }
    assert stated - REFUSED.keys() == set()


@pytest.mark.usefixtures("_rows")
@pytest.mark.parametrize(
    "columns",
    [
        {"totals": None},
        {"finished_at": None},
        {"status": "waiting"},
        {"status": "void"},
        {"status": "playing", "record_json": None, "totals": None, "winner": 0},
        {"status": "playing", "record_json": None, "totals": None, "stakes": [1, -1]},
        {"status": "playing", "record_json": None, "totals": None, "reason": "target"},
    ],
    ids=lambda columns: next(reversed(columns)),
)
def test_a_party_has_its_record_when_it_is_finished_and_not_before(columns: dict[str, object]) -> None:
    with pytest.raises(IntegrityError, match="party_finished_has_record"), transaction.atomic():
        a_party_finished(**columns)()
    a_party_finished()()


@pytest.mark.usefixtures("_rows")
@pytest.mark.parametrize(
    ("columns", "constraint"),
    [
        ({"reason": "target", "forfeiter": 0}, "party_forfeited_by_somebody"),
        ({"forfeiter": 0}, "party_forfeited_by_somebody"),
        ({"reason": "forfeit", "forfeiter": 4}, "party_at_a_table"),
        ({"winner": 4}, "party_at_a_table"),
        ({"suits": "CDH"}, "party_suits_are_all_four"),
        ({"suits": "cdhs"}, "party_suits_are_all_four"),
    ],
)
def test_a_party_ends_at_its_table_and_is_forfeited_by_somebody_there(columns, constraint: str) -> None:
    with pytest.raises(IntegrityError, match=f'"{constraint}"'), transaction.atomic():
        a_party_finished(**columns)()
    a_party_finished(reason="forfeit", forfeiter=3, winner=1, suits="SHDC", stakes=[-1, 1])()


@pytest.mark.usefixtures("_rows")
@pytest.mark.parametrize("index", [0, 1, 4, 5])
def test_a_result_has_no_seat_beyond_the_table_or_on_another_side(index: int) -> None:
    with pytest.raises(IntegrityError, match="result_seat_on_a_side"), transaction.atomic():
        copied(ResultSeat, index=index, side=index - 2 if index > 3 else 1 - index)()


@pytest.mark.usefixtures("_rows")
@pytest.mark.parametrize(
    "columns",
    [
        {"kind": "forfeit", "action": "pass", "cause": "timeout"},
        {"kind": "forfeit", "action": "", "cause": ""},
        {"kind": "action", "action": ""},
    ],
)
def test_a_forfeit_has_a_cause_and_an_action_an_action(columns: dict[str, object]) -> None:
    with pytest.raises(IntegrityError, match="party_event_action_or_forfeit"), transaction.atomic():
        copied(PartyEvent, seq=1, **columns)()


@pytest.mark.usefixtures("_rows")
def test_a_match_has_one_result() -> None:
    with pytest.raises(IntegrityError, match="matches_result_pkey"), transaction.atomic():
        Result.objects.create(match=Match.objects.get())


@pytest.mark.usefixtures("_rows")
def test_a_version_may_play_both_hands_of_a_side() -> None:
    copied(MatchSeat, index=2, side=0)()
    assert MatchSeat.objects.count() == 3


@pytest.mark.usefixtures("_rows")
def test_a_void_attempt_leaves_its_exposure_to_the_next() -> None:
    Party.objects.filter(number=1).update(status="void")
    copied(Party, attempt=2, status="waiting")()
    assert Party.objects.filter(number=1).count() == 2


@pytest.mark.usefixtures("_rows")
@pytest.mark.parametrize("change", ["UPDATE matches_partyevent SET action = 'take'", "DELETE FROM matches_partyevent"])
def test_the_log_cannot_be_changed(change: str) -> None:
    with (
        pytest.raises(DatabaseError, match="matches_partyevent is append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(change)
    assert PartyEvent.objects.get().action == "pass"


@pytest.mark.usefixtures("_rows")
def test_a_match_with_a_log_cannot_be_deleted() -> None:
    Match.objects.get().delete()
    with pytest.raises(IntegrityError, match="matches_partyevent"):
        connection.check_constraints()

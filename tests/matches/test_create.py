"""Drawing a match up: all of its rows, and what they say about the deals before any is played."""

from __future__ import annotations

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from engine import RulesError, commitment, lot, suits_of
from matches.core.plan import MatchPlan
from matches.models import Agent, Board, Game, Match, Party, Player
from matches.services import wake
from matches.services.create import create_match, create_matches
from matches.services.versions import house_agent
from tests.cast import person
from tests.matches.drawn import drawn, no_broker, same_seed

pytestmark = pytest.mark.django_db


def test_r71_every_board_is_drawn_once_per_rotation() -> None:
    match = drawn(boards=3)
    assert list(match.boards.values_list("number", flat=True)) == [1, 2, 3]
    shape = match.parties.order_by("number").values_list("number", "board__number", "rotation", "attempt", "status")
    assert list(shape) == [(n + 1, n % 3 + 1, n // 3, 1, "waiting") for n in range(6)]


def test_seats_turn_with_the_rotation_and_every_game_has_its_alias() -> None:
    match = drawn()
    seats = Game.objects.filter(party__match=match).order_by("party__number", "seat")
    assert list(seats.values_list("party__rotation", "seat", "match_seat__index")) == [
        (0, 0, 0),
        (0, 1, 1),
        (1, 0, 1),
        (1, 1, 0),
    ]
    assert len({game.public_id for game in seats}) == 4


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_table_and_match_seat_are_each_others_inverse(seats: int) -> None:
    for rotation in range(seats):
        party = Party(rotation=rotation)
        assert [party.match_seat(party.table_seat(seat, seats), seats) for seat in range(seats)] == list(range(seats))


def test_r68_r69_r70_what_is_committed_to_follows_from_the_seed() -> None:
    match = drawn(boards=2)
    for board in match.boards.all():
        seed = bytes(board.seed)
        assert board.commitment == commitment(seed)
        assert board.first_dealer == lot(seed, 2)
        assert [party.suits for party in board.parties.order_by("rotation")] == [suits_of(seed, 0), suits_of(seed, 1)]


def test_r69_the_first_dealer_is_drawn_by_lot() -> None:
    for seat in range(12):
        drawn(boards=2, seed=bytes([seat]) * 32)
    assert set(Board.objects.values_list("first_dealer", flat=True)) == {0, 1}


def test_boards_follow_from_the_seed_of_the_match_and_differ() -> None:
    first, second = (bytes(board.seed) for board in drawn(**same_seed(boards=2)).boards.all())
    assert (len(first), len(second)) == (32, 32)
    assert first != second


def test_without_a_seed_every_board_is_drawn_afresh() -> None:
    seeds = {bytes(board.seed) for match in (drawn(boards=2), drawn(boards=2)) for board in match.boards.all()}
    assert len(seeds) == 4


def test_the_plan_is_kept() -> None:
    match = drawn("greedy@1", "random@1", control="blitz", strict=True, round_number=3, rated=False, priority=3)
    match.refresh_from_db()
    kept = (match.control, match.strict, match.round_number, match.rated, match.priority, match.boards_planned)
    assert kept == ("blitz", True, 3, False, 3, 1)
    assert (match.rules, match.forfeit_points) == ("moscow/2@1", 100)
    assert match.overrides == {"deals": 1, "next_dealer": "rotate", "hang_dealer": "next"}
    assert [seat.agent.label for seat in match.seats.all()] == ["greedy@1", "random@1"]


def test_what_sides_of_one_owner_play_is_never_rated_whatever_was_planned() -> None:
    owner, other = person("bohdan"), person("chrystyna")
    mine, too, theirs = [
        Agent.objects.create(player=Player.objects.create(name=f"P{number}", kind="bot", owner=by), kind="http").pk
        for number, by in enumerate((owner, owner, other))
    ]
    plans = [MatchPlan(agents=agents) for agents in ((mine, theirs), (mine, too))]
    plans.append(MatchPlan(agents=(mine, theirs, too, theirs), rules="klabor/pairs"))
    assert [match.rated for match in create_matches(plans)] == [True, False, True]


def test_a_held_match_waits_for_its_release() -> None:
    assert drawn(held=True).status == "held"
    assert drawn("greedy@1", "random@1").status == "ready"


def test_the_versions_must_fill_the_table() -> None:
    alone = house_agent("greedy@1")
    with pytest.raises(ValueError, match="moscow/2@1 is for 2 seats, 1 versions were given"):
        create_match(MatchPlan(agents=(alone.pk,)))
    assert not Match.objects.exists()


def test_rules_that_do_not_fit_are_refused_whole() -> None:
    with pytest.raises(RulesError):
        drawn(overrides={"deal": 4})
    assert not Match.objects.exists()


def test_however_many_matches_a_transaction_draws_the_lanes_are_asked_once(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks() as callbacks:
        for _ in range(5):
            drawn()
    assert callbacks == [wake.wake_lanes]


def test_a_match_is_drawn_though_the_broker_is_away(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks, caplog: pytest.LogCaptureFixture
) -> None:
    with django_capture_on_commit_callbacks() as callbacks:
        match = drawn()
    with no_broker():
        callbacks[0]()
    assert "The broker is away" in caplog.text
    assert Match.objects.filter(pk=match.pk, status="ready").exists()

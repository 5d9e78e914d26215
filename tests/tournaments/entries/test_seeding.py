"""In which order entries are seeded, whom their shields keep apart, who directs, and what the log keeps."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser, Permission

from matches.core.plan import MatchPlan
from matches.models import Match, Player
from matches.services.create import create_match
from matches.services.versions import house_agent
from tests.cast import SEED, anna, person, tournament
from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import Seeding
from tournaments.formats.lots import Lots
from tournaments.models import Entry, StandingsSnapshot, Tournament
from tournaments.services import running
from tournaments.services.directing import directs, directs_tournament
from tournaments.services.log import note
from tournaments.services.seeding import order_of, shields_of

pytestmark = pytest.mark.django_db
LOTS = Lots(SEED)


def field(*ratings: int | None) -> Tournament:
    """A tournament with an entry for each rating."""
    cup = tournament(*["random@1"] * len(ratings))
    for entry, rating in zip(cup.entries.order_by("number"), ratings, strict=True):
        Entry.objects.filter(pk=entry.pk).update(rating=rating)
    return cup


def seeded(cup: Tournament, seeding: Seeding, snapshot: StandingsSnapshot | None = None) -> list[int]:
    entries = list(cup.entries.order_by("-number"))
    return [entry.number for entry in order_of(cup, entries, seeding, LOTS, snapshot)]


def test_as_entered_is_by_number_whatever_order_the_rows_come_in() -> None:
    assert seeded(field(1200, None, 1500), Seeding.ENTERED) == [1, 2, 3]


def test_by_rating_the_unrated_are_last_and_the_lot_orders_equals() -> None:
    drawn = LOTS.order("seeding", range(1, 7))
    expected = [3, *(n for n in drawn if n in (1, 5)), *(n for n in drawn if n in (2, 4, 6))]
    assert seeded(field(1200, None, 1500, None, 1200, None), Seeding.RATING) == expected
    assert expected != sorted(expected[:1]) + sorted(expected[1:3]) + sorted(expected[3:]), "the lot decided nothing"


def test_the_lot_follows_from_the_seed_alone() -> None:
    assert seeded(field(1200, None, 1500, 900), Seeding.LOT) == list(LOTS.order("seeding", [1, 2, 3, 4]))


def test_by_an_earlier_stage_whoever_is_not_in_its_standings_is_last() -> None:
    cup = field(None, None, None, None)
    ids = list(cup.entries.order_by("number").values_list("public_id", flat=True))
    rows = [{"entry": ids[number - 1], "place": place} for number, place in ((3, 1), (1, 2))]
    snapshot = StandingsSnapshot(tournament=cup, number=1, rows=rows, matches_counted=0, matches_total=0)
    assert seeded(cup, Seeding.EARLIER, snapshot) == [3, 1, 2, 4]


def test_there_is_no_seeding_by_standings_that_are_not_there() -> None:
    with pytest.raises(TournamentError, match="seed as entered") as refusal:
        seeded(field(None, None), Seeding.EARLIER)
    assert refusal.value.code == "no_standings_to_seed_by"


def test_shields_are_the_owners_of_members_and_the_club_however_it_was_typed() -> None:
    cup = tournament("random@1", "random@1")
    first, second = cup.entries.order_by("number")
    bohdan = person("bohdan")
    Player.objects.filter(memberships__entry=first).update(kind="bot", owner=bohdan)
    Entry.objects.filter(pk=first.pk).update(club="  Дебют  КИЇВ ")
    Entry.objects.filter(pk=second.pk).update(club="дебют київ")
    shields = list(shields_of(list(cup.entries.order_by("number"))).values())
    assert shields == [{f"owner:{bohdan.pk}", "club:дебют київ"}, {"club:дебют київ"}]


def test_an_entry_without_club_or_owner_has_no_shield() -> None:
    entry = tournament("random@1").entries.get()
    assert shields_of([entry]) == {entry.pk: frozenset()}


def test_the_organiser_directs_and_so_does_the_desk_but_no_stranger() -> None:
    cup = tournament("random@1", "random@1")
    Tournament.objects.filter(pk=cup.pk).update(organiser=person("olha"))
    running.start(cup.pk, SEED)
    cup.refresh_from_db()
    desk = person("danylo")
    desk.user_permissions.add(Permission.objects.get(codename="change_tournament"))
    match = Match.objects.get()
    asked = [cup.organiser, desk, anna(), person("bohdan"), AnonymousUser()]
    expected = [True, True, True, False, False]
    assert [directs_tournament(user, cup) for user in asked] == expected
    assert [directs(user, match) for user in asked] == expected


def test_a_match_of_no_tournament_has_no_director_here() -> None:
    agents = tuple(house_agent("random@1", name).pk for name in ("Odarka", "Petro"))
    assert directs(anna(), create_match(MatchPlan(agents=agents))) is False


def test_the_log_keeps_what_was_done_by_whom_in_order() -> None:
    cup = tournament()
    note(cup, "bye_asked", anna(), entry="e_1", kind="half_bye")
    note(cup, "settled")
    kept = [(event.kind, event.actor, event.payload) for event in cup.events.filter(kind__in=["bye_asked", "settled"])]
    assert kept == [("bye_asked", anna(), {"entry": "e_1", "kind": "half_bye"}), ("settled", None, {})]

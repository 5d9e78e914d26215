"""How large a tournament may be: told before anything is drawn."""

from __future__ import annotations

import pytest

from matches.core.plan import MatchPlan
from matches.models import Agent, Match, Player, PlayerKind
from matches.services.create import create_match
from matches.services.versions import house_agent
from tests.cast import tournament
from tournaments.errors import TournamentError
from tournaments.models import Entry, EntryMember, Round, Tournament
from tournaments.services import running

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]


def field_of(count: int, **options: object) -> Tournament:
    """A tournament of as many house programs, entered all at once."""
    competition = tournament(**options)
    names = [f"Entrant {number}" for number in range(1, count + 1)]
    players = Player.objects.bulk_create(Player(name=name, kind=PlayerKind.HOUSE) for name in names)
    agents = Agent.objects.bulk_create(
        Agent(player=player, kind="house", label="random@1", status="active") for player in players
    )
    entries = Entry.objects.bulk_create(
        Entry(tournament=competition, number=number, name=agent.player.name)
        for number, agent in enumerate(agents, start=1)
    )
    EntryMember.objects.bulk_create(
        EntryMember(tournament=competition, entry=entry, player=agent.player, agent=agent)
        for entry, agent in zip(entries, agents, strict=True)
    )
    return competition


@pytest.mark.parametrize(
    ("entries", "boards", "told"),
    [
        (33, 20, "21120 parties"),  # 528 pairings, 20 boards, 2 seats
        (142, 1, "20022 parties"),
        (513, 1, "513 entries"),
    ],
)
def test_what_is_too_large_is_refused_before_it_is_drawn(entries: int, boards: int, told: str) -> None:
    competition = field_of(entries, boards=boards)
    with pytest.raises(TournamentError, match=told) as refusal:
        running.start(competition.pk)
    assert refusal.value.code == "too_large"
    assert "fewer" in str(refusal.value)
    competition.refresh_from_db()
    assert competition.status == "registration"
    assert Match.objects.count() == Round.objects.count() == 0


def test_a_match_is_drawn_with_as_many_queries_whatever_its_boards(django_assert_max_num_queries) -> None:
    agents = tuple(house_agent("random@1", name).pk for name in ("Ron", "Rita"))
    with django_assert_max_num_queries(8):
        match = create_match(MatchPlan(agents=agents, boards=20))
    assert match.parties.count() == 40

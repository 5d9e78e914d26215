"""Which rounds are shown to whom: the one answer that pages, API and exports all ask for."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser, Permission

from bots_api.services import add_version, register_bot
from matches.models import Agent, AgentStatus, User
from matches.services.versions import set_status
from tests.cast import anna, person, tournament
from tournaments.formats.lifecycle import Audience, RoundStatus
from tournaments.models import Round, Stage, Tournament
from tournaments.services import entries
from tournaments.web.reading import visible_rounds

pytestmark = pytest.mark.django_db

EVERYBODY, ENTERED, DIRECTS = (
    {"stranger", "nobody", "player", "anna", "scorer"},
    {"player", "anna", "scorer"},
    {"anna", "scorer"},
)
SEEN_BY = {
    (status, audience): DIRECTS
    if status in (RoundStatus.PROPOSED, RoundStatus.CHANGING, RoundStatus.CONFIRMED)
    else {Audience.HIDDEN: DIRECTS, Audience.PARTICIPANTS: ENTERED, Audience.PUBLIC: EVERYBODY}[audience]
    for status in RoundStatus
    for audience in Audience
}


@pytest.fixture
def readers() -> dict[str, User | AnonymousUser]:
    scorer = person("olena", is_staff=True)
    scorer.user_permissions.add(Permission.objects.get(codename="view_tournament"))
    return {
        "anna": anna(),
        "player": person("bohdan"),
        "stranger": person("chrystyna"),
        "scorer": User.objects.get(pk=scorer.pk),
        "nobody": AnonymousUser(),
    }


@pytest.fixture
def cup(readers: dict[str, User | AnonymousUser]) -> Tournament:
    """A cup in which Bohdan has two programs; Chrystyna has one that is not entered."""
    row = tournament()
    for name in ("Absent-minded", "Present"):
        entries.enter(row.pk, program(name, readers["player"]))
    program("Elsewhere", readers["stranger"])
    return row


def program(name: str, owner: User) -> Agent:
    version = add_version(register_bot(name, owner), "v1", "http://127.0.0.1:65535/")
    set_status(version.agent_id, AgentStatus.ACTIVE)
    return Agent.objects.get(pk=version.agent_id)


@pytest.mark.parametrize(("status", "audience"), SEEN_BY)
def test_every_state_and_audience_has_its_readers(cup: Tournament, readers, status: str, audience: str) -> None:
    stage = Stage.objects.create(tournament=cup)
    closed_at = cup.created_at if status == RoundStatus.CLOSED else None
    drawn = Round.objects.create(stage=stage, number=1, status=status, audience=audience, closed_at=closed_at)
    seen = {name for name, reader in readers.items() if list(visible_rounds(reader, cup)) == [drawn]}
    assert seen == SEEN_BY[status, audience]


def test_a_player_of_another_tournament_is_a_stranger_here(cup: Tournament, readers) -> None:
    other = tournament(slug="other")
    drawn = Round.objects.create(
        stage=Stage.objects.create(tournament=other), number=1, status="released", audience="participants"
    )
    assert not visible_rounds(readers["player"], other).exists()
    assert list(visible_rounds(readers["anna"], other)) == [drawn]

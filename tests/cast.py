"""Who plays in the tests: Anna directs, Bohdan plays, Chrystyna is a stranger. And ready-made competitions."""

from __future__ import annotations

from matches.lane import drive
from matches.models import User
from matches.services.outbox import deliver_due
from matches.services.versions import house_agent
from tournaments.models import Tournament
from tournaments.services import entries, running

SEED = bytes(range(32))


def person(name: str, **rights: bool) -> User:
    """A user with this name; `is_staff`, `is_superuser` as asked."""
    return User.objects.create_user(name, password=f"{name} opens the door", **rights)


def anna() -> User:
    return User.objects.filter(username="anna").first() or person("anna", is_staff=True, is_superuser=True)


def tournament(*labels: str, slug: str = "autumn-cup", **options: object) -> Tournament:
    """A tournament that takes entries, with a house program for each label (`greedy@1`, `random@1`)."""
    drawn_up = Tournament.objects.create(
        slug=slug, name=slug.replace("-", " ").capitalize(), organiser=anna(), **{"boards": 1, "deals": 1, **options}
    )
    entries.open_registration(drawn_up.pk)
    for number, label in enumerate(labels, start=1):
        entries.enter(drawn_up.pk, house_agent(label, f"{label.partition('@')[0].capitalize()} {number}"))
    drawn_up.refresh_from_db()
    return drawn_up


def played(*labels: str, **options: object) -> Tournament:
    """The same, played to its end in this process and settled."""
    competition = tournament(*labels, **options)
    running.start(competition.pk, SEED)
    play_out(competition)
    return competition


def play_out(competition: Tournament) -> None:
    """Plays whatever is due and delivers the news."""
    drive(slots=16, seconds=60)
    while deliver_due():
        pass
    competition.refresh_from_db()

"""House programs on the site: entered with a tick, marked wherever they stand, with what they may compute."""

from __future__ import annotations

import re

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from engine.bots import HOUSE_VERSIONS
from matches.models import Player
from matches.services.versions import house_agent
from tests.cast import anna, tournament
from tests.matches.drawn import drawn
from tests.web.test_forms import CUP, NEW
from tournaments.models import Tournament
from tournaments.services import entries

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]


def words(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def shown(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def entered_in(cup: Tournament) -> list[str]:
    return [entry.name for entry in cup.entries.order_by("number")]


def test_a_tick_in_the_form_enters_one_of_each(client: Client) -> None:
    client.force_login(anna())
    client.post(NEW, {**CUP, "house": "on"})
    cup = Tournament.objects.get()
    assert entered_in(cup) == ["house:random", "house:greedy", "house:pimc", "house:solver"]
    client.post(f"/t/{cup.slug}/edit/", {**CUP, "slug": cup.slug, "house": "on"})
    assert len(entered_in(cup)) == 4


def test_without_the_tick_nobody_is_entered(client: Client) -> None:
    client.force_login(anna())
    client.post(NEW, CUP)
    assert entered_in(Tournament.objects.get()) == []


def test_a_button_at_the_desk_does_the_same_and_says_whom(client: Client) -> None:
    client.force_login(anna())
    cup = tournament(rules="site/3")
    address = reverse("admin:tournaments_tournament_verb", args=[cup.pk, "house"])
    answers = [client.post(address) for _ in range(2)]
    told = [str(next(iter(get_messages(answer.wsgi_request)))) for answer in answers]
    assert told[0] == "Entered: house:random, house:greedy, house:pimc."
    assert len(entered_in(cup)) == 3


def test_standings_mark_those_that_house_programs_alone_play_for(client: Client) -> None:
    cup = tournament(rules="klabor/pairs")
    entries.enter_house(cup.pk)
    page = shown(client, cup.get_absolute_url())
    assert page.count('class="mark-house"') == len(entered_in(cup))
    assert "house pimc@1" in words(page)


def test_a_match_and_a_player_say_what_the_version_may_compute(client: Client) -> None:
    match = drawn("pimc@1", "greedy@1")
    assert 'title="pimc@1, 50 ms a move at most"' in shown(client, match.get_absolute_url())
    assert 'title="greedy@1, answers at once"' in shown(client, match.get_absolute_url())
    player = Player.objects.get(agents__label="pimc@1")
    assert "pimc@1 (active, 50 ms a move at most)" in words(shown(client, reverse("player", args=[player.public_id])))


def test_a_match_that_waits_says_what_for_if_a_house_program_thinks_in_it(client: Client) -> None:
    said = "A house program that computes for long plays here"
    assert said in shown(client, drawn("pimc@1", "greedy@1").get_absolute_url())
    assert said not in shown(client, drawn("random@1", "greedy@1").get_absolute_url())


def test_a_version_that_is_not_here_any_more_says_so(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    agent = house_agent("greedy@1")
    monkeypatch.setitem(HOUSE_VERSIONS, "greedy", 2)
    page = words(shown(client, reverse("player", args=[agent.player.public_id])))
    assert "greedy@1 (active, not played here any more)" in page

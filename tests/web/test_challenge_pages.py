"""Challenges in a browser: Bohdan challenges, Chrystyna is asked, nobody else sees anything of it."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from django.test import Client

from bots_api.challenges.services import challenge
from bots_api.models import Bot, BotVersion, Challenge, ChallengePolicy
from bots_api.services import add_version, register_bot
from matches.models import Match, User
from matches.services.desk import void_match
from matches.services.versions import set_status
from tests.cast import person
from tests.web.test_tournament_pages import page, words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("broker")]


@dataclass(frozen=True, slots=True)
class Two:
    """Bohdan's program, and Chrystyna's that asks her."""

    bohdan: User
    chrystyna: User
    his: BotVersion
    hers: BotVersion

    def offered(self) -> Challenge:
        return challenge(self.bohdan, self.his.agent, [self.hers.agent])


def active(name: str, owner: User, policy: ChallengePolicy = ChallengePolicy.ALL) -> BotVersion:
    version = add_version(register_bot(name, owner, challenges=policy), "v1", "http://127.0.0.1:65535/")
    set_status(version.agent_id, "active")
    version.agent.refresh_from_db()
    return version


@pytest.fixture
def two() -> Two:
    bohdan, chrystyna = person("bohdan"), person("chrystyna")
    return Two(bohdan, chrystyna, active("His", bohdan), active("Hers", chrystyna, ChallengePolicy.ASK))


def typed(two: Two, **otherwise: str) -> dict[str, str]:
    plan = {"rules": "moscow/2@1", "length": "boards", "boards": "1", "deals": "2", "control": "blitz", "hours": "24"}
    return {"challenger": two.his.agent.public_id} | plan | otherwise


def test_the_house_is_challenged_and_plays_at_once(client: Client, two: Two) -> None:
    client.force_login(two.bohdan)
    assert "house:greedy@1" in page(client, "/challenges/new/")
    answer = client.post("/challenges/new/", typed(two, seat_2="greedy@1"))
    made = Challenge.objects.get()
    assert answer["Location"] == f"/challenges/{made.public_id}/"
    assert (made.status, made.match.boards_planned, made.match.control) == ("accepted", 1, "blitz")
    html = page(client, answer["Location"])
    assert f"/m/{made.match.public_id}/" in html
    assert "1 board of 2 deals" in words(html)
    assert "It waits for its turn and begins by itself." in html
    assert 'hx-trigger="every 5s"' in html, "it looks for the end of the match by itself"
    void_match(made.match.pk, "a trial")
    polled = client.get(answer["Location"], headers={"HX-Request": "true"})
    assert (polled.status_code, polled["HX-Refresh"]) == (286, "true")


def test_a_link_of_another_page_has_chosen_already(client: Client, two: Two) -> None:
    client.force_login(two.bohdan)
    html = page(client, f"/challenges/new/?opponent={two.hers.agent.public_id}")
    assert f'<option value="{two.hers.agent.public_id}" selected>' in html
    assert f"/challenges/new/?opponent={two.hers.agent.public_id}" in page(client, f"/b/{two.hers.bot.public_id}/")


@pytest.mark.parametrize(
    ("otherwise", "told"),
    [
        ({}, "name all others in their order"),
        ({"seat_2": "HERS", "rules": "klabor/4@1"}, "name all others in their order"),
        ({"seat_2": "HIS"}, "cannot play against itself"),
        ({"seat_2": "v_" + "0" * 22}, "Select a valid choice"),
        ({"seat_2": "solver@1", "rules": "klabor/4@1", "seat_3": "greedy@1", "seat_4": "greedy@1"}, "does not play"),
        ({"seat_2": "HERS", "boards": "99"}, "less than or equal to 20"),
        ({"seat_2": "HERS", "boards": "2", "length": "best_of"}, "may end level"),
        ({"seat_2": "HERS", "hours": "999"}, "less than or equal to 168"),
        ({"seat_2": "OWN", "rated": "on"}, "never rated"),
    ],
)
def test_what_cannot_be_played_is_told(client: Client, two: Two, otherwise: dict[str, str], told: str) -> None:
    own = active("His other", two.bohdan)
    names = {"HIS": two.his, "HERS": two.hers, "OWN": own}
    chosen = {key: names[value].agent.public_id if value in names else value for key, value in otherwise.items()}
    client.force_login(two.bohdan)
    answer = client.post("/challenges/new/", typed(two, **chosen))
    assert answer.status_code == 200
    assert told in answer.content.decode()
    assert not Challenge.objects.exists()


def test_nobody_challenges_with_the_program_of_another(client: Client, two: Two) -> None:
    client.force_login(two.chrystyna)
    answer = client.post("/challenges/new/", typed(two, seat_2="greedy@1"))
    assert "Select a valid choice" in answer.content.decode()
    assert not Challenge.objects.exists()


def test_who_has_no_program_that_plays_is_told_what_it_takes(client: Client) -> None:
    client.force_login(person("dmytro"))
    assert "passed its qualification" in page(client, "/challenges/new/")


@pytest.mark.parametrize(("word", "status", "matches"), [("accept", "accepted", 1), ("decline", "declined", 0)])
def test_who_is_asked_answers(client: Client, two: Two, word: str, status: str, matches: int) -> None:
    made = two.offered()
    client.force_login(two.chrystyna)
    assert "waits for you" in page(client, "/challenges/")
    assert "Does Hers v1 play?" in page(client, made.get_absolute_url())
    for _ in range(2):
        client.post(f"{made.get_absolute_url()}answer/", {"answer": word})
    made.refresh_from_db()
    assert (made.status, Match.objects.count()) == (status, matches)


def test_a_challenge_is_taken_back_by_who_made_it(client: Client, two: Two) -> None:
    made = two.offered()
    client.force_login(two.chrystyna)
    answer = client.post(f"{made.get_absolute_url()}take-back/", follow=True)
    assert "Only who made a challenge takes it back" in answer.content.decode()
    client.force_login(two.bohdan)
    client.post(f"{made.get_absolute_url()}take-back/")
    made.refresh_from_db()
    assert made.status == "cancelled"


def test_who_challenges_cannot_answer_for_the_other(client: Client, two: Two) -> None:
    made = two.offered()
    client.force_login(two.bohdan)
    assert "Does Hers" not in page(client, made.get_absolute_url())
    client.post(f"{made.get_absolute_url()}answer/", {"answer": "accept"})
    made.refresh_from_db()
    assert made.status == "offered"


@pytest.mark.parametrize("who", ["nobody", "dmytro", "operator"])
def test_strangers_see_nothing_of_it(client: Client, two: Two, who: str) -> None:
    made = two.offered()
    if who != "nobody":
        client.force_login(person(who, is_staff=who == "operator", is_superuser=who == "operator"))
    expected = 302 if who == "nobody" else 404
    address = made.get_absolute_url()
    assert client.get(address).status_code == expected
    for act in ("answer/", "take-back/"):
        assert client.post(address + act, {"answer": "accept"}).status_code == expected
    if who != "nobody":
        assert made.public_id not in page(client, "/challenges/")
    made.refresh_from_db()
    assert made.status == "offered"


def test_what_one_owner_plays_with_himself_is_flagged(client: Client, two: Two) -> None:
    own = active("His other", two.bohdan)
    made = challenge(two.bohdan, two.his.agent, [own.agent])
    assert "Both sides are bohdan&#x27;s." in page(client, made.match.get_absolute_url())
    client.force_login(two.bohdan)
    assert 'data-test="one-owner"' in page(client, made.get_absolute_url())
    between = two.offered()
    assert 'data-test="one-owner"' not in page(client, between.get_absolute_url())


def test_the_list_costs_the_same_for_many(client: Client, two: Two, django_assert_max_num_queries) -> None:
    for _ in range(8):
        two.offered()
    client.force_login(two.chrystyna)
    with django_assert_max_num_queries(12):
        page(client, "/challenges/")


def test_who_takes_no_challenges_is_not_offered_as_one_who_does(client: Client, two: Two) -> None:
    client.force_login(two.bohdan)
    hers = two.hers.agent.public_id
    Bot.objects.filter(pk=two.hers.bot_id).update(challenges=ChallengePolicy.NONE)
    assert "Challenge it" not in page(client, f"/b/{two.hers.bot.public_id}/")
    assert "takes no challenges just now" in page(client, f"/challenges/new/?opponent={hers}")
    Bot.objects.filter(pk=two.hers.bot_id).update(challenges=ChallengePolicy.ALL)
    BotVersion.objects.filter(pk=two.hers.pk).update(is_accepting=False)
    assert "Challenge it" not in page(client, f"/b/{two.hers.bot.public_id}/")

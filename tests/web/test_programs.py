"""An author's way in a browser: a program, its versions, and everything that is the owner's alone."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from bots_api.models import (
    ApiToken,
    Bot,
    BotVersion,
    Delivery,
    Presence,
    Qualification,
    QualificationCase,
    QuarantinedBy,
    VersionHealth,
    Webhook,
)
from bots_api.services import add_version, register_bot, shown_secret
from bots_api.services.resending import under_way
from bots_api.services.states import let_play, quarantine
from bots_api.tokens import make_token
from matches.core.limits import Limit
from matches.models import AgentStatus, User
from matches.services.versions import set_status
from tests.cast import person
from tests.web.test_tournament_pages import page, words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("broker")]

ADDRESS = "http://127.0.0.1:65535/bot"
PRIVATE = "private, no-store"


@pytest.fixture
def bohdan() -> User:
    return person("bohdan")


@pytest.fixture
def bot(bohdan: User) -> Bot:
    return register_bot("Trump card", bohdan, "Plays the nine first.")


@pytest.fixture
def called(bot: Bot) -> BotVersion:
    return add_version(bot, "v1", ADDRESS)


@pytest.fixture
def calling(bot: Bot) -> BotVersion:
    return add_version(bot, "v2")


@pytest.fixture
def logged_in(client: Client, bohdan: User) -> Client:
    client.force_login(bohdan)
    return client


def of(version: BotVersion, path: str = "") -> str:
    return f"/v/{version.agent.public_id}/{path}"


def play_token(version: BotVersion) -> str:
    return make_token(version.bot.player.owner, "home", ["bot:play"], 30, version=version)[1]


def step(client: Client, version: BotVersion) -> str:
    found = re.search(r'class="next-sentence">([^<]+)<', page(client, of(version)))
    return found[1] if found else ""


# From nothing to a version


def test_a_program_is_registered_and_its_first_version_made(logged_in: Client) -> None:
    answer = logged_in.post("/bots/new/", {"name": "Queen of clubs", "about": "", "challenges": "ask"})
    bot = Bot.objects.get()
    assert answer["Location"] == f"/b/{bot.public_id}/versions/new/"
    assert (bot.player.name, bot.player.owner.username, bot.challenges) == ("Queen of clubs", "bohdan", "ask")
    made = logged_in.post(answer["Location"], {"label": "v1", "way": "pull", "url": ""})
    token = re.search(r'data-test="secret-once">(mnl_[0-9A-Za-z]+)<', made.content.decode())
    assert token
    assert made["Cache-Control"] == PRIVATE
    version = BotVersion.objects.get()
    assert (version.agent.kind, version.url) == ("pull", "")
    assert [one.scopes for one in version.tokens.all()] == [["bot:play"]]
    assert f"TOKEN={token[1]}" in made.content.decode()
    fetched = re.findall(r"/static/(starters/[a-z.]+)", made.content.decode())
    assert fetched == ["starters/caller.py", "starters/caller.js", "starters/caller.go"]
    assert all(finders.find(path) for path in fetched)
    assert token[1] not in page(logged_in, of(version)), "it is shown once"


def test_a_version_at_an_address_is_made_with_its_secret(logged_in: Client, bot: Bot) -> None:
    made = logged_in.post(f"/b/{bot.public_id}/versions/new/", {"label": "v1", "way": "push", "url": ADDRESS})
    version = BotVersion.objects.get()
    assert (version.agent.kind, version.url, version.agent.status) == ("push", ADDRESS, "new")
    assert shown_secret(version) in made.content.decode()
    assert f".venv/bin/python -m bots_api.check {ADDRESS} --secret" in made.content.decode()
    assert made["Cache-Control"] == PRIVATE
    assert not version.tokens.exists()
    fetched = re.findall(r"/static/(starters/[a-z.]+)", made.content.decode())
    assert len(fetched) == 3
    assert all(finders.find(path) for path in fetched)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ({"label": "v1"}, "has a version v1 already"),
        ({"label": "a b"}, "Call a version something like v1"),
        ({"label": "v3", "way": "push", "url": ""}, "Where is it to be called?"),
        ({"label": "v3", "way": "push", "url": "http://10.0.0.1/"}, "10.0.0.1"),
        ({"label": "v3", "way": "push", "url": "nonsense"}, "nonsense"),
        ({"label": "v3", "way": "pull", "url": ADDRESS}, f'value="{ADDRESS}"'),
        ({"label": "v3", "way": "smoke"}, "Select a valid choice"),
    ],
)
def test_a_version_that_cannot_be_is_refused_at_its_field(
    logged_in: Client, called: BotVersion, typed: dict[str, str], told: str
) -> None:
    answer = logged_in.post(f"/b/{called.bot.public_id}/versions/new/", {"way": "pull"} | typed)
    assert answer.status_code == 200
    assert told in answer.content.decode()
    assert called.bot.versions.count() == 1


def test_a_name_that_is_taken_is_told(logged_in: Client, bot: Bot) -> None:
    answer = logged_in.post("/bots/new/", {"name": "trump CARD", "challenges": "all"})
    assert "A player is called" in answer.content.decode()
    assert Bot.objects.count() == 1


def test_what_is_told_of_a_program_is_changed_and_its_name_is_not(logged_in: Client, bot: Bot) -> None:
    typed = {"name": "Other", "about": "<b>bold</b>", "challenges": "none"}
    assert logged_in.post(f"/b/{bot.public_id}/edit/", typed).status_code == 302
    html = page(logged_in, f"/b/{bot.public_id}/")
    assert "&lt;b&gt;bold&lt;/b&gt;" in html
    assert "accepts none" in html
    assert Bot.objects.get().player.name == "Trump card"


def test_who_registers_too_many_is_told_which_limit_it_was(logged_in: Client, settings) -> None:
    settings.LIMITS = settings.LIMITS | {"bots": Limit(1, 86_400)}
    assert logged_in.post("/bots/new/", {"name": "One", "challenges": "all"}).status_code == 302
    refused = logged_in.post("/bots/new/", {"name": "Two", "challenges": "all"})
    assert refused.status_code == 429
    assert "“bots”" in refused.content.decode()
    assert Bot.objects.count() == 1


def test_what_is_refused_is_not_counted(logged_in: Client, calling: BotVersion, settings) -> None:
    once = ("bots", "tokens", "webhooks", "qualifications")
    settings.LIMITS = settings.LIMITS | dict.fromkeys(once, Limit(1, 86_400))
    play_token(calling)
    set_status(calling.agent_id, AgentStatus.RETIRED)
    for address, typed in (
        ("/bots/new/", {"name": calling.bot.player.name, "challenges": "all"}),
        (of(calling, "tokens/"), {"name": "home"}),
        (of(calling, "qualify/"), {}),
        ("/webhooks/", {"url": "http://10.0.0.1/", "events": ["match.finished"]}),
    ):
        assert 429 not in [logged_in.post(address, typed).status_code for _ in range(3)], address
    assert (Bot.objects.count(), ApiToken.objects.count(), Webhook.objects.count()) == (1, 1, 0)


# What to do next


def test_the_next_step_is_one_sentence(logged_in: Client, called: BotVersion, calling: BotVersion) -> None:
    assert step(logged_in, called).startswith("Start the qualification")
    assert step(logged_in, calling).startswith("It has no play token that is alive")
    play_token(calling)
    assert step(logged_in, calling).startswith("It waits for its first connection")
    assert "Take no new matches" not in page(logged_in, of(called))
    set_status(called.agent_id, AgentStatus.ACTIVE)
    assert "Take no new matches" in page(logged_in, of(called))
    assert step(logged_in, called) == "It plays as soon as it has a match: nothing is due."
    quarantine(called.agent_id, QuarantinedBy.REJECTED, "rejected a request.")
    assert step(logged_in, called).startswith("It was taken off the table (rejected a request). Mend it")
    quarantine(called.agent_id, QuarantinedBy.DESK, "plays for two")
    assert "(plays for two). The organisers did so" in step(logged_in, called)
    let_play(called.agent_id)
    quarantine(called.agent_id, QuarantinedBy.PROBES, "did not answer 3 pings")
    VersionHealth.objects.create(agent=called.agent, failures=3, last_detail="Connect call failed ('127.0.0.1', 65535)")
    assert step(logged_in, called).endswith("is back once it answers twice.")
    assert "Connect call failed" in page(logged_in, of(called))
    assert "65535" not in page(Client(), f"/b/{called.bot.public_id}/")
    set_status(called.agent_id, AgentStatus.RETIRED)
    assert step(logged_in, called).startswith("It is retired")


def test_a_version_that_connects_goes_on_to_its_qualification(logged_in: Client, calling: BotVersion) -> None:
    play_token(calling)
    assert 'hx-trigger="every 3s"' in page(logged_in, of(calling))
    Presence.objects.create(agent=calling.agent, seen_at=calling.created_at)
    assert step(logged_in, calling).startswith("Start the qualification")
    polled = logged_in.get(of(calling), headers={"HX-Request": "true"})
    assert (polled.status_code, polled["HX-Refresh"]) == (286, "true")


def test_the_qualification_runs_and_shows_each_case(logged_in: Client, called: BotVersion) -> None:
    assert logged_in.post(of(called, "qualify/"))["Location"] == of(called)
    run = Qualification.objects.get(version=called)
    logged_in.post(of(called, "qualify/"))
    assert Qualification.objects.count() == 1
    QualificationCase.objects.create(qualification=run, number=1, code="ping", outcome="passed", request="unseen")
    failed = {"request": '{"type":"decision"}', "reply": "<i>no</i>", "detail": "Not JSON."}
    QualificationCase.objects.create(qualification=run, number=2, code="decision", outcome="failed", **failed)
    assert logged_in.get(of(called), headers={"HX-Request": "true"}).status_code == 200
    html = page(logged_in, of(called))
    assert "Echoes a ping" in html
    assert "&lt;i&gt;no&lt;/i&gt;" in html
    assert "1 of 2 passed" in words(html)
    assert "unseen" not in html
    assert "Failed: Answers a decision" in html
    skipped = {"outcome": "skipped", "detail": "Not tried, since decision failed."}
    for number in (3, 4):
        QualificationCase.objects.create(qualification=run, number=number, code="duplicate", **skipped)
    html = page(logged_in, of(called))
    assert "2 more were not tried" in html
    assert "Takes a decision twice" not in html
    Qualification.objects.filter(pk=run.pk).update(status="failed", finished_at=run.created_at)
    assert step(logged_in, called).startswith("It did not pass")


# What an owner does with a version


def test_a_version_is_drained_and_taken_up_again(logged_in: Client, called: BotVersion) -> None:
    set_status(called.agent_id, AgentStatus.ACTIVE)
    logged_in.post(of(called, "accepting/"), {"accepting": "no"})
    called.refresh_from_db()
    called.agent.refresh_from_db()
    assert (called.is_accepting, called.agent.is_ready) == (False, False)
    assert step(logged_in, called) == "It takes no new matches, and none is on."
    logged_in.post(of(called, "accepting/"), {"accepting": "yes"})
    called.refresh_from_db()
    assert called.is_accepting


def test_a_version_is_retired_after_being_asked_once_more(logged_in: Client, called: BotVersion) -> None:
    assert "Retire Trump card v1?" in page(logged_in, of(called, "retire/"))
    assert BotVersion.objects.get().agent.status == "new"
    logged_in.post(of(called, "retire/"), {"reason": "made room for v2"})
    agent = BotVersion.objects.get().agent
    assert (agent.status, agent.status_reason) == ("retired", "made room for v2")
    assert "made room for v2" in page(Client(), f"/b/{called.bot.public_id}/")


def test_a_secret_is_rotated_and_the_old_one_ended(logged_in: Client, called: BotVersion) -> None:
    before = shown_secret(called)
    logged_in.post(of(called, "secret/"))
    called.refresh_from_db()
    html = page(logged_in, of(called))
    assert shown_secret(called) in html != before
    assert before not in html
    assert "signed with the old secret too" in html
    again = logged_in.post(of(called, "secret/"), follow=True)
    assert "is good until" in again.content.decode()
    logged_in.post(of(called, "secret/end/"))
    called.refresh_from_db()
    assert called.old_secret is None


def test_two_play_tokens_live_and_each_is_shown_once(logged_in: Client, calling: BotVersion) -> None:
    texts = []
    for name in ("home", "away"):
        made = logged_in.post(of(calling, "tokens/"), {"name": name})
        texts += re.findall(r'data-test="secret-once">(mnl_\w+)<', made.content.decode())
        assert made.content.index(b"secret-once") < made.content.index(b"next-step"), "it is seen without scrolling"
        assert made["Cache-Control"] == PRIVATE
    assert len(texts) == 2
    third = logged_in.post(of(calling, "tokens/"), {"name": "third"}, follow=True)
    assert calling.tokens.count() == 2
    assert "secret-once" not in third.content.decode()
    home = calling.tokens.get(name="home")
    logged_in.post(of(calling, f"tokens/{home.public_id}/revoke/"))
    home.refresh_from_db()
    assert home.revoked_at is not None
    assert "1 that is revoked or expired" in page(logged_in, of(calling))
    html = page(logged_in, of(calling))
    assert not [text for text in texts if text in html]
    assert 'value="v2"' in html, "the next one has a name that is free"
    assert "home" not in page(logged_in, "/tokens/"), "tokens of versions have a page of their own"


def fault_of(version: BotVersion, **otherwise: object) -> Delivery:
    told = {"request": '{"type":"decision","seq":7}', "reply": "<b>nonsense</b>", "detail": "Expected JSON."}
    named = {"message": "decision", "seq": 7, "message_id": "dec_1", "outcome": "malformed", "status": 200}
    return Delivery.objects.create(agent=version.agent, sent_at=version.created_at, **(told | named | otherwise))


def test_a_message_is_shown_whole_with_its_curl_line(logged_in: Client, called: BotVersion) -> None:
    fault = fault_of(called, note="out of ideas")
    html = page(logged_in, of(called, f"messages/{fault.pk}/"))
    assert "&quot;seq&quot;:7" in html
    assert "&lt;b&gt;nonsense&lt;/b&gt;" in html
    assert "answered with something unreadable" in html
    assert "curl" in html
    assert "out of ideas" in html
    log = page(logged_in, of(called) + "?faults")
    assert of(called, f"messages/{fault.pk}/") in log
    assert "out of ideas" in log
    refused = {"outcome": "illegal_action", "reply": '{"action": "play:XX", "note": "holds the jack"}'}
    assert "Note: holds the jack" in words(page(logged_in, of(called, f"messages/{fault_of(called, **refused).pk}/")))


def test_a_message_is_sent_again_and_its_answer_shown(logged_in: Client, called: BotVersion) -> None:
    fault = fault_of(called)
    answer = logged_in.post(of(called, f"messages/{fault.pk}/again/"))
    assert answer.status_code == 200
    assert "Sent again just now" in answer.content.decode()
    assert answer["Cache-Control"] == PRIVATE


def test_one_message_at_a_time_is_sent_again(
    logged_in: Client, bohdan: User, called: BotVersion, settings: Any
) -> None:
    """Each of them holds a thread that answers pages until the program has answered."""
    again = of(called, f"messages/{fault_of(called).pk}/again/")
    with under_way(bohdan.pk):
        assert "is just being sent again" in logged_in.post(again, follow=True).content.decode()
    with under_way(-1), under_way(-2):
        assert "Others are having messages sent again" in logged_in.post(again, follow=True).content.decode()
    assert Delivery.objects.count() == 1
    settings.LIMITS = settings.LIMITS | {"resends": Limit(1, 3_600)}
    assert [logged_in.post(again).status_code for _ in range(2)] == [200, 429]


def test_nothing_is_sent_to_a_version_that_calls_us(logged_in: Client, calling: BotVersion) -> None:
    fault = fault_of(calling)
    html = unescape(page(logged_in, of(calling, f"messages/{fault.pk}/")))
    assert "It cannot be sent again" in html
    assert 'print(choose(json.load(open("decision.json")))); sys.exit()' in html
    assert "--data-binary '<b>nonsense</b>' http://localhost:8000/api/v1/decisions/dec_1<" in html
    late = fault_of(calling, reply="", request='{"type":"decision","default":"pass"}')
    assert """--data-binary '{"action":"pass"}'""" in unescape(page(logged_in, of(calling, f"messages/{late.pk}/")))
    ours = fault_of(calling, reply="", outcome="infra")
    assert "curl" not in page(logged_in, of(calling, f"messages/{ours.pk}/")), "it was asked again"
    assert logged_in.post(of(calling, f"messages/{fault.pk}/again/")).status_code == 404
    assert logged_in.post(of(calling, "secret/")).status_code == 404


def test_messages_of_another_version_are_not_here(logged_in: Client, called: BotVersion, calling: BotVersion) -> None:
    fault = fault_of(calling)
    assert logged_in.get(of(called, f"messages/{fault.pk}/")).status_code == 404


# Whose it is

OWN_PAGES = ("", "retire/", "messages/{fault}/")
OWN_ACTS = (
    "qualify/",
    "accepting/",
    "secret/",
    "secret/end/",
    "tokens/",
    "tokens/{token}/revoke/",
    "retire/",
    "messages/{fault}/again/",
)


@pytest.mark.parametrize("who", ["nobody", "chrystyna", "anna", "operator"])
def test_a_version_is_its_owners_alone(client: Client, called: BotVersion, who: str) -> None:
    """Anna directs, the operator may do everything on the desk, Chrystyna is a stranger."""
    rights = {"anna": {"is_staff": True}, "operator": {"is_staff": True, "is_superuser": True}}
    fault = fault_of(called)
    if who != "nobody":
        client.force_login(person(who, **rights.get(who, {})))
    names = {"fault": fault.pk, "token": "k_" + "0" * 22}
    for path in OWN_PAGES:
        assert client.get(of(called, path.format(**names))).status_code == (302 if who == "nobody" else 404), path
    for path in OWN_ACTS:
        assert client.post(of(called, path.format(**names))).status_code == (302 if who == "nobody" else 404), path
    for path in ("edit/", "versions/new/"):
        address = f"/b/{called.bot.public_id}/{path}"
        assert client.get(address).status_code == (302 if who == "nobody" else 404), path
        assert client.post(address, {}).status_code == (302 if who == "nobody" else 404), path
    called.refresh_from_db()
    assert (called.old_secret, called.is_accepting, called.agent.status) == (None, True, "new")
    public = page(client, f"/b/{called.bot.public_id}/")
    for secret in (ADDRESS, shown_secret(called), fault.message_id, of(called), "Delivery log"):
        assert secret not in public


@pytest.mark.parametrize("path", OWN_ACTS)
def test_acts_want_post_and_the_forms_own_token(bohdan: User, called: BotVersion, path: str) -> None:
    address = of(called, path.format(fault=fault_of(called).pk, token="k_" + "0" * 22))
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(bohdan)
    assert strict.post(address).status_code == 403
    if path != "retire/":
        assert strict.get(address).status_code == 405


def test_pages_with_secrets_are_kept_by_nobody(logged_in: Client, called: BotVersion) -> None:
    fault = fault_of(called)
    for path in ("", "retire/", f"messages/{fault.pk}/"):
        assert logged_in.get(of(called, path))["Cache-Control"] == PRIVATE, path


# The list


def test_the_guide_is_a_page_that_everybody_finds(client: Client, settings) -> None:
    for path in ("/", "/bots/"):
        assert 'href="/bots/guide/"' in page(client, path)
    html = page(client, "/bots/guide/")
    assert '<a class="chip" href="#ten-minutes">Ten minutes</a>' in html
    assert '<h2 id="ten-minutes">Ten minutes</h2>' in html
    assert f"{settings.PUBLIC_URL}/signup/" in html
    assert "make demo" not in html, "this site is the one that is spoken of"
    assert "<table" in html
    linked = re.findall(r'href="/static/((?:starters|client)/[a-z.]+)"', html)
    assert "client/manela.py" in linked
    assert all(finders.find(path) for path in linked)
    assert ".md" not in "".join(re.findall(r'href="([^"]+)"', html))


def test_the_list_has_ones_own_first_and_everybodys(client: Client, called: BotVersion) -> None:
    set_status(called.agent_id, AgentStatus.ACTIVE)
    register_bot("Another", person("chrystyna"))
    html = page(client, "/bots/")
    assert "Your programs" not in html
    assert re.search(r"Trump card.*?v1.*?bohdan.*?active", words(html))
    assert "no version yet" in html
    client.force_login(called.bot.player.owner)
    mine = page(client, "/bots/").partition("All programs")[0]
    assert "Trump card" in mine
    assert "Another" not in mine
    found = page(client, "/bots/?q=another").partition("All programs")[2]
    assert "Another" in found
    assert "Trump card" not in found


def test_odd_characters_in_what_is_typed_are_borne(logged_in: Client, called: BotVersion) -> None:
    assert logged_in.get("/bots/", {"q": "tr\0ump"}).status_code == 200
    logged_in.post(of(called, "retire/"), {"reason": "so\0 it\n is"})
    assert BotVersion.objects.get().agent.status_reason == "so it is"


def test_a_program_that_is_not_there_or_drains_is_said_to_be_so(client: Client, calling: BotVersion) -> None:
    set_status(calling.agent_id, AgentStatus.ACTIVE)
    assert "not connected" in page(client, "/bots/")
    BotVersion.objects.update(is_accepting=False)
    assert "takes no new matches" in page(client, f"/b/{calling.bot.public_id}/")


def test_the_list_costs_the_same_for_many(client: Client, bohdan: User, django_assert_max_num_queries) -> None:
    for number in range(12):
        add_version(register_bot(f"Program {number}", bohdan), "v1")
    client.force_login(bohdan)
    with django_assert_max_num_queries(16):
        page(client, "/bots/")

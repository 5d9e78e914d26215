"""The organiser's desk through Django's client: forms, verbs, permissions, refusals."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from bots_api.models import Bot, BotVersion
from matches.models import Match, Result
from matches.services.versions import house_agent
from tests.cast import anna, person, played, tournament
from tournaments.models import Tournament
from tournaments.services import running

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]

FORM = {
    "name": "Winter cup",
    "slug": "winter-cup",
    "description": "",
    "rules": "moscow/2@1",
    "boards": "1",
    "deals": "2",
    "control": "ladder",
    "rated": "on",
    "auto_publish": "on",
    "entries-TOTAL_FORMS": "0",
    "entries-INITIAL_FORMS": "0",
}


@pytest.fixture
def desk(client: Client) -> Client:
    client.force_login(anna())
    return client


def verb(desk: Client, row, name: str, **fields: str):
    base = reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])
    return desk.post(base.replace("change/", f"do/{name}/"), fields, follow=True)


def told(response) -> str:
    return " ".join(str(message) for message in response.context["messages"])


def rules_choice() -> str:
    return "moscow/2@1"


def test_an_organiser_draws_up_enters_starts_pauses_and_goes_on(desk: Client) -> None:
    desk.post(reverse("admin:tournaments_tournament_add"), {**FORM, "rules": rules_choice(), "organiser": anna().pk})
    cup = Tournament.objects.get(slug="winter-cup")
    players = [house_agent(label, name).player for label, name in (("greedy@1", "Greta"), ("random@1", "Ron"))]
    desk.post(
        reverse("admin:tournaments_tournament_enter", args=[cup.pk]), {"players": [player.pk for player in players]}
    )
    assert cup.entries.count() == 2
    for name, status in [("start", "running"), ("pause", "paused"), ("resume", "running")]:
        verb(desk, cup, name)
        cup.refresh_from_db()
        assert cup.status == status


def test_rules_that_do_not_fit_are_told_in_the_form_and_nothing_is_lost(desk: Client) -> None:
    answer = desk.post(
        reverse("admin:tournaments_tournament_add"),
        {**FORM, "organiser": anna().pk, "rules": "fpclub/2@1", "overrides-short": "plain"},
    )
    assert answer.status_code == 200
    assert "Short goes with no jackpot" in str(answer.context["adminform"].form.errors)
    assert b"Winter cup" in answer.content
    assert not Tournament.objects.exists()


def test_the_options_of_another_preset_are_shown_without_a_script(desk: Client) -> None:
    sent = {**FORM, "organiser": anna().pk, "rules": "klabor/pairs@1", "show_options": "1"}
    page = desk.post(reverse("admin:tournaments_tournament_add"), sent).content.decode()
    assert "Klabor, four players in pairs" in page
    assert "errornote" not in page
    assert "Winter cup" in page
    assert not Tournament.objects.exists()


def test_rules_of_the_desk_are_kept_as_a_preset_and_used_again(desk: Client) -> None:
    sent = {**FORM, "organiser": anna().pk, "overrides-first_lead": "maker", "save_as": "Thursday"}
    desk.post(reverse("admin:tournaments_tournament_add"), sent)
    saved = anna().saved_rules.get()
    assert (saved.name, saved.rules, saved.overrides) == ("Thursday", "moscow/2@1", {"first_lead": "maker"})
    again = {**FORM, "organiser": anna().pk, "name": "B", "slug": "b", "rules": f"mine:{saved.public_id}"}
    desk.post(reverse("admin:tournaments_tournament_add"), again)
    assert Tournament.objects.get(slug="b").overrides == {"first_lead": "maker"}


def test_an_organiser_makes_a_single_match(desk: Client) -> None:
    agents = [house_agent("greedy@1", name) for name in ("Greta", "Gerd")]
    seats = {"seat_1": agents[0].pk, "seat_2": agents[1].pk}
    plan = {"rules": "moscow/2@1", "boards": "1", "deals": "1", "control": "ladder"}
    answer = desk.post(reverse("admin:matches_match_add"), {**plan, **seats, "overrides-hundred": "5"})
    match = Match.objects.get()
    assert answer.headers["Location"] == reverse("admin:matches_match_change", args=[match.pk])
    assert (match.title, match.overrides["hundred"], match.rated) == ("Greta – Gerd", 5, False)
    assert b'name="_save"' not in desk.get(answer.headers["Location"]).content
    again = desk.post(reverse("admin:matches_match_add"), {**plan, "seat_1": agents[0].pk})
    assert "seats" in str(again.context["form"].errors["seat_2"])
    assert Match.objects.count() == 1


def test_a_pair_is_entered_and_a_program_that_plays_both_hands(desk: Client) -> None:
    cup = tournament(rules="klabor/pairs@1")
    greta, gerd, both = (house_agent("greedy@1", name).player for name in ("Greta", "Gerd", "Both"))
    address = reverse("admin:tournaments_tournament_enter", args=[cup.pk])
    alone = desk.post(address, {"first": greta.pk, "second": greta.pk, "name": ""})
    assert "both hands" in str(alone.context["pair"].errors)
    desk.post(address, {"first": greta.pk, "second": gerd.pk, "name": "G and G"})
    desk.post(address, {"first": both.pk, "second": "", "name": ""})
    assert list(cup.entries.values_list("name", flat=True)) == ["G and G", "Both"]
    page = desk.get(reverse("admin:tournaments_tournament_change", args=[cup.pk])).content.decode()
    assert "Greta greedy@1, Gerd greedy@1" in page


@pytest.mark.parametrize(("typed", "why"), [("N" * 61, "at most 60"), ("Left\u200bRight", "cannot be seen")])
def test_a_pairs_name_is_refused_beside_it_and_nothing_is_lost(desk: Client, typed: str, why: str) -> None:
    cup = tournament(rules="klabor/pairs@1")
    greta, gerd = (house_agent("greedy@1", name).player for name in ("Greta", "Gerd"))
    address = reverse("admin:tournaments_tournament_enter", args=[cup.pk])
    answer = desk.post(address, {"first": greta.pk, "second": gerd.pk, "name": typed})
    assert why in str(answer.context["pair"].errors["name"])
    assert f'value="{greta.pk}" selected' in answer.content.decode()
    desk.post(address, {"first": greta.pk, "second": gerd.pk, "name": "N" * 60})
    assert cup.entries.get().name == "N" * 60


def test_a_refusal_is_told_on_the_page(desk: Client) -> None:
    cup = tournament("greedy@1")
    assert "two are the least" in told(verb(desk, cup, "start"))
    cup.refresh_from_db()
    assert cup.status == "registration"


def test_a_button_of_an_old_page_does_nothing(desk: Client) -> None:
    cup = played("greedy@1", "random@1")
    assert "out of date" in told(verb(desk, cup, "start"))
    assert "nothing has changed" in told(verb(desk, cup, "publish"))


def test_play_freezes_the_form(desk: Client) -> None:
    cup = played("greedy@1", "random@1")
    page = desk.get(reverse("admin:tournaments_tournament_change", args=[cup.pk]))
    assert not {"rules", "overrides", "boards", "deals"} & page.context["adminform"].form.fields.keys()
    assert "The player to the dealer&#x27;s left leads to the first trick." in page.content.decode()
    assert desk.get(reverse("admin:tournaments_tournament_delete", args=[cup.pk])).status_code == 403


def test_a_match_is_declared_void_with_a_reason(desk: Client) -> None:
    running.start(tournament("greedy@1", "random@1").pk)
    match = Match.objects.get()
    assert "Say why" in told(verb(desk, match, "void", reason=" "))
    verb(desk, match, "void", reason="the light went out")
    match.refresh_from_db()
    assert (match.status, match.status_reason) == ("void", "the light went out")


def test_results_and_matches_cannot_be_edited_or_deleted(desk: Client) -> None:
    played("greedy@1", "random@1")
    match = Match.objects.get()
    for model, pk in (("match", match.pk), ("result", Result.objects.get().pk)):
        page = desk.get(reverse(f"admin:matches_{model}_change", args=[pk]))
        assert not page.context["adminform"].form.fields
        assert desk.get(reverse(f"admin:matches_{model}_delete", args=[pk])).status_code == 403
    assert desk.get(reverse("admin:matches_result_add")).status_code == 403


def test_no_seed_record_or_secret_is_on_the_desk(desk: Client) -> None:
    running.start(tournament("greedy@1", "random@1").pk, bytes(range(32)))
    match = Match.objects.get()
    board = match.boards.get()
    for path in (
        reverse("admin:matches_match_change", args=[match.pk]),
        reverse("admin:tournaments_tournament_change", args=[Tournament.objects.get().pk]),
    ):
        page = desk.get(path).content.decode()
        assert bytes(board.seed).hex() not in page
        assert bytes(range(32)).hex() not in page


def test_a_program_is_registered_and_its_version_waits_for_a_ping(desk: Client) -> None:
    bohdan = person("bohdan")
    desk.post(reverse("admin:bots_api_bot_add"), {"name": "Bohdan's bot", "owner": bohdan.pk, "about": "plays"})
    bot = Bot.objects.get()
    assert bot.player.owner == bohdan
    desk.post(
        reverse("admin:bots_api_botversion_add"), {"bot": bot.pk, "label": "v1", "url": "http://127.0.0.1:59999/play"}
    )
    version = BotVersion.objects.get()
    assert version.agent.status == "new"
    assert "No good answer" in told(verb(desk, version, "ping"))
    version.agent.refresh_from_db()
    assert version.agent.status == "new"


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("ftp://bot.example.org/", "valid URL|begins with"),
        ("http://10.0.0.1/", "open internet"),
        ("http://u:p@x.org/", "user name"),
    ],
)
def test_an_address_that_is_never_called_is_refused_in_the_form(desk: Client, url: str, why: str) -> None:
    desk.post(reverse("admin:bots_api_bot_add"), {"name": "B", "owner": anna().pk, "about": ""})
    answer = desk.post(
        reverse("admin:bots_api_botversion_add"), {"bot": Bot.objects.get().pk, "label": "v1", "url": url}
    )
    assert answer.status_code == 200
    errors = str(answer.context["adminform"].form.errors)
    assert any(part in errors for part in why.split("|")), errors
    assert not BotVersion.objects.exists()


def test_the_delivery_log_is_not_on_the_desk_at_all(desk: Client) -> None:
    index = desk.get(reverse("admin:index")).content.decode().lower()
    assert "/bots_api/botversion/" in index
    assert "delivery/" not in index.replace("outbox", "")


def test_the_desk_is_closed_to_players_and_strangers(client: Client) -> None:
    cup = tournament("greedy@1", "random@1")
    for name in ("bohdan", "chrystyna"):
        client.force_login(person(name))
        assert client.get(reverse("admin:tournaments_tournament_change", args=[cup.pk])).status_code == 302
        verb(client, cup, "start")
        cup.refresh_from_db()
        assert cup.status == "registration"


def test_a_scorer_who_may_only_look_finds_no_buttons_and_moves_nothing(client: Client) -> None:
    cup = tournament("greedy@1", "random@1")
    scorer = person("olena", is_staff=True)
    scorer.user_permissions.add(Permission.objects.get(codename="view_tournament"))
    client.force_login(scorer)
    page = client.get(reverse("admin:tournaments_tournament_change", args=[cup.pk]))
    assert page.context["verbs"] == []
    verb(client, cup, "start")
    cup.refresh_from_db()
    assert cup.status == "registration"


def test_verbs_are_carried_out_by_post_alone(desk: Client) -> None:
    cup = tournament("greedy@1", "random@1")
    base = reverse("admin:tournaments_tournament_change", args=[cup.pk])
    assert desk.get(base.replace("change/", "do/start/")).status_code == 405


def test_lists_take_a_bounded_number_of_queries(desk: Client, django_assert_max_num_queries) -> None:
    played("greedy@1", "random@1", "random@1", "random@1")
    for model in (
        "tournaments_tournament",
        "tournaments_entry",
        "tournaments_standingssnapshot",
        "matches_match",
        "matches_player",
        "matches_outbox",
    ):
        with django_assert_max_num_queries(12):
            assert desk.get(reverse(f"admin:{model}_changelist")).status_code == 200

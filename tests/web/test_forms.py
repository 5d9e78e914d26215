"""The organisers' forms on the site: what is chosen is what is stored, what is refused is told and not lost."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from engine import presets, rules_of
from engine.options import BY_NAME
from matches import rules_form
from matches.models import Match, SavedRules, User
from matches.rulebook import forms as saved_form
from matches.rulebook.choices import OFFERED, fits, values_of
from matches.rulebook.typed import typed_of, value_of
from matches.rules_form import SHOW
from matches.services.saved_rules import free_rules_name, save_rules
from matches.services.versions import house_agent
from tests.cast import anna, person, tournament
from tournaments.models import Tournament
from tournaments.services import entries, running

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]

CUP = {
    "name": "Winter cup",
    "slug": "",
    "description": "In the hall.",
    "rules": "moscow/2@1",
    "boards": "1",
    "deals-as": "deals",
    "deals": "2",
    "control": "ladder",
    "rated": "on",
    "auto_publish": "on",
}
NEW = "/t/new/"


@pytest.fixture
def desk(client: Client) -> Client:
    client.force_login(anna())
    return client


def number(option: str, typed: object) -> dict[str, str]:
    return {f"overrides-{option}": "number", f"overrides-{option}-number": str(typed)}


def errors_of(answer) -> dict[str, str]:
    return {name: " ".join(told) for name, told in answer.context["form"].errors.items()}


def refused_at(page: bytes, option: str) -> bool:
    """Whether a refusal stands beside the option itself."""
    control = page.decode().partition(f'id="option-{option}"')[2].partition("</fieldset>")[0]
    return 'class="rule-error"' in control


def test_a_preset_alone_is_a_tournament(desk: Client) -> None:
    answer = desk.post(NEW, CUP)
    cup = Tournament.objects.get()
    assert answer.headers["Location"] == "/t/winter-cup/desk/"
    assert (cup.rules, cup.overrides, cup.deals, cup.organiser) == ("moscow/2@1", {}, 2, anna())


@pytest.mark.parametrize("preset", presets())
def test_every_preset_can_be_drawn_up(desk: Client, preset: str) -> None:
    desk.post(NEW, {**CUP, "rules": preset})
    cup = Tournament.objects.get()
    assert cup.rules == f"{preset}@1"
    assert cup.overrides == {}
    assert cup.deals == (None if preset.startswith("short") else 2)
    assert cup.game_rules.table == preset.partition("/")[2]


def test_single_options_are_overrides(desk: Client) -> None:
    typed = {
        "overrides-first_lead": "maker",
        **number("target", 301),
        "overrides-hundred": "5",
        "overrides-jackpot": "klabor",
        "overrides-lead_limit": "",
    }
    desk.post(NEW, {**CUP, **typed})
    assert Tournament.objects.get().overrides == {
        "first_lead": "maker",
        "target": 301,
        "hundred": 5,
        "jackpot": {"length": 6, "trumps_only": False, "from_ace": True, "first_cards": True, "prize": "party"},
    }


def test_a_jackpot_of_ones_own_has_five_keys(desk: Client) -> None:
    own = {"overrides-jackpot": "own", "overrides-jackpot-length": "6", "overrides-jackpot-trumps_only": "on"}
    answer = desk.post(NEW, {**CUP, **own})
    assert refused_at(answer.content, "jackpot")
    desk.post(NEW, {**CUP, **own, "overrides-jackpot-prize": "target"})
    assert Tournament.objects.get().overrides["jackpot"] == {
        "length": 6,
        "trumps_only": True,
        "from_ace": False,
        "first_cards": False,
        "prize": "target",
    }


def test_a_number_whose_line_is_not_chosen_is_asked_about(desk: Client) -> None:
    answer = desk.post(NEW, {**CUP, "overrides-lead_limit": "", "overrides-lead_limit-number": "250"})
    assert refused_at(answer.content, "lead_limit")
    assert b'value="250"' in answer.content
    assert not Tournament.objects.exists()


def test_what_the_preset_has_anyway_is_no_override(desk: Client) -> None:
    desk.post(NEW, {**CUP, "overrides-first_lead": "eldest", **number("target", 501)})
    assert Tournament.objects.get().overrides == {}


@pytest.mark.parametrize("typed", ["0", "-5", "1.5", "many", "9" * 30, "٣٠١", ""])
def test_a_number_that_is_none_is_told_at_its_option_and_shown_again(desk: Client, typed: str) -> None:
    answer = desk.post(NEW, {**CUP, **number("target", typed)})
    assert refused_at(answer.content, "target")
    assert f'value="{typed}"'.encode() in answer.content
    assert b"In the hall." in answer.content
    assert not Tournament.objects.exists()


LONG_NUMBERS = ["10001", "1000000", "00000301", "0" * 19 + "1" + "0" * 30, "0" * 19 + "1" + "0" * 5000, "²"]


@pytest.mark.parametrize("typed", LONG_NUMBERS)
@pytest.mark.parametrize("option", ["target", "lead_limit"])
def test_a_number_is_read_whole_and_bounded(desk: Client, option: str, typed: str) -> None:
    answer = desk.post(NEW, {**CUP, "deals-as": "parties", **number(option, typed)})
    assert refused_at(answer.content, option)
    assert "to 10000." in errors_of(answer)["overrides"]
    assert not Tournament.objects.exists()


@pytest.mark.parametrize("option", ["target", "no_tricks_fine", "lead_limit"])
def test_the_largest_number_is_told_and_taken(desk: Client, option: str) -> None:
    control = desk.get(NEW).content.decode().partition(f'id="option-{option}"')[2].partition("</fieldset>")[0]
    assert "At most 10000." in control
    assert 'max="10000"' in control
    desk.post(NEW, {**CUP, **number(option, 10000)})
    assert Tournament.objects.get().overrides == {option: 10000}


@pytest.mark.parametrize("junk", ["dealer", "own", "number", "{}", "\0", "x" * 5000])
def test_a_value_that_nobody_offered_is_refused(desk: Client, junk: str) -> None:
    answer = desk.post(NEW, {**CUP, "overrides-first_lead": junk})
    assert refused_at(answer.content, "first_lead")
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("preset", "typed", "at", "why"),
    [
        ("moscow/2", {"dava": "arithmetic"}, "dava", "in Short alone"),
        ("fpclub/2", {"short": "plain"}, "short", "no jackpot"),
        ("short/2", {"jackpot": "klabor"}, "jackpot", "no jackpot in Short"),
        ("short/2", {"offer": "fifty"}, "offer", "no offer of fifty in Short"),
        ("klabor/pairs", {"beat": "sum"}, "beat", "not played by four players in pairs"),
        ("encyclopedia/4", {"short": "bait"}, "short", "not played by four players, each for himself"),
        ("moscow/3", {"offer": "fifty"}, "offer", "not played by three players"),
        ("klabor/4", {"upcard": "table"}, "upcard", "not played by four players"),
    ],
)
def test_rules_that_do_not_fit_are_told_where_they_can_be_mended(
    desk: Client, preset: str, typed: dict[str, str], at: str, why: str
) -> None:
    sent = {f"overrides-{option}": key for option, key in typed.items()}
    answer = desk.post(NEW, {**CUP, "rules": preset, **sent})
    assert answer.status_code == 200
    assert refused_at(answer.content, at)
    assert why in errors_of(answer)["overrides"]
    assert b"Winter cup" in answer.content
    assert not Tournament.objects.exists()


def test_who_deals_by_ones_own_preset_is_left_to_a_plan_with_deals(desk: Client) -> None:
    saved = save_rules(anna(), "Thursday", "moscow/2", {"next_dealer": "rotate", "hundred": 5})
    sent = {**CUP, "rules": f"mine:{saved.public_id}"}
    desk.post(NEW, sent)
    desk.post(NEW, {**sent, "name": "Whole", "deals-as": "parties"})
    assert Tournament.objects.get(slug="winter-cup").overrides == {"hundred": 5}
    assert Tournament.objects.get(slug="whole").overrides == {"next_dealer": "rotate", "hundred": 5}


def test_r69_who_deals_first_on_a_board_is_not_chosen(desk: Client) -> None:
    assert b"party_dealer" not in desk.get(NEW).content
    for sent in ({"deals-as": "deals"}, {"deals-as": "parties"}, {"rules": "short/2@1"}):
        for value in ("winner", "rotate", "junk"):
            answer = desk.post(NEW, {**CUP, **sent, "overrides-party_dealer": value})
            assert "drawn by lot" in errors_of(answer)["overrides"]
            assert b"drawn by lot" in answer.content
            assert b'href="#option-party_dealer"' not in answer.content
    answer = desk.post("/rules/mine/new/", {"name": "Mine", "rules": "moscow/2", "overrides-party_dealer": "rotate"})
    assert "drawn by lot" in errors_of(answer)["overrides"]
    assert not Tournament.objects.exists()
    assert not SavedRules.objects.exists()


def test_r69_who_deals_first_by_ones_own_preset_is_dropped(desk: Client) -> None:
    saved = save_rules(anna(), "Thursday", "moscow/2", {"party_dealer": "rotate", "hundred": 5})
    assert "In a match the deal goes on" not in desk.get("/rules/mine/").content.decode()
    desk.post(NEW, {**CUP, "deals-as": "parties", "rules": f"mine:{saved.public_id}"})
    cup = Tournament.objects.get()
    assert cup.overrides == {"hundred": 5}
    Tournament.objects.update(overrides={"party_dealer": "rotate", "hundred": 5})
    sent = {**CUP, "slug": cup.slug, "deals-as": "parties", "overrides-hundred": "5"}
    desk.post(f"/t/{cup.slug}/edit/", {**sent, "rules": "moscow/2@1"})
    desk.post(saved.get_absolute_url(), {"name": "Friday", "rules": f"mine:{saved.public_id}"})
    cup.refresh_from_db()
    saved.refresh_from_db()
    assert (saved.name, cup.overrides, saved.overrides) == ("Friday", {"hundred": 5}, {"hundred": 5})


def test_options_that_need_each_other_go_together(desk: Client) -> None:
    off = {"overrides-short": "off", "overrides-dava": "off"}
    desk.post(NEW, {**CUP, "rules": "short_dava/2", **off})
    assert Tournament.objects.get().game_rules.short is None


def test_a_plan_with_deals_decides_who_deals(desk: Client) -> None:
    typed = {"overrides-next_dealer": "rotate"}
    assert refused_at(desk.post(NEW, {**CUP, **typed}).content, "next_dealer")
    desk.post(NEW, {**CUP, **typed, "deals-as": "parties"})
    cup = Tournament.objects.get()
    assert (cup.deals, cup.overrides) == (None, {"next_dealer": "rotate"})


@pytest.mark.parametrize(("deals", "fits_plan"), [("", False), ("0", False), ("101", False), ("100", True)])
def test_a_number_of_deals_is_asked_for_or_whole_parties(desk: Client, deals: str, fits_plan: bool) -> None:
    answer = desk.post(NEW, {**CUP, "deals": deals})
    assert Tournament.objects.exists() is fits_plan
    assert fits_plan or "deals" in errors_of(answer)


def test_an_option_that_a_table_does_not_know_is_not_offered(desk: Client) -> None:
    page = desk.post(NEW, {**CUP, "rules": "klabor/pairs@1", SHOW: "1"}).context["form"]
    part = page.part(page["overrides"].value())
    offered = {control.option for group in part.groups for control in group.controls if not control.is_hidden}
    assert {"overtrump_partner", "hang", "jackpot"} <= offered
    assert not {"offer", "dava", "ask_terz", "defenders_pool", "buy_in", "deals"} & offered


def test_without_a_script_a_button_shows_the_options_of_another_preset(desk: Client) -> None:
    sent = {**CUP, "rules": "klabor/3@1", "overrides-first_lead": "eldest", "overrides-offer": "fifty"}
    answer = desk.post(NEW, {**sent, "overrides-shown-for": "moscow/2@1", SHOW: "1"})
    page = answer.content.decode()
    assert "Klabor, three players" in page
    assert "the same maker plays the next deal" in page
    assert "Left out, since this table does not know it: Offer of fifty." in page
    assert not answer.context["form"].errors
    assert not Tournament.objects.exists()
    assert "Winter cup" in page


def test_options_set_before_the_eyes_of_another_preset_are_looked_at_again(desk: Client) -> None:
    sent = {**CUP, "rules": "klabor/2@1", "overrides-first_lead": "eldest"}
    answer = desk.post(NEW, {**sent, "overrides-shown-for": "moscow/2@1"})
    assert "look at them" in errors_of(answer)["rules"]
    desk.post(NEW, {**sent, "overrides-shown-for": "klabor/2@1"})
    assert Tournament.objects.get().overrides == {"first_lead": "eldest"}


def test_changed_options_come_first_and_are_marked(desk: Client) -> None:
    cup = tournament(rules="moscow/2", overrides={"first_lead": "maker"})
    page = desk.get(f"/t/{cup.slug}/edit/").content.decode()
    first = page.index("Changed from the preset")
    assert first < page.index('id="option-first_lead"') < page.index("data-rules-group")
    assert page.count("is-changed") == 1


def test_a_change_writes_what_was_changed(desk: Client) -> None:
    cup = tournament(rules="moscow/2", overrides={"first_lead": "maker"})
    sent = {**CUP, "name": cup.name, "slug": cup.slug, "deals": "1", "description": "", "overrides-first_lead": "maker"}
    desk.post(f"/t/{cup.slug}/edit/", {**sent, "overrides-hundred": "6"})
    cup.refresh_from_db()
    assert cup.overrides == {"first_lead": "maker", "hundred": 6}
    desk.post(f"/t/{cup.slug}/edit/", {**sent, "overrides-first_lead": "", "rules": "kharkov/2"})
    cup.refresh_from_db()
    assert (cup.rules, cup.overrides) == ("kharkov/2@1", {})


def test_a_change_to_short_and_back_keeps_plan_and_rules_together(desk: Client) -> None:
    cup = tournament(rules="moscow/2", deals=4)
    sent = {**CUP, "name": cup.name, "slug": cup.slug, "deals": "4", "description": ""}
    for rules, deals in (("short/2@1", None), ("moscow/2@1", 4)):
        desk.post(f"/t/{cup.slug}/edit/", {**sent, "rules": rules})
        cup.refresh_from_db()
        assert (cup.rules, cup.deals) == (rules, deals)
        assert cup.game_rules.name == rules


def test_a_started_tournament_is_not_changed(desk: Client) -> None:
    cup = tournament("greedy@1", "random@1")
    running.start(cup.pk)
    answer = desk.post(f"/t/{cup.slug}/edit/", {**CUP, "rules": "kharkov/2"})
    assert answer.headers["Location"] == cup.get_absolute_url()
    assert "It has started" in str(next(iter(get_messages(answer.wsgi_request))))
    cup.refresh_from_db()
    assert cup.rules == "moscow/2"


def test_a_tournament_of_pairs_keeps_to_pairs(desk: Client) -> None:
    cup = tournament(rules="klabor/pairs@1")
    entries.enter(cup.pk, house_agent("greedy@1", "Greta"), house_agent("greedy@1", "Gerd"))
    sent = {**CUP, "name": cup.name, "slug": cup.slug}
    assert "entries of two" in errors_of(desk.post(f"/t/{cup.slug}/edit/", {**sent, "rules": "klabor/4"}))["rules"]


@pytest.mark.parametrize(
    ("name", "slug", "error"),
    [("Зимний кубок", "", "Latin"), ("Cup", "new", "page of the site"), ("Cup", "no slug!", "valid")],
)
def test_an_address_is_one(desk: Client, name: str, slug: str, error: str) -> None:
    assert error in errors_of(desk.post(NEW, {**CUP, "name": name, "slug": slug}))["slug"]


def test_the_site_is_drawn_up_by_organisers(client: Client) -> None:
    cup = tournament(rules="moscow/2")
    addresses = [NEW, f"/t/{cup.slug}/edit/", "/m/new/"]
    assert [client.get(address).status_code for address in addresses] == [302] * 3
    for name in ("bohdan", "chrystyna"):
        client.force_login(person(name))
        for address in addresses:
            assert client.get(address).status_code == 403, (name, address)
            assert client.post(address, CUP).status_code == 403, (name, address)
    assert Tournament.objects.count() == 1
    client.force_login(anna())
    assert [client.get(address).status_code for address in addresses] == [200] * 3


def test_an_organiser_who_is_no_staff_changes_his_own_alone(client: Client) -> None:
    bohdan = person("bohdan")
    own = tournament(slug="own")
    Tournament.objects.filter(pk=own.pk).update(organiser=bohdan)
    other = tournament(slug="other")
    client.force_login(bohdan)
    assert client.get(f"/t/{own.slug}/edit/").status_code == 200
    assert client.get(f"/t/{other.slug}/edit/").status_code == 403


def test_a_draft_of_somebody_else_is_nowhere(client: Client) -> None:
    Tournament.objects.create(slug="draft", name="Draft", organiser=anna())
    client.force_login(person("chrystyna"))
    assert client.get("/t/draft/edit/").status_code == 404


# A single match


def match_form(*labels: str, **fields: str) -> dict[str, str]:
    agents = [house_agent("greedy@1", name) for name in labels]
    seats = {f"seat_{number}": str(agent.pk) for number, agent in enumerate(agents, start=1)}
    plan = {"boards": "1", "deals-as": "deals", "deals": "1", "control": "ladder", "rated": "on"}
    return {"rules": "moscow/2@1", "title": "", **plan, **seats, **fields}


def test_an_organiser_makes_a_match(desk: Client) -> None:
    answer = desk.post("/m/new/", match_form("Greta", "Gerd", **{"overrides-first_lead": "maker"}))
    match = Match.objects.get()
    assert answer.headers["Location"] == match.get_absolute_url()
    assert (match.title, match.status, match.rules) == ("Greta – Gerd", "ready", "moscow/2@1")
    assert match.overrides["first_lead"] == "maker"
    assert [seat.agent.player.name for seat in match.seats.order_by("index")] == ["Greta", "Gerd"]


def test_both_hands_of_a_pair_may_be_one_version(desk: Client) -> None:
    sent = match_form("Greta", "Gerd", "Greta", "Gerd", rules="klabor/pairs@1")
    desk.post("/m/new/", sent)
    assert Match.objects.get().title == "Greta – Gerd"
    assert [seat.side for seat in Match.objects.get().seats.order_by("index")] == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("rules", "names", "at"),
    [
        ("moscow/2@1", ["Greta", "Greta"], "seat_2"),
        ("moscow/3@1", ["Greta", "Gerd"], "seat_3"),
        ("klabor/pairs@1", ["Greta", "Greta", "Gerd", "Gerd"], "seat_2"),
    ],
)
def test_seats_that_do_not_fill_a_table_are_told(desk: Client, rules: str, names: list[str], at: str) -> None:
    answer = desk.post("/m/new/", match_form(*names, rules=rules))
    assert at in errors_of(answer)
    assert not Match.objects.exists()


def test_seats_beyond_the_table_stay_empty(desk: Client) -> None:
    desk.post("/m/new/", match_form("Greta", "Gerd", "Gisela"))
    assert Match.objects.get().seats.count() == 2


def test_a_match_of_whole_parties_and_one_of_short(desk: Client) -> None:
    desk.post("/m/new/", match_form("Greta", "Gerd", **{"deals-as": "parties"}))
    desk.post("/m/new/", match_form("Greta", "Gerd", rules="short/2@1"))
    assert [match.overrides for match in Match.objects.order_by("pk")] == [{}, {}]


# One's own presets


def test_rules_are_kept_under_a_name_and_used_by_it(desk: Client) -> None:
    desk.post(NEW, {**CUP, "overrides-first_lead": "maker", "save_as": "  Thursday  "})
    saved = SavedRules.objects.get()
    assert (saved.owner, saved.name, saved.rules) == (anna(), "Thursday", "moscow/2@1")
    assert saved.overrides == {"first_lead": "maker"}
    again = {**CUP, "name": "Second", "rules": f"mine:{saved.public_id}", "overrides-hundred": "5"}
    desk.post(NEW, again)
    cup = Tournament.objects.get(name="Second")
    assert (cup.rules, cup.overrides) == ("moscow/2@1", {"first_lead": "maker", "hundred": 5})


def test_a_changed_preset_changes_no_event(desk: Client) -> None:
    saved = save_rules(anna(), "Thursday", "moscow/2", {"first_lead": "maker"})
    desk.post(NEW, {**CUP, "rules": f"mine:{saved.public_id}"})
    desk.post(saved.get_absolute_url(), {"name": "Friday", "rules": "klabor/2@1", "overrides-hundred": "6"})
    saved.refresh_from_db()
    assert (saved.name, saved.rules, saved.overrides) == ("Friday", "klabor/2@1", {"hundred": 6})
    desk.post(reverse("rules-mine-delete", args=[saved.public_id]))
    assert not SavedRules.objects.exists()
    cup = Tournament.objects.get()
    assert (cup.rules, cup.overrides) == ("moscow/2@1", {"first_lead": "maker"})


def test_choosing_ones_own_preset_is_a_change_by_itself(desk: Client) -> None:
    cup = tournament(rules="moscow/2")
    saved = save_rules(anna(), "Thursday", "moscow/2", {"first_lead": "maker"})
    sent = {**CUP, "name": cup.name, "slug": cup.slug, "deals": "1", "description": ""}
    desk.post(f"/t/{cup.slug}/edit/", {**sent, "rules": f"mine:{saved.public_id}"})
    cup.refresh_from_db()
    assert cup.overrides == {"first_lead": "maker"}


def test_an_option_of_ones_own_preset_is_put_back_to_the_books(desk: Client) -> None:
    saved = save_rules(anna(), "Thursday", "moscow/2", {"first_lead": "maker"})
    desk.post(NEW, {**CUP, "rules": f"mine:{saved.public_id}", "overrides-first_lead": "eldest"})
    assert Tournament.objects.get().overrides == {}


def test_a_name_is_given_once_by_each(desk: Client) -> None:
    save_rules(anna(), "Thursday", "moscow/2", {})
    answer = desk.post(NEW, {**CUP, "save_as": "thursday"})
    assert "already" in errors_of(answer)["save_as"]
    assert not Tournament.objects.exists()
    save_rules(person("bohdan"), "Thursday", "moscow/2", {})
    assert SavedRules.objects.count() == 2


@pytest.fixture
def taken_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another page of the same owner saves the name between the look at it and the writing."""

    def looked_at(owner: User, text: str, **options: Any) -> str:
        name = free_rules_name(owner, text, **options)
        save_rules(owner, name, "klabor/2", {})
        return name

    for module in (rules_form, saved_form):
        monkeypatch.setattr(module, "free_rules_name", looked_at)


@pytest.mark.usefixtures("taken_meanwhile")
def test_a_name_that_is_taken_meanwhile_is_told_in_the_form_and_nothing_is_lost(desk: Client) -> None:
    cup = tournament(rules="moscow/2")
    seats = {f"seat_{seat}": house_agent("greedy@1", f"Player {seat}").pk for seat in (1, 2)}
    sent = {"/t/new/": CUP, f"/t/{cup.slug}/edit/": {**CUP, "slug": cup.slug}, "/m/new/": {**CUP, **seats}}
    for number, (address, typed) in enumerate([*sent.items(), ("/admin/matches/match/add/", sent["/m/new/"])]):
        answer = desk.post(address, {**typed, "overrides-first_lead": "maker", "save_as": f"Name {number}"})
        assert answer.status_code == 200, address
        assert "already" in errors_of(answer)["save_as"], address
        assert f'value="Name {number}"'.encode() in answer.content
        assert 'value="maker" checked' in answer.content.decode()
    assert not Match.objects.exists()
    assert list(Tournament.objects.values_list("name", "overrides")) == [(cup.name, {})]
    assert set(SavedRules.objects.values_list("rules", flat=True)) == {"klabor/2@1"}


@pytest.mark.usefixtures("taken_meanwhile")
def test_a_name_of_a_preset_that_is_taken_meanwhile_is_told_beside_it(desk: Client) -> None:
    saved = save_rules(anna(), "Thursday", "moscow/2", {})
    for address, name in (("/rules/mine/new/", "New"), (saved.get_absolute_url(), "Renamed")):
        answer = desk.post(address, {"name": name, "rules": "moscow/2@1", "overrides-first_lead": "maker"})
        assert "already" in errors_of(answer)["name"]
        assert 'value="maker" checked' in answer.content.decode()
    saved.refresh_from_db()
    assert (saved.name, saved.overrides) == ("Thursday", {})


@pytest.mark.usefixtures("taken_meanwhile")
def test_the_desk_saves_a_tournament_whose_presets_name_is_taken_meanwhile(desk: Client) -> None:
    sent = {**CUP, "slug": "winter-cup", "organiser": anna().pk, "save_as": "Thursday"}
    inline = {"entries-TOTAL_FORMS": "0", "entries-INITIAL_FORMS": "0"}
    answer = desk.post("/admin/tournaments/tournament/add/", {**sent, **inline})
    assert "already" in " ".join(map(str, get_messages(answer.wsgi_request)))
    assert Tournament.objects.get().name == "Winter cup"
    assert anna().saved_rules.get().rules == "klabor/2@1"


def test_saved_presets_are_their_owners_alone(client: Client) -> None:
    bohdan = person("bohdan")
    saved = save_rules(bohdan, "Bohdan's own", "moscow/2", {"first_lead": "maker"})
    edit, delete = saved.get_absolute_url(), reverse("rules-mine-delete", args=[saved.public_id])
    for address in ("/rules/mine/", "/rules/mine/new/", edit):
        assert client.get(address).status_code == 302
    for stranger in (anna(), person("chrystyna")):
        client.force_login(stranger)
        assert b"own" not in client.get("/rules/mine/").content.partition(b"data-test")[2]
        assert client.get(edit).status_code == 404
        assert client.post(edit, {"name": "Taken", "rules": "moscow/2@1"}).status_code == 404
        assert client.post(delete).status_code == 404
    client.force_login(anna())
    assert saved.public_id.encode() not in client.get(NEW).content
    answer = client.post(NEW, {**CUP, "rules": f"mine:{saved.public_id}"})
    assert "Choose one of the presets" in errors_of(answer)["rules"]
    client.force_login(bohdan)
    assert b"Bohdan&#x27;s own" in client.get("/rules/mine/").content
    assert client.get(delete).status_code == 405
    client.post(delete)
    assert not SavedRules.objects.exists()


def test_a_new_preset_starts_from_one_of_the_book(client: Client) -> None:
    client.force_login(person("bohdan"))
    assert "Klabor, four players in pairs" in client.get("/rules/mine/new/?from=klabor/pairs").content.decode()
    client.post("/rules/mine/new/", {"name": "Mine", "rules": "klabor/pairs@1", "overrides-next_dealer": "deal_winner"})
    assert SavedRules.objects.get().overrides == {"next_dealer": "deal_winner"}


# The engine's values and the form's


@pytest.mark.parametrize("option", OFFERED)
def test_what_is_stored_is_shown_and_read_as_the_same(option: str) -> None:
    values = [*values_of(option).values()]
    if option == "jackpot":
        values += [{"length": 6, "trumps_only": True, "from_ace": False, "first_cards": True, "prize": "target"}]
    for value in [*values, *[1, 301, 1001] * (option == "target")]:
        assert value_of(option, typed_of(option, value)) == value


def test_whatever_is_offered_the_engine_takes() -> None:
    for preset in ("encyclopedia/2", "encyclopedia/3", "encyclopedia/4", "encyclopedia/pairs"):
        table = preset.partition("/")[2]
        for option in set(OFFERED) - {"dava"}:
            for key, value in values_of(option).items():
                if fits(option, key, table):
                    assert rules_of(preset, {option: value}).as_json()[option] == value, (preset, option)
    assert {option for option in BY_NAME if option not in OFFERED} == {"deals", "party_dealer"}

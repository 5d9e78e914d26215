"""The form of a tournament: what may be typed into it, and that saving it undoes nothing."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.db import IntegrityError, transaction
from django.test import Client, RequestFactory
from django.urls import reverse

from matches.models import Match
from tests.cast import SEED, anna, tournament
from tests.desk.test_desk import FORM, rules_choice, told
from tournaments.errors import TournamentError
from tournaments.forms import TournamentForm
from tournaments.models import Tournament
from tournaments.services import drawing_up, running

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]


def typed(**fields: object) -> dict[str, object]:
    return {**FORM, "rules": rules_choice(), "organiser": anna().pk, **fields}


def form_of(row: Tournament, **fields: object) -> TournamentForm:
    """The form as it was loaded with this row, sent back with these fields changed."""
    form = TournamentForm(typed(name=row.name, slug=row.slug, boards=1, deals=1, **fields), instance=row)
    assert form.is_valid(), form.errors
    return form


def save(row: Tournament, form: TournamentForm) -> None:
    admin.site.get_model_admin(Tournament).save_model(RequestFactory().post("/"), form.save(commit=False), form, True)


def test_a_form_loaded_before_a_start_does_not_undo_the_start() -> None:
    cup = tournament("greedy@1", "random@1")
    form = form_of(cup, description="In the great hall.")
    started = running.start(cup.pk, SEED)
    save(cup, form)
    now = Tournament.objects.get(pk=cup.pk)
    assert (now.status, now.seed, now.started_at) == ("running", SEED, started.started_at)
    assert now.description == "In the great hall."


def test_a_form_loaded_before_a_start_does_not_change_the_rules_after_it() -> None:
    cup = tournament("greedy@1", "random@1")
    form = form_of(cup, strict="on", description="In the great hall.")
    running.start(cup.pk)
    with pytest.raises(TournamentError, match="strict") as refusal:
        save(cup, form)
    assert refusal.value.code == "frozen"
    now = Tournament.objects.get(pk=cup.pk)
    assert (now.strict, now.description) == (False, "")


def test_two_who_change_different_things_lose_neither() -> None:
    cup = tournament()
    first, second = (Tournament.objects.get(pk=cup.pk) for _ in range(2))
    forms = [form_of(first, description="In the great hall."), form_of(second, strict="on")]
    for row, form in zip((first, second), forms, strict=True):
        save(row, form)
    cup.refresh_from_db()
    assert (cup.description, cup.strict) == ("In the great hall.", True)


def test_a_change_to_short_on_the_desk_takes_the_number_of_deals_away(client: Client) -> None:
    cup = tournament(rules="moscow/2", deals=4)
    client.force_login(anna())
    sent = typed(name=cup.name, slug=cup.slug, deals="4", rules="short/2@1")
    client.post(reverse("admin:tournaments_tournament_change", args=[cup.pk]), sent)
    cup.refresh_from_db()
    assert (cup.rules, cup.deals, cup.game_rules.name) == ("short/2@1", None, "short/2@1")


def test_two_changes_that_do_not_fit_together_leave_the_first() -> None:
    cup = tournament(rules="moscow/2", deals=4)
    drawing_up.redraw(cup.pk, {"rules": "short/2@1", "deals": None})
    with pytest.raises(TournamentError, match="do not fit together") as refusal:
        drawing_up.redraw(cup.pk, {"deals": 2})
    assert refusal.value.code == "rules_do_not_fit"
    cup.refresh_from_db()
    assert (cup.rules, cup.deals) == ("short/2@1", None)


def test_rules_that_do_not_fit_the_plan_are_told_on_the_page(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    cup = tournament(rules="moscow/2", deals=4)
    client.force_login(anna())
    draws_up = drawing_up.redraw

    def short_just_before(tournament_id: int, changes: dict[str, object]) -> Tournament:
        Tournament.objects.filter(pk=tournament_id).update(rules="short/2@1", deals=None)
        return draws_up(tournament_id, changes)

    monkeypatch.setattr(drawing_up, "redraw", short_just_before)
    sent = typed(name=cup.name, slug=cup.slug, deals="3")
    for address in (reverse("admin:tournaments_tournament_change", args=[cup.pk]), f"/t/{cup.slug}/edit/"):
        Tournament.objects.filter(pk=cup.pk).update(rules="moscow/2", deals=4)
        assert "do not fit together" in told(client.post(address, sent, follow=True))
        cup.refresh_from_db()
        assert cup.deals == 4


@pytest.mark.parametrize("field", ["status", "seed", "started_at", "finished_at", "public_id"])
def test_a_state_is_not_a_thing_that_is_drawn_up(field: str) -> None:
    with pytest.raises(ValueError, match=field):
        drawing_up.redraw(tournament().pk, {field: None})


def test_a_change_that_comes_too_late_is_told_on_the_page(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    cup = tournament("greedy@1", "random@1")
    client.force_login(anna())
    draws_up = drawing_up.redraw

    def start_just_before(tournament_id: int, changes: dict[str, object]) -> Tournament:
        running.start(tournament_id)
        return draws_up(tournament_id, changes)

    monkeypatch.setattr(drawing_up, "redraw", start_just_before)
    sent = typed(name=cup.name, slug=cup.slug, deals="3")
    answer = client.post(reverse("admin:tournaments_tournament_change", args=[cup.pk]), sent, follow=True)
    assert "deals" in told(answer)
    cup.refresh_from_db()
    assert cup.deals == 1


@pytest.mark.parametrize(
    ("option", "junk", "why"),
    [
        ("hundred", "7", "one of the values"),
        ("hundred", "[]", "one of the values"),
        ("hundred", "\0", "one of the values"),
        ("target", "-1", "whole number"),
        ("target", "9" * 5000, "whole number"),
        ("target", "1e999", "whole number"),
        ("dava", "arithmetic", "Short"),
        ("next_dealer", "rotate", "the plan sets this itself"),
        ("hang_dealer", "next", "the plan sets this itself"),
    ],
)
def test_options_that_are_none_are_told_in_the_form(client: Client, option: str, junk: str, why: str) -> None:
    client.force_login(anna())
    key = "number" if option == "target" else junk
    sent = {f"overrides-{option}": key, f"overrides-{option}-number": junk, "overrides-shown-for": "moscow/2@1"}
    answer = client.post(reverse("admin:tournaments_tournament_add"), typed(**sent))
    assert answer.status_code == 200
    assert why in str(answer.context["adminform"].form.errors["overrides"])
    assert f'id="option-{option}"' in answer.content.decode().partition("Changed from the preset")[2]
    assert not Tournament.objects.exists()


def test_no_options_are_an_empty_object(client: Client) -> None:
    client.force_login(anna())
    client.post(reverse("admin:tournaments_tournament_add"), typed())
    assert Tournament.objects.get().overrides == {}


@pytest.mark.parametrize("junk", [[], 7, "hundert", True])
def test_the_database_takes_no_options_but_an_object(junk: object) -> None:
    running.start(tournament("greedy@1", "random@1").pk)
    for model in (Tournament, Match):
        with pytest.raises(IntegrityError, match="overrides_are_an_object"), transaction.atomic():
            model.objects.update(overrides=junk)


@pytest.mark.parametrize(("field", "most"), [("boards", 20), ("deals", 100)])
def test_the_plan_of_a_match_is_bounded(client: Client, field: str, most: int) -> None:
    for number, fits in ((0, False), (most + 1, False), (most, True)):
        form = TournamentForm(typed(**{field: number}))
        assert form.is_valid() is fits, (number, form.errors)
        assert (field in form.errors) is not fits

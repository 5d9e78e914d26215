"""The pages of tables of three, of four and of pairs, and of stakes: by matches that house programs have played."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.test import Client

from engine.cards import CARD_TEXTS
from engine.steps import steps
from matches.models import Match, MatchSeat, Party
from matches.services.claim import claim_due
from matches.services.finish import begin_party
from tests.cast import tournament
from tests.quicker import empty_tables
from tests.web.tables import Tables, hold_tables, matches_of, party_of
from tests.web.test_match_pages import replay_of, states
from tests.web.test_tournament_pages import page, words
from tournaments.models import Tournament
from tournaments.services import publishing, running
from tournaments.web.wording import quarter_points

pytestmark = pytest.mark.django_db

KINDS = ("three", "four", "pairs", "short")


@pytest.fixture(scope="module")
def tables(django_db_setup: None, django_db_blocker, broker_urls: dict[str, str]) -> Iterator[Tables]:
    with django_db_blocker.unblock():
        yield hold_tables()
        empty_tables()


def head_of(html: str, test: str) -> list[str]:
    """The heads of the columns of a table."""
    head = re.search(rf'data-test="{test}">.*?<thead>(.*?)</thead>', html, re.S)
    assert head
    return [words(cell).strip() for cell in re.findall(r"<th.*?>(.*?)</th>", head[1], re.S)]


@pytest.mark.parametrize(
    ("quarters", "shown"), [(0, "0"), (1, "¼"), (2, "½"), (3, "¾"), (4, "1"), (6, "1½"), (9, "2¼"), (12, "3")]
)
def test_points_are_read_in_quarters(quarters: int, shown: str) -> None:
    assert quarter_points(quarters) == shown


@pytest.mark.parametrize("kind", KINDS)
def test_standings_show_the_points_of_the_table(client: Client, tables: Tables, kind: str) -> None:
    event = tables.all[kind]
    html = page(client, event.get_absolute_url())
    rows = publishing.live_standings(event)
    lines = re.search(r'data-test="standings">.*?<tbody>(.*?)</tbody>', html, re.S)[1].split("</tr>")
    for row, line in zip(rows, lines, strict=False):
        points = words(re.search(r'<td class="points">(.*?)</td>', line, re.S)[1]).strip()
        assert points == quarter_points(row.points)
    assert "Final standings" in words(html)
    assert "Over: every match is decided" in words(html)


def test_places_are_counted_where_more_than_two_meet(client: Client, tables: Tables) -> None:
    three, four = (page(client, event.get_absolute_url()) for event in (tables.three, tables.four))
    assert head_of(three, "standings")[3:7] == ["P", "1st", "2nd", "3rd"]
    assert head_of(four, "standings")[3:8] == ["P", "1st", "2nd", "3rd", "4th"]
    assert head_of(page(client, tables.pairs.get_absolute_url()), "standings")[4:7] == ["W", "D", "L"]


def test_a_place_that_was_taken_is_counted(client: Client, tables: Tables) -> None:
    html = page(client, tables.four.get_absolute_url())
    rows = publishing.live_standings(tables.four)
    assert records_of(html) == ["–".join(map(str, row.places)) for row in rows]
    assert all(sum(row.places) == row.played and len(row.places) == 4 for row in rows)
    assert all(row.places[0] == row.wins + row.draws for row in rows)


def records_of(html: str) -> list[str]:
    """What each line of the first table of standings says of won and lost, or of places."""
    body = re.search(r'data-test="standings">.*?<tbody>(.*?)</tbody>', html, re.S)[1]
    return re.findall(r'class="narrow record numbers">([\d–]*)', body)


def test_rounds_stand_in_place_of_opponents(client: Client, tables: Tables) -> None:
    html = page(client, tables.three.get_absolute_url())
    assert "Round by round" in html
    assert "Who beat whom" not in html
    assert head_of(html, "cross") == ["#", "Name", "1", "2", "3", "4", "Pts"]
    assert html.count(">out</span>") == 4
    for match in matches_of(tables.three):
        assert html.count(f'href="/m/{match.public_id}/"') == 3
    assert "Who beat whom" in page(client, tables.pairs.get_absolute_url())


def test_rounds_show_every_table_and_who_sits_out(client: Client, tables: Tables) -> None:
    html = page(client, f"{tables.three.get_absolute_url()}rounds/")
    assert html.count('data-test="seating"') == 4
    assert words(html).count("sits out.") == 4
    assert "bye" not in words(html)
    for match in matches_of(tables.three):
        assert f'href="/m/{match.public_id}/"' in html
    pairs = page(client, f"{tables.pairs.get_absolute_url()}rounds/")
    assert pairs.count(">bye<") == 3
    assert "North &amp; South" in pairs


@pytest.mark.parametrize("kind", KINDS)
def test_published_standings_read_as_the_live_ones(client: Client, tables: Tables, kind: str) -> None:
    html = page(client, f"{tables.all[kind].get_absolute_url()}standings/1/")
    assert "The live table says the same." in words(html)
    heads = head_of(html, "standings")
    assert heads == head_of(page(client, tables.all[kind].get_absolute_url()), "standings")
    assert ("L" in heads) == (kind in ("pairs", "short"))
    assert records_of(html) == records_of(page(client, tables.all[kind].get_absolute_url()))


def test_pairs_are_named_by_both_players_or_by_the_one_at_both_hands(client: Client, tables: Tables) -> None:
    html = page(client, tables.pairs.get_absolute_url())
    assert re.search(r'href="/p/[^"]+">North</a> &amp; <a href="/p/[^"]+">South</a>', html)
    assert re.search(r'href="/p/[^"]+">Both hands</a> <span class="hands">both hands</span>', html)


@pytest.mark.parametrize(
    ("kind", "plan"),
    [
        ("three", "1 board of 1 deal, each played from every seat"),
        ("four", "1 board of a whole party to 301, each played from every seat"),
        ("pairs", "1 board of a whole party to 301, each played from every seat"),
        ("short", "2 boards of one deal for stakes, each played from both seats"),
    ],
)
def test_plan_and_rules_are_told_in_words(client: Client, tables: Tables, kind: str, plan: str) -> None:
    event = tables.all[kind]
    match = matches_of(event).first()
    for address in (event.get_absolute_url(), match.get_absolute_url()):
        html = page(client, address)
        assert plan in words(html)
        assert 'data-test="rules-sheet"' in html
        assert len(re.findall(r'<li id="rule-', html)) > 10


@pytest.mark.parametrize(
    ("kind", "unit", "counted"),
    [
        ("three", "point", "The match counts the points written in all parties."),
        ("four", "part", "The match counts the parties won; where those are equal, the points written decide."),
        ("pairs", "part", "The match counts the parties won; where those are equal, the points written decide."),
        ("short", "stake", "The match counts the stakes won and lost."),
    ],
)
def test_a_match_counts_by_side_in_its_unit(client: Client, tables: Tables, kind: str, unit: str, counted: str) -> None:
    for match in matches_of(tables.all[kind]):
        html = page(client, match.get_absolute_url())
        sides = list(match.result.seats.all())[: match.game_rules.sides]
        shown = re.findall(r'class="duel-points numbers">([+−\d]+) <span class="duel-unit">(\w+)', html)
        assert [signed_int(number) for number, _ in shown] == [seat.points for seat in sides]
        assert all(word.startswith(unit) for _, word in shown)
        scores = [signed_int(score) for score in re.findall(r'data-test="score">([+−\d]+)<', html)]
        by_side = [sum(scores[side :: len(sides)]) for side in range(len(sides))]
        counts = [seat.points if kind == "short" else seat.card_points for seat in sides]
        assert by_side == counts
        assert counted in words(html)
        assert html.count('class="marks"') == len(scores)


def signed_int(text: str) -> int:
    return int(text.replace("−", "-"))


def test_places_are_told_where_more_than_two_meet(client: Client, tables: Tables) -> None:
    match = matches_of(tables.three).first()
    text = words(page(client, match.get_absolute_url()))
    places = sorted(seat.place for seat in match.result.seats.all())
    assert places == [1, 2, 3]
    assert all(place in text for place in ("1st of 3", "2nd of 3", "3rd of 3"))
    assert " of 2" not in words(page(client, matches_of(tables.pairs).first().get_absolute_url())).split("Parties")[0]


@pytest.mark.parametrize("kind", KINDS)
def test_a_replay_shows_every_seat_and_step(client: Client, tables: Tables, kind: str) -> None:
    party = party_of(tables.all[kind])
    html, walked = page(client, replay_of(party)), steps(party.record)
    shown = states(html)
    assert len(shown) == len(walked) == html.count('data-test="step"')
    assert [state["hands"] for state in shown] == [[list(hand) for hand in step.hands] for step in walked]
    seats = re.findall(r'data-seat="(\d)" data-place="(\w+)"', html)
    assert [place for _, place in seats] == {
        "three": ["south", "west", "east"],
        "short": ["south", "north"],
    }.get(kind, ["south", "west", "north", "east"])
    assert html.count("data-sheet-index=") == len(party.record["deals"])
    assert f'data-totals="{",".join(str(total) for total in party.totals)}"' in html


@pytest.mark.parametrize("kind", KINDS)
def test_every_chip_opens_a_clause(client: Client, tables: Tables, kind: str) -> None:
    html = page(client, replay_of(party_of(tables.all[kind])))
    opened = set(re.findall(r'popovertarget="(clause-R\d+)"', html))
    assert len(opened) > 5
    assert opened == set(re.findall(r'class="trail clause-words" id="(clause-R\d+)" popover', html))
    assert not re.search(r'\sstyle="|<style|\son[a-z]+="|<script>', html)


def test_all_who_were_away_forfeit_and_who_was_there_has_the_party(client: Client, tables: Tables) -> None:
    party = party_of(tables.three)
    names = list(party.match.seats.order_by("index").values_list("agent__player__name", flat=True))
    away = [party.table_seat(index, 3) for index in (2, 1)]
    Party.objects.filter(pk=party.pk).update(reason="forfeit", forfeiter=away[0], absent=away)
    html = page(client, party.match.get_absolute_url())
    assert f"forfeited by {names[2]}, {names[1]}" in words(html)
    line = re.search(r'data-test="parties">.*?<tbody>(.*?)</tr>', html, re.S)[1]
    assert re.findall(r'class="score( score-won)?"', line) == [" score-won", "", ""]


def test_a_replay_of_pairs_tells_both_hands_apart(client: Client, tables: Tables) -> None:
    seat = MatchSeat.objects.filter(agent__player__name="Both hands").first()
    text = words(page(client, replay_of(seat.match.parties.get(number=1))))
    assert "Both hands (A)" in text
    assert "Both hands (B)" in text
    assert "Score sheet" in text
    assert re.search(r"At one a point this party is worth: .*(Both hands|North & South|West) [+−]\d+", text)


def test_stakes_are_told(client: Client, tables: Tables) -> None:
    party = party_of(tables.short)
    text = words(page(client, replay_of(party)))
    assert "Stakes: " in text
    assert all(str(abs(stake)) in text for stake in party.stakes)


def test_a_player_of_a_large_table_came_in_at_a_place(client: Client, tables: Tables) -> None:
    seat = matches_of(tables.three).first().seats.first()
    text = words(page(client, f"/p/{seat.agent.player.public_id}/"))
    assert re.search(r"(1st|2nd|3rd) of 3", text)
    solo = MatchSeat.objects.filter(agent__player__name="Both hands").first()
    tally = words(page(client, f"/p/{solo.agent.player.public_id}/"))
    assert sum(int(count) for count in re.search(r"(\d) won, (\d) drawn, (\d) lost", tally).groups()) == 2
    partner = MatchSeat.objects.filter(agent__player__name="South").first()
    assert "with North" in words(page(client, f"/p/{partner.agent.player.public_id}/"))


@pytest.mark.parametrize("kind", KINDS)
def test_pages_cost_a_bounded_number_of_queries(
    client: Client, tables: Tables, kind: str, django_assert_max_num_queries
) -> None:
    event = tables.all[kind]
    match = matches_of(event).first()
    for address, most in (
        (event.get_absolute_url(), 22),
        (f"{event.get_absolute_url()}rounds/", 14),
        (f"{event.get_absolute_url()}standings/1/", 12),
        (match.get_absolute_url(), 11),
        (replay_of(match.parties.first()), 7),
        (f"/p/{match.seats.first().agent.player.public_id}/", 9),
    ):
        with django_assert_max_num_queries(most):
            page(client, address)


@pytest.fixture(params=["moscow/3", "klabor/pairs", "house/4"])
def half_played(tables: Tables, request: pytest.FixtureRequest) -> Match:
    """A match whose first party is over while its board is still played from the other seats, as rows say it."""
    small = tournament(*["greedy@1"] * 4, slug="small", rules=request.param)
    running.start(small.pk)
    match = matches_of(small).first()
    [lease] = [one for one in claim_due("tests", 20) if one.match_id == match.pk]
    begin_party(lease, match.parties.get(number=2).pk)
    finished = party_of(tables.three)
    Party.objects.filter(match=match, number=1).update(
        status="finished",
        record_json=finished.record_json,
        totals=[77_701] * match.game_rules.sides,
        reason="deals",
        finished_at=finished.finished_at,
    )
    return match


def test_no_card_is_shown_before_its_time(client: Client, half_played: Match) -> None:
    html = page(client, half_played.get_absolute_url())
    parties = half_played.parties.count()
    assert f"1 of {parties} parties are over." in words(html)
    closed = page(client, replay_of(half_played.parties.get(number=1)), status=409)
    for shown in (html, closed, page(client, event_of(half_played).get_absolute_url())):
        assert "77701" not in shown
        assert 'id="states"' not in shown
        assert bytes(half_played.boards.get().seed).hex() not in shown
        assert not re.search(r"\b(?:" + "|".join(CARD_TEXTS) + r")\b", words(shown))


def event_of(match: Match) -> Tournament:
    return match.pairing.round.stage.tournament


def test_why_nothing_happens_is_true_of_large_tables(client: Client, half_played: Match) -> None:
    event = event_of(half_played)
    Match.objects.filter(pairing__round__stage__tournament=event).update(
        status="stalled", status_reason="claimed 5 times", lease_until=None
    )
    html = page(client, event.get_absolute_url())
    assert "stalled; the organiser must look at" in words(html)
    names = [seat.name for seat in event.entries.all()]
    assert any(f"{names[0]} – {name}" in words(html) for name in names[1:])

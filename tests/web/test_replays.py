"""Replays of every preset, told from records that bots have played: nothing of a record is left out or made up."""

from __future__ import annotations

import random
import re

import pytest
from django.template.loader import render_to_string

from engine import PartySetup, Rules, apply, fault_of, forfeit, observe, presets, record_of, rules_of, start
from engine.actions import PLAYS
from engine.bots import house
from engine.marks import marks_of, marks_svg
from engine.steps import steps
from matches.web.clauses import CLAUSES, clause_words
from matches.web.moves import Said
from matches.web.replay import Replay, names_at_table, replay_of
from matches.web.sheets import settlement_lines

NAMES = ("Anna", "Bohdan", "Chrystyna", "Dmytro")
NO_TARGET = ("short/2", "short/3", "short_bait/2", "short_bait/3", "short_dava/2")


def played(rules: Rules, seed: int, faulty: bool = False) -> dict:
    """A party of bots of both kinds; a faulty one may see an illegal card or a forfeit."""
    rng = random.Random(seed)
    now, bots = start(PartySetup(rules, rng.randbytes(32))), (house("greedy"), house("random"))
    while (seat := now.seat_to_act) is not None:
        bad = [card for card in PLAYS if fault_of(now, card)] if faulty and rng.random() < 0.3 else []
        if bad:
            now = apply(now, rng.choice(bad), "illegal")
        elif faulty and rng.random() < 0.002:
            now = forfeit(now, seat)
        else:
            now = apply(now, rng.choice(bots).choose(observe(now, seat), rng))
    return record_of(now)


def rules_for(preset: str, **overrides: object) -> Rules:
    """A preset that does not take all day."""
    name = preset.partition("@")[0]
    return rules_of(name, overrides if name in NO_TARGET else {"target": 151, **overrides})


def told(record: dict) -> Replay:
    return replay_of(record, NAMES[: record["players"]])


def said_in(replay: Replay) -> list[Said]:
    return [said for deal in replay.deals for move in deal.moves for said in move.said]


@pytest.mark.parametrize("preset", presets())
def test_every_preset_is_told_step_by_step(preset: str) -> None:
    record = played(rules_for(preset), 7)
    replay, walked = told(record), steps(record)
    moves = [move for deal in replay.deals for move in deal.moves]
    assert len(moves) == len(walked) == len(replay.states)
    for move, step, state in zip(moves, walked, replay.states, strict=True):
        assert len(move.said) >= len(step.notes) > 0
        assert (state["hands"], state["trick"], state["trump"]) == (step.hands, step.trick, step.trump)
        assert [said.clause for said in move.said][-len(step.notes) :] == [note.clause for note in step.notes]
    assert not [said.words for said in said_in(replay) if "%" in said.words or "seat " in said.words]
    assert replay.states[-1]["totals"] == replay.totals == tuple(record["result"]["totals"])


@pytest.mark.parametrize("preset", presets())
def test_every_presets_sheet_is_the_record(preset: str) -> None:
    record = played(rules_for(preset), 11)
    sheet = told(record).sheet
    assert len(sheet.deals) == len(record["deals"])
    for shown, deal in zip(sheet.deals, record["deals"], strict=True):
        for side, line in enumerate(shown.sides):
            written = deal["written"][side]
            assert [line.points, line.written, line.total] == [
                str(number).replace("-", "−") for number in (deal["points"][side], written, deal["totals"][side])
            ]
            assert line.marks == (marks_svg(marks_of(written)) if written else "")
            assert line.fine == deal["fines"][side]
        assert len(shown.waiting) == len(deal["waiting"])
        for said, pool in zip(shown.waiting, deal["waiting"], strict=True):
            assert said.words.startswith(f"{pool['points']} point")
            everybody = len(pool["eligible"]) == len(shown.sides)
            assert everybody or all(shown.sides[side].name in said.words for side in pool["eligible"])


@pytest.mark.parametrize("preset", presets())
def test_every_preset_shows_who_bid_what(preset: str) -> None:
    record = played(rules_for(preset), 5)
    replay = told(record)
    for deal, written in zip(replay.deals, record["deals"], strict=True):
        bids = [bid for line in deal.bids for bid in line.rounds if bid.words]
        in_order = sorted(bids, key=lambda bid: bid.index or 0)
        said = [action.split()[1] for action in written["actions"]]
        named = next((at for at, word in enumerate(said) if word == "take" or word.startswith("trump:")), None)
        bidding = said[: named + 1] if named is not None else [word for word in said if word == "pass"]
        forced = not deal.bids
        assert forced or len(in_order) == len(bidding)
        assert forced or [bid.names for bid in in_order] == [word != "pass" for word in bidding]
        assert [line.name for line in deal.bids][-1:] in ([], [NAMES[written["dealer"]]])


@pytest.mark.parametrize("preset", ["klabor/3", "kharkov_full/pairs", "moscow/2", "short_dava/2"])
def test_faults_and_forfeits_are_told(preset: str) -> None:
    record = played(rules_for(preset, illegal_move="rules"), 3, faulty=True)
    replay = told(record)
    ends = {deal["end"] for deal in record["deals"]}
    assert ends & {"fault", "forfeit"}
    text = " ".join(said.words for said in said_in(replay))
    assert "fault" not in ends or "an illegal card, the deal is over" in text
    assert "by default" not in text


def test_a_replay_in_html_has_a_sentence_behind_every_chip() -> None:
    replay = told(played(rules_for("klabor/pairs"), 9))
    html = render_to_string("matches/sheet.html", {"replay": replay})
    named = {said.clause for said in said_in(replay) if said.is_clause}
    assert named <= {clause.name for clause in replay.clauses}
    assert set(re.findall(r'popovertarget="clause-(R\d+)"', html)) <= {clause.name for clause in replay.clauses}
    assert all(clause.words.endswith(".") for clause in replay.clauses)


def test_every_clause_has_one_sentence() -> None:
    assert sorted(CLAUSES) == list(range(1, 72))
    sentences = [clause_words(f"R{number}") for number in CLAUSES]
    assert len(set(sentences)) == 71
    for sentence in sentences:
        assert re.fullmatch(r"[A-Z].{20,150}\.", sentence), sentence
    assert clause_words("protocol §3") == clause_words("R72") == clause_words("46") == ""


def test_r61_what_a_party_would_be_worth() -> None:
    rules = rules_of("moscow/2", {"target": 301})
    result = {"totals": [301, 210], "winner": 0, "stakes": None, "forfeiter": None}
    [line] = settlement_lines(rules, result, ("Anna", "Bohdan"))
    assert (line.words, line.clause) == ("At one a point this party is worth: Anna +90, Bohdan −90.", "R61")
    [_, far] = settlement_lines(rules, result | {"totals": [301, 95]}, ("Anna", "Bohdan"))
    assert (far.words, far.clause) == ("Bohdan is far behind and pays 2 times.", "R62")
    assert settlement_lines(rules, result | {"winner": None}, ("Anna", "Bohdan")) == ()
    assert settlement_lines(rules_of("moscow/2", {"deals": 4}), result, ("Anna", "Bohdan")) == ()
    [short] = settlement_lines(rules, result | {"stakes": [2, -2]}, ("Anna", "Bohdan"))
    assert (short.words, short.clause) == ("Stakes: Anna +2, Bohdan −2.", "R58")


def test_partners_make_one_side_and_both_hands_of_one_program_are_told_apart() -> None:
    pairs, three = rules_of("klabor/pairs", {}), rules_of("moscow/3", {})
    assert names_at_table(pairs, NAMES).sides == ("Anna & Chrystyna", "Bohdan & Dmytro")
    both = names_at_table(pairs, ("Anna", "Bohdan", "Anna", "Dmytro"))
    assert both.sides == ("Anna", "Bohdan & Dmytro")
    assert both.seats == ("Anna (A)", "Bohdan", "Anna (B)", "Dmytro")
    assert names_at_table(three, NAMES[:3]).sides == NAMES[:3]


def test_what_was_said_stays_beside_the_seats() -> None:
    parties = (played(rules_for("short_dava/2"), seed) for seed in range(40))
    record = next(party for party in parties if any(line.endswith(" accept") for line in party["deals"][-1]["actions"]))
    replay, walked = told(record), steps(record)
    raised = sum(step.action == "accept" for step in walked)
    assert replay.states[-1]["stake"] == str(1 + raised)
    for state, step in zip(replay.states, walked, strict=True):
        assert step.trump is None or "pass" not in sum(state["tags"], ())
        assert step.action != "dava" or "dava" in state["tags"][step.seat or 0]

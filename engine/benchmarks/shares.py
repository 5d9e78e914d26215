"""Where the time of the batch goes: deals that stop early, and deals that do one thing twice."""

from __future__ import annotations

from typing import Final

from engine.benchmarks.figures import Figure, Measure, Size, measured, timed
from engine.benchmarks.own import batch, core
from engine.fast.parts import ASKED_TWICE, BY_TURNS, CHOSEN_TWICE, COUNTED, DEALT, PLAYED, run_until
from engine.fast.random_play import batch_random
from engine.fast.terms import Terms, terms_of
from engine.presets import rules_of

PARTS: Final = {
    "dealt": DEALT,
    "played": PLAYED,
    "counted": COUNTED,
    "by turns": BY_TURNS,
    "asked twice": ASKED_TWICE,
    "chosen twice": CHOSEN_TWICE,
}
UNIT: Final = "ns/deal"


def shares(name: str, size: Size) -> list[Figure]:
    """Nanoseconds a deal for each part of the batch, by differences of medians; together about the batch's."""
    terms = terms_of(rules_of(name, {"deals": 1}))
    measures = [_until(name, terms, what, part) for what, part in PARTS.items()]
    rows = Measure("rows", name, core(), timed(lambda n: batch_random(terms, n, 1, 0)))
    figures = measured([*measures, rows, batch(name)], size)
    took = {figure.what: 1e9 / figure.value for figure in figures}
    return [Figure(what, name, core(), ns, ns, ns, UNIT) for what, ns in parts_of(took).items()]


def _until(name: str, terms: Terms, what: str, part: int) -> Measure:
    return Measure(what, name, core(), timed(lambda n: run_until(terms, n, part)))


def parts_of(took: dict[str, float]) -> dict[str, float]:
    """Nanoseconds of deals that went so far, into what each part adds; what is lost in the noise is 0."""
    legal = took["asked twice"] - took["by turns"]
    chosen = took["chosen twice"] - took["by turns"]
    parts = {
        "shuffle and first cards": took["dealt"],
        "legal actions": legal,
        "one of them by chance": chosen - legal,
        "step": took["played"] - took["dealt"] - chosen,
        "outcome": took["counted"] - took["played"],
        "rows": took["rows"] - took["counted"],
        "columns": took["batch"] - took["rows"],
    }
    return {what: max(0.0, ns) for what, ns in parts.items()}

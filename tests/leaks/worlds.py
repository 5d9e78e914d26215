"""Stories of parties, and other packs under which the very same story is told while hidden cards lie elsewhere."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine import PartySetup, Table, apply, default_action, parse_action, start
from engine.cards import Card, format_card, parse_card
from tests.engine.test_laws_of_views import dealt_again, hidden_places, stock_places, swapped

TRIES = 200
MOST_PAIRS = 4
Deck = tuple[Card, ...]
Decks = Mapping[str, str]
"""By `key` of a deal its pack, as text."""


@dataclass(frozen=True, slots=True)
class Story:
    """What is said and played in a party from its beginning, and the table as the last of it found it.

    `is_whole`: the party is over then; otherwise `table` is the one that waits for the next action.
    """

    actions: tuple[str, ...]
    table: Table
    is_whole: bool


def story(setup: PartySetup, rng: random.Random, *, whole: bool) -> Story:
    """A party of chance: to its end, or to some turn at which cards are being played."""
    tables, actions = [start(setup)], []
    while not tables[-1].over:
        actions.append(_some_action(tables[-1], rng))
        tables.append(apply(tables[-1], parse_action(actions[-1])))
    if whole:
        return Story(tuple(actions), tables[-2], True)
    at = rng.choice([ply for ply, table in enumerate(tables[:-1]) if table.deal.play is not None])
    return Story(tuple(actions[:at]), tables[at], False)


def _some_action(table: Table, rng: random.Random) -> str:
    """Trumps are named mostly, so that there is play; a party that is given up tells little."""
    legal = [action.text for action in table.legal if action.text not in ("surrender", "redeal", "dava")]
    if "take" in legal and rng.random() < 0.7:
        return "take"
    return rng.choice(legal) if legal else default_action(table).text


def other_pack(told: Story, viewers: Iterable[int], rng: random.Random) -> Deck | None:
    """A pack for the running deal under which the story is the same and other cards lie where no viewer sees them.

    None where there is none, as in a deal without a stock that has been played to its end.
    """
    places = _places(told, tuple(viewers))
    others = (_stirred(told, places, rng) for _ in range(TRIES))
    found = [deck for deck in others if deck is not None]
    return max(found, key=lambda deck: _hands_moved(told.table, deck), default=None)


def _places(told: Story, viewers: Sequence[int]) -> list[int]:
    """Where in the pack lie cards that none of the viewers sees; without viewers, those that are not public."""
    if told.is_whole:
        return stock_places(told.table)
    seats = viewers or range(told.table.rules.players)
    hidden = [set(hidden_places(told.table, seat)) for seat in seats]
    return sorted(set.intersection(*hidden) if viewers else set.union(*hidden))


def _stirred(told: Story, places: list[int], rng: random.Random) -> Deck | None:
    deck = told.table.deal.deck
    other = swapped(deck, places, rng, rng.randint(1, MOST_PAIRS))
    return other if other != deck and dealt_again(told.table, other) is not None else None


def _hands_moved(table: Table, deck: Deck) -> int:
    """How many hands hold other cards."""
    again = dealt_again(table, deck)
    assert again is not None
    return sum(one != other for one, other in zip(table.deal.hands, again.deal.hands, strict=True))


# --- a process that deals these packs


def key(seed: bytes, number: int, suits: str) -> str:
    return f"{seed.hex()} {number} {suits}"


def text_of(deck: Deck) -> str:
    return " ".join(map(format_card, deck))


def write_decks(path: Path, decks: Decks) -> None:
    path.write_text(json.dumps(dict(decks)))


def dealing(path: Path, pack_of: Callable[..., Deck]) -> Callable[..., Deck]:
    """`engine.shuffle.pack_of`, but for the deals that the file names. It is read whenever a deal is dealt."""

    def dealt(seed: bytes, entropy: bytes, number: int, suits: str = "CDHS") -> Deck:
        other = json.loads(path.read_text()).get(key(seed, number, suits))
        return tuple(map(parse_card, other.split())) if other else pack_of(seed, entropy, number, suits)

    return dealt

"""A bracket as a drawing that needs no script: SVG from plain values, and the same in words, round by round.

`{% include "tournaments/bracket.html" with drawing=drawing %}` puts it on a page, which links `manela/bracket.css`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from django.utils.translation import gettext as _

from tournaments.formats.brackets import (
    LOSER,
    VOID,
    WINNER,
    Bracket,
    BracketMatch,
    Outcome,
    Part,
    Place,
    Seed,
    Slot,
    Slots,
    SlotState,
    Source,
)
from tournaments.web import bracket_layout
from tournaments.web.bracket_layout import GAP, LINE, WIDTH, Layout, Spot

LETTER, SMALL = 16, 14
"""The sizes of a name's letters on one line and on two, as in the style sheet."""
SEED_ROOM, EDGE = 42, 9
MARGIN = 2
WIDE, NARROW = "mwMWQ@%&—…ШЩЖЮМФшщжюмф", "fijlrtIJ.,:;'|!()[]-/ "
"""Letters that are nearly as wide as high, and those that are half as wide as others."""


@dataclass(frozen=True, slots=True)
class Tie:
    """What the page knows of one match: where it leads to, the score of each seat as it is read, and how it stands.

    `state`: `playing`, `disputed` or another word for the style sheet, empty for what seats and outcome say themselves;
    `note`: the same for readers (a time and a table, “being played”).
    """

    url: str = ""
    scores: tuple[str, ...] = ()
    state: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """What a drawing says. `names`: by seed; `over`: the bracket's `outcomes`; `ties`: by match, where there is any."""

    title: str
    names: Mapping[int, str]
    over: Mapping[int, Outcome] = field(default_factory=dict)
    ties: Mapping[int, Tie] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a box. `kind`: `won`, `lost`, `in`, `gone`, `open` or `nobody`; `whole`: the name uncut.

    `name`: as it is drawn, with `more` below it where it needs a second line.
    """

    top: int
    kind: str
    seed: str
    name: str
    more: str
    score: str
    whole: str

    @property
    def base(self) -> int:
        """Where the letters stand."""
        return self.top + LINE // 2 + 5

    @property
    def name_base(self) -> int:
        return self.base - 8 if self.more else self.base

    @property
    def more_base(self) -> int:
        return self.base + 9


@dataclass(frozen=True, slots=True)
class Box:
    """One match. `words`: all of it as a sentence; `label`: which match it is, and its note."""

    left: int
    top: int
    state: str
    label: str
    words: str
    url: str
    rows: tuple[Row, ...]

    @property
    def right(self) -> int:
        return self.left + WIDTH

    @property
    def height(self) -> int:
        return LINE * len(self.rows)

    @property
    def middle(self) -> int:
        return self.top + LINE

    @property
    def label_base(self) -> int:
        return self.top - 7

    @property
    def seed_right(self) -> int:
        return self.left + SEED_ROOM - 8

    @property
    def name_left(self) -> int:
        return self.left + SEED_ROOM

    @property
    def score_right(self) -> int:
        return self.right - EDGE


@dataclass(frozen=True, slots=True)
class Head:
    """The name of a column."""

    left: int
    text: str


@dataclass(frozen=True, slots=True)
class Band:
    """A stripe of the drawing, which paper keeps on one page."""

    top: int
    height: int
    heads: tuple[Head, ...]
    lines: tuple[str, ...]
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of the bracket: `title` and `description` are read where the picture cannot be seen."""

    title: str
    description: str
    left: int
    width: int
    bands: tuple[Band, ...]

    @property
    def is_wide(self) -> bool:
        """Whether a sheet of paper should lie across."""
        return self.width > bracket_layout.UPRIGHT


@dataclass(frozen=True, slots=True)
class ListedMatch:
    words: str
    url: str


@dataclass(frozen=True, slots=True)
class ListedRound:
    name: str
    matches: tuple[ListedMatch, ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """All that the template needs. `line`, `column`: measures that are the same everywhere."""

    title: str
    panels: tuple[Panel, ...]
    rounds: tuple[ListedRound, ...]
    line: int = LINE
    column: int = WIDTH


def drawing_of(bracket: Bracket, slots: Slots, words: Words) -> Drawing:
    """The drawing of a bracket whose seats are filled so (`brackets.filled`)."""
    speaker = _Speaker(bracket, slots, words)
    hidden = [number for number, seats in slots.items() if all(slot == VOID for slot in seats)]
    layouts = bracket_layout.layouts_of(bracket, hidden)
    panels = tuple(_panel(layout, speaker, len(layouts) > 1) for layout in layouts)
    return Drawing(words.title, panels, tuple(_listed(layouts, speaker)))


class _Speaker:
    """Says in words who sits where, who won, and what is waited for."""

    def __init__(self, bracket: Bracket, slots: Slots, words: Words) -> None:
        self.slots, self.words = slots, words
        self.parts = {match.number: match.part for match in bracket.matches}

    def row(self, match: BracketMatch, seat: int, top: int) -> Row:
        slot = self.slots[match.number][seat]
        scores = self.tie(match).scores
        whole = self.who(match, seat)
        seed = str(slot.entrant) if slot.entrant is not None else ""
        score = scores[seat] if seat < len(scores) else ""
        room = WIDTH - SEED_ROOM - EDGE - 6 - sum(map(_width, score))
        return Row(top, self._kind(match, seat, slot), seed, *on_lines(whole, room), score, whole)

    def _kind(self, match: BracketMatch, seat: int, slot: Slot) -> str:
        if slot.state is SlotState.OPEN:
            return "open"
        if slot.entrant is None:
            return "nobody"
        if slot.state is SlotState.VOID:
            return "gone"
        return {WINNER: "won", LOSER: "lost"}.get(self.place(match, seat), "in")

    def place(self, match: BracketMatch, seat: int) -> int:
        outcome = self.words.over.get(match.number, ())
        return outcome[seat] if seat < len(outcome) else 0

    def tie(self, match: BracketMatch) -> Tie:
        return self.words.ties.get(match.number, Tie())

    def who(self, match: BracketMatch, seat: int) -> str:
        """Who sits here, or where he will come from, as a line of a box."""
        of_winner, of_loser = _("Winner of %(match)s"), _("Loser of %(match)s")
        return self._known(match, seat) or _origin(match.sources[seat], of_winner, of_loser)

    def _known(self, match: BracketMatch, seat: int) -> str:
        """A name; nothing where somebody is still to come from another match."""
        slot, source = self.slots[match.number][seat], match.sources[seat]
        if slot.entrant is not None:
            return self.words.names.get(slot.entrant, _("Seed %(seed)s") % {"seed": slot.entrant})
        if slot.state is not SlotState.OPEN:
            return _("nobody")
        return _("Seed %(seed)s") % {"seed": source.number} if isinstance(source, Seed) else ""

    def state(self, match: BracketMatch) -> str:
        if given := self.tie(match).state:
            return given
        if match.number in self.words.over:
            return "over"
        return "open" if any(slot.state is SlotState.OPEN for slot in self.slots[match.number]) else "ready"

    def sentence(self, match: BracketMatch) -> str:
        """Match 5: Anna (1) beat Bohdan (4), 21 : 17."""
        said = _("Match %(number)s: %(what)s") % {"number": match.number, "what": self._what(match)}
        note = self.tie(match).note
        return f"{said} ({note})." if note else f"{said}."

    def _what(self, match: BracketMatch) -> str:
        first, second = (self._named(match, seat) for seat in (0, 1))
        places = (self.place(match, 0), self.place(match, 1))
        if match.number not in self.words.over:
            return _("%(first)s meets %(second)s") % {"first": first, "second": second} + self._if_needed(match)
        if WINNER not in places:
            return _("%(first)s and %(second)s: nobody goes on") % {"first": first, "second": second}
        won, lost = (first, second) if places[0] == WINNER else (second, first)
        loser = self.slots[match.number][places.index(WINNER) ^ 1]
        if loser.state is not SlotState.FILLED:
            return _("%(winner)s goes on without playing") % {"winner": won}
        return _("%(winner)s beat %(loser)s") % {"winner": won, "loser": lost} + self._scored(match, places)

    def _named(self, match: BracketMatch, seat: int) -> str:
        """The same within a sentence."""
        entrant = self.slots[match.number][seat].entrant
        if known := self._known(match, seat):
            return known if entrant is None else f"{known} ({entrant})"
        of_winner, of_loser = _("the winner of match %(match)s"), _("the loser of match %(match)s")
        return _origin(match.sources[seat], of_winner, of_loser)

    def _scored(self, match: BracketMatch, places: tuple[int, int]) -> str:
        scores = self.tie(match).scores
        if len(scores) != 2:
            return ""
        ordered = scores if places[0] == WINNER else tuple(reversed(scores))
        return f", {ordered[0]} : {ordered[1]}"

    def _if_needed(self, match: BracketMatch) -> str:
        is_open = any(slot.state is SlotState.OPEN for slot in self.slots[match.number])
        return _(", if it is needed") if match.conditional_on is not None and is_open else ""


def _origin(source: Source, of_winner: str, of_loser: str) -> str:
    if not isinstance(source, Place):
        return ""
    return (of_winner if source.place == WINNER else of_loser) % {"match": source.match}


def _panel(layout: Layout, speaker: _Speaker, is_one_of_two: bool) -> Panel:
    names = _names_of_columns(layout)
    boxes = [_box(spot, speaker) for spot in layout.spots]
    heads = tuple(Head(index * (WIDTH + GAP) + WIDTH // 2, name) for index, name in enumerate(names))
    bands = tuple(
        Band(
            top,
            bottom - top,
            heads if top == 0 else (),
            tuple(path for path, high, low in layout.lines if high < bottom and low >= top),
            tuple(box for box in boxes if top <= box.top < bottom),
        )
        for top, bottom in pairwise(layout.cuts)
    )
    title = _title(layout) if is_one_of_two else speaker.words.title
    description = _("%(matches)s matches in %(rounds)s rounds: %(names)s. The same is in the list below.") % {
        "matches": len(boxes),
        "rounds": len(names),
        "names": ", ".join(names),
    }
    return Panel(title, description, -MARGIN, layout.width + 2 * MARGIN, bands)


def _title(layout: Layout) -> str:
    return _("Losers' bracket") if Part.LOSERS in layout.parts else _("Winners' bracket and final")


def _box(spot: Spot, speaker: _Speaker) -> Box:
    match, tie = spot.match, speaker.tie(spot.match)
    rows = tuple(speaker.row(match, seat, spot.top + seat * LINE) for seat in range(len(match.sources)))
    label = _special(match.part) or str(match.number)
    label = f"{label} · {tie.note}" if tie.note else label
    return Box(spot.left, spot.top, speaker.state(match), label, speaker.sentence(match), tie.url, rows)


def _special(part: Part) -> str:
    """What a match is called that shares its column with others."""
    return {Part.THIRD: _("Third place"), Part.RESET: _("Second final, if needed")}.get(part, "")


def _names_of_columns(layout: Layout) -> list[str]:
    """From left to right: Round 1, …, semi-finals, final."""
    last = sum(part in (Part.MAIN, Part.WINNERS, Part.LOSERS) for part, _index in layout.columns)
    return [_name_of_column(part, index, last) for part, index in layout.columns]


def _name_of_column(part: Part, index: int, last: int) -> str:
    if part in (Part.WINNERS, Part.LOSERS) and index == last:
        return _("Winners' final") if part is Part.WINNERS else _("Losers' final")
    if part is Part.MAIN and last - index < 2:
        return _("Semi-finals") if last == index else _("Quarter-finals")
    return {
        Part.FINAL: _("Final"),
        Part.RESET: _("Second final"),
        Part.LADDER: _("From the bottom up"),
        Part.LOSERS: _("Losers' round %(number)s") % {"number": index},
    }.get(part, _("Round %(number)s") % {"number": index})


def _listed(layouts: Iterable[Layout], speaker: _Speaker) -> Iterator[ListedRound]:
    """All rounds in playing order, in words."""
    placed = [(spot, name) for layout in layouts for spot, name in _with_names(layout)]
    placed.sort(key=lambda pair: pair[0].match.number)
    for name, spots in groupby(placed, key=lambda pair: pair[1]):
        matches = tuple(ListedMatch(speaker.sentence(spot.match), speaker.tie(spot.match).url) for spot, _name in spots)
        yield ListedRound(name, matches)


def _with_names(layout: Layout) -> Iterator[tuple[Spot, str]]:
    names = _names_of_columns(layout)
    is_ladder = Part.LADDER in layout.parts
    for spot in layout.spots:
        name = _("Third place") if spot.match.part is Part.THIRD else names[spot.column]
        yield spot, _("Round %(number)s") % {"number": spot.match.round} if is_ladder else name


def on_lines(name: str, room: float) -> tuple[str, str]:
    """The name on one line of so many pixels, or in smaller letters on two, parted between words if it can be."""
    if sum(map(_width, name)) <= room:
        return name, ""
    ends = [index for index, letter in enumerate(name, start=1) if letter in " -" and index < len(name)]
    fitting = [end for end in ends if sum(_width(letter, SMALL) for letter in name[:end].rstrip()) <= room]
    if not fitting:
        return shortened(name, room), ""
    return name[: fitting[-1]].rstrip(), shortened(name[fitting[-1] :], room, SMALL)


def shortened(name: str, room: float, size: int = LETTER) -> str:
    """The name, cut where it would not fit into so many pixels."""
    if sum(_width(letter, size) for letter in name) <= room:
        return name
    room -= _width("…", size)
    for index, letter in enumerate(name):
        room -= _width(letter, size)
        if room < 0:
            return name[:index].rstrip() + "…"
    return name


def _width(letter: str, size: int = LETTER) -> float:
    """In pixels, and rather too much than too little: nobody knows the reader's font."""
    if unicodedata.combining(letter):
        return 0
    if letter in WIDE or unicodedata.east_asian_width(letter) in "WF":
        return size * 1.12
    return size * (0.45 if letter in NARROW else 0.8 if letter.isupper() else 0.7)

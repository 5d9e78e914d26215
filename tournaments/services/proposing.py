"""What a format draws for a round, and everything that it takes to draw it again. All under the tournament's lock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from tournaments.errors import TournamentError
from tournaments.formats.lifecycle import Audience, EntryStatus, RoundStatus
from tournaments.formats.lots import Lots
from tournaments.formats.meetings import Draw, Entrant, Kind, NoDraw, Position, Reason, Table
from tournaments.formats.positions import (
    canonical,
    format_bracket_round,
    format_draw,
    format_position,
    parse_position,
)
from tournaments.formats.registry import FORMATS, Format, FormatKind
from tournaments.formats.settings import format_settings
from tournaments.models import AskedBye, Round, Stage
from tournaments.services.history import entrants_of, meetings_of
from tournaments.services.stages import format_of, seats_of, settings_of
from tournaments.services.writing import Numbered, entries_of, write_round, write_tables

IN_PROGRESS = (RoundStatus.PROPOSED, RoundStatus.CHANGING, RoundStatus.CONFIRMED, RoundStatus.RELEASED)
ASKED = "bye_asked"
"""The reason of a bye that the entry asked for."""


class Undrawable(TournamentError):
    """The format has no draw for the next round."""


def standing_rounds(stage: Stage) -> Any:
    """The stage's rounds but those that were taken back, in order."""
    return stage.rounds.exclude(status=RoundStatus.WITHDRAWN).order_by("number")


def lots_of(stage: Stage, number: int) -> Lots:
    """The lots of one draw: the same for every try, so that nobody draws until he likes what comes."""
    return Lots(bytes(stage.tournament.lots_seed)).of("draw", stage.number, number)


def protecting_settings(stage: Stage) -> Any:
    """The format's settings, with as many protected rounds as the stage has where the format knows of them."""
    settings = settings_of(stage)
    if "protect" not in {one.name for one in fields(settings)} or settings.protect >= stage.protected_rounds:
        return settings
    return replace(settings, protect=stage.protected_rounds)


def position_of(stage: Stage, number: int = 1) -> Position:
    """What the draw of this round looks at, from rows."""
    tournament, entrants, protects = stage.tournament, entrants_of(stage), _protects(stage)
    return Position(
        entrants=tuple(_as_it_is(one, number, protects) for one in entrants),
        meetings=tuple(one for one in meetings_of(stage) if one.round < number) if number > 1 else (),
        round=number,
        rounds=rounds_planned(stage, len(entrants)),
        lots=lots_of(stage, number),
        seats=seats_of(tournament),
        win=tournament.win_points,
        draw=tournament.draw_points,
    )


def _protects(stage: Stage) -> bool:
    return bool(stage.protected_rounds or getattr(settings_of(stage), "protect", 0))


def _as_it_is(entrant: Entrant, number: int, protects: bool) -> Entrant:
    """What this round's draw may know: not what was asked for other rounds, nor whom a stage does not keep apart."""
    return replace(
        entrant,
        shields=entrant.shields if protects else frozenset(),
        left=None if entrant.left is not None and entrant.left > number else entrant.left,
        away=entrant.away & {number},
    )


def rounds_planned(stage: Stage, entrants: int) -> int:
    """How many rounds a stage that is drawn round by round has; of others, which have what they were drawn, 0.

    What the first draw went by stands, whoever comes late; when everybody has gone, there is no further round.
    Neither is there in a stage that was ended early.
    """
    rounds_of = format_of(stage).rounds_of
    if rounds_of is None:
        return 0
    if stage.ended_with is not None:
        return stage.ended_with
    first = stage.rounds.filter(number=1, position__isnull=False).order_by("id").first()
    if first is not None and first.position is not None:
        planned = int(first.position["position"]["rounds"])
        return planned if _is_anybody_left(stage) else min(planned, standing_rounds(stage).count())
    return rounds_of(entrants, settings_of(stage), seats_of(stage.tournament))


def _is_anybody_left(stage: Stage) -> bool:
    return bool(stage.stage_entries.filter(entry__status=EntryStatus.ACTIVE).exists())


def stored(stage: Stage, position: Position) -> dict[str, Any]:
    """What a round keeps of what it was drawn from."""
    chosen = format_of(stage)
    return {
        "format": chosen.name,
        "version": chosen.version,
        "settings": format_settings(protecting_settings(stage)),
        "position": format_position(position),
    }


def drawn_ahead(stage: Stage, position: Position) -> tuple[Draw, ...]:
    """All rounds of a stage that is drawn at once; raises TournamentError where there are none."""
    draw_all = format_of(stage).draw_all
    if draw_all is None:
        raise ValueError(f"{stage} is not drawn ahead.")
    try:
        return draw_all(position.entrants, protecting_settings(stage), position.lots, position.seats)
    except NoDraw as none:
        raise TournamentError(none.code, str(none)) from none


def propose(stage: Stage) -> Round:
    """Draws the next round of a running stage, or returns the one that stands; raises TournamentError.

    A proposal that was drawn from what is no longer so is taken back, and another one drawn.
    """
    kind = format_of(stage).kind
    if kind is FormatKind.BRACKET:
        raise TournamentError("drawn_already", "A bracket is drawn as a whole at the start; results fill its seats.")
    return _propose_missing(stage) if kind is FormatKind.AHEAD else _propose_next(stage)


def _propose_missing(stage: Stage) -> Round:
    """Of a stage that is drawn at once: the first round that was taken back, drawn again."""
    there = {one.number: one for one in standing_rounds(stage)}
    draws = drawn_ahead(stage, position_of(stage))
    for number, draw in enumerate(draws, start=1):
        if number not in there:
            return write_ahead(stage, number, draw, entries_of(stage), status=RoundStatus.PROPOSED)
    proposed = [one for one in there.values() if one.status in (RoundStatus.PROPOSED, RoundStatus.CHANGING)]
    if not proposed:
        raise TournamentError("nothing_to_draw", f"{stage}: every round is drawn.")
    return proposed[0]


def write_ahead(stage: Stage, number: int, draw: Draw, entries: Numbered, **columns: Any) -> Round:
    """Writes one round of many that were drawn at once; what they were drawn from is kept with the first."""
    columns.setdefault("audience", Audience.HIDDEN)
    if number == 1:
        columns["position"] = stored(stage, position_of(stage))
    lots = lots_of(stage, 1).seed.hex()
    return write_round(stage, number, draw, entries, lots=lots, engine=format_of(stage).engine, **columns)


def _propose_next(stage: Stage) -> Round:
    latest = standing_rounds(stage).last()
    if latest is not None and latest.status in IN_PROGRESS:
        if latest.status != RoundStatus.PROPOSED or is_fresh(latest):
            return latest
        latest.status, latest.status_reason = RoundStatus.WITHDRAWN, "what it was drawn from has changed"
        latest.save(update_fields=["status", "status_reason"])
        return _drawn_next(stage, latest.number)
    if standing_rounds(stage).exclude(status=RoundStatus.CLOSED).exists():
        raise TournamentError("round_open", f"{stage}: an earlier round is open again. Wait until it is decided.")
    return _drawn_next(stage, latest.number + 1 if latest else 1)


def _drawn_next(stage: Stage, number: int) -> Round:
    position = position_of(stage, number)
    if number > position.rounds:
        raise TournamentError("no_more_rounds", f"{stage} has {position.rounds} rounds, and all of them are drawn.")
    draw_next = format_of(stage).draw_next
    if draw_next is None:
        raise ValueError(f"{stage} is not drawn round by round.")
    try:
        draw = draw_next(position, protecting_settings(stage))
    except NoDraw as none:
        raise Undrawable(none.code, str(none)) from none
    entries = entries_of(stage)
    byes = asked_byes(stage, number, entries)
    if not draw.tables and not byes:
        raise TournamentError("nobody_left", f"{stage}: nobody is there for round {number}. End the stage here.")
    written = write_round(
        stage,
        number,
        draw,
        entries,
        status=RoundStatus.PROPOSED,
        audience=Audience.HIDDEN,
        engine=format_of(stage).engine,
        lots=position.lots.seed.hex(),
        position=stored(stage, position),
    )
    write_tables(written, byes, entries, first=len(draw.tables) + 1)
    return written


def open_by_hand(stage: Stage) -> Round:
    """The next round with no draw of the format's and nobody seated, in the phase in which it is changed by hand."""
    latest = standing_rounds(stage).last()
    number = latest.number + 1 if latest else 1
    return Round.objects.create(stage=stage, number=number, status=RoundStatus.CHANGING, audience=Audience.HIDDEN)


def asked_byes(stage: Stage, number: int, entries: Numbered) -> list[Table]:
    """The byes of those who asked not to be drawn in this round, by number."""
    asked = AskedBye.objects.filter(
        entry__stage_entries__stage=stage,
        entry__status=EntryStatus.ACTIVE,
        stage_number=stage.number,
        round_number=number,
    )
    kinds = dict(asked.values_list("entry_id", "kind"))
    return [
        Table((one,), Kind(kinds[entry.pk]), reasons=(Reason(ASKED),))
        for one, entry in sorted(entries.items())
        if entry.pk in kinds
    ]


def is_fresh(drawn: Round) -> bool:
    """Whether a proposal of a stage that is drawn round by round would still be drawn from the same."""
    if format_of(drawn.stage).kind is not FormatKind.ROUND_BY_ROUND or drawn.position is None:
        return True
    now = stored(drawn.stage, position_of(drawn.stage, drawn.number))
    return canonical(now) == canonical(drawn.position)


def drawn_again(drawn: Round) -> bool:
    """Whether the same format draws the same again from what the round keeps, byte by byte."""
    kept = drawn.position or _kept_with_the_first(drawn)
    if kept is None or drawn.draw is None:
        return False
    chosen = FORMATS[kept["format"]]
    if chosen.version != kept["version"]:
        return False
    position = parse_position(kept["position"], Lots(bytes.fromhex(drawn.lots)))
    return canonical(_draw_again(chosen, kept["settings"], position, drawn.number)) == canonical(drawn.draw)


def _kept_with_the_first(drawn: Round) -> Mapping[str, Any] | None:
    first = drawn.stage.rounds.filter(position__isnull=False).order_by("number", "id").first()
    return first.position if first else None


def _draw_again(chosen: Format, given: Mapping[str, Any], position: Position, number: int) -> dict[str, Any]:
    settings = chosen.read_settings(given)
    if chosen.bracket_of is not None:
        return format_bracket_round(chosen.bracket_of(len(position.entrants), settings), number)
    if chosen.draw_all is not None:
        return format_draw(chosen.draw_all(position.entrants, settings, position.lots, position.seats)[number - 1])
    if chosen.draw_next is not None:
        return format_draw(chosen.draw_next(position, settings))
    raise ValueError(f"{chosen.name} draws nothing.")

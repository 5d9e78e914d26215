"""By which rules a table is played where not every one of a round is full."""

from __future__ import annotations

from engine import RulesError, rules_of
from tournaments.errors import TournamentError
from tournaments.models import Tournament


def short_rules(tournament: Tournament) -> str | None:
    """The same house's rules for one seat less, with the tournament's options; None where there are none that fit."""
    name, _, version = tournament.rules.partition("@")
    house, _, kind = name.partition("/")
    if kind != "4":
        return None
    fitting = f"{house}/3@{version}" if version else f"{house}/3"
    try:
        rules_of(fitting, tournament.match_overrides)
    except RulesError:
        return None
    return fitting


def rules_at(tournament: Tournament, entries: int) -> str:
    """The rules of a table at which so many entries meet; raises TournamentError where there are none."""
    if (tournament.table_kind, entries) != ("4", 3):
        return tournament.rules
    short = short_rules(tournament)
    if short is None:
        raise TournamentError(
            "no_rules_for_table", f"There are no rules for a table of three that fit {tournament.rules}."
        )
    return short

"""`Stepper`: a party on the fast core, step by step.

For studies: self-play, searching, learning. It plays what `engine.table` plays, a thousand times as fast where it is
compiled, and can be asked for the same views and the same records.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.actions import ACTIONS, PLAYS, Action
from engine.cards import Card
from engine.deal import Deal
from engine.errors import IllegalAction, Reason, SetupError
from engine.fast.chance import seed_of
from engine.fast.chronicle import ILLEGAL, SEAT_BIT, Chronicle
from engine.fast.deal import FAULT
from engine.fast.party import FastParty, copy_party, end_by, give_up
from engine.fast.seeing import Standing, deal_of, record_of_deal, view_of
from engine.fast.sheet import REASONS
from engine.illegal_card import fault_in
from engine.party import DealRecord, PartyResult
from engine.record import record_from
from engine.rules import Rules
from engine.table import PartySetup
from engine.view import View, events_since
from engine.wording import brief

CODE_OF: Final[Mapping[Action, int]] = {action: code for code, action in enumerate(ACTIONS)}
"""The code of an action: its place among all 81, `ACTIONS`, which is the order of protocol §1."""


class Stepper(FastParty):
    """A party from its first pack to its end, one action at a time.

    Dealt from a `setup` (R67, or given packs), or from a `seed`, a number or a text. Packs from a seed are for study:
    they come from a fast generator (`engine.fast.chance`) and not from R67's, so nothing is committed to.

    - `seat`: the seat to act; -1 when nobody is, because the party is over or given packs have run out.
    - `legal`: what it may do, as codes in protocol §1's order. `step(code)` does it; raises IllegalAction.
    - `over`, `deal_over`: whether the party has ended, and whether the last step ended a deal (the next is dealt).
    - `deal`: the running deal on plain numbers (`engine.fast.deal.FastDeal`), hidden cards included; `number` from 0.
    """

    def __init__(
        self,
        rules: Rules,
        seed: int | str | None = None,
        *,
        setup: PartySetup | None = None,
        first_dealer: int | None = None,
    ) -> None:
        if (seed is None) == (setup is None):
            raise SetupError("a stepper is dealt either from a seed or from a setup")
        if setup is not None and setup.rules != rules:
            raise SetupError("the setup is for other rules")
        if first_dealer is not None and (setup is not None or first_dealer not in range(rules.players)):
            raise SetupError(f"beside a seed, the first dealer is a seat from 0 to {rules.players - 1}")
        self.setup = setup
        self._known: tuple[int, Chronicle] | None = None
        self._earlier: list[tuple[str, ...]] = []
        if setup is not None:
            super().__init__(rules, 0, _Packs(setup), setup.dealer(), True)
        else:
            assert seed is not None
            super().__init__(rules, seed_of(seed), None, -1 if first_dealer is None else first_dealer, True)

    @property
    def texts(self) -> list[str]:
        """What the seat to act may do, as texts (protocol §1)."""
        return [ACTIONS[code].text for code in self.legal]

    @property
    def totals(self) -> tuple[int, ...]:
        """Points by side, after the last finished deal."""
        return tuple(self.sheet.score[: self.rules.sides])

    @property
    def points(self) -> tuple[int, ...]:
        """Deal points by side of the last finished deal (R43), nothing before the first."""
        return self.deals[-1].points if self.finished else (0,) * self.rules.sides

    @property
    def deals(self) -> list[DealRecord]:
        """The finished deals, as protocol §3 lists them."""
        return [record_of_deal(self.rules, done) for done in self.finished]

    @property
    def result(self) -> PartyResult | None:
        """How the party ended, None while it goes on."""
        if not self.over:
            return None
        o, sides = self.sheet.outcome, self.rules.sides
        stakes = (o.stake0, o.stake1, o.stake2, o.stake3)[:sides]
        return PartyResult(
            self.totals,
            None if self.sheet.winner < 0 else self.sheet.winner,
            REASONS[self.sheet.reason],
            None if self.rules.short is None else stakes,
            None if self.sheet.forfeiter < 0 else self.sheet.forfeiter,
        )

    def observe(self, seat: int, since: int | None = None, party: int = 1) -> View:
        """What a seat sees, equal to `engine.observe` in every field, with the same `since` and `party`."""
        rules = self.rules
        if seat not in range(rules.players):
            raise SetupError(f"a seat is a number from 0 to {rules.players - 1}, not {brief(seat)}")
        known = self._chronicle()
        standing = Standing(
            self.number, self.ply, self.totals, self.sheet.waiting, tuple(self.sheet.bait_counts[: rules.sides])
        )
        events = events_since(self._histories(), tuple(known.lines), self.ply, since)
        return view_of(rules, self.deal, seat, standing, known, events, self.legal if seat == self.seat else [], party)

    def reference_deal(self) -> Deal:
        """The running deal as the reference's value."""
        return deal_of(self.rules, self.deal, self.number, self._chronicle())

    def fault(self, card: Card) -> None:
        """An illegal card of the seat to act, where the table plays `illegal_move=rules` (R66).

        The core does not know these: the reference says whether it is one, and writes the deal that it ends.
        """
        if self.seat < 0 or fault_in(self.rules, self.reference_deal(), PLAYS[card]) is None:
            raise IllegalAction(Reason("no_fault", f"{PLAYS[card]} is no illegal card that R66 would punish"))
        end_by(self, FAULT, ILLEGAL | self.seat << SEAT_BIT | CODE_OF[PLAYS[card]])

    def forfeit(self, seat: int) -> None:
        """The party ended now, lost by a seat, whoever is to act (protocol §3)."""
        if self.seat < 0:
            raise IllegalAction(
                Reason("nobody_acts", "nobody is to act: the party is over, or there is no pack to deal")
            )
        if seat not in range(self.rules.players):
            raise SetupError(f"a seat is a number from 0 to {self.rules.players - 1}, not {brief(seat)}")
        give_up(self, seat)

    def copy(self) -> Stepper:
        """The same party, to be played on by itself."""
        other = Stepper(self.rules, 0)
        other.setup, other._earlier = self.setup, self._earlier.copy()
        copy_party(self, other)
        return other

    def record(self) -> dict[str, object]:
        """The record of the party, which `verify` accepts: its finished deals, and the result once it is over.

        Of a study party it has no seed, and its packs are the authority. Of a `setup` with a seed it holds that, and
        with it every pack to come (R68).
        """
        deals = self.deals
        decks = tuple(deal.deck for deal in deals)
        setup = self.setup or PartySetup(self.rules, None, first_dealer=self.first_dealer, decks=decks)
        return record_from(setup, deals, self.result)

    def _chronicle(self) -> Chronicle:
        """What is known of the running deal, read up to now."""
        if self._known is None or self._known[0] != self.number:
            self._known = self.number, Chronicle(self.rules, self.deal)
        return self._known[1].read()

    def _histories(self) -> list[tuple[str, ...]]:
        """The histories of the deals before the running one."""
        for done in self.finished[len(self._earlier) : self.number]:
            self._earlier.append(tuple(Chronicle(self.rules, done.deal).read().lines))
        return self._earlier


class _Packs:
    """The packs of a setup, None when given ones have run out."""

    def __init__(self, setup: PartySetup) -> None:
        self.setup = setup

    def __call__(self, number: int) -> tuple[Card, ...] | None:
        decks = self.setup.decks
        return None if decks is not None and number >= len(decks) else self.setup.deck(number)

"""`Stepper`: a party on the fast core, step by step.

For studies: self-play, searching, learning. It plays what `engine.table` plays, some fifty times as fast where it is
compiled, and can be asked for the same views and the same records.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any, Final, Self

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
from engine.fast.terms import MOST_WRITTEN
from engine.illegal_card import fault_in
from engine.party import DealRecord, PartyResult
from engine.record import record_from
from engine.rules import Prize, Rules
from engine.table import PartySetup
from engine.view import View, events_since
from engine.wording import brief

CODE_OF: Final[Mapping[Action, int]] = {action: code for code, action in enumerate(ACTIONS)}
"""The code of an action: its place among all 81, `ACTIONS`, which is the order of protocol §1."""


def check_numbers(rules: Rules, most: int = MOST_WRITTEN) -> None:
    """Raises SetupError for a table at which a deal may write, or fine, more than `most`.

    What nobody can come to write may be as high as it likes: a target that no jackpot gives, fines for no number of
    baits.
    """
    if not isinstance(rules, Rules):
        raise SetupError(f"rules are what `rules_of` gives, not {brief(rules)}")
    gives_target = rules.jackpot is not None and rules.jackpot.prize is Prize.TARGET
    bait_fine = 0 if rules.bait_fine_from is None else rules.bait_fine
    for what, number in (
        ("the target, which a jackpot writes,", rules.target if gives_target else 0),
        ("bait_fine", bait_fine),
        ("no_tricks_fine", rules.no_tricks_fine),
        ("bait_fine and no_tricks_fine together", bait_fine + rules.no_tricks_fine),
    ):
        if number > most:
            raise SetupError(f"{what} may be at most {most} here, not {brief(number)}")


def check_seed(seed: object) -> None:
    """Raises SetupError for what is no seed of a study."""
    if not isinstance(seed, int | str) or isinstance(seed, bool):
        raise SetupError(f"a seed is an integer or a text, not {brief(seed)}")


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
        check_numbers(rules)
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
            check_seed(seed)
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
        return record_of_deal(self.rules, self.finished[-1]).points if self.finished else (0,) * self.rules.sides

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
            party, self.number, self.ply, self.totals, self.sheet.waiting, tuple(self.sheet.bait_counts[: rules.sides])
        )
        events = events_since(self._histories(), tuple(known.lines), self.ply, since)
        return view_of(known, seat, standing, events, self.legal if seat == self.seat else [])

    def reference_deal(self) -> Deal:
        """The running deal as the reference's value."""
        return deal_of(self.rules, self.deal, self.number, self._chronicle())

    def is_fault(self, card: Card) -> bool:
        """Whether that card of the seat to act would be an illegal one for which the table plays on (R66)."""
        return self.seat >= 0 and fault_in(self.rules, self.reference_deal(), PLAYS[card]) is not None

    def fault(self, card: Card) -> None:
        """An illegal card of the seat to act, where the table plays `illegal_move=rules` (R66).

        The core does not know these: the reference says whether it is one, and writes the deal that it ends.
        """
        if not self.is_fault(card):
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

    def copy(self) -> Self:
        """The same party, to be played on by itself; of a class of your own, nothing that is new in it."""
        other = type(self).__new__(type(self))
        Stepper.__init__(other, self.rules, 0)
        other.setup, other._earlier = self.setup, self._earlier.copy()
        copy_party(self, other)
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        """What another process plays again to have the same party: its packs and every entry of its logs."""
        logs = [done.deal.log for done in self.finished]
        if len(logs) == self.number:
            logs.append(self.deal.log)
        dealt = (self.rules, self.seed, None) if self.setup is None else (self.rules, None, self.setup)
        return _played_again, (type(self), *dealt, self.first_dealer, logs, self.sheet.forfeiter)

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


def _played_again(
    kind: type[Stepper],
    rules: Rules,
    seed: int | None,
    setup: PartySetup | None,
    first_dealer: int,
    logs: list[list[int]],
    forfeiter: int,
) -> Stepper:
    """The party of which these are the logs."""
    party = kind.__new__(kind)
    Stepper.__init__(party, rules, seed, setup=setup, first_dealer=None if setup else first_dealer)
    for entry in chain.from_iterable(logs):
        if entry & ILLEGAL:
            end_by(party, FAULT, entry)
        else:
            party.step(entry & 127)
    if forfeiter >= 0:
        give_up(party, forfeiter)
    return party


class _Packs:
    """The packs of a setup, None when given ones have run out."""

    def __init__(self, setup: PartySetup) -> None:
        self.setup = setup

    def __call__(self, number: int) -> tuple[Card, ...] | None:
        decks = self.setup.decks
        return None if decks is not None and number >= len(decks) else self.setup.deck(number)

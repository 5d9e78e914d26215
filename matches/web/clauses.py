"""The rule book for readers: every clause in one sentence, for the small print beside what it explains."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

CLAUSES = {
    1: _("The pack has 32 cards: seven to ace in clubs, diamonds, hearts and spades."),
    2: _(
        "A plain suit ranks A 10 K Q J 9 8 7; the ace counts 11, the ten 10, king 4, queen 3, jack 2, the rest nothing."
    ),
    3: _("The trump suit ranks J 9 A 10 K Q 8 7; the jack counts 20, the nine 14, ace 11, ten 10, king 4, queen 3."),
    4: _("Sequences run in the natural order, ace to seven, in every suit and in trumps too."),
    5: _("A whole pack is worth 152 points, with the last trick 162."),
    6: _("Two, three or four play; four play each for himself, or in pairs with partners opposite."),
    7: _("Who deals first in a match is found by lot, and anybody can check the lot afterwards."),
    8: _("Everybody is dealt six cards, starting at the dealer's left; the next card is turned up."),
    9: _("Once trumps are named the buy-in is dealt: three cards each, two where four play, four at some tables."),
    10: _("The upcard stays on the table, goes out of play, or is a card of the dealer's or the maker's buy-in."),
    11: _("At some tables the last card of the pack, or the top of what is left, is shown; nobody may take it."),
    12: _("The deal goes round clockwise, or whoever wrote most deals next, as the table has agreed."),
    13: _("If nobody names trumps the next in turn deals; after a claimed redeal the same dealer deals again."),
    14: _("After a hang the next dealer is found as always, or the maker of the hung deal deals."),
    15: _("The next party of a match is dealt first by the winner of the last one, or the deal goes round."),
    16: _(
        "In round one the upcard's suit may be taken, in round two another suit named; who does so first is the maker."
    ),
    17: _("With the obligation the dealer, last in round two, has to name trumps; without it the cards are thrown in."),
    18: _("After a hang at some tables the same maker plays the upcard's suit again, and nobody bids."),
    19: _("The defender may offer fifty before the buy-in; a maker who accepts writes 50 and the deal is over."),
    20: _(
        "Whoever holds the seven of trumps may exchange it for the upcard, if that lies on the table and is a trump."
    ),
    21: _("A hand bad enough by the table's measure may be shown, and the cards are dealt again."),
    22: _("The holder of 9 8 7 of trumps may ask whether that terz would score before exchanging the seven."),
    23: _("Three cards in a row of one suit are a terz, 20 points; four are a fifty, 50 points."),
    24: _("At some tables five or six in a row are a hundred, 100 points."),
    25: _("At some tables a very long run is a jackpot: it ends the deal at once and wins the party or its target."),
    26: _("A card is in one sequence only; a long run is split, the most valuable first."),
    27: _("Sequences are declared before the first card, at some tables before the second, or declare themselves."),
    28: _(
        "The best sequence is the longest, then the one with the higher top; a tie is settled as the table has agreed."
    ),
    29: _("Only the side with the best sequence scores sequences, and then it scores all that it declared."),
    30: _("At some tables of three both defenders score theirs if one of them has the best sequence."),
    31: _("At some tables a side that took no trick scores no sequences, or no bella."),
    32: _(
        "The kind is announced, heights only where kinds are equal; what scores is shown, nothing else of a hand is."
    ),
    33: _("Bella, king and queen of trumps in one hand, is 20 points if it is said with a card."),
    34: _(
        "Bella is said with any card while one of the two is in hand, with one of them, or with the first card alone."
    ),
    35: _(
        "Bella counts for its holder, for whoever takes the trick it was said in, or by the tricks that its cards take."
    ),
    36: _("A bella that was not said does not count, and bella takes no part in comparing sequences."),
    37: _("The first trick is led by the maker or from the dealer's left; whoever takes a trick leads the next."),
    38: _("Follow suit; without it play a trump; without trumps play anything."),
    39: _("Trumps that were led must be beaten if you can; at some tables a ruff too."),
    40: _("While the partner's trump is winning the trick, it need not be beaten."),
    41: _("The highest trump takes the trick, else the highest card of the suit that was led."),
    42: _("The last trick is worth 10 points more."),
    43: _("A deal's points are card points, the last trick, sequences and bella."),
    44: _("The maker must have more than every other side, at some tables more than the defenders together."),
    45: _("If the maker has made it, every side writes its own points."),
    46: _("Bait: a maker with less writes nothing; the points go to the highest defender or are shared among them."),
    47: _("Hang: a maker with exactly as many writes nothing yet; the points wait, and the defenders write their own."),
    48: _("At some tables after a hang nobody writes: the points are held, and the next, forced deal decides."),
    49: _("Points that wait go to whoever of those entitled writes most in the next deal that is no hang."),
    50: _(
        "Hang upon hang: the points are added up, queue, are released at once or shared out, as the table has agreed."
    ),
    51: _("From a certain number on baits are fined, and so may be a side that took no trick."),
    52: _("Whoever has reached the target after a deal ends the party; if several have, the table's rule decides."),
    53: _("At some tables a deal that ends in a hang ends no party."),
    54: _("At some tables a lead over every other side that is large enough ends the party."),
    55: _("Who leads may close: if what is counted then reaches the target, the party is won at once."),
    56: _("A false close loses the party, costs the total, or bars that seat from closing again in the deal."),
    57: _("At some tables a seat may not close right after taking a trick with the jack of trumps."),
    58: _("Short is one deal for stakes: what is counted is written, and the losers pay the winner."),
    59: _("Dava raises the stake: the other accepts it, or surrenders and loses the stake as it stood."),
    60: _("A match in Short may run to a number of stakes, by custom nine."),
    61: _("A party is worth a fixed stake, or so much a point of the target's whole hundreds less the loser's total."),
    62: _("A loser far behind pays twice or three times; of several reasons only the largest counts."),
    63: _(
        "The sheet's marks: a circle is 50, a crossed one 100, a stick 20; a small number is off above, added below."
    ),
    64: _("At a live table whoever writes too much loses the excess to whoever finds it."),
    65: _("What a revoke, a false declaration and other faults cost at a live table is the table's to agree on."),
    66: _(
        "Online no fault can happen; a competition may choose that a program's illegal card costs what a revoke does."
    ),
    67: _("The pack is shuffled from a secret seed in a way that anybody can repeat once the seed is open."),
    68: _("The seed's fingerprint is published before the first card, the seed itself after the last."),
    69: _("The first dealer's lot is drawn from the same seed."),
    70: _("The same board is played again with its suits renamed, so that nobody knows it at a glance."),
    71: _("A party may be a number of played deals instead of a race to a target; the highest total wins it."),
}


def clause_words(clause: str) -> str:
    """`R46` → its sentence; empty for what is no clause of the rule book."""
    number = clause.removeprefix("R")
    return str(CLAUSES.get(int(number), "")) if number.isdigit() and clause != number else ""

"""The options of rules.md §15 in words: a sentence for every value, in the order in which an organiser reads rules.

Values are §15's JSON values; `NUMBER` stands for every number that has no sentence of its own. Where a table of another
size needs other words, they stand under its name and the rest under `else`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.texts import gettext_noop as _

NUMBER: Final = "number"

Text = str | Mapping[str, str]
"""A sentence, or {table: sentence} with `else` for the tables not named."""


@dataclass(frozen=True, slots=True)
class Group:
    """Options that are read together, under one title."""

    title: str
    options: Mapping[str, Mapping[object, Text]]


_DEAL: Final[dict[str, dict[object, Text]]] = {
    "buy_in": {NUMBER: _("After the bidding each player is dealt %(number)s more cards, the buy-in.")},
    "next_dealer": {
        "rotate": _("The deal goes round: the player to the dealer's left deals next."),
        "deal_winner": _("The winner of a deal deals the next one."),
    },
    "party_dealer": {
        "rotate": _("In a match the deal goes on round the table from one party to the next."),
        "winner": _("The winner of a party deals first in the next party of the match."),
    },
    "hang_dealer": {
        "next": _("After a hang the next dealer is found as after any other deal."),
        "maker": _("After a hang the maker, who named trumps, deals."),
    },
    "upcard": {
        "table": _("The upcard stays on the table."),
        "dealer": _("The dealer takes the upcard as one of his buy-in cards."),
        "maker": _("The maker takes the upcard as one of his buy-in cards, even if other trumps were named."),
        "under": _("The upcard goes out of play after the bidding."),
    },
    "bottom_card": {
        "shown": _("The bottom card of the pack is shown after the buy-in; nobody may take it."),
        "hidden": _("The bottom card of the pack stays hidden."),
        "top_after_trick_1": _("The top card of what is left is shown after the first trick; nobody may take it."),
    },
}

_BIDDING: Final[dict[str, dict[object, Text]]] = {
    "obligation": {
        "on": _("When everybody else has passed twice, the dealer has to name trumps."),
        "off": _("When everybody has passed twice, the cards are thrown in and the next player deals."),
    },
    "offer": {
        "off": _("The maker's opponent cannot offer him fifty points to have the deal over."),
        "fifty": _(
            "Once trumps are named, the maker's opponent may offer fifty: accepted, the maker writes 50 and the deal "
            "is over."
        ),
    },
}

_RIGHTS: Final[dict[str, dict[object, Text]]] = {
    "seven_swap": {
        "first_card": _(
            "When trumps are the upcard's suit, the holder of the trump seven may exchange it for the upcard before "
            "his first card."
        ),
        "buy_in": _(
            "When trumps are the upcard's suit, the holder of the trump seven may exchange it for the upcard before "
            "the buy-in."
        ),
        "off": _("The trump seven cannot be exchanged for the upcard."),
    },
    "ask_terz": {
        "on": _("Whoever may exchange the seven and holds 9-8-7 of trumps may first ask whether his terz is good."),
        "off": _("Nobody may ask beforehand whether a terz is good."),
    },
    "redeal_four_sevens": {
        "on": _("Whoever holds all four sevens may show them before his first card and have the cards dealt again."),
        "off": _("Four sevens in one hand are no reason to deal again."),
    },
    "redeal_below": {
        NUMBER: _(
            "Whoever has fewer than %(number)s points in his first six cards may show them in the first round of "
            "bidding and have the cards dealt again."
        ),
        "off": _("First cards without points are no reason to deal again."),
    },
    "redeal_poor": {
        NUMBER: _(
            "Whoever has no more than %(number)s points in his hand, trumps counted like other suits, may show it "
            "before his first card and have the cards dealt again."
        ),
        "off": _("A poor hand is no reason to deal again."),
    },
}

_SEQUENCES: Final[dict[str, dict[object, Text]]] = {
    "declare": {
        "manual": _("Sequences count only if their holder declares them."),
        "auto": _("A player's sequences are declared by themselves with his first card."),
    },
    "declare_until": {
        "first_card": _("Sequences are declared before one's first card."),
        "second_card": _("Sequences are declared before one's second card at the latest."),
    },
    "hundred": {
        "off": _("Three in a row are a terz, 20; four or more a fifty; there is no hundred."),
        5: _("Three in a row are a terz, 20; four a fifty; five or more a hundred."),
        6: _("Three in a row are a terz, 20; four or five a fifty; six or more a hundred."),
    },
    "split_runs": {
        "on": _("What is left of a long run is a sequence of its own if it is three cards or more."),
        "off": _("Cards in a row are one sequence only, however many they are."),
    },
    "sequence_tie": {
        "trump_order": _("Of two equal sequences the one in trumps is better, else that of whoever plays first."),
        "order": _("Of two equal sequences that of whoever plays first is better, trumps or not."),
        "suit": _("Of two equal sequences the one in trumps is better; if neither is, nobody scores sequences."),
        "last_trick": _("Of two equal sequences the better one is that of the side that takes the last trick."),
        "trump_last_trick": _(
            "Of two equal sequences the one in trumps is better, else that of the side that takes the last trick."
        ),
    },
    "defenders_pool": {
        "on": _("If a defender has the best sequence, both defenders score theirs."),
        "off": _("Only the player with the best sequence scores sequences, and all of his."),
    },
    "sequence_needs_trick": {
        "on": _("A side without a trick scores no sequences."),
        "off": _("Sequences count even for a side without a trick."),
    },
    "jackpot": {"off": _("No run of cards wins the deal at once: there is no jackpot.")},
}

JACKPOTS: Final = {
    # trumps_only, from_ace, first_cards, prize
    (False, False, False, "party"): _("Jackpot: %(number)s or more in a row, declared, win the party at once."),
    (False, False, True, "party"): _(
        "Jackpot: %(number)s or more in a row among one's first six cards, declared, win the party at once."
    ),
    (False, True, False, "party"): _(
        "Jackpot: %(number)s or more in a row from the ace, declared, win the party at once."
    ),
    (False, True, True, "party"): _(
        "Jackpot: %(number)s or more in a row from the ace among one's first six cards, declared, win the party at "
        "once."
    ),
    (True, False, False, "party"): _("Jackpot: %(number)s or more trumps in a row, declared, win the party at once."),
    (True, False, True, "party"): _(
        "Jackpot: %(number)s or more trumps in a row among one's first six cards, declared, win the party at once."
    ),
    (True, True, False, "party"): _(
        "Jackpot: %(number)s or more trumps in a row from the ace, declared, win the party at once."
    ),
    (True, True, True, "party"): _(
        "Jackpot: %(number)s or more trumps in a row from the ace among one's first six cards, declared, win the "
        "party at once."
    ),
    (False, False, False, "target"): _(
        "Jackpot: %(number)s or more in a row, declared, end the deal and are worth the whole target."
    ),
    (False, False, True, "target"): _(
        "Jackpot: %(number)s or more in a row among one's first six cards, declared, end the deal and are worth the "
        "whole target."
    ),
    (False, True, False, "target"): _(
        "Jackpot: %(number)s or more in a row from the ace, declared, end the deal and are worth the whole target."
    ),
    (False, True, True, "target"): _(
        "Jackpot: %(number)s or more in a row from the ace among one's first six cards, declared, end the deal and are "
        "worth the whole target."
    ),
    (True, False, False, "target"): _(
        "Jackpot: %(number)s or more trumps in a row, declared, end the deal and are worth the whole target."
    ),
    (True, False, True, "target"): _(
        "Jackpot: %(number)s or more trumps in a row among one's first six cards, declared, end the deal and are worth "
        "the whole target."
    ),
    (True, True, False, "target"): _(
        "Jackpot: %(number)s or more trumps in a row from the ace, declared, end the deal and are worth the whole "
        "target."
    ),
    (True, True, True, "target"): _(
        "Jackpot: %(number)s or more trumps in a row from the ace among one's first six cards, declared, end the deal "
        "and are worth the whole target."
    ),
}

_BELLA: Final[dict[str, dict[object, Text]]] = {
    "bella_when": {
        "any_card": _("Bella is said with any card while its king or queen is still in the hand."),
        "pair_card": _("Bella is said with its king or queen."),
        "first_card": _("Bella is said with one's first card."),
    },
    "bella_to": {
        "holder": _("The 20 points of bella are its holder's."),
        "trick_winner": _("The 20 points of bella go to the side that takes the trick in which it was said."),
        "one_wins": _("The 20 points of bella are its holder's if king or queen takes the trick it is played in."),
        "halves": _("Bella is worth 10 to its holder for king and queen each that takes the trick it is played in."),
    },
    "bella_needs_trick": {
        "on": _("A side without a trick scores no bella."),
        "off": _("Bella counts even for a side without a trick."),
    },
}

_TRICKS: Final[dict[str, dict[object, Text]]] = {
    "first_lead": {
        "eldest": _("The player to the dealer's left leads to the first trick."),
        "maker": _("The maker, who named trumps, leads to the first trick."),
    },
    "overtrump": {
        "led": {
            "else": _(
                "When trumps are led, the highest trump must be beaten if one can; a ruff need not be overtrumped."
            ),
            "2": _("When trumps are led, they must be beaten with a higher one if one can."),
        },
        "always": {
            "else": _("The highest trump in the trick must be beaten whenever one can, when ruffing too."),
            "2": _("A trump must always be beaten with a higher one if one can."),
        },
    },
    "overtrump_partner": {
        "on": _("A partner's winning trump must be beaten like an opponent's."),
        "off": _("A partner's winning trump need not be beaten."),
    },
}

_SCORE: Final[dict[str, dict[object, Text]]] = {
    "beat": {
        "each": {
            "else": _("The maker has made his game with more points than each of the others."),
            "2": _("The maker has made his game with more points than the other player."),
            "pairs": _("The makers have made their game with more points than the other pair."),
        },
        "sum": _("The maker has made his game with more points than the defenders together."),
    },
    "bait_to": {
        "highest": {
            "else": _(
                "Bait: a maker with fewer writes nothing, and his points go to the defender with most; equal, they "
                "wait for those."
            ),
            "2": _("Bait: a maker with fewer writes nothing, and his points go to the other player."),
            "pairs": _("Bait: makers with fewer write nothing, and their points go to the other pair."),
        },
        "halves": _("Bait: a maker with fewer writes nothing, and his points are shared out among all defenders."),
    },
    "hang": {
        "wait": {
            "else": _("Hang: with equal points the defenders write theirs, and the maker's wait for a later deal."),
            "2": _("Hang: with equal points the other player writes his, and the maker's wait for a later deal."),
        },
        "forced": _(
            "Hang: with equal points nobody writes; the same maker plays the next deal with the upcard's suit, and it "
            "decides about the points of both."
        ),
    },
    "hang_to": {
        "all": _("Points that wait after a hang go to whoever writes most in the next deal."),
        "defenders": _(
            "Points that wait after a hang go to the one of its defenders who writes more in the next deal."
        ),
    },
    "hang_repeat": {
        "sum": _("Hang upon hang: the points are added up and won together."),
        "queue": _("Hang upon hang: each deal that is no hang wins the oldest points only."),
        "release_first": _("Hang upon hang: the points that wait go to the new hang's maker, and the new ones wait."),
        "split_defenders": _("Hang upon hang: all that waits, the new points too, is shared out among the defenders."),
    },
}

_FINES: Final[dict[str, dict[object, Text]]] = {
    "bait_fine_from": {
        "off": _("Baits cost no fine."),
        1: _("Baits cost a fine from the first one in a party on."),
        NUMBER: _("Baits cost a fine from a side's bait number %(number)s in a party on."),
    },
    "bait_fine": {NUMBER: _("A fined bait costs %(number)s points."), 0: _("A fined bait costs no points.")},
    "bait_fine_then": {
        "each": _("After the first fined bait every further one is fined."),
        "every_third": _("After the first fined bait every third further one is fined."),
    },
    "no_tricks_fine": {
        0: _("A deal without a trick costs no fine."),
        NUMBER: _("A side that takes no trick in a deal is fined %(number)s points."),
    },
}

_END: Final[dict[str, dict[object, Text]]] = {
    "target": {NUMBER: _("The party is played to %(number)s points.")},
    "both_reach": {
        "highest": _("If several reach the target in one deal, the highest wins; equal, another deal is played."),
        "last_trick": _("If several reach the target in one deal, the one who took the last trick wins."),
        "maker": _("If several reach the target in one deal, the maker wins if he is one of them, else the highest."),
    },
    "hang_blocks_end": {
        "on": _("A deal that ends in a hang does not end the party."),
        "off": _("A deal that ends in a hang may end the party; points that wait are then lost."),
    },
    "lead_limit": {
        "off": _("A lead does not end the party, however large."),
        NUMBER: _("A lead of %(number)s points over everybody else also ends the party."),
    },
    "close": {
        "on": _("Whoever is to lead and counts the target reached may close the party there and then."),
        "off": _("Every deal is played out: nobody may close early."),
    },
    "false_close": {
        "lose": _("Whoever closes falsely loses the party."),
        "nothing": _("Whoever closes falsely may not close again in that deal; play goes on."),
        "double": _("Whoever closes falsely loses his points, the others write twice as many, and the deal is over."),
    },
    "close_not_on_jack": {
        "on": _("After a trick taken with the trump jack one has to take another before one may close."),
        "off": _("One may close after a trick taken with the trump jack, too."),
    },
    "deals": {
        "off": _("The party has no fixed number of deals."),
        1: _("The party is one played deal."),
        NUMBER: _("The party is %(number)s played deals; then most points win."),
    },
    "short": {
        "off": _("The party is played for points, not for stakes."),
        "plain": {
            "else": _(
                "Short: one deal; the side with most points wins one stake from each other one, whoever is maker."
            ),
            "2": _("Short: one deal; more points win one stake, whoever is maker."),
        },
        "bait": {
            "else": _("Short: one deal; the maker wins a stake from each if he makes his game, or pays one to each."),
            "2": _("Short: one deal; the maker wins one stake with more points, pays two with fewer, none if equal."),
        },
    },
    "dava": {
        "off": _("The stake cannot be raised."),
        "arithmetic": _(
            "Dava: the stake may be raised in play by one each time; the other accepts, or loses it as it stood."
        ),
        "geometric": _("Dava: the stake may be doubled in play each time; the other accepts, or loses it as it stood."),
    },
}

_FAULTS: Final[dict[str, dict[object, Text]]] = {
    "illegal_move": {
        "off": _("An illegal card is never played: it is refused."),
        "rules": _("A program's illegal card ends the deal and costs what a revoke costs."),
    },
    "fault_table": {
        "bait_on_cards": _("A revoke or another fault is a bait: the offender writes nothing, his points go over."),
        "klabor": _("A revoke costs 100 points and the cards are dealt again; a pack not cut costs 100."),
        "kharkov_full": _("For a revoke the others take one of the offender's tricks; a pack not cut is a bait."),
        "none": _("Nothing is laid down for faults; where an illegal card has to cost something, it is a bait."),
    },
}

ILLEGAL_IN_SHORT: Final = _("A program's illegal card ends the deal and costs it the stake.")
"""What `illegal_move` means where no points are written."""

TARGET_IN_DEALS: Final = _("A jackpot is worth %(number)s points.")
"""What `target` means in a party of so many deals (R71)."""

GROUPS: Final = (
    Group(_("The deal"), _DEAL),
    Group(_("Bidding"), _BIDDING),
    Group(_("Rights before the first card"), _RIGHTS),
    Group(_("Sequences"), _SEQUENCES),
    Group(_("Bella"), _BELLA),
    Group(_("Tricks"), _TRICKS),
    Group(_("The score"), _SCORE),
    Group(_("Fines"), _FINES),
    Group(_("The end of the party"), _END),
    Group(_("Faults"), _FAULTS),
)
"""All options, each in one group, in reading order."""

"""Recomputes the cards of a party from its opened seed. Standard library only; knows nothing of the service.

python3 verify_deal.py seed=HEX [entropy=HEX | parts=HEX,HEX] [number=0] [suits=CDHS] [seats=2]
python3 verify_deal.py record=FILE
"""

import hashlib
import hmac
import json
import sys

SUITS, RANKS = "CDHS", "789TJQKA"


def commitment(seed):
    """Published before the first card (R68)."""
    return hashlib.sha256(b"manela/1" + seed).hexdigest()


def entropy_of(parts):
    """What the players added, in seat order; nothing if nobody sent anything (R68)."""
    return hashlib.sha256(b"".join(parts)).digest() if any(parts) else b""


def drawing(seed, prefix):
    """Gives fair numbers below a bound, from HMAC-SHA256(seed, prefix and a counter) (R67)."""

    def words(counter=0):
        while True:
            digest = hmac.new(seed, prefix + counter.to_bytes(4, "big"), hashlib.sha256).digest()
            yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))
            counter += 1

    stream = words()
    return lambda bound: next(word for word in stream if word < 2**32 - 2**32 % bound) % bound


def lot(seed, seats):
    """The seat that deals first (R69)."""
    return drawing(seed, b"lot")(seats)


def pack(seed, entropy=b"", number=0, suits=SUITS):
    """The 32 cards of a deal, first card on top (R67); place i of C D H S becomes letter i of `suits` (R70)."""
    below = drawing(seed, entropy + number.to_bytes(4, "big"))
    cards = [rank + suit for suit in suits for rank in RANKS]
    for place in range(31, 0, -1):
        other = below(place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def check(record):
    """What a record says that does not follow from its seed; nothing if all of it does."""
    seed, entropy = bytes.fromhex(record["seed"]), bytes.fromhex(record["entropy"])
    wrong = [] if record["commitment"] == commitment(seed) else ["commitment"]
    if record["first_dealer_by"] == "lot" and record["first_dealer"] != lot(seed, record["players"]):
        wrong.append("first_dealer")
    decks = ((deal["number"], deal["deck"]) for deal in record["deals"])
    return wrong + [f"deal {at}" for at, deck in decks if deck != pack(seed, entropy, at, record["suits"])]


def main(arguments):
    asked = {"seed": "", "entropy": "", "number": "0", "suits": SUITS, "seats": "2"}
    asked |= dict(text.split("=", 1) for text in arguments)
    if "record" in asked:
        with open(asked["record"], encoding="utf-8") as file:
            return {"wrong": check(json.load(file))}
    seed, entropy = bytes.fromhex(asked["seed"]), bytes.fromhex(asked["entropy"])
    if "parts" in asked:
        entropy = entropy_of([bytes.fromhex(part) for part in asked["parts"].split(",")])
    if len(seed) != 32 or len(entropy) not in (0, 32) or sorted(asked["suits"]) != sorted(SUITS):
        raise ValueError("a seed is 64 hex digits, entropy is 64 or none, suits are the letters CDHS in some order")
    number, seats = int(asked["number"]), int(asked["seats"])
    if not (0 <= number < 2**32 and seats > 0):
        raise ValueError("number is an integer from 0, seats an integer from 1")
    cards, dealer = pack(seed, entropy, number, asked["suits"]), lot(seed, seats)
    return {"commitment": commitment(seed), "entropy": entropy.hex(), "first_dealer": dealer, "pack": cards}


if __name__ == "__main__":
    try:
        print(json.dumps(main(sys.argv[1:]), separators=(",", ":")))
    except (ValueError, LookupError, TypeError, OSError) as error:
        sys.exit(f"{error}\n{__doc__}")

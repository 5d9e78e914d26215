"""R67-R70: shuffle, commitment, entropy, lot, suits."""

import hashlib
import hmac
import math

import pytest

from engine import commitment, entropy_of, lot, pack_of, suits_of
from engine.cards import PACK, format_card
from engine.shuffle import _drawing
from tests.engine.notation import SEED


def text(pack: tuple[int, ...]) -> str:
    return " ".join(format_card(card) for card in pack)


def by_the_book(seed: bytes, entropy: bytes, number: int) -> list[str]:
    """R67 written down a second time, word for word and without the engine."""
    pack = [rank + suit for suit in "CDHS" for rank in "789TJQKA"]
    words: list[int] = []
    counter = 0
    for i in range(31, 0, -1):
        while True:
            if not words:
                message = entropy + number.to_bytes(4, "big") + counter.to_bytes(4, "big")
                digest = hmac.new(seed, message, hashlib.sha256).digest()
                words = [int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4)]
                counter += 1
            w = words.pop(0)
            if w < 2**32 - (2**32 % (i + 1)):
                break
        pack[i], pack[w % (i + 1)] = pack[w % (i + 1)], pack[i]
    return pack


ANNA = hashlib.sha256(b"anna").digest()
VECTORS = [
    (
        SEED,
        b"",
        0,
        "CDHS",
        "AH8HAC9HQCJDTSQDJCJH7C7STD9C7DKSKC9S7HKDKHTCAD8CTH8D9DJSQSASQH8S",
    ),
    (
        SEED,
        b"",
        1,
        "CDHS",
        "8DQS8HJD9DKS7C7S7HASTDTCAH7D8SJCAD9SQH8CTHACQDKCQCKDKH9CJHTSJS9H",
    ),
    (
        bytes(32),
        b"",
        0,
        "CDHS",
        "9HJSKCKDTCAD9CQCJCACTHAS7D7CKHJDKS8S7H8CTD9STSQHQSAH8DQDJH8H7S9D",
    ),
    (
        SEED,
        hashlib.sha256(b"anna").digest(),
        0,
        "CDHS",
        "8HJSKDKCQSJCQH9HKH8DTH7SQD9CJD9S8S9D7DTSAHKSTC7CACAS7H8CADTDQCJH",
    ),
    (
        SEED,
        b"",
        0,
        "SHDC",
        "AD8DAS9DQSJHTCQHJSJD7S7CTH9S7HKCKS9C7DKHKDTSAH8STD8H9HJCQCACQD8C",
    ),
]


@pytest.mark.parametrize(("seed", "entropy", "number", "suits", "pack"), VECTORS)
def test_r67_r70_frozen_packs(seed: bytes, entropy: bytes, number: int, suits: str, pack: str) -> None:
    assert text(pack_of(seed, entropy, number, suits)).replace(" ", "") == pack


@pytest.mark.parametrize("number", range(50))
def test_r67_as_the_book_says(number: int) -> None:
    entropy = b"" if number % 2 else hashlib.sha256(bytes([number])).digest()
    assert text(pack_of(SEED, entropy, number)).split() == by_the_book(SEED, entropy, number)


def test_r70_the_same_deal_under_other_suits() -> None:
    plain, relabelled = pack_of(SEED, b"", 3), pack_of(SEED, b"", 3, "HSDC")
    letters = dict(zip("CDHS", "HSDC", strict=True))
    assert [f"{card[0]}{letters[card[1]]}" for card in text(plain).split()] == text(relabelled).split()


@pytest.mark.parametrize("suits", ["", "CDH", "CDHH", "cdhs", "CDHSC"])
def test_r70_suits_are_a_permutation(suits: str) -> None:
    with pytest.raises(ValueError, match="suits"):
        pack_of(SEED, b"", 0, suits)


def test_r68_commitment_and_entropy() -> None:
    assert commitment(SEED) == hashlib.sha256(b"manela/1" + SEED).hexdigest()
    assert entropy_of([]) == entropy_of([b"", b""]) == b""
    assert entropy_of([b"a", b"b"]) == entropy_of([b"ab", b""]) == hashlib.sha256(b"ab").digest()


def test_r69_lot_frozen_and_fair() -> None:
    assert [lot(SEED, seats) for seats in (2, 3, 4)] == [0, 1, 0]
    drawn = [lot(hashlib.sha256(bytes([number % 256, number // 256])).digest(), 3) for number in range(3000)]
    assert all(900 < drawn.count(seat) < 1100 for seat in range(3))


def test_r69_rejects_words_above_the_largest_multiple() -> None:
    """For three seats 2^32 - 1 is not used: the next word decides."""
    words = [(1 << 32) - 1, 5]
    assert _drawing(iter(words))(3) == 2


def test_suits_of_an_exposure_frozen_and_all_reached() -> None:
    assert [suits_of(SEED, exposure) for exposure in range(4)] == ["HCSD", "HCSD", "SHDC", "SHDC"]
    assert len({suits_of(SEED, exposure) for exposure in range(400)}) == 24


def test_r67_every_card_is_as_likely_in_every_place() -> None:
    """Chi-square of card by place over 10 000 packs: 961 degrees of freedom, inside the two-sided 0.1 % band."""
    packs = 10_000
    counts = [[0] * 32 for _ in PACK]
    for number in range(packs):
        for place, card in enumerate(pack_of(SEED, b"", number)):
            counts[card][place] += 1
    expected = packs / 32
    chi = sum((count - expected) ** 2 / expected for row in counts for count in row)
    spread = math.sqrt(2 * 961)
    assert abs(chi - 961) < 3.3 * spread

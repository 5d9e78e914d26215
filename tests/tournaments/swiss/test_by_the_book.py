"""Sets of upfloaters and pairings of brackets, beside the text read literally, in fields of every awkward shape."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations

import pytest

from tests.tournaments.swiss import by_the_book
from tournaments.formats.swiss.bracket import _Order, pairs_of
from tournaments.formats.swiss.halves import first_halves
from tournaments.formats.swiss.matching import can_all_meet
from tournaments.formats.swiss.rest import Rest
from tournaments.formats.swiss.upfloater_sets import _pool
from tournaments.formats.swiss.upfloaters import upfloaters_of

Apart = dict[int, set[int]]


def kept_apart(rng: random.Random, numbers: list[int], share: float) -> Apart:
    apart: Apart = {number: set() for number in numbers}
    for a, b in combinations(numbers, 2):
        if rng.random() < share:
            apart[a].add(b)
            apart[b].add(a)
    return apart


def rest_of(seed: int, sizes: list[int], share: float, floated: float) -> Rest:
    """Score groups of these sizes, the first the residents', with numbers dealt at random."""
    rng = random.Random(seed)
    numbers = rng.sample(range(1, 100), sum(sizes))
    groups, start = [], 0
    for size in sizes:
        groups.append(sorted(numbers[start : start + size]))
        start += size
    apart = kept_apart(rng, numbers, share)
    return Rest(
        residents=groups[0],
        groups=groups[1:],
        apart=apart,
        floated=frozenset(number for number in numbers if rng.random() < floated),
        most_apart=max(map(len, apart.values())),
    )


def sizes_of(seed: int) -> list[int]:
    """Few or many score groups, of 1 to 7, empty ones among them; 14 sides at most, an even number."""
    rng = random.Random(f"sizes {seed}")
    sizes = [rng.randint(1, 7)]
    while sum(sizes) < 14 and rng.random() < 0.85:
        sizes.append(min(rng.choice([0, 1, 2, 2, 3, 4, 6]), 14 - sum(sizes)))
    sizes[-1] += sum(sizes) % 2
    return sizes


@pytest.mark.parametrize("share", [0.1, 0.3, 0.55])
def test_upfloaters_are_the_first_set_that_complies(share):
    several = 0
    for seed in range(150):
        rest = rest_of(seed, sizes_of(seed), share, floated=0.4)
        if not can_all_meet([*rest.residents, *rest.lower], rest.apart):
            continue
        expected = by_the_book.upfloaters(rest.residents, rest.groups, rest.apart, rest.floated)
        several += len(expected) > 1
        assert upfloaters_of(rest) == expected, f"seed {seed}"
    assert share < 0.3 or several > 5


@pytest.mark.parametrize("following", [0, 1, 2, 3, 12])
def test_upfloaters_of_two_who_have_met_from_a_field_of_many(following):
    """Only a few of the many are looked at; the set is the same as if all were."""
    narrowed = 0
    for seed in range(12):
        rest = _two_who_have_met(seed, following)
        narrowed += _pool(rest) != (rest.lower, True)
        expected = by_the_book.upfloaters(rest.residents, rest.groups, rest.apart, rest.floated)
        assert len(expected) == 2
        assert upfloaters_of(rest) == expected, f"seed {seed}"
    assert narrowed == 12


def _two_who_have_met(seed: int, following: int) -> Rest:
    rest = rest_of(seed, [2, following, 2, 2, 14 - following], 0.0, floated=0.5)
    rng, apart = random.Random(seed), {number: set(others) for number, others in rest.apart.items()}
    for a, b in [rest.residents, *(rng.sample([*rest.residents, *rest.lower], 2) for _ in range(6))]:
        if not apart[a] and not apart[b]:
            apart[a].add(b)
            apart[b].add(a)
    return replace(rest, apart=apart, most_apart=1)


@pytest.mark.parametrize("size", [2, 4, 6, 8])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.6])
def test_a_bracket_is_the_first_pairing_that_complies(size, share):
    found = 0
    for seed in range(60):
        rng = random.Random(f"{size} {share} {seed}")
        members = rng.sample(range(1, 50), size)
        apart = kept_apart(rng, members, share)
        if not by_the_book.can_be_paired(members, apart):
            continue
        floaters = frozenset(rng.sample(members, rng.randint(0, size // 2)))
        floated = frozenset(number for number in members if rng.random() < 0.5)
        found += 1
        _, expected = by_the_book.first_pairing(members, floaters, floated, apart)
        assert pairs_of(members, floaters, floated, apart) == expected, f"seed {seed}"
    assert found > 5


@pytest.mark.parametrize("share", [0.1, 0.4, 0.6])
def test_exchanges_find_the_same_first_pairing_as_matchings_do(share):
    """Too large to be listed: two ways that have nothing in common, where the upper half can meet the lower."""
    found = 0
    for seed in range(12):
        rng = random.Random(f"halves {share} {seed}")
        members = sorted(rng.sample(range(1, 90), 24))
        apart = kept_apart(rng, members, share)
        pairs = first_halves(members, apart)
        if pairs is not None:
            found += 1
            assert pairs == _Order(members, apart, {}).first(), f"seed {seed}"
    assert found > 3


def test_the_regulations_own_examples():
    """Art. 3.5.4 orders sets, art. 3.6.2 names a pairing."""
    sets = [chosen for chosen in combinations([2, 6, 8, 1, 3, 5], 3) if len({2, 6, 8} & set(chosen)) == 2]
    assert sets[:4] == [(2, 6, 1), (2, 6, 3), (2, 6, 5), (2, 8, 1)]
    assert by_the_book.identifier([(11, 24), (16, 6), (10, 9), (8, 4)]) == (4, 6, 9, 11, 8, 16, 10, 24)

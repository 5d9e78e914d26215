"""The tabu search over the rounds of a sheet: the best swap of somebody in trouble, even if it makes matters worse."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.formats.tables_swiss.chance import Chance
from tournaments.formats.tables_swiss.sheet import Sheet

LEAST_REST, MOST_REST = 4, 19
"""How many steps two who have changed places stay where they are."""
Move = tuple[int, int]
"""What it costs more, and with whom to change places."""


def mended(sheet: Sheet, numbers: Sequence[int], chance: Chance, steps: int) -> None:
    """Leaves the sheet with the best of these rounds that was found in so many steps."""
    search = _Search(sheet, chance)
    best, rounds = sheet.cost, sheet.copy_of_rounds()
    untroubled = 0
    for _ in range(steps if numbers else 0):
        if untroubled == 2 * len(numbers):
            break
        untroubled = 0 if search.step(numbers[chance.below(len(numbers))], best) else untroubled + 1
        if sheet.cost < best:
            best, rounds = sheet.cost, sheet.copy_of_rounds()
    for number in numbers:
        sheet.replace(number, rounds[number])


class _Search:
    def __init__(self, sheet: Sheet, chance: Chance) -> None:
        self.sheet, self.chance = sheet, chance
        self.now = 0
        self.rests_until: dict[tuple[int, int, int], int] = {}

    def step(self, number: int, best: int) -> bool:
        """One swap in this round; False if nobody in it is in trouble. One that rests is made only to beat `best`."""
        self.now += 1
        troubled = self._troubled(number)
        if not troubled:
            return False
        one = troubled[self.chance.below(len(troubled))]
        found = self._best_swap(number, one, best - self.sheet.cost)
        if found is not None:
            more, other = found
            self.sheet.swap(number, one, other, more)
            until = self.now + LEAST_REST + self.chance.below(MOST_REST - LEAST_REST + 1)
            self.rests_until[number, one, other] = self.rests_until[number, other, one] = until
        return True

    def _troubled(self, number: int) -> list[int]:
        less = self.sheet.less
        return [one for table in self.sheet.rounds[number] for one in table if any(less[one][mate] for mate in table)]

    def _best_swap(self, number: int, one: int, wanted: int) -> Move | None:
        """The swap that costs least, of equals one by lot."""
        sheet, chance = self.sheet, self.chance
        tables, here = sheet.rounds[number], sheet.at[number][one]
        mates = [mate for mate in tables[here] if mate != one]
        more, less = sheet.more, sheet.less
        mine = more[one]
        spared = sum([less[one][mate] for mate in mates])
        least, found, ties = 0, None, 0
        for there, table in enumerate(tables):
            if there == here:
                continue
            brought = sum([mine[mate] for mate in table]) - spared
            for other in table:
                if not sheet.may_swap(one, other, tables[here], table):
                    continue
                theirs, gone = more[other], less[other]
                cost = brought - mine[other]
                for mate in mates:
                    cost += theirs[mate]
                for mate in table:
                    cost -= gone[mate]
                if self.rests_until.get((number, one, other), 0) > self.now and cost >= wanted:
                    continue
                if found is None or cost < least:
                    least, found, ties = cost, other, 1
                elif cost == least:
                    ties += 1
                    if chance.below(ties) == 0:
                        found = other
        return None if found is None else (least, found)

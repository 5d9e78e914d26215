"""What a deal writes and why: made, bait or hang, waiting points, fines (R44-R51, R66).

Every amount that a side writes stands in one note under `writes`, every fine under `fine`, beside its `side`.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.deal import Deal, End
from engine.notes.note import Note, note
from engine.party import DealRecord, Party
from engine.rules import BaitTo, Beat, Hang, HangRepeat, HangTo, Rules
from engine.scoring import Pool, PoolFrom, Pools, Verdict, given_up, shares, unique_highest, verdict_of
from engine.texts import gettext_noop as _


def written_notes(rules: Rules, before: Party, after: Party, deal: Deal) -> tuple[Note, ...]:
    """A played deal as it is written, from its points on."""
    assert deal.maker is not None
    record = after.deals[-1]
    verdict = verdict_of(rules, deal.maker, record.points)
    head = verdict_note(rules, deal.maker, record.points)
    if verdict is Verdict.HANG and rules.hang is Hang.FORCED:
        body: tuple[Note, ...] = _held_notes(rules, deal, record)
    elif verdict is Verdict.HANG:
        body = _hang_notes(rules, deal.maker, record, before.waiting)
    else:
        body = _settled_notes(rules, deal.maker, record, before.waiting, verdict)
    return (head, *body, *fine_notes(rules, before, after, deal))


def verdict_note(rules: Rules, maker: int, points: Sequence[int]) -> Note:
    """Whether the maker has made his game, with the numbers that decide (R44)."""
    side, verdict = rules.side_of(maker), verdict_of(rules, maker, points)
    others = rules.others_after(maker)
    if rules.beat is Beat.SUM:
        values = {"side": side, "points": points[side], "most": sum(points[other] for other in others)}
        return note(_CLAUSE[verdict], _AGAINST_SUM[verdict], **values)
    other = max(others, key=lambda one: points[one])
    return note(_CLAUSE[verdict], _AGAINST[verdict], side=side, points=points[side], other=other, most=points[other])


_CLAUSE = {Verdict.MADE: "R44", Verdict.BAIT: "R46", Verdict.HANG: "R47"}
_AGAINST = {
    Verdict.MADE: _("Made: %(side)s named trumps and has %(points)s, more than %(other)s with %(most)s."),
    Verdict.BAIT: _("Bait: %(side)s named trumps and has %(points)s, less than %(other)s with %(most)s."),
    Verdict.HANG: _("Hang: %(side)s named trumps and has %(points)s, exactly as %(other)s."),
}
_AGAINST_SUM = {
    Verdict.MADE: _("Made: %(side)s named trumps and has %(points)s, more than the defenders' %(most)s together."),
    Verdict.BAIT: _("Bait: %(side)s named trumps and has %(points)s, less than the defenders' %(most)s together."),
    Verdict.HANG: _("Hang: %(side)s named trumps and has %(points)s, exactly as the defenders together."),
}


def _own_notes(clause: str, written: Sequence[int], held: Sequence[int], but: int | None = None) -> list[Note]:
    """What each side writes of its own; of several deals where points were held."""
    notes = []
    for side, writes in enumerate(written):
        if side == but:
            continue
        if held[side]:
            text = _("%(side)s writes the points of all these deals: %(held)s + %(points)s = %(writes)s.")
            points = writes - held[side]
            notes.append(note("R48", text, side=side, held=held[side], points=points, writes=writes))
        else:
            notes.append(note(clause, _("%(side)s writes its %(writes)s."), side=side, writes=writes))
    return notes


def _settled_notes(rules: Rules, maker: int, record: DealRecord, waiting: Pools, verdict: Verdict) -> tuple[Note, ...]:
    """Made or bait: what each writes, then the pools that this settles."""
    held = [0] * rules.sides
    for pool in waiting:
        if pool.source is PoolFrom.HELD:
            held[pool.eligible[0]] = pool.points
    of_all = [count + more for count, more in zip(record.points, held, strict=True)]
    if verdict is Verdict.MADE:
        own, notes = of_all, _own_notes("R45", of_all, held)
    else:
        own = list(given_up(rules, maker, of_all, record.points)[0])
        notes = [*given_up_notes(rules, maker, of_all, record.points, held)]
    pools = [pool for pool in waiting if pool.source is not PoolFrom.HELD]
    settled = (_pool_note(rules, own, pools, place) for place in range(len(pools)))
    return (*notes, *settled)


def given_up_notes(
    rules: Rules, seat: int, points: Sequence[int], deciding: Sequence[int], held: Sequence[int]
) -> tuple[Note, ...]:
    """A seat's side writes nothing; where its points go (R46)."""
    side = rules.side_of(seat)
    own = _own_notes("R46", points, held, but=side)
    written, pools = given_up(rules, seat, points, deciding)
    nothing = _("%(side)s writes nothing; its %(points)s points go elsewhere.")
    head = note("R46", nothing, side=side, points=points[side])
    if pools:
        text = _("%(sides)s are equal, so the %(points)s points wait for these.")
        return (head, *own, note("R46", text, sides=pools[0].eligible, points=pools[0].points))
    shared = rules.bait_to is BaitTo.HALVES and rules.sides > 2
    text = _("%(side)s gets %(writes)s of them as a share.") if shared else _("%(side)s gets all %(writes)s of them.")
    gains = ((other, written[other] - points[other]) for other in rules.others_after(seat))
    return (head, *own, *(note("R46", text, side=other, writes=gain) for other, gain in gains if gain))


def _pool_note(rules: Rules, own: Sequence[int], pools: Sequence[Pool], place: int) -> Note:
    """What a deal that is no hang makes of points that wait."""
    pool = pools[place]
    winner = unique_highest(own, pool.eligible)
    queued = rules.hang_repeat is HangRepeat.QUEUE and pool.source is PoolFrom.HANG
    if queued and any(older.source is PoolFrom.HANG for older in pools[:place]):
        return note("R50", _("The %(points)s points of the later hang wait for the next deal."), points=pool.points)
    if winner is None:
        most = max(own[side] for side in pool.eligible)
        equal = tuple(side for side in pool.eligible if own[side] == most)
        text = _("%(sides)s write the same: the %(points)s points wait on.")
        return note("R49", text, sides=equal, points=pool.points)
    text = _("%(side)s writes most of those who may and wins the %(writes)s points that waited.")
    return note("R49", text, side=winner, writes=pool.points)


def _hang_notes(rules: Rules, maker: int, record: DealRecord, waiting: Pools) -> tuple[Note, ...]:
    """The defenders write, the maker's points wait, and what that does to points that wait already."""
    side, points = rules.side_of(maker), record.points[rules.side_of(maker)]
    own = _own_notes("R47", record.points, (0,) * rules.sides, but=side)
    older = [pool for pool in waiting if pool.source is PoolFrom.HANG]
    if older and rules.hang_repeat is HangRepeat.SPLIT_DEFENDERS:
        return (*own, *_split_notes(rules, maker, points + sum(pool.points for pool in waiting)))
    notes = [*own, *_waits(rules, maker, points)]
    if older and rules.hang_repeat is HangRepeat.RELEASE_FIRST:
        text = _("Hang upon hang: %(side)s, the new maker, writes the %(writes)s points that waited.")
        notes.append(note("R50", text, side=side, writes=sum(pool.points for pool in older)))
    elif older and rules.hang_repeat is HangRepeat.SUM:
        total = sum(pool.points for pool in record.waiting if pool.source is PoolFrom.HANG)
        notes.append(note("R50", _("Hang upon hang: %(points)s points wait in all."), points=total))
    elif older:
        text = _("Hang upon hang: the oldest points are won first, %(points)s of them.")
        notes.append(note("R50", text, points=older[0].points))
    return tuple(notes)


def _waits(rules: Rules, maker: int, points: int) -> list[Note]:
    side = rules.side_of(maker)
    if not points:
        return [note("R49", _("%(side)s has no points that could wait."), side=side)]
    if rules.hang_to is HangTo.ALL:
        text = _("The %(points)s points of %(side)s wait for whoever writes most in the next deal.")
        return [note("R47", text, side=side, points=points)]
    text = _("The %(points)s points of %(side)s wait for the one of %(others)s who writes more in the next deal.")
    return [note("R49", text, side=side, points=points, others=tuple(sorted(rules.others_after(maker))))]


def _split_notes(rules: Rules, maker: int, points: int) -> tuple[Note, ...]:
    head = note("R50", _("Hang upon hang: all %(points)s points that wait are shared out at once."), points=points)
    gains = enumerate(shares(rules, points, rules.others_after(maker)))
    text = _("%(side)s gets %(writes)s of them.")
    return (head, *(note("R50", text, side=side, writes=gain) for side, gain in gains if gain))


def _held_notes(rules: Rules, deal: Deal, record: DealRecord) -> tuple[Note, ...]:
    """Nobody writes, and the same maker plays the next deal (R48)."""
    assert deal.maker is not None
    held = [pool for pool in record.waiting if pool.source is PoolFrom.HELD]
    text = _("Nobody writes: %(points)s points of %(side)s are held.")
    held_notes = (note("R48", text, side=pool.eligible[0], points=pool.points) for pool in held)
    forced = _("The next deal is forced: %(seat)s plays it without bidding, and it decides.")
    return (*held_notes, note("R48", forced, seat=deal.maker))


def fine_notes(rules: Rules, before: Party, after: Party, deal: Deal) -> tuple[Note, ...]:
    """Baits counted and fined, and sides without a trick (R51)."""
    notes = []
    for side, (old, new) in enumerate(zip(before.baits, after.baits, strict=True)):
        if new > old and rules.bait_fine_from is not None:
            notes.append(_bait_fine(rules, side, new, fine=after.deals[-1].fines[side] - _no_trick(rules, deal, side)))
    for side in range(rules.sides):
        if fine := _no_trick(rules, deal, side):
            notes.append(note("R51", _("%(side)s took no trick and is fined %(fine)s."), side=side, fine=fine))
    return tuple(notes)


def _no_trick(rules: Rules, deal: Deal, side: int) -> int:
    if deal.end is not End.PLAYED or deal.in_play.tricks.won_by_side(rules, side):
        return 0
    return rules.no_tricks_fine


def _bait_fine(rules: Rules, side: int, number: int, fine: int) -> Note:
    values = {"side": side, "number": number, "fine": fine}
    if fine:
        return note("R51", _("It is bait number %(number)s of %(side)s in this party: fined %(fine)s."), **values)
    return note("R51", _("It is bait number %(number)s of %(side)s in this party: not fined."), **values)

"""Matches as the public may see them: explicit fields only, no primary keys, no card before its time."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from matches.core.lifecycle import MatchStatus
from matches.core.outcome import Unit
from matches.core.owners import have_one_owner
from matches.models import Board, Match, MatchSeat, Party, ScoreReport


class SeatSerializer(serializers.ModelSerializer):
    """`points` and what follows are null until the match is decided, and once it is void.

    `points` are in the match's `unit`, and those of the seat's side: partners have the same. `parties_won` is null too
    where people reported the match and did not say. `absent`: the side did not come, and has lost for that.
    """

    player = serializers.CharField(source="agent.player.public_id")
    name = serializers.CharField(source="agent.player.name")
    kind = serializers.CharField(source="agent.player.kind")
    version = serializers.CharField(source="agent.public_id")
    label = serializers.CharField(source="agent.label")
    points = serializers.SerializerMethodField()
    card_points = serializers.SerializerMethodField()
    place = serializers.SerializerMethodField()
    outcome = serializers.SerializerMethodField()
    parties_won = serializers.SerializerMethodField()
    absent = serializers.SerializerMethodField()

    class Meta:
        model = MatchSeat
        fields = [
            "index",
            "side",
            "player",
            "name",
            "kind",
            "version",
            "label",
            "points",
            "card_points",
            "place",
            "outcome",
            "parties_won",
            "absent",
        ]

    def get_points(self, seat: MatchSeat) -> int | None:
        own = self._result(seat)
        return own.points if own else None

    def get_card_points(self, seat: MatchSeat) -> int | None:
        own = self._result(seat)
        return own.card_points if own else None

    def get_place(self, seat: MatchSeat) -> int | None:
        own = self._result(seat)
        return own.place if own else None

    def get_outcome(self, seat: MatchSeat) -> str | None:
        own = self._result(seat)
        return own.outcome if own else None

    def get_parties_won(self, seat: MatchSeat) -> int | None:
        own = self._result(seat)
        return own.parties if own else None

    def get_absent(self, seat: MatchSeat) -> bool | None:
        own = self._result(seat)
        return own.is_absent if own else None

    def _result(self, seat: MatchSeat) -> Any:
        result = getattr(seat.match, "result", None) if seat.match.status == MatchStatus.FINISHED else None
        return next((own for own in result.seats.all() if own.index == seat.index), None) if result else None


class PartySerializer(serializers.ModelSerializer):
    """`totals`, `stakes` are per side of the table, `winner` is one; `seat_of` says where each seat sits.

    How the party ended (`totals`, `winner`, `stakes`, `reason`, `forfeiter`, and `absent`: the seats of the table whose
    versions could not play when it began) is null until the record may be read.
    A seat's side of the table is its place there, in pairs its place modulo 2.
    """

    id = serializers.CharField(source="public_id")
    board = serializers.IntegerField(source="board.number")
    commitment = serializers.CharField(source="board.commitment")
    revealed = serializers.BooleanField(source="is_revealed")
    totals = serializers.SerializerMethodField()
    winner = serializers.SerializerMethodField()
    stakes = serializers.SerializerMethodField()
    reason = serializers.SerializerMethodField()
    forfeiter = serializers.SerializerMethodField()
    absent = serializers.SerializerMethodField()
    seat_of = serializers.SerializerMethodField()

    class Meta:
        model = Party
        fields = [
            "id",
            "number",
            "board",
            "rotation",
            "attempt",
            "status",
            "totals",
            "winner",
            "stakes",
            "reason",
            "forfeiter",
            "absent",
            "commitment",
            "revealed",
            "seat_of",
            "started_at",
            "finished_at",
        ]

    @extend_schema_field(serializers.ListField(child=serializers.IntegerField(), allow_null=True))
    def get_totals(self, party: Party) -> list[int] | None:
        return party.totals if party.is_revealed else None

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_winner(self, party: Party) -> int | None:
        return party.winner if party.is_revealed else None

    @extend_schema_field(serializers.ListField(child=serializers.IntegerField(), allow_null=True))
    def get_stakes(self, party: Party) -> list[int] | None:
        return party.stakes if party.is_revealed else None

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_reason(self, party: Party) -> str | None:
        return party.reason if party.is_revealed else None

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_forfeiter(self, party: Party) -> int | None:
        return party.forfeiter if party.is_revealed else None

    @extend_schema_field(serializers.ListField(child=serializers.IntegerField(), allow_null=True))
    def get_absent(self, party: Party) -> list[int] | None:
        return party.absent if party.is_revealed else None

    def get_seat_of(self, party: Party) -> list[int]:
        seats = len(party.match.seats.all())
        return [party.table_seat(index, seats) for index in range(seats)]


class MatchSerializer(serializers.ModelSerializer):
    """`unit` says what the seats' points are: `points` of the cards, `parties` won, or `stakes` (Short).

    `length` says what the number of `boards` means: boards, each from every seat; whole parties; best of so many.
    `reported`: people play it at a table and say how it ended; it has no parties here. `same_owner`: two of its sides
    belong to one user.
    """

    id = serializers.CharField(source="public_id")
    boards = serializers.IntegerField(source="boards_planned")
    reported = serializers.BooleanField(source="is_reported")
    round = serializers.IntegerField(source="round_number")
    unit = serializers.ChoiceField(choices=[(unit.value, unit.value) for unit in Unit])
    seats = SeatSerializer(many=True)
    same_owner = serializers.SerializerMethodField()

    class Meta:
        model = Match
        fields = [
            "id",
            "title",
            "status",
            "status_reason",
            "rules",
            "overrides",
            "length",
            "boards",
            "reported",
            "unit",
            "control",
            "round",
            "rated",
            "same_owner",
            "seats",
            "created_at",
            "started_at",
            "finished_at",
        ]

    def get_same_owner(self, match: Match) -> bool:
        return have_one_owner((seat.side, seat.agent.player.owner_id) for seat in match.seats.all())


class ScoreReportSerializer(serializers.ModelSerializer):
    """A version of the score: a side's report, or an organiser's ruling. `points`, `parties` are by side."""

    points = serializers.ListField(child=serializers.IntegerField())
    parties = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    absent = serializers.ListField(child=serializers.IntegerField())

    class Meta:
        model = ScoreReport
        fields = [
            "version",
            "kind",
            "side",
            "points",
            "parties",
            "absent",
            "status",
            "reason",
            "created_at",
            "settled_at",
        ]


class BoardSerializer(serializers.ModelSerializer):
    """`seed` is null while a card that depends on it is still to be played (R68).

    `first_dealer` is null where it follows from a party that is still to be played (R15).
    """

    seed = serializers.SerializerMethodField()

    class Meta:
        model = Board
        fields = ["number", "commitment", "first_dealer", "seed"]

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_seed(self, board: Board) -> str | None:
        return bytes(board.seed).hex() if board.is_open else None


class MatchDetailSerializer(MatchSerializer):
    parties = PartySerializer(many=True)
    board_seeds = BoardSerializer(many=True, source="boards")
    reports = ScoreReportSerializer(many=True)

    class Meta(MatchSerializer.Meta):
        fields = [*MatchSerializer.Meta.fields, "forfeit_points", "parties", "board_seeds", "reports"]

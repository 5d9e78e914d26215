"""The rule book as data, for sites that play by it: presets, their options, their sentences. No row of ours."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engine import Rules, presets, rules_of
from engine.comparing import rules_digest
from engine.options import OPTIONS, OptionSpec
from engine.sentences import sentence_of, sentences
from matches.api.problems import NOT_FOUND


class PresetSerializer(serializers.Serializer):
    name = serializers.CharField(help_text="as tournaments and matches are created with, such as `klabor/pairs`")
    version = serializers.CharField(help_text="as it stands in records: `klabor/pairs@1`")
    family = serializers.CharField()
    table = serializers.CharField(help_text="`2`, `3`, `4` each for himself, or `pairs`")
    players = serializers.IntegerField()
    pairs = serializers.BooleanField()
    sides = serializers.IntegerField(help_text="how many score: the players, or two pairs")
    digest = serializers.CharField(help_text="SHA-256 of what is played; equal for equal rules")


class OptionSerializer(serializers.Serializer):
    """An option of the rule book as this preset has it."""

    name = serializers.CharField()
    value = serializers.JSONField(help_text="as it would be written in `overrides`")
    clause = serializers.CharField(help_text="of the rule book, such as `R39`")
    sentence = serializers.CharField(help_text="the value in plain words")
    help = serializers.CharField(help_text="what the option is about")
    allowed = serializers.CharField(help_text="which values there are, in words")
    fits = serializers.BooleanField(help_text="whether anything but off can be asked for at this table")


class SentenceSerializer(serializers.Serializer):
    option = serializers.CharField()
    clause = serializers.CharField()
    text = serializers.CharField()


class PresetDetailSerializer(PresetSerializer):
    options = OptionSerializer(many=True, help_text="every option, in the rule book's order")
    sentences = SentenceSerializer(many=True, help_text="the rules as a sheet to read, without what cannot matter")


def preset_of(rules: Rules) -> dict[str, Any]:
    name = rules.name.partition("@")[0]
    return {
        "name": name,
        "version": rules.name,
        "family": name.partition("/")[0],
        "table": rules.table,
        "players": rules.players,
        "pairs": rules.pairs,
        "sides": rules.sides,
        "digest": rules_digest(rules),
    }


def option_of(spec: OptionSpec, rules: Rules) -> dict[str, Any]:
    value = rules.as_json()[spec.name]
    return {
        "name": spec.name,
        "value": value,
        "clause": spec.clause,
        "sentence": str(sentence_of(spec.name, value, rules.table)),
        "help": spec.help,
        "allowed": spec.values,
        "fits": spec.fits(rules.table),
    }


class PresetList(APIView):
    """All presets of the rule book."""

    @extend_schema(summary="Presets of the rule book", responses={200: PresetSerializer(many=True)})
    def get(self, request: Request) -> Response:
        return Response([preset_of(rules_of(name)) for name in presets()])


class PresetDetail(APIView):
    """One preset at one table, option by option and in sentences."""

    @extend_schema(summary="A preset with its options", responses={200: PresetDetailSerializer, **NOT_FOUND})
    def get(self, request: Request, family: str, table: str) -> Response:
        name = f"{family}/{table}"
        if name not in presets():
            raise Http404("There is no preset with this name.")
        rules = rules_of(name)
        options = [option_of(spec, rules) for spec in OPTIONS]
        sheet = [{"option": one.option, "clause": one.clause, "text": str(one)} for one in sentences(rules)]
        return Response({**preset_of(rules), "options": options, "sentences": sheet})

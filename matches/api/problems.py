"""Errors of the API as RFC 9457 problems."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import Http404
from drf_standardized_errors.formatter import ExceptionFormatter
from drf_standardized_errors.handler import exception_handler
from drf_standardized_errors.types import ErrorResponse, ExceptionHandlerContext
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from matches.api.bodies import TooLarge
from matches.api.limits import LimitReached, count_once

PROBLEM_TYPE = "application/problem+json"


class ProblemFormatter(ExceptionFormatter):
    """type, title, status, detail, code, and an entry per field that is wrong."""

    def format_error_response(self, error_response: ErrorResponse) -> dict[str, Any]:
        errors = error_response.errors
        return {
            "type": "about:blank",
            "title": HTTPStatus(self.exc.status_code).phrase,
            "status": self.exc.status_code,
            "detail": str(errors[0].detail),
            "code": str(errors[0].code),
            "errors": [
                {"field": error.attr, "code": str(error.code), "detail": str(error.detail)}
                for error in errors
                if error.attr
            ],
        }


def problem_response(error: Exception, context: ExceptionHandlerContext) -> Response | None:
    """DRF's exception handler: whatever went wrong, in one form."""
    told = _counted(TooLarge() if isinstance(error, RequestDataTooBig) else error, context["request"])
    response = exception_handler(told, context)
    if response is not None:
        response.content_type = PROBLEM_TYPE
        for name, value in getattr(told, "headers", {}).items():
            response[name] = value
    return response


def _counted(error: Exception, request: Request) -> Exception:
    try:
        count_once(request)
    except LimitReached as reached:
        return reached
    return error


class Nothing(APIView):
    """Addresses under the API where nothing can be: told as a problem, where Django would show a page."""

    schema = None

    def initial(self, request: Request, *arguments: Any, **named: Any) -> None:
        super().initial(request, *arguments, **named)
        raise Http404


class FieldProblem(serializers.Serializer):
    field = serializers.CharField()
    code = serializers.CharField()
    detail = serializers.CharField()


class Problem(serializers.Serializer):
    """An error as RFC 9457 describes it; `code` is stable."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField()
    errors = FieldProblem(many=True)


NOT_FOUND = {(404, PROBLEM_TYPE): Problem}
BAD_REQUEST = {(400, PROBLEM_TYPE): Problem}
TOO_LARGE = {(413, PROBLEM_TYPE): Problem}
CONFLICT = {(409, PROBLEM_TYPE): Problem}

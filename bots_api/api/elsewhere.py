"""The routes of play where pages alone are served: whoever runs the site is told what his proxy lacks."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import csrf_exempt

from matches.api.problems import PROBLEM_TYPE

RETRY_SECONDS = 30
TOLD = {
    "type": "about:blank",
    "title": "Service Unavailable",
    "status": 503,
    "detail": "Programs are not served by this process. Whoever runs the site: serve deploy.asgi, and have the proxy "
    "send it what is below /api/v1/bot/ and /api/v1/decisions/ (docs/operators.md).",
    "code": "served_elsewhere",
    "errors": [],
}


@method_decorator(csrf_exempt, name="dispatch")
class Play(View):
    """`deploy.asgi` answers these addresses before they come here. Ours to mend, so that a program tries again."""

    def dispatch(self, request: HttpRequest, *arguments: object, **named: object) -> JsonResponse:
        """The same for every method."""
        headers = {"Retry-After": str(RETRY_SECONDS)}
        return JsonResponse(TOLD, status=503, content_type=PROBLEM_TYPE, headers=headers)

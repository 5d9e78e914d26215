"""What went wrong is sent again, or by a line for a shell: the same message, freshly signed, and nothing follows."""

from __future__ import annotations

import json
import subprocess
from shlex import split

import pytest
from standardwebhooks import Webhook

from bots_api.delivery_log import KEPT_BYTES
from bots_api.models import BotVersion, Delivery
from bots_api.services import ping, rotate_secret, shown_secret
from bots_api.services.resending import ResendRefused, curl_of, send_again
from matches.models import Agent, AgentStatus
from tests.bots_api.tables import ask, question_to, version_at
from tests.rogues import behaviours as does
from tests.rogues.program import Behaviour, Program

pytestmark = pytest.mark.django_db(transaction=True)


def failed(program: Program) -> Delivery:
    """The last line of the log of a decision that the program did not answer well."""
    ask(question_to(version_at(program.url), may_correct=False))
    return Delivery.objects.order_by("-id")[0]


@pytest.mark.parametrize(
    ("behaviour", "outcome", "status"),
    [
        (does.plays, "ok", 200),
        (does.says(b'{"action":"play:7C"}'), "illegal_action", 200),
        (does.says(b"{}"), "malformed", 200),
        (does.packs_its_answer, "malformed", 200),
        (does.says(b"", 500), "http_500", 500),
        (does.says(b"", 410), "http_410", 410),
        (does.says(b"", 429), "http_429", 429),
        (does.hangs_up, "unreachable", None),
    ],
)
def test_a_decision_is_sent_again_and_nothing_follows(behaviour: Behaviour, outcome: str, status: int | None) -> None:
    with Program(does.first(does.says(b"no"), behaviour)) as program:
        delivery = failed(program)
        again = send_again(delivery)
        first, second = program.received
    assert (again.outcome, again.status, again.is_repeat, again.pk) == (
        outcome,
        status,
        True,
        Delivery.objects.latest("id").pk,
    )
    assert (again.request, again.message_id, again.seq) == (delivery.request, delivery.message_id, delivery.seq)
    assert (first.body, first.headers["webhook-id"]) == (second.body, second.headers["webhook-id"])
    Webhook(shown_secret(BotVersion.objects.get())).verify(second.body.decode(), dict(second.headers))
    assert Agent.objects.get(pk=delivery.agent_id).status == AgentStatus.ACTIVE
    assert [row.is_repeat for row in Delivery.objects.order_by("id")] == [False, True]


def test_a_ping_is_sent_again() -> None:
    with Program(does.first(does.says(b"{}"), does.answers_notices, does.says(b"{}"))) as program:
        delivery = ping(version_at(program.url))
        assert [send_again(delivery).outcome for _ in range(2)] == ["ok", "malformed"]
        assert len({message["challenge"] for message in program.messages("ping")}) == 1


def test_what_was_not_kept_whole_or_has_no_address_is_refused() -> None:
    with Program(does.plays) as program:
        delivery = failed(program)  # which was answered well
    with pytest.raises(ResendRefused, match="answered well") as caught:
        send_again(delivery)
    assert caught.value.code == "request_not_kept"
    for request, url, code in (
        ("{" + " " * KEPT_BYTES, program.url, "request_cut"),
        ("{}", "", "version_calls_us"),
    ):
        delivery.request = request
        BotVersion.objects.update(url=url)
        for refused in (send_again, curl_of):
            with pytest.raises(ResendRefused) as caught:
                refused(delivery)
            assert caught.value.code == code


def test_the_line_for_a_shell_works_as_it_stands() -> None:
    with Program(does.first(does.says(b"no"), does.plays)) as program:
        delivery = failed(program)
        rotate_secret(BotVersion.objects.get())
        line = curl_of(delivery)
        assert "\n" not in line
        done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=20, check=True)
        first, second = program.received
    assert done.stdout.endswith('{"action": "take", "note": "well"}')
    assert second.body == first.body == delivery.request.encode()
    assert second.headers["webhook-id"] == delivery.message_id
    assert len(second.headers["webhook-signature"].split()) == 2
    Webhook(shown_secret(BotVersion.objects.get())).verify(second.body.decode(), dict(second.headers))
    assert Delivery.objects.count() == 1


def test_curl_sends_one_message_whatever_the_address_looks_like() -> None:
    with Program(does.says(b"no")) as program:
        delivery = failed(program)
        BotVersion.objects.update(url=f"{program.url}a[1-3]/{{b,c}}")
        subprocess.run(["sh", "-c", curl_of(delivery)], capture_output=True, timeout=20, check=True)
        assert len(program.received) == 2


def test_a_body_with_every_kind_of_quote_comes_through_a_shell() -> None:
    with Program(does.plays) as program:
        delivery = failed(program)
    delivery.request = json.dumps({"type": "decision", "note": "'$(id)` \\ \" \u0000 !x Деберц ''"}, ensure_ascii=False)
    words = split(curl_of(delivery))
    assert words[words.index("--data-binary") + 1] == delivery.request
    echoed = subprocess.run(
        ["sh", "-c", curl_of(delivery).replace("curl -sS -i", "printf '%s\\n'")], capture_output=True, check=True
    )
    assert delivery.request.encode() in echoed.stdout.splitlines()

"""What a meeting is said to be, in the reader's language."""

from __future__ import annotations

import pytest
from django.utils.translation import override, trans_real

from tests.cast import SEED, tournament
from tournaments.services import running
from tournaments.web.meetings import read_draw

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]

WORDS = {"bye": "вільний", "waiting": "чекає"}


def test_a_bye_and_a_match_are_told_in_the_readers_language(monkeypatch: pytest.MonkeyPatch) -> None:
    cup = tournament("greedy@1", "random@1", "greedy@1")
    running.start(cup.pk, SEED)
    known = trans_real.translation("uk")._catalog._catalogs[0]
    for word, told in WORDS.items():
        monkeypatch.setitem(known, word, told)
    with override("uk"):
        told_by_state = {meeting.state: meeting.state_words for meeting in read_draw(cup).meetings}
    assert told_by_state == {"bye": "вільний", "ready": "чекає"}

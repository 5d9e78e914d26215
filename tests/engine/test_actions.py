"""Protocol §1: text forms and the fixed order."""

import copy
import pickle

import pytest

from engine import ActionError, format_action, parse_action
from engine.actions import ACTIONS


def test_the_fixed_order() -> None:
    texts = [action.text for action in ACTIONS]
    assert texts[:6] == ["take", "pass", "trump:C", "trump:D", "trump:H", "trump:S"]
    assert texts[6:10] == ["offer", "no_offer", "accept", "decline"]
    assert texts[10:17] == ["exchange", "ask", "declare", "redeal", "close", "dava", "surrender"]
    assert texts[17:21] == ["play:7C", "play:7C+bella", "play:8C", "play:8C+bella"]
    assert texts[-1] == "play:AS+bella"
    assert len(set(texts)) == 81


@pytest.mark.parametrize("action", ACTIONS, ids=str)
def test_text_and_back_is_the_same_object(action: object) -> None:
    text = format_action(action)
    assert parse_action(text) is action
    assert pickle.loads(pickle.dumps(action)) is action
    assert copy.deepcopy(action) is action


@pytest.mark.parametrize(
    "text", ["", "Take", "trump:", "trump:X", "play:", "play:10H", "play:KH+", "play:KH +bella", None]
)
def test_malformed_actions(text: object) -> None:
    with pytest.raises(ActionError, match="is no action"):
        parse_action(text)

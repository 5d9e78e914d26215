"""What comes from a stranger is an action, a challenge or a ReplyError; nothing else ever."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots_api import wire
from bots_api.wire import NOTE_LIMIT, REPLY_LIMIT, Reply, ReplyError, check_echo, encode, read_reply

LEGAL = ("take", "pass", "play:JH", "play:KH+bella")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15), 10**15) | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


def judged(body: bytes) -> str:
    """The action that a reply is read as, else the code of what is wrong with it."""
    try:
        return read_reply(body, LEGAL).action
    except ReplyError as error:
        return error.code if error.detail.isprintable() else "unprintable"


JUDGEMENTS = {*LEGAL, "malformed", "illegal_action"}


@given(st.binary(max_size=400))
def test_arbitrary_bytes_are_an_answer_or_a_reply_error(body: bytes) -> None:
    assert judged(body) in JUDGEMENTS


@given(st.binary(max_size=60), st.integers(0, 40))
def test_a_good_answer_with_bytes_changed_is_an_answer_or_a_reply_error(noise: bytes, at: int) -> None:
    good = b'{"action":"play:JH","note":"high"}'
    assert judged(good[:at] + noise + good[at + len(noise) :]) in JUDGEMENTS


@given(JSON)
def test_any_json_is_an_answer_or_a_reply_error(value: object) -> None:
    expected = value if value in LEGAL else "illegal_action" if isinstance(value, str) else "malformed"
    assert judged(json.dumps({"action": value}).encode()) == expected


@given(JSON)
def test_what_we_write_anyone_reads_back(value: object) -> None:
    written = encode({"value": value})
    assert json.loads(written) == {"value": value}
    assert written.isascii()


@pytest.mark.parametrize(("answered", "tried"), [("play:7C", "play:7C"), ("trump:S", "trump:S"), ("play:1C", None)])
def test_r66_an_illegal_answer_that_is_an_action_somewhere_is_kept(answered: str, tried: str | None) -> None:
    with pytest.raises(ReplyError) as error:
        read_reply(json.dumps({"action": answered}).encode(), LEGAL)
    assert (error.value.code, error.value.action and error.value.action.text) == ("illegal_action", tried)


@given(st.sampled_from(LEGAL), st.text())
def test_an_answer_survives_the_way(action: str, note: str) -> None:
    reply = read_reply(json.dumps({"action": action, "note": note[:500], "more": 1}).encode(), LEGAL)
    assert reply.action == action
    assert len(reply.note) <= NOTE_LIMIT
    assert reply.note.isprintable()


@pytest.mark.parametrize("note", [7, None, ["x"], {"a": 1}])
def test_a_note_that_is_no_text_is_dropped(note: object) -> None:
    assert read_reply(json.dumps({"action": "pass", "note": note}).encode(), LEGAL) == Reply("pass", "")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b'"pass"',
        b"{",
        b'{"action":"pass"}x',
        b'\xef\xbb\xbf{"action":"pass"}',
        '{"action":"pass"}'.encode("utf-16"),
        b'{"action":"pass","x":NaN}',
        b'{"action":"pass","x":Infinity}',
        b'{"action":"pass","x":' + b"9" * 21 + b"}",
        b'{"action":"pass","x":-' + b"9" * 5_000 + b"}",
        b"[" * REPLY_LIMIT,
        b'{"a":' * 3_000,
        b'{"action":"pass","x":"' + b"x" * REPLY_LIMIT + b'"}',
    ],
)
def test_malformed(body: bytes) -> None:
    with pytest.raises(ReplyError) as caught:
        read_reply(body, LEGAL)
    assert caught.value.code == "malformed"


def test_the_limit_is_exact() -> None:
    frame = b'{"action":"pass","x":"%s"}'
    fits = frame % (b"x" * (REPLY_LIMIT - len(frame) + 2))
    assert len(fits) == REPLY_LIMIT
    assert read_reply(fits, LEGAL).action == "pass"
    with pytest.raises(ReplyError):
        read_reply(fits + b" ", LEGAL)


@pytest.mark.parametrize("action", ["", "PASS", " pass", "pass ", "play:JH+bella", "\x00", "play:KH +bella"])
def test_only_what_was_offered_is_legal(action: str) -> None:
    with pytest.raises(ReplyError) as caught:
        read_reply(json.dumps({"action": action}).encode(), LEGAL)
    assert caught.value.code == "illegal_action"
    assert "take, pass, play:JH, play:KH+bella" in caught.value.detail


@given(st.text())
def test_a_challenge_comes_back_as_it_went(challenge: str) -> None:
    check_echo(json.dumps({"challenge": challenge}).encode(), challenge)


@pytest.mark.parametrize("body", [b"{}", b'{"challenge":1}', b'{"challenge":"other"}', b"x", b"[]"])
def test_no_challenge(body: bytes) -> None:
    with pytest.raises(ReplyError, match=r"challenge|JSON"):
        check_echo(body, "mine")


@given(st.text())
def test_printable_text_fits_a_database(text: str) -> None:
    kept = wire.printable(text)
    assert len(kept) == len(text)
    kept.encode()
    assert "\0" not in kept


@given(st.binary(max_size=3_000))
def test_an_excerpt_fits_a_database(body: bytes) -> None:
    shown = wire.excerpt(body, 2_000)
    shown.encode()
    assert len(shown) <= 2_000 + len(wire.CUT)
    assert shown.endswith(wire.CUT) or len(body) <= 2_000
    assert "\0" not in shown


def test_an_excerpt_is_whole_up_to_the_limit_of_a_reply() -> None:
    whole = "é" * (REPLY_LIMIT // 2)
    assert wire.excerpt(whole.encode()) == whole
    assert wire.excerpt(whole.encode() + b"x") == whole + "… (cut)"
    assert wire.excerpt(b"HTTP/1.1 200 OK\r\n\r\n\x00") == "HTTP/1.1 200 OK\n\n\N{REPLACEMENT CHARACTER}"

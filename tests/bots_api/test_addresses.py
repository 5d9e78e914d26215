"""Which addresses are called, and which forms of writing one are taken (protocol §5)."""

from __future__ import annotations

from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from yarl import URL

from bots_api.addresses import AddressRefused, check_url, may_call
from tests.bots_api.address_corpus import FINE, INSIDE, LEADING_INSIDE, OUTSIDE, STRANGE


def check(url: str, *, http: bool = True, loopback: bool = False) -> None:
    check_url(url, allow_http=http, allow_loopback=loopback)


def test_the_corpus_is_large() -> None:
    assert len({*INSIDE}) + len({*STRANGE}) >= 160
    assert len({*LEADING_INSIDE}) >= 80


@pytest.mark.parametrize("text", INSIDE)
def test_addresses_inside_are_not_called(text: str) -> None:
    address = ip_address(text)
    assert not may_call(address, allow_loopback=False)
    with pytest.raises(AddressRefused):
        check(f"http://[{text}]/" if ":" in text else f"http://{text}/")


@pytest.mark.parametrize("text", OUTSIDE)
def test_addresses_outside_are_called(text: str) -> None:
    assert may_call(ip_address(text), allow_loopback=False)


@pytest.mark.parametrize("url", STRANGE)
def test_strange_forms_are_refused(url: str) -> None:
    with pytest.raises(AddressRefused):
        check(url)


@pytest.mark.parametrize("url", FINE)
def test_plain_forms_are_taken(url: str) -> None:
    check(url)


@pytest.mark.parametrize("url", ["http://127.0.0.1:9001/", "http://[::1]:9001/", "http://127.3.2.1:9001/"])
def test_loopback_by_the_switch_alone(url: str) -> None:
    check(url, loopback=True)
    with pytest.raises(AddressRefused, match="open internet"):
        check(url)


@pytest.mark.parametrize("text", ["::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "10.0.0.1", "0.0.0.0", "::"])
def test_the_switch_lets_nothing_else_in(text: str) -> None:
    assert not may_call(ip_address(text), allow_loopback=True)


def test_http_by_the_switch_alone() -> None:
    check("https://example.org/", http=False)
    with pytest.raises(AddressRefused, match="begins with https://"):
        check("http://example.org/", http=False)


@given(st.text())
def test_any_text_is_taken_or_refused(url: str) -> None:
    with suppress(AddressRefused):
        check(url)


@given(
    st.sampled_from(["http://", "https://", "HTTPS://"]),
    st.text("abz019.-_xnXN%", min_size=1, max_size=12),
    st.sampled_from(["", ":", ":443", ":8443", ":08443", ":99999"]),
    st.text("/?#@:[]%!$&'()*+,;=.~a1", max_size=8),
)
def test_what_is_taken_is_read_by_the_transports_library_as_it_was_judged(
    scheme: str, host: str, port: str, rest: str
) -> None:
    url = f"{scheme}{host}{port}{rest}"
    try:
        check(url)
    except AddressRefused:
        return
    judged, read = urlsplit(url), URL(url)
    assert read.raw_host is not None
    assert read.raw_host.rstrip(".") == (judged.hostname or "").rstrip(".")
    assert read.port == (judged.port or {"http": 80, "https": 443}[judged.scheme])


@given(st.ip_addresses(v=4))
def test_an_address_is_judged_alike_in_every_wrapping(address: IPv4Address) -> None:
    plain, number = may_call(address, allow_loopback=False), int(address)
    for wrapped in (
        IPv6Address((0xFFFF << 32) | number),
        IPv6Address((0x64FF9B << 96) | number),
        IPv6Address((0x2002 << 112) | (number << 80) | 1),
        IPv6Address((0x20010000 << 96) | (number ^ 0xFFFFFFFF)),
    ):
        assert may_call(wrapped, allow_loopback=False) == plain

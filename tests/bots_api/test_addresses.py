"""Which addresses are called: a corpus of forms that lead inside, and of those that do not (protocol §5)."""

from __future__ import annotations

from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots_api.addresses import AddressRefused, check_url, may_call


def words(text: str) -> list[str]:
    return text.split()


INSIDE = words("""
0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.254 127.0.0.1 127.1.2.3 127.255.255.255 169.254.0.1
169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.8 192.0.0.170 192.0.2.1 192.31.196.1 192.52.193.1
192.88.99.1 192.168.0.1 192.168.255.255 192.175.48.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.7 224.0.0.1
239.255.255.255 240.0.0.1 255.255.255.255 :: ::1 ::7f00:1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1
::ffff:169.254.169.254 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b::169.254.169.254 64:ff9b:1::1
64:ff9b:1:7f00:0:100:808:808 100::1 2002:7f00:1:: 2002:a00:1:: 2002:a9fe:a9fe:: 2002:c0a8:1::1
2001:0:4136:e378:8000:63bf:80ff:fffe 2001:0:4136:e378:8000:63bf:f5ff:fffe 2001::1 2001:2::1 2001:10::1 2001:20::1
2001:db8::1 2001:db8:ffff::1 2620:4f:8000::1 3fff::1 3fff:0fff::1 5f00::1 fc00::1 fd00::1 fd12:3456:789a::1 fe80::1
febf::1 fec0::1 ff00::1 ff02::1 ff05::2 ff0e::1 4000::1 8000::1 e000::1
""")

OUTSIDE = words("""
1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.1 100.63.255.255 100.128.0.1 126.255.255.255 128.0.0.1 169.253.1.1 172.15.0.1
172.32.0.1 192.0.1.1 192.167.1.1 198.17.0.1 198.20.0.1 203.0.112.1 223.255.255.255 2606:4700::1111 2a00:1450:4001::1
2001:4860:4860::8888 2001:200::1 ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2002:808:808::1
""")

STRANGE = words("""
http://2130706433/ http://0x7f000001/ http://0x7f.0x0.0x0.0x1/ http://017700000001/ http://0177.0.0.1/ http://127.1/
http://127.0.1/ http://0/ http://0x/ http://00000000/ http://127.0.0.1./ http://1.2.3.4./ http://0x8.8.8.8/
http://8.8.2056/ http://134744072/ http://010.0.0.1/ http://8.8.8.0x8/ http://[::ffff:127.0.0.1]/ http://[::1]/
http://[fe80::1%25eth0]/ http://[2606:4700::1111%25eth0]/ http://[2606:4700::1111%eth0]/ http://[::1 http://[]/
http://[v1.x]/ http://[127.0.0.1]/ http://%31%32%37.0.0.1/ http://127.0.0.1%00.example.org/ http://user@example.org/
http://user:word@example.org/ http://@example.org/ http://example.org:word@127.0.0.1/ http://example.org\\@127.0.0.1/
http://127.0.0.1\\.example.org/ http://example.org#@127.0.0.1/ http://example.org:0/ http://example.org:22/
http://example.org:25/ http://example.org:6379/ http://example.org:5432/ http://example.org:11211/
http://example.org:2375/ http://example.org:65536/ http://example.org:-1/ http://example.org:8e3/
http://example.org:8_0/ http://127.0.0.1:9001/ ftp://example.org/ file:///etc/passwd gopher://127.0.0.1:6379/
dict://127.0.0.1:11211/ javascript:alert(1) //example.org/ example.org http:example.org http:/example.org http://
http:/// https:///path http://?x http://#x http://. http://.example.org/ http://exam..ple.org/ http://-example.org/
http://example-.org/ http://exa*mple.org/ http://bücher.example/ http://１２７.０.０.１/ http://127。0。0。1/ http://ⓛocalhost/
http://example.org/päth http://example.org/#fragment http://example.org/<x> http://example.org/{x}
http://example.org/^ http://example.org/`
""")
STRANGE += [
    "",
    " http://example.org/",
    "http://example.org/ x",
    "http://exam\tple.org/",
    "http://example.org/\r\nHost: inside",
    "http://example.org\x00/",
    f"http://{'a' * 64}.org/",
    f"http://{'a.' * 130}org/",
]

FINE = words("""
https://bot.example.org/play https://bot.example.org https://BOT.Example.ORG:8443/a/b?c=d&e=%20f http://example.org/
https://xn--bcher-kva.example/ https://a_b.example.org/ https://example.org./ https://example.org:443/
http://example.org:80/ https://8.8.8.8/ https://8.8.8.8:1024/ https://[2606:4700::1111]:8443/ https://bot/
https://127.0.0.1.example.org/ https://1e100.net/ https://0xcafe.example/
""")


def check(url: str, *, http: bool = True, loopback: bool = False) -> None:
    check_url(url, allow_http=http, allow_loopback=loopback)


def test_the_corpus_is_large() -> None:
    assert len({*INSIDE}) + len({*STRANGE}) >= 160


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

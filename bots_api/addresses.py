"""Which addresses we are willing to call. Pure (protocol §5, address rule)."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

Address = IPv4Address | IPv6Address

# The NAT64 prefix for use inside a network (64:ff9b:1::/48) is not here: what it leads to is that network's own.
_NAT64 = ip_network("64:ff9b::/96")
_SPECIAL = tuple(
    ip_network(text)
    for text in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
        "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16",
        "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3",
    )
)  # fmt: skip
_GLOBAL_V6 = ip_network("2000::/3")
_SPECIAL_V6 = tuple(
    ip_network(text)
    for text in ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20", "5f00::/16")
)
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
# Characters that one reader of URLs drops, or takes for a slash, and another does not.
_DOUBTFUL = re.compile(r'[^!-~]|["<>\\^`{|}]')
_WEB_PORTS = frozenset({80, 443})
# Databases, brokers and consoles: nobody plays cards there.
_FORBIDDEN_PORTS = frozenset(
    {1433, 2049, 2375, 2376, 2379, 3306, 3389, 4369, 5432, 5672, 5984, 6379, 6443, 8500, 9200, 9300, 11211, 27017}
)  # fmt: skip


class AddressRefused(Exception):
    """An address that the platform does not call; the text says why and what is expected."""

    code = "address_refused"


def unwrapped(address: Address) -> Address:
    """The IPv4 address that an IPv6 one carries (mapped, NAT64, 6to4, Teredo), else the address itself."""
    if not isinstance(address, IPv6Address):
        return address
    if address.ipv4_mapped:
        return address.ipv4_mapped
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    if address.sixtofour:
        return address.sixtofour
    if address.teredo:
        return address.teredo[1]
    return address


def may_call(address: Address, *, allow_loopback: bool) -> bool:
    """Whether an address is global unicast, or loopback where that is allowed.

    Our own tables are asked, not `is_global`, which older Pythons answer wrongly for NAT64, multicast and others.
    """
    carried = unwrapped(address)
    if carried.is_loopback:
        return allow_loopback and carried == address
    if isinstance(carried, IPv4Address):
        return not any(carried in network for network in _SPECIAL)
    return carried in _GLOBAL_V6 and not any(carried in network for network in _SPECIAL_V6)


def check_url(url: str, *, allow_http: bool, allow_loopback: bool) -> None:
    """Refuses a program's URL that can never be called; raises AddressRefused. The name is resolved at each call."""
    if not url.isascii():
        raise AddressRefused("Write the address in ASCII: the host name in punycode, the path with percent signs.")
    if _DOUBTFUL.search(url):
        raise AddressRefused("There is a space or another character in the address that does not belong there.")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise AddressRefused(f"This cannot be read as an address: {error}") from error
    _check_parts(parts, ("https", "http") if allow_http else ("https",))
    _check_port(port)
    _check_host(parts.hostname or "", allow_loopback)


def _check_parts(parts: SplitResult, allowed: tuple[str, ...]) -> None:
    if parts.scheme not in allowed:
        raise AddressRefused(f"Expected an address that begins with {' or '.join(f'{name}://' for name in allowed)}.")
    if parts.username is not None or parts.password is not None:
        raise AddressRefused("An address with a user name in it is not called.")
    if not parts.hostname or parts.fragment or ("[" in parts.netloc and ":" not in parts.hostname):
        raise AddressRefused("Expected an address like https://bot.example.org/play.")


def _check_port(port: int | None) -> None:
    if port is None or port in _WEB_PORTS:
        return
    if port < 1024 or port in _FORBIDDEN_PORTS:
        raise AddressRefused(f"Port {port} is not called: expected 443, 80 or one from 1024 on.")


def _check_host(host: str, allow_loopback: bool) -> None:
    """An address in digits must be a plain one that may be called; anything else must be a name."""
    try:
        address = ip_address(host)
    except ValueError as error:
        if _NUMBER.fullmatch(host.rstrip(".").rpartition(".")[2].lower()):
            raise AddressRefused(f"{host} is a number written in an unusual way.") from error
        name = host.lower().removesuffix(".")
        if not _is_name(name):
            raise AddressRefused(f"{host[:80]} is no host name.") from error
        if name.rpartition(".")[2] == "localhost" and not allow_loopback:  # RFC 6761: wherever it is asked for
            raise AddressRefused(f"{host[:80]} is not on the open internet.") from error
        return
    if "%" in host or not may_call(address, allow_loopback=allow_loopback):
        raise AddressRefused(f"{host} is not an address on the open internet.")


def _is_name(host: str) -> bool:
    return len(host) <= 253 and all(_LABEL.fullmatch(label) for label in host.split("."))

"""A name server that says one thing now and another later: a real one, asked over UDP on loopback."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Sequence
from ipaddress import ip_address
from typing import Any, Self

from dnslib import AAAA, CNAME, QTYPE, RR, A, DNSRecord
from dnslib.server import BaseResolver, DNSLogger, DNSServer

MOST_ALIASES = 8
Zone = Callable[[str, int], Sequence[str]]
"""What a name leads to when it is asked for the n-th time, from 0: addresses, or one other name."""


class NameServer(BaseResolver):
    """A context. `look_up` takes the place of the system's; `asked` counts the questions for each name."""

    def __init__(self, zone: Zone) -> None:
        self._zone, self._lock = zone, threading.Lock()
        self.asked: dict[str, int] = {}

    def __enter__(self) -> Self:
        self._server = DNSServer(self, address="127.0.0.1", port=0, logger=DNSLogger("-request,-reply"))
        self._port = self._server.server.server_address[1]
        self._server.start_thread()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop()
        self._server.server.server_close()

    def resolve(self, request: Any, handler: object) -> Any:
        """Both kinds of address in one answer: whoever asks cannot be told different things by the order."""
        reply, name = request.reply(), str(request.q.qname).rstrip(".").lower()
        with self._lock:
            turn = self.asked[name] = self.asked.get(name, -1) + 1
        for text in self._zone(name, turn):
            reply.add_answer(_record(request.q.qname, text))
        return reply

    def look_up(self, host: str, *_: Any, **__: Any) -> list[Any]:
        """As `socket.getaddrinfo`; aliases are followed."""
        for _alias in range(MOST_ALIASES):
            said = DNSRecord.parse(DNSRecord.question(host).send("127.0.0.1", self._port, timeout=5)).rr
            found = [_found(str(record.rdata)) for record in said if record.rtype in (QTYPE.A, QTYPE.AAAA)]
            if found:
                return found
            host = next((str(record.rdata) for record in said if record.rtype == QTYPE.CNAME), "")
            if not host:
                break
        raise socket.gaierror(socket.EAI_NONAME, "no such name")


def _record(name: Any, text: str) -> RR:
    try:
        address = ip_address(text)
    except ValueError:
        return RR(name, QTYPE.CNAME, rdata=CNAME(text), ttl=0)
    if address.version == 4:
        return RR(name, QTYPE.A, rdata=A(text), ttl=0)
    return RR(name, QTYPE.AAAA, rdata=AAAA(tuple(address.packed)), ttl=0)


def _found(text: str) -> tuple[Any, ...]:
    family = socket.AF_INET6 if ":" in text else socket.AF_INET
    return family, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (text, 0)

"""Which addresses may be connected to: a public website must not lead into a private network."""

import ipaddress
import socket
from collections.abc import Iterable
from typing import Any

from datahound.web.urls import host_of

NOT_PUBLIC = "not a public address"

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_COMPATIBLE = ipaddress.ip_network("::/96")
_LOCAL_NAMES = ("localhost", "local", "internal", "home.arpa")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class ForbiddenAddress(OSError):
    """A connection was refused before it was made."""


def is_public(address: Address) -> bool:
    """Whether an address is on the open internet, by itself and by what is wrapped in it.

    >>> is_public(ipaddress.ip_address("93.184.216.34"))
    True
    >>> is_public(ipaddress.ip_address("::ffff:127.0.0.1"))
    False
    """
    if isinstance(address, ipaddress.IPv6Address):
        return all(map(is_public, _wrapped(address))) and _is_global(address)
    return _is_global(address)


def is_private_host(host: str) -> bool:
    """Whether a URL's host names a private place without asking anybody."""
    name = host.rstrip(".").lower()
    if name in _LOCAL_NAMES or name.endswith(tuple(f".{local}" for local in _LOCAL_NAMES)):
        return True
    literal = _literal(name)
    return literal is not None and not is_public(literal)


def any_private(addresses: Iterable[str]) -> bool:
    """Whether one of the addresses that a name resolved to is private."""
    found = (_literal(address) for address in addresses)
    return any(address is not None and not is_public(address) for address in found)


class Guard:
    """Refuses private addresses, wherever they come from: a link, a redirect or a DNS answer."""

    def __init__(self, *, allow_private: bool = False) -> None:
        self.allow_private = allow_private

    def refuses(self, url: str) -> bool:
        """Whether the URL itself names a private place."""
        return not self.allow_private and is_private_host(host_of(url))

    def open_socket(self, info: tuple[Any, ...]) -> socket.socket:
        """A socket for an address that a name resolved to, if it is one to be connected to."""
        family, kind, protocol, _, where = info
        if not self.allow_private and any_private([where[0]]):
            raise ForbiddenAddress(f"{where[0]} is {NOT_PUBLIC}")
        return socket.socket(family, kind, protocol)


def _literal(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host.strip("[]").partition("%")[0])
    except ValueError:
        return None


def _is_global(address: Address) -> bool:
    return address.is_global and not address.is_multicast


def _wrapped(address: ipaddress.IPv6Address) -> Iterable[Address]:
    """The IPv4 addresses that an IPv6 address stands for."""
    if address.ipv4_mapped is not None:
        yield address.ipv4_mapped
    if address.sixtofour is not None:
        yield address.sixtofour
    if address.teredo is not None:
        yield from address.teredo
    if address in _NAT64 or address in _COMPATIBLE:
        yield ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)

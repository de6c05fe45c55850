"""The addresses of hosts: look them up, and refuse private ones.

A public website must not lead the crawler into a private network.
"""

import asyncio
import ipaddress
import socket
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from aiohttp.abc import AbstractResolver, ResolveResult

from datahound.settings import WebSettings
from datahound.web.urls import host_of

NOT_PUBLIC = "not a public address"

_GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")
# RFC 6052: the last 32 bits are the IPv4 address that is really reached.
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
# Deprecated by RFC 7526; Python still counts it as global.
_RELAYS_6TO4 = ipaddress.ip_network("192.88.99.0/24")
# Reserved for local use by RFC 6761, 6762 and 8375, and `internal` by ICANN.
_LOCAL_NAMES = ("localhost", "local", "internal", "home.arpa")
_NUMERIC = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class ForbiddenAddress(OSError):
    """A connection was refused before it was made."""


def is_public(address: Address) -> bool:
    """Whether an address, and every IPv4 address embedded in it, is on the public internet.

    Of IPv6 only global unicast (2000::/3) and NAT64 count: all else is local, reserved or another
    way to write an IPv4 address.

    >>> is_public(ipaddress.ip_address("93.184.216.34"))
    True
    >>> is_public(ipaddress.ip_address("::ffff:127.0.0.1"))
    False
    """
    if isinstance(address, ipaddress.IPv6Address):
        if address in _NAT64:
            return is_public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
        is_unicast = address in _GLOBAL_UNICAST and _is_global(address)
        return is_unicast and all(map(is_public, _embedded(address)))
    return _is_global(address) and address not in _RELAYS_6TO4


def is_private_host(host: str) -> bool:
    """Whether a host is private by its name or literal address, without a lookup."""
    name = host.rstrip(".").lower()
    if name in _LOCAL_NAMES or name.endswith(tuple(f".{local}" for local in _LOCAL_NAMES)):
        return True
    literal = _parse_literal(name)
    return literal is not None and not is_public(literal)


def all_private(addresses: Iterable[str]) -> bool:
    """Whether a name resolved to addresses, and each of them is private."""
    found = [_parse_literal(address) for address in addresses]
    return bool(found) and all(address and not is_public(address) for address in found)


async def is_private_seed(seed: str, settings: WebSettings, resolver: AbstractResolver) -> bool:
    """Whether the host of a seed is private, by its name or by what that resolves to."""
    host = host_of(seed)
    if is_private_host(host) or settings.connect_to or settings.proxy:
        return is_private_host(host)
    try:
        found = await resolver.resolve(host)
    except OSError:
        return False
    return all_private(result["host"] for result in found)


class AddressGuard:
    """Refuses private addresses in links, redirects and DNS answers."""

    def __init__(self, *, allow_private: bool = False) -> None:
        self.allow_private = allow_private

    def refuses(self, url: str) -> bool:
        """Whether the host of a URL is private by its name."""
        return not self.allow_private and is_private_host(host_of(url))

    def open_socket(self, info: tuple[Any, ...]) -> socket.socket:
        """Open a socket for a resolved address; raises `ForbiddenAddress` if it is private."""
        family, kind, protocol, _, where = info
        # Checked on the address of the socket itself: a name that is public when it is looked up
        # and private when it is used (DNS rebinding) can't slip through.
        if not self.allow_private and all_private([where[0]]):
            raise ForbiddenAddress(f"{where[0]} is {NOT_PUBLIC}")
        return socket.socket(family, kind, protocol)


class Resolver(AbstractResolver):
    """Looks names up in daemon threads: a lookup that hangs does not keep the process alive."""

    def __init__(self, on_found: Callable[[str, list[str]], None] | None = None) -> None:
        self._on_found = on_found

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[list[Any]] = loop.create_future()

        def ask() -> None:
            result: list[Any] | OSError
            try:
                result = socket.getaddrinfo(host, port, family, socket.SOCK_STREAM)
            except OSError as error:
                result = error
            except UnicodeError as error:
                result = OSError(str(error))
            # The loop may be closed by the time the lookup fails.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(_settle, answer, result)

        # A lookup can't be cancelled: in a pool, a few that hang would block all others.
        threading.Thread(target=ask, name="resolver", daemon=True).start()
        found = [_result(host, port, info) for info in await answer]
        if self._on_found:
            self._on_found(host, [result["host"] for result in found])
        return found

    async def close(self) -> None:
        """Nothing is open: every lookup has its own thread."""


def _parse_literal(host: str) -> Address | None:
    try:
        # Without the zone of an IPv6 address, as in fe80::1%eth0.
        return ipaddress.ip_address(host.strip("[]").partition("%")[0])
    except ValueError:
        return None


def _is_global(address: Address) -> bool:
    return address.is_global and not address.is_multicast


def _embedded(address: ipaddress.IPv6Address) -> Iterable[Address]:
    """The IPv4 addresses that a global unicast address contains."""
    if address.sixtofour is not None:
        yield address.sixtofour
    if address.teredo is not None:
        yield from address.teredo


def _settle(answer: "asyncio.Future[list[Any]]", result: list[Any] | OSError) -> None:
    if answer.done():
        return
    if isinstance(result, OSError):
        answer.set_exception(result)
    else:
        answer.set_result(result)


def _result(host: str, port: int, info: tuple[Any, ...]) -> ResolveResult:
    family, _, protocol, _, where = info
    return ResolveResult(
        hostname=host, host=where[0], port=port, family=family, proto=protocol, flags=_NUMERIC
    )

"""A crawl of a public site never leads into a private network."""

import asyncio
import ipaddress
import socket

import pytest
from websites import SEED, Website, page

from datahound.http.addresses import (
    AddressGuard,
    ForbiddenAddress,
    Resolver,
    is_private_host,
    is_public,
)
from datahound.http.client import Web
from datahound.model import Failure, Fetch, Skip
from datahound.settings import WebSettings
from datahound.web.urls import canonical, host_of

PRIVATE = [
    "127.0.0.1", "127.255.255.254", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254",
    "0.0.0.0", "100.64.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "192.0.2.1",
    "::1", "::", "fe80::1", "fc00::1", "fd12:3456::1", "ff02::1", "::ffff:127.0.0.1",
    "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2002:a00:1::",
    "::127.0.0.1", "2001:db8::1", "fec0::1", "64:ff9b:1::808:808", "::ffff:0:808:808",
    "::ffff:8.8.8.8", "5f00::1", "192.88.99.1",
]  # fmt: skip
PUBLIC = ["93.184.216.34", "8.8.8.8", "2606:4700::1111", "64:ff9b::808:808", "2002:808:808::"]


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_known(address):
    """Loopback, private, link-local, shared, multicast; also wrapped in IPv6."""
    assert not is_public(ipaddress.ip_address(address))
    host = f"[{address}]" if ":" in address else address
    assert is_private_host(host)


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_known(address):
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "url",
    ["http://localhost/", "http://a.localhost./", "http://printer.local/", "http://2130706433/",
     "http://0x7f.1/", "http://0177.0.0.1/", "http://127.1/", "http://[::ffff:7f00:1]/",
     "http://metadata.google.internal/", "http://①②⑦.0.0.1/"],
)  # fmt: skip
def test_private_places_are_known_however_they_are_written(url):
    """In octal, in hex, in one number, in fancy digits, or by a name that is always local."""
    assert is_private_host(host_of(canonical(url)))


@pytest.mark.parametrize("url", ["http://10.0.0.1/x", "http://localhost:8080/", "http://[::1]/"])
def test_a_link_into_a_private_network_is_not_followed(url):
    """It costs no request, and the reason is told."""

    async def run():
        async with Web("http://www.site.example/", WebSettings(allow_private=False)) as web:
            return await web.get(Fetch(url)), web.stats.requests

    assert asyncio.run(run()) == (
        Failure(url, "not public", requests=0, refusal=Skip.NOT_PUBLIC),
        0,
    )


def test_a_name_that_resolves_to_a_private_address_is_not_connected_to(monkeypatch):
    """Whatever DNS says, and however often it changes its mind: the socket itself is refused."""
    site = Website({"/": page()})

    async def run():
        async with site.served() as address:
            port = int(address.rpartition(":")[2])
            real = socket.getaddrinfo
            monkeypatch.setattr(socket, "getaddrinfo", lambda _, *rest: real("127.0.0.1", *rest))
            settings = WebSettings(allow_private=False, max_retries=0)
            async with Web(SEED, settings) as web:
                return await web.get(Fetch(f"http://rebound.example:{port}/"))

    answer = asyncio.run(run())
    assert (answer.reason, answer.requests) == ("not a public address", 0)
    assert not site.asked


def test_a_seed_on_this_machine_may_lead_to_this_machine():
    """Whoever crawls their own intranet or laptop means it."""
    site = Website({"/": page()})

    async def run():
        async with (
            site.served() as address,
            Web(f"http://{address}/", WebSettings(delay_seconds=0)) as web,
        ):
            return await web.get(Fetch(f"http://{address}/"))

    assert asyncio.run(run()).status == 200


def test_a_seed_whose_name_is_private_may_too(monkeypatch):
    """An intranet's names are public to nobody, and its addresses are private."""
    info = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.1.2.3", 80))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: [info])

    async def run():
        async with Web("http://wiki.corp.example/", WebSettings()) as web:
            return web._guard.allow_private

    assert asyncio.run(run())


def test_the_guard_opens_sockets_to_public_addresses_only():
    info = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("169.254.169.254", 80))
    with pytest.raises(ForbiddenAddress):
        AddressGuard().open_socket(info)
    AddressGuard(allow_private=True).open_socket(info).close()


class Names(Resolver):
    """A resolver that answers with these addresses."""

    def __init__(self, *addresses):
        self.addresses = addresses

    async def resolve(self, _host, port=0, _family=socket.AF_UNSPEC):
        return [{"host": address, "port": port} for address in self.addresses]


@pytest.mark.parametrize(
    ("addresses", "allowed"),
    [(["127.0.0.1"], True), (["93.184.216.34", "127.0.0.1"], False), (["93.184.216.34"], False)],
)
def test_one_public_address_of_the_seed_keeps_the_guard_on(addresses, allowed):
    """Else whoever owns the name could open the private network to the crawl."""

    async def run():
        web = Web("http://www.site.example/", WebSettings())
        web._wire.resolver = Names(*addresses)
        async with web:
            return web._guard.allow_private

    assert asyncio.run(run()) is allowed

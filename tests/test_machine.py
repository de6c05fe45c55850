"""The memory and the disk of the machine, and ports to serve at."""

import asyncio
import os
import socket
from pathlib import Path

import pytest
from aiohttp import ClientSession, web

from datahound.errors import UserError
from datahound.machine import read_free_disk, read_memory_bytes, start_listening


def test_memory_is_at_most_that_of_the_machine():
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert 64 << 20 < read_memory_bytes() <= machine


def test_free_disk_is_what_may_be_written(tmp_path):
    found = os.statvfs(tmp_path)
    assert abs(read_free_disk(tmp_path) - found.f_bavail * found.f_frsize) < 1 << 30


def listen(host, *ports):
    """The status that the server gives at the last of these ports; 0 is any free one."""

    async def try_ports():
        runner = web.AppRunner(web.Application())
        await runner.setup()
        try:
            for port in ports:
                address = await start_listening(runner, host, port)
            async with ClientSession() as session, session.get(address) as answer:
                return address, answer.status
        finally:
            await runner.cleanup()

    return asyncio.run(try_ports())


def test_a_server_listens_at_a_free_port_and_says_which():
    address, status = listen("127.0.0.1", 0)
    assert address.startswith("http://127.0.0.1:")
    assert status == 404


@pytest.mark.skipif(not Path("/proc/net/if_inet6").exists(), reason="this machine has no IPv6")
def test_an_address_with_colons_is_in_brackets():
    address, status = listen("::1", 0)
    assert address.startswith("http://[::1]:")
    assert status == 404


@pytest.mark.parametrize("port", [70_000, -1])
def test_a_port_that_does_not_exist_is_one_line_for_users(port):
    with pytest.raises(UserError, match=f"can't serve at 127.0.0.1:{port}: "):
        listen("127.0.0.1", port)


def test_a_port_that_is_taken_is_one_line_for_users():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UserError, match=f"can't serve at 127.0.0.1:{port}: "):
            listen("127.0.0.1", port)

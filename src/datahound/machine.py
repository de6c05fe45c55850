"""What the machine provides: memory, disk space, and ports to listen at."""

import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from datahound.errors import UserError

if TYPE_CHECKING:
    from aiohttp.web import BaseRunner

# Version 2 of control groups, and version 1.
_CGROUP_LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


def read_memory_bytes() -> int:
    """Bytes of memory that processes may use: the machine's, or less inside a container."""
    found = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for path in _CGROUP_LIMITS:
        # The file says `max` where there is no limit.
        with suppress(OSError, ValueError):
            found.append(int(path.read_text()))
    return min(found)


def read_free_disk(path: Path) -> int:
    """Bytes that may still be written below a folder that exists."""
    return shutil.disk_usage(path).free


async def start_listening(runner: "BaseRunner", host: str, port: int) -> str:
    """Let a server of aiohttp listen at a port, 0 for any that is free; returns its address."""
    from aiohttp.web import TCPSite  # noqa: PLC0415 slow to load

    try:
        await TCPSite(runner, host, port).start()
    except (OSError, OverflowError) as error:
        raise UserError(f"can't serve at {host}:{port}: {error}") from None
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{runner.addresses[0][1]}"

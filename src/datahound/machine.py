"""What the machine has left for a crawl: memory and disk."""

import os
import shutil
from contextlib import suppress
from pathlib import Path

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

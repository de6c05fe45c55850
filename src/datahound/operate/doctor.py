"""Whether this machine has what crawls need: one finding per check."""

import resource
import shutil
import socket
import ssl
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from datahound.machine import read_free_disk, read_memory_bytes
from datahound.text import show_text
from datahound.units import show_size

_LEAST_DISK = 1_000_000_000
_LEAST_MEMORY = 1_000_000_000
_LEAST_OPEN_FILES = 1024
_SECONDS = 5.0
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")

EXTRAS = {
    "lab": ("matplotlib", "figures of experiments and of the demo"),
    "scrapy": ("scrapy", "strategies inside a Scrapy project"),
    "statistics": ("pyreadstat", "SPSS, Stata, SAS and R files in catalogues"),
    "storage": ("obstore", "crawls into object storage"),
    "fleet": ("ray", "many sites on a Ray cluster"),
    "tres": ("torch", "the strategy `tres` in experiments"),
    "sign": ("cryptography", "signed requests, `bot-page`"),
}
"""The extras of the package: the library that each brings, and what it gives."""


class State(Enum):
    """How well something is."""

    GOOD = "good"
    MISSING = "not there"
    """Optional: crawls work without it."""
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was checked, its state, and what to do about it."""

    name: str
    state: State
    text: str


def examine(folder: Path, host: str) -> Iterator[Finding]:
    """Make one check after the other; `host` is only looked up and asked for a TLS handshake."""
    yield _examine_python()
    yield _examine_memory()
    yield _examine_disk(folder)
    yield _examine_limits()
    yield _examine_network("DNS", host, _look_up)
    yield _examine_network("TLS", host, _shake_hands)
    yield _examine_browser()
    for name, (library, gives) in EXTRAS.items():
        yield _examine_extra(name, library, gives)


def _examine_python() -> Finding:
    found = ".".join(map(str, sys.version_info[:3]))
    state = State.GOOD if sys.version_info >= (3, 11) else State.BAD
    return Finding("Python", state, f"{found}; Datahound {version('datahound')}")


def _examine_memory() -> Finding:
    memory = read_memory_bytes()
    state = State.GOOD if memory >= _LEAST_MEMORY else State.BAD
    return Finding("memory", state, show_size(memory))


def _examine_disk(folder: Path) -> Finding:
    place = folder.absolute()
    try:
        free = read_free_disk(place)
        # Permissions alone do not show it: the disk may be full or read-only.
        draft = place / ".datahound-doctor"
        draft.touch()
        draft.unlink()
    except OSError as error:
        return Finding("disk", State.BAD, f"{place}: can't be written: {error.strerror}")
    state = State.GOOD if free >= _LEAST_DISK else State.BAD
    return Finding("disk", state, f"{show_size(free)} free in {place}")


def _examine_limits() -> Finding:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    state = State.GOOD if soft >= _LEAST_OPEN_FILES else State.BAD
    more = "" if state is State.GOOD else "; `ulimit -n 4096` allows more sites at once"
    return Finding("open files", state, f"{soft:,} allowed{more}")


def _examine_network(name: str, host: str, look: Callable[[str], str]) -> Finding:
    try:
        return Finding(name, State.GOOD, look(host))
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        return Finding(name, State.BAD, show_text(f"{host}: {reason}"))


def _look_up(host: str) -> str:
    found = socket.getaddrinfo(host, 443, type=socket.SOCK_STREAM)
    return f"{host} is {found[0][4][0]}"


def _shake_hands(host: str) -> str:
    context = ssl.create_default_context()
    with (
        socket.create_connection((host, 443), _SECONDS) as plain,
        context.wrap_socket(plain, server_hostname=host) as secured,
    ):
        return f"{secured.version()} with {host}"


def _examine_browser() -> Finding:
    found = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if found:
        return Finding("browser", State.GOOD, found)
    return Finding("browser", State.MISSING, "no Chromium; crawls do not need one")


def _examine_extra(name: str, library: str, gives: str) -> Finding:
    try:
        return Finding(name, State.GOOD, f"{gives} ({library} {version(library)})")
    except PackageNotFoundError:
        return Finding(name, State.MISSING, f"{gives}: pip install 'datahound[{name}]'")

"""The headers of requests: ours, and those that the user adds for the own site."""

import re
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from ipaddress import ip_address
from pathlib import Path

from datahound.errors import UserError
from datahound.model import Purpose
from datahound.settings import WebSettings
from datahound.signature import Signer, read_key
from datahound.web.site import Site
from datahound.web.urls import port_of

_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
_ACCEPT_LIST = "application/json,application/xml;q=0.9,text/xml;q=0.9,*/*;q=0.8"
_ENCODINGS = "gzip, deflate, br, zstd"
_NAME = re.compile(r"[-!#$%&'*+.^_`|~A-Za-z0-9]+")
_VALUE = re.compile(r"[\t\x20-\x7e\u00a0-\ud7ff\ue000-\U0010ffff]*")
# aiohttp sets the first four from the request; the last two are how downloads resume.
_OURS = frozenset(
    {"host", "connection", "content-length", "transfer-encoding", "range", "if-range"}
)

_REFUSED_UNSIGNED = frozenset({401, 403, 429})


class Identity:
    """Builds request headers; the user's headers go to the seed's hosts and port only.

    They stay there when the site moves, or else a redirect of the seed could collect them.
    """

    def __init__(self, seed: str, settings: WebSettings) -> None:
        self._home = Site(seed)
        self._port = port_of(seed)
        self.user_agent = _make_user_agent(settings)
        self._own = _check_headers(settings.headers)
        key = read_key(Path(settings.sign)) if settings.sign else None
        self._signer = Signer(key, settings.sign_agent) if key else None

    def headers_for(self, url: str, purpose: Purpose | None = None) -> dict[str, str]:
        """The headers of a request; files identity-encoded, so that they can resume."""
        may_encode = purpose in (None, Purpose.VISIT, Purpose.REVISIT, Purpose.LIST)
        headers = {
            "User-Agent": self.user_agent,
            "Accept": _ACCEPT_LIST if purpose is Purpose.LIST else _ACCEPT,
            # A range of an encoded body counts its encoded bytes, which differ with each
            # compression.
            "Accept-Encoding": _ENCODINGS if may_encode else "identity",
        }
        if self._own and self.is_trusted(url):
            headers.update(self._own)
        if self._signer:
            headers.update(self._signer.headers_for(url))
        return headers

    def will_sign(self, url: str, status: int, headers: Mapping[str, str]) -> bool:
        """Whether a refused request is worth another try, since it would now be signed."""
        asked = self._signer is not None and self._signer.heed(url, headers)
        return asked and status in _REFUSED_UNSIGNED

    @property
    def has_own(self) -> bool:
        """Whether the user gave headers."""
        return bool(self._own)

    def is_trusted(self, url: str) -> bool:
        """Whether the URL is on the seed's hosts and port, and no less protected than the seed.

        The default ports of HTTP and HTTPS count as the same port.
        """
        # Secrets of an https site must never go over plain http, where anyone can read them.
        downgraded = self._home.seed.startswith("https:") and not url.startswith("https:")
        return not downgraded and port_of(url) == self._port and self._home.admits(url)


def check_connect_to(address: str | None) -> None:
    """Raise if the address that all requests are sent to is not on this machine."""
    if address is None:
        return
    host, _, port = address.rpartition(":")
    try:
        local = host == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        local = False
    if not local or not port.isdigit():
        raise UserError(f"{address!r} is not a loopback address: give one such as 127.0.0.1:8000")


def _make_user_agent(settings: WebSettings) -> str:
    agent = settings.user_agent or f"Datahound/{_version()}"
    if settings.contact:
        agent = f"{agent} (+{settings.contact})"
    if not _VALUE.fullmatch(agent):
        raise UserError("user agent and contact must be one line of plain text")
    return agent


def _version() -> str:
    try:
        return version("datahound")
    except PackageNotFoundError:
        return "0"


def _check_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """The user's headers in title case, so that they replace ours."""
    for name, value in headers.items():
        if not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
            raise UserError(f"header {name!r} can't be sent: give it as `Name: value`, on one line")
        if name.lower() in _OURS:
            raise UserError(f"header {name!r} can't be given: Datahound sets it itself")
    return {name.title(): value for name, value in headers.items()}

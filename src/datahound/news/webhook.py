"""Post what is new to a URL, signed with a key that the user gave."""

import asyncio
import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp

from datahound.errors import Unreachable, UserError

# The crawl is over by now: nobody should wait long for a receiver that hangs.
_SECONDS = 30.0
SIGNATURE = "X-Datahound-Signature"


def sign(body: bytes, key: bytes) -> str:
    """The signature of a body, as the header has it.

    >>> sign(b"{}", b"secret")[:22]
    'sha256=77325902caca812'
    """
    return "sha256=" + hmac.new(key, body, hashlib.sha256).hexdigest()


def check_webhook(url: str | None, key_file: Path | None) -> None:
    """Refuse a URL or a key that can't be used, before anything is requested."""
    if url is None and key_file is not None:
        raise UserError("--webhook-key: nothing is signed without --webhook")
    if url is not None and not _is_usable(url):
        raise UserError(f"--webhook: {url} is not a URL of http or https")
    if key_file is not None:
        _read_key(key_file)


def post_signed(url: str, changes: Sequence[Mapping[str, Any]], key_file: Path | None) -> None:
    """Post the changes of all folders as JSON; an error is one line."""
    body = json.dumps({"folders": list(changes)}, ensure_ascii=False).encode(errors="replace")
    headers = {"Content-Type": "application/json"}
    if key_file is not None:
        headers[SIGNATURE] = sign(body, _read_key(key_file))
    try:
        status = asyncio.run(_post(url, body, headers))
    except (aiohttp.ClientError, OSError, TimeoutError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise Unreachable(
            _describe_failure(url, f"could not be posted: {reason}", changes)
        ) from None
    if status >= 300:
        raise Unreachable(_describe_failure(url, f"was answered with status {status}", changes))


def _is_usable(url: str) -> bool:
    try:
        parts = urlsplit(url)
        # Reading the port checks it.
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _describe_failure(url: str, what: str, changes: Sequence[Mapping[str, Any]]) -> str:
    """What went wrong, and how the receiver gets the same news in the next round."""
    since = min((one["since"] for one in changes), default=0)
    return f"{url}: what is new {what}; the next refresh posts it again with --since {since}"


def _read_key(path: Path) -> bytes:
    try:
        key = path.read_bytes().strip()
    except OSError as error:
        raise UserError(f"{path}: can't be read: {error.strerror}") from None
    if not key:
        raise UserError(f"{path}: holds no key")
    return key


async def _post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    timeout = aiohttp.ClientTimeout(total=_SECONDS)
    async with (
        aiohttp.ClientSession(timeout=timeout) as session,
        # A redirect would carry the signed body to a host that the user did not name.
        session.post(url, data=body, headers=headers, allow_redirects=False) as answer,
    ):
        return answer.status

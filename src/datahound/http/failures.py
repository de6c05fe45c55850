"""Exceptions of aiohttp as reasons for users: why a request got no answer."""

import os
import re

import aiohttp

from datahound.http.addresses import NOT_PUBLIC
from datahound.web.messages import NoAnswer

TIMED_OUT = "timed out"
_PLAIN_HTTP = "WRONG_VERSION_NUMBER"
"""What OpenSSL says of an answer that is not TLS."""
_TOO_MUCH = re.compile("more than|too many", re.IGNORECASE)


def translate_error(error: Exception) -> NoAnswer:
    """Translate an exception of aiohttp into a reason for users."""
    match error:
        case aiohttp.ClientConnectorCertificateError():
            return NoAnswer(_describe_certificate(error), again=False, secured=False)
        case aiohttp.ClientSSLError():
            return NoAnswer(f"TLS: {_describe_tls(error)}", again=False, secured=False)
        case aiohttp.ClientConnectorDNSError():
            return NoAnswer("host not found", reached=False)
        case aiohttp.ClientConnectorError() if NOT_PUBLIC in str(error.os_error):
            return NoAnswer(NOT_PUBLIC, again=False, asked=False)
        case aiohttp.ClientConnectorError():
            return NoAnswer(f"can't connect: {_describe_os_error(error.os_error)}", reached=False)
        case aiohttp.ConnectionTimeoutError():
            return NoAnswer("timed out while connecting", reached=False)
        case TimeoutError():
            return NoAnswer(TIMED_OUT)
        case aiohttp.ServerDisconnectedError() | aiohttp.ClientOSError() | OSError():
            return NoAnswer("connection lost")
        case aiohttp.ClientPayloadError():
            return NoAnswer("body cut short or garbled")
        case aiohttp.ClientHttpProxyError():
            return NoAnswer(f"the proxy says {error.status}", reached=False)
        case aiohttp.ClientResponseError() if _TOO_MUCH.search(str(error)):
            return NoAnswer("headers too large", again=False)
        case aiohttp.ClientResponseError():
            return NoAnswer(f"not HTTP: {_describe_error(error)}", again=False)
        case _:
            return NoAnswer(f"no answer: {_describe_error(error)}", again=False)


def _describe_os_error(error: OSError) -> str:
    """The system's message: the one of asyncio repeats the address, as a tuple."""
    return os.strerror(error.errno) if error.errno else error.strerror or "refused"


def _describe_tls(error: aiohttp.ClientSSLError) -> str:
    # OpenSSL's code, which says more than the sentence that aiohttp wraps around it.
    reason = str(getattr(getattr(error, "os_error", None), "reason", "") or "")
    if reason == _PLAIN_HTTP:
        return "the server answers without TLS; is the address http://?"
    return reason.lower().replace("_", " ") or _describe_error(error)


def _describe_certificate(error: aiohttp.ClientConnectorCertificateError) -> str:
    inner = error.certificate_error
    return f"certificate: {getattr(inner, 'verify_message', '') or inner}"


def _describe_error(error: Exception) -> str:
    text = getattr(error, "message", "") or str(error) or type(error).__name__
    # Without the offending bytes, which differ each time: equal errors should look equal.
    return " ".join(str(text).partition(": b'")[0].partition("\n")[0].split())[:100].rstrip(":")

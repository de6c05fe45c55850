"""Session ids in URLs, a trap: the same page under ever new addresses."""

import re

_SESSION = re.compile(r"[?&]sid=([0-9a-f]{16})$")


def without_session(url: str) -> tuple[str, str]:
    """The URL without its session id, and the id or ''.

    >>> without_session("https://a.example/?q=x&sid=00000000000000ff")
    ('https://a.example/?q=x', '00000000000000ff')
    """
    match = _SESSION.search(url)
    return (url[: match.start()], match[1]) if match else (url, "")

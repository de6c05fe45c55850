"""Bound the depth of pages whose nesting would take minutes to parse.

A parser that follows the HTML standard looks through all open elements at each new block, so
100,000 nested blocks cost minutes. Browsers cap the depth, and so do we: on a page with thousands
of tags, start tags of blocks beyond the cap are dropped, and their end tags with them.
"""

import re
from itertools import accumulate

MAX_DEPTH = 500
_SUSPICIOUS_TAGS = 5000
_BLOCK = re.compile(
    rb"<(/?)(?:address|article|aside|blockquote|center|details|dialog|dir|div|dl|dd|dt|fieldset"
    rb"|figcaption|figure|footer|form|header|hgroup|li|listing|main|menu|nav|ol|pre|search|section"
    rb"|summary|ul)(?=[\s/>])[^>]*>",
    re.IGNORECASE,
)


def flattened(html: bytes) -> bytes:
    """The page, without the blocks that are nested beyond the cap."""
    if html.count(b"<") < _SUSPICIOUS_TAGS or _depth(html) <= MAX_DEPTH:
        return html
    depth = dropped = 0

    def keep(tag: re.Match[bytes]) -> bytes:
        nonlocal depth, dropped
        if not tag[1]:
            depth += 1
            if depth > MAX_DEPTH:
                dropped += 1
                return b""
        else:
            depth = max(depth - 1, 0)
            if dropped:
                dropped -= 1
                return b""
        return tag[0]

    return _BLOCK.sub(keep, html)


def _depth(html: bytes) -> int:
    """The depth of the deepest block, if every open block were closed."""
    steps = (-1 if slash else 1 for slash in _BLOCK.findall(html))
    return max(accumulate(steps, lambda depth, step: max(depth + step, 0)), default=0)

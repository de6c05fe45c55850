"""Taming pages nested so deeply that parsing them would take for ever.

A parser that follows the HTML standard looks through all open elements at each new block, so
100,000 nested blocks cost minutes. Browsers cap the depth, and so do we: on a page with thousands
of tags, start tags of blocks beyond the cap are dropped, and their end tags with them.
"""

import re

MAX_DEPTH = 500
_SUSPICIOUS_TAGS = 5000
_BLOCK = re.compile(
    r"<(/?)(?:address|article|aside|blockquote|center|details|dialog|dir|div|dl|dd|dt|fieldset"
    r"|figcaption|figure|footer|form|header|hgroup|li|listing|main|menu|nav|ol|pre|search|section"
    r"|summary|ul)(?=[\s/>])[^>]*>",
    re.IGNORECASE,
)


def flattened(html: str) -> str:
    """The page itself, or, where blocks nest too deeply, one whose depth is bounded."""
    if html.count("<") < _SUSPICIOUS_TAGS:
        return html
    depth = dropped = 0

    def keep(tag: re.Match[str]) -> str:
        nonlocal depth, dropped
        if not tag[1]:
            depth += 1
            if depth > MAX_DEPTH:
                dropped += 1
                return ""
        else:
            depth = max(depth - 1, 0)
            if dropped:
                dropped -= 1
                return ""
        return tag[0]

    return _BLOCK.sub(keep, html)

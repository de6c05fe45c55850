"""Recognizing pages among bodies that are declared as data."""

import re

_LOOKS_LIKE_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:\s|<!--.{0,2000}?-->|<\?xml.{0,200}?\?>)*"
    rb"<(?:!doctype\s+html|html|head|body|title|script|meta|div|form)\b",
    re.IGNORECASE | re.DOTALL,
)


def looks_like_html(beginning: bytes) -> bool:
    """Whether a body that calls itself data begins as pages do."""
    return _LOOKS_LIKE_HTML.match(beginning) is not None

"""Response headers as the rest of Datahound sees them."""

import re
from collections.abc import Iterable

from datahound.web.headers import decode_header

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]+")
_FIRST_COUNTS = frozenset({"location", "content-length", "content-disposition", "etag"})


def clean_headers(raw: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    r"""Names in lower case, values without control characters, repeated ones joined by a comma.

    >>> clean_headers([(b"Vary", b"a"), (b"VARY", b"b"), (b"X", b"1\x002")])
    {'vary': 'a, b', 'x': '1 2'}
    """
    headers: dict[str, str] = {}
    for raw_name, raw_value in raw:
        name = _CONTROLS.sub("", decode_header(raw_name)).strip().lower()
        value = _CONTROLS.sub(" ", decode_header(raw_value)).strip()
        known = headers.get(name)
        if known is None:
            headers[name] = value
        elif name not in _FIRST_COUNTS and value != known:
            headers[name] = f"{known}, {value}"
    return headers

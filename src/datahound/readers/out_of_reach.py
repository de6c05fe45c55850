"""Files that a page offers but links do not lead to: by other schemes, or by buttons of scripts."""

import re
from collections.abc import Collection

from selectolax.lexbor import LexborHTMLParser, LexborNode

from datahound.web.targets import name_of_type

_SERVERS = tuple("ftp:// ftps:// sftp:// s3:// gs:// smb:// file: magnet: ipfs:".split())
_MAX_SHOWN = 200
_MARKS = (b'href="#"', b"javascript:", b"<button")
_BUTTONS = 'a[href="#"], a[href^="javascript:" i], button'
_FOR_FILES = re.compile(r"csv|xlsx?\b|excel|geojson|export|download", re.IGNORECASE)
_MENU = ("data-toggle", "data-bs-toggle", "aria-haspopup", "aria-controls", "aria-expanded")
_MAX_TEXT = 200


def name_unfetchable(reference: str) -> str:
    """A reference of a scheme that is not fetched, cut short; '' for all that names no file.

    >>> name_unfetchable("data:text/csv;base64,aWQ="), name_unfetchable("mailto:a@b.example")
    ('data:text/csv', '')
    """
    start = reference.strip()[:_MAX_SHOWN]
    lower = start.lower()
    if lower.startswith(_SERVERS) or lower.startswith("blob:"):
        return start
    mime_type = lower[5:].partition(",")[0].partition(";")[0] if lower.startswith("data:") else ""
    return f"data:{mime_type}" if name_of_type(mime_type) else ""


def needs_script_for_files(tree: LexborHTMLParser, body: bytes, followed: Collection[int]) -> bool:
    """Whether a page has a button for files that only a script can follow.

    Buttons in `followed` have a URL somewhere else; those of forms are counted with these.
    """
    if not any(mark in body for mark in _MARKS):
        return False
    return any(
        node.mem_id not in followed and _is_for_files(node) and not _is_in_form(node)
        for node in tree.css(_BUTTONS)
    )


def _is_for_files(node: LexborNode) -> bool:
    attributes = node.attributes
    if any(name in attributes for name in _MENU):
        return False
    named = [attributes.get(name) or "" for name in ("class", "id", "title", "aria-label")]
    return _FOR_FILES.search(" ".join([*named, node.text()[:_MAX_TEXT]])) is not None


def _is_in_form(node: LexborNode) -> bool:
    while (parent := node.parent) is not None:
        if parent.tag == "form":
            return True
        node = parent
    return False

"""Files that a page offers but links do not lead to: by other schemes, or by buttons of scripts."""

import re
from collections.abc import Collection

from selectolax.lexbor import LexborHTMLParser, LexborNode

from datahound.web.targets import name_of_type

_SERVERS = tuple("ftp:// ftps:// sftp:// s3:// gs:// smb:// file: magnet: ipfs:".split())
_MAX_SHOWN = 200
_MARKS = (b'href="#"', b'href=""', b"javascript:", b"<button", b"onclick", b'role="button"')
_BUTTONS = (
    'a[href="#"], a[href=""], a[href^="javascript:" i], a[onclick]:not([href]), button, '
    'span[onclick], div[onclick], [role="button"]:not([href])'
)
# Dashboards that a script of another host puts into the page.
_VIEWS = "object.tableauViz, tableau-viz, .flourish-embed, .infogram-embed"
_VIEW_MARKS = (b"tableau", b"flourish-embed", b"infogram-embed")
# "Download" and "export" in the languages of sites that publish much data.
_FOR_FILES = re.compile(
    r"csv|xlsx?\b|excel|geojson|export|download|t[eé]l[eé]charger|herunterladen|descarg|"
    r"\bbaixar|scarica|lataa|ladda ner|last ned|pobierz|st[aá]hnout|stiahnu|let[oö]lt|"
    r"desc[aă]rca|preuzm|prenesi|atsisi[uų]|lejupiel|allalaadimi|[iİ]ndir\b|unduh|tải (?:về|xuống)|"
    r"скача|загруз|завантаж|изтегл|преузм|λήψη|κατέβασ|تحميل|تنزيل|הורד|دانلود|डाउनलोड|ดาวน์โหลด|"
    r"下载|下載|ダウンロード|다운로드|내려받기",
    re.IGNORECASE,
)
_NAMING = ("class", "id", "title", "aria-label", "onclick", "href")
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
    if any(mark in body for mark in _VIEW_MARKS) and tree.css_first(_VIEWS) is not None:
        return True
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
    named = [attributes.get(name) or "" for name in _NAMING]
    return _FOR_FILES.search(" ".join([*named, node.text()[:_MAX_TEXT]])) is not None


def _is_in_form(node: LexborNode) -> bool:
    while (parent := node.parent) is not None:
        if parent.tag == "form":
            return True
        node = parent
    return False

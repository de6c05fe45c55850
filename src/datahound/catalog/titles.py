"""Choose the title of a dataset from its link, its own title, its page and its file name."""

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from datahound.catalog.tables.captions import choose_better_title
from datahound.text import blank_unprintable, fold_text

_MAX_TITLE = 300
_GENERIC = frozenset(
    """download downloads telecharger telechargement herunterladen descargar scarica baixar file
    anonymous files fichier datei archivo link here ici hier aqui more click open view see get read
    the a this to as in data dataset csv tsv xls xlsx xlsb ods pdf zip gz json xml html txt
    doc docx excel spreadsheet table version full report document annex appendix attachment
    mb kb gb ko mo kib mib bytes format save export english en fr de es it pt untitled sheet
    tabelle feuil hoja microsoft word book1 mappe1 null none unknown page home index default
    cover notes contents deckblatt inhalt inhaltsverzeichnis vorbemerkungen vorbemerkung stand
    readme info metadata metadaten portada indice notas sommaire copertina note okladka spis
    publication new external window opens ダウンロード 下载 下載 다운로드 تحميل скачать""".split()
)
_SIZE = r"\d+(?:[.,]\d+)?\s*(?:[kmg]i?[bo]|bytes|octets)\b"
_KIND = r"(?:csv|tsv|xlsx?|xlsb|ods|pdf|zip|gz|json|xml|html?|txt|excel|docx?)\b"
_NOISE = re.compile(
    rf"[(\[](?:[^()\[\]]*\b{_SIZE}[^()\[\]]*|\s*{_KIND}\s*)[)\]]|\b{_SIZE}", re.IGNORECASE
)
_PROGRAM = re.compile(
    r"^(microsoft (word|excel|powerpoint) - |untitled|\(anonymous\)$)", re.IGNORECASE
)
_FILE_NAME = re.compile(r"[\w.%-]+\.[a-z0-9]{2,5}")


def choose_title(link: str, own: str, tables: list[str], page: str, url: str) -> str:
    """The first meaningful title of link, file, first table and page; else the file name."""
    own = _PROGRAM.sub("", own.strip())
    # A sheet of figures may have no title, and the list of sheets before it one.
    table = next(filter(None, map(tidy_text, tables)), "")
    own = choose_better_title(own, table)
    # The link was written for readers of the page, so it comes before what a program put into the
    # file.
    for text in (link, own, table, page):
        plain = tidy_text(text)
        if is_meaningful(plain):
            return plain
    return (
        tidy_text(link)
        if tidy_text(link) and not page
        else split_file_name(url) or url[:_MAX_TITLE]
    )


def order_table_titles(tables: Iterable[Mapping[str, Any]]) -> list[str]:
    """The titles of tables, those of statistics tables first."""
    ordered = sorted(tables, key=lambda table: not table["statistics"])
    return [str(table["title"]) for table in ordered]


def tidy_text(text: str) -> str:
    """A text on one printable line, without the size and format of the file."""
    return " ".join(_NOISE.sub(" ", blank_unprintable(text)).split()).strip(" -–|:·#,")[:_MAX_TITLE]


def is_meaningful(text: str) -> bool:
    """Whether a text describes the content of a file.

    >>> is_meaningful("Download (PDF)"), is_meaningful("Pupils by school"), is_meaningful("学校")
    (False, True, True)
    """
    if not text or _FILE_NAME.fullmatch(text):
        return False
    words = list_content_words(text)
    # One ideogram says as much as a short word.
    return sum(len(word) if word.isascii() else 3 * len(word) for word in words) > 3


def list_content_words(text: str) -> list[str]:
    """The words of a text that describe content: neither numbers nor words such as `download`."""
    words = [word for word in re.split(r"[\W_]+", fold_text(text)) if word]
    return [word for word in words if word not in _GENERIC and not word.isdecimal()]


def split_file_name(url: str) -> str:
    """The words of the file name in a URL."""
    name = PurePosixPath(unquote(urlsplit(url).path)).name
    stem = name.rsplit(".", 1)[0] if "." in name else name
    return tidy_text(re.sub(r"[_+\-.]+", " ", stem))


def find_section(page: str, url: str) -> str:
    """The first folder in the URL of the page that links a file, or in that of the file."""
    for address in (page, url):
        try:
            path = urlsplit(address).path
        except ValueError:
            continue
        parts = [part for part in path.split("/") if part]
        # A single part with a dot is a file at the root, which says no section.
        if len(parts) > 1 or (parts and "." not in parts[0]):
            return tidy_text(unquote(parts[0]))[:80]
    return ""

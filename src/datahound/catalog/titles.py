"""What a dataset is called: the best of its link, its own title, its page and its name."""

import re
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from datahound.text import blank_unprintable, fold_text

_LONGEST = 300
_GENERIC = frozenset(
    """download downloads telecharger telechargement herunterladen descargar scarica baixar file
    files fichier datei archivo link here ici hier aqui more click open view see get read
    the a this to as in data dataset csv tsv xls xlsx xlsb ods pdf zip gz json xml html txt
    doc docx excel spreadsheet table version full report document annex appendix attachment
    mb kb gb ko mo kib mib bytes format save export english en fr de es it pt untitled sheet
    tabelle feuil hoja microsoft word book1 mappe1 null none unknown page home index default
    publication new external window opens ダウンロード 下载 下載 다운로드 تحميل скачать""".split()
)
_SIZE = r"\d+(?:[.,]\d+)?\s*(?:[kmg]i?[bo]|bytes|octets)\b"
_KIND = r"(?:csv|tsv|xlsx?|xlsb|ods|pdf|zip|gz|json|xml|html?|txt|excel|docx?)\b"
_NOISE = re.compile(
    rf"[(\[](?:[^()\[\]]*\b{_SIZE}[^()\[\]]*|\s*{_KIND}\s*)[)\]]|\b{_SIZE}", re.IGNORECASE
)
_MADE_BY = re.compile(r"^(microsoft (word|excel|powerpoint) - |untitled)", re.IGNORECASE)
_FILE_NAME = re.compile(r"[\w.%-]+\.[a-z0-9]{2,5}")


def best_title(link: str, own: str, tables: list[str], page: str, url: str) -> str:
    """The first of these that says something."""
    own = _MADE_BY.sub("", own.strip())
    for text in (link, own, *tables[:1], page):
        plain = tidy(text)
        if says_something(plain):
            return plain
    return tidy(link) if tidy(link) and not page else file_words(url) or url[:_LONGEST]


def tidy(text: str) -> str:
    """A text on one line, without what can't be seen and without the size of the file."""
    return " ".join(_NOISE.sub(" ", blank_unprintable(text)).split()).strip(" -–|:·#,")[:_LONGEST]


def says_something(text: str) -> bool:
    """Whether a text says what is in a file.

    >>> says_something("Download (PDF)"), says_something("Pupils by school"), says_something("学校")
    (False, True, True)
    """
    if not text or _FILE_NAME.fullmatch(text):
        return False
    words = [word for word in re.split(r"[\W_]+", fold_text(text)) if word]
    telling = [word for word in words if word not in _GENERIC and not word.isdecimal()]
    return sum(len(word) if word.isascii() else 3 * len(word) for word in telling) > 3


def file_words(url: str) -> str:
    """The name of a file in a URL, as words."""
    name = PurePosixPath(unquote(urlsplit(url).path)).name
    stem = name.rsplit(".", 1)[0] if "." in name else name
    return tidy(re.sub(r"[_+\-.]+", " ", stem))


def section_of(page: str, url: str) -> str:
    """The first folder of the page that links a file, or of the file itself."""
    for address in (page, url):
        try:
            path = urlsplit(address).path
        except ValueError:
            continue
        parts = [part for part in path.split("/") if part]
        if len(parts) > 1 or (parts and "." not in parts[0]):
            return tidy(unquote(parts[0]))[:80]
    return ""

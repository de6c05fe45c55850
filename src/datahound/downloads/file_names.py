"""Names for files, from Content-Disposition or the URL, valid on every operating system."""

import re
from collections.abc import Mapping
from hashlib import sha256
from urllib.parse import unquote_to_bytes

from datahound.model import split_query
from datahound.text import hash_text, replace_forbidden
from datahound.web.messages import parse_content_type
from datahound.web.targets import disposition_name
from datahound.web.types import choose_extension
from datahound.web.urls import host_of, path_of

# File systems allow 255 bytes; the rest is room for `~2` and the suffixes of partial files.
MAX_SEGMENT_BYTES = 200
# Windows allows 260 characters for a whole path, the crawl folder included.
MAX_PATH_BYTES = 240

_EXTENSION = re.compile(r"\.(?:[A-Za-z][A-Za-z0-9]{0,9}|7z)\Z")
# A URL that ends like this names a program on the server, not the type of what it sends.
_SCRIPT = re.compile(
    r"\.(?:action|aspx?|ashx|axd|cfm|cgi|dll|do|exe|jspx?|php\d?|pl|py)", re.IGNORECASE
)
_DANGEROUS = frozenset(
    "appimage application appref-ms bat chm class cmd com command cpl crt deb desktop dll dmg exe"
    " gadget hta inf ins jar js jse library-ms lnk mht mhtml msc msi msp ocx pif pkg ps1 psm1"
    " py pyw rb reg rpm scf scr scpt search-ms settingcontent-ms sh svgz sys url vb vbe vbs"
    " webloc website ws wsc wsf wsh xbap xll".split()
)
"""Extensions of files that a double click runs, or that lead elsewhere."""
_SCRIPTABLE = frozenset(["htm", "html", "shtml", "svg", "xht", "xhtml"])
_SCRIPTABLE_TYPES = frozenset(["text/html", "application/xhtml+xml", "image/svg+xml"])
"""Files that run scripts in a browser keep their extensions where the MIME type says the same."""
_HARMLESS = ".bin"


def name_for(url: str, headers: Mapping[str, str], beginning: bytes = b"") -> str:
    """The path of a file, `host/folders/name.ext`, which never leads out of the folder of files.

    >>> name_for("https://a.org/d/get.php?id=7", {"content-type": "text/csv"})
    'a.org/d/get.php~f422c8.csv'
    """
    # Without user and password, which must not end up in file names.
    authority = url.split("/", 3)[2].rpartition("@")[2]
    *folders, last = [_decoded(part) for part in path_of(url).split("/")[1:]]
    said = _basename(disposition_name(headers.get("content-disposition", "")))
    stem, extension = _split(said or last or "index")
    found = parse_content_type(headers.get("content-type", ""))
    mime_type = found.essence if found else ""
    address, posted = split_query(url)
    if posted and not said:  # a query says in which format it is answered
        extension = choose_extension(mime_type, beginning) or extension
    elif not extension or _SCRIPT.fullmatch(extension):
        stem += extension
        extension = choose_extension(mime_type, beginning)
    query = address.partition("?")[2] + posted
    mark = f"~{hash_text(query)}" if query else ""
    parents = [clean_segment(authority), *(clean_segment(folder) for folder in folders if folder)]
    ending = clean_extension(extension)
    last = clean_segment(stem)
    if _is_dangerous(last + ending, mime_type):
        last, ending = last + ending, choose_extension(mime_type, beginning) or _HARMLESS
    return _bounded(parents, last, mark + ending, url)


def plain_name(url: str, extension: str) -> str:
    """A short name of hash digits, for a file whose own name a file system rejects."""
    return f"{clean_segment(host_of(url))}/~{sha256(url.encode()).hexdigest()[:16]}{extension}"


def numbered(name: str, number: int) -> str:
    """The same name with a number.

    >>> numbered("a.org/data.csv", 2)
    'a.org/data~2.csv'
    """
    folder, slash, last = name.rpartition("/")
    stem, extension = _split(last)
    return f"{folder}{slash}{stem}~{number}{extension}"


def clean_segment(text: str) -> str:
    """One segment of a path that is valid on every operating system.

    >>> clean_segment("..") + " " + clean_segment("CON.txt") + " " + clean_segment("a:b. ")
    '_ _CON.txt a_b'
    """
    return _cut(replace_forbidden(text), MAX_SEGMENT_BYTES) or "_"


def clean_extension(extension: str) -> str:
    return extension if _EXTENSION.fullmatch(extension) else ""


def _is_dangerous(name: str, mime_type: str) -> bool:
    extension = name.rpartition(".")[2].lower()
    if extension in _SCRIPTABLE:
        return mime_type not in _SCRIPTABLE_TYPES
    return extension in _DANGEROUS


def _basename(name: str) -> str:
    return re.split(r"[/\\]", name)[-1].strip()


def _decoded(text: str) -> str:
    """Percent-encoded text as people read it, if it is UTF-8."""
    try:
        return unquote_to_bytes(text).decode()
    except UnicodeDecodeError:
        return text


def _split(name: str) -> tuple[str, str]:
    found = _EXTENSION.search(name)
    return (name[: found.start()], found[0]) if found and found.start() else (name, "")


def _cut(text: str, most: int) -> str:
    """Cut a text to `most` bytes of UTF-8, at the end of a character."""
    # Windows drops dots and blanks at the end of a name, so that two names could become one.
    return text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore").rstrip(". ")


def _bounded(parents: list[str], stem: str, ending: str, url: str) -> str:
    """Join a path; replace its folders by a hash and cut its name where it is too long."""
    if len("/".join([*parents, ""]).encode()) > MAX_PATH_BYTES // 2:
        parents = [_cut(parents[0], MAX_PATH_BYTES // 4), f"~{hash_text(url.rpartition('/')[0])}"]
    room = MAX_PATH_BYTES - len("/".join([*parents, ending]).encode())
    shortened = _cut(stem, min(room, MAX_SEGMENT_BYTES - len(ending)))
    if shortened != stem:
        shortened = _cut(stem, len(shortened.encode()) - 7) + f"~{hash_text(url)}"
    return "/".join([*parents, clean_segment(shortened) + ending])

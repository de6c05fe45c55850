"""What is a target: by MIME type, by name, and where these say little or disagree, by its bytes."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from datahound.errors import UserError
from datahound.model import Kind, Response
from datahound.web.leading_bytes import LEADING as LEADING  # noqa: PLC0414 for other folders
from datahound.web.leading_bytes import OLE, agree
from datahound.web.leading_bytes import detect_type as detect_type  # noqa: PLC0414
from datahound.web.messages import is_redirect, parse_content_type, parse_mime_type
from datahound.web.named_types import NamedType, find_named_type
from datahound.web.named_types import disposition_name as disposition_name  # noqa: PLC0414
from datahound.web.named_types import last_segment as last_segment  # noqa: PLC0414
from datahound.web.types import (
    BLOCKED_EXTENSIONS,
    BY_EXTENSION,
    BY_MIME_TYPE,
    BY_NAME,
    FILE_TYPES,
    GROUP_LABELS,
    extensions_of,
)
from datahound.web.urls import extension_of

PAPER_TARGETS = frozenset(
    """
    application/csv application/json application/msword application/octet-stream application/pdf
    application/rdf+xml application/rss+xml application/vnd.ms-excel
    application/vnd.ms-excel.sheet.macroenabled.12
    application/vnd.oasis.opendocument.presentation
    application/vnd.oasis.opendocument.spreadsheet application/vnd.oasis.opendocument.text
    application/vnd.openxmlformats-officedocument.presentationml.presentation
    application/vnd.openxmlformats-officedocument.spreadsheetml.sheet
    application/vnd.openxmlformats-officedocument.wordprocessingml.document
    application/vnd.openxmlformats-officedocument.wordprocessingml.template application/vnd.rar
    application/x-7z-compressed application/x-csv application/x-gtar application/x-gzip
    application/xml application/x-pdf application/x-rar-compressed application/x-tar
    application/x-yaml application/x-zip-compressed application/yaml application/zip
    application/zip-compressed text/comma-separated-values text/csv text/json text/plain
    text/x-comma-separated-values text/x-csv text/x-yaml text/yaml
    """.split()
)
"""The 38 MIME types that the paper calls targets."""

ACCEPTED = 202
"""The status of an answer that says that a file is still being made."""
ALL = "all"
PAPER = "paper"
_BLOCKED_FAMILIES = ("image/", "audio/", "video/", "font/")
_NO_DATA_TYPES = frozenset({"text/css", "text/javascript", "application/javascript"})
_NO_DATA_EXTENSIONS = frozenset(
    """
    .apk .appimage .css .deb .dmg .eot .exe .jar .js .map .mjs .msi .otf .pkg .rpm .swf .ttf .woff
    .woff2
    """.split()
)
"""Extensions of programs, styles and fonts."""
_VAGUE = frozenset(
    """
    */* application/binary application/bzip2 application/data application/download
    application/file application/force-download application/gzip application/octet-stream
    application/save application/unknown application/x-bzip application/x-bzip2
    application/x-download application/x-force-download application/x-gzip
    application/x-msdownload application/x-octet-stream application/x-unknown application/x-xz
    application/x-compressed application/x-zip application/x-zip-compressed application/zip
    application/zip-compressed application/zstd binary/octet-stream content/unknown
    file/unknown text/plain unknown/unknown
    """.split()
) | {""}
"""MIME types that say little of what a file is, or only how it is packed."""
_WITH_LINKS = frozenset({"xml", "json", "jsonld", "rss", "rdf"})
"""Types whose files may lead to others: links to them do not wait."""
_ASKS_FOR_FORMAT = re.compile(r"(?:format|output|type|fmt|export)=([a-z]{3,8})\b")
_ASKS_TO_SAVE = re.compile(
    r"(?:\A|&)(?:(?:export|action)=download|(?:download|dl)=(?:1|true))(?:&|\Z)"
)
_OLE_TYPES = frozenset({"xls", "doc", "ppt"})

_KNOWN_TYPES = frozenset(BY_MIME_TYPE) | PAPER_TARGETS | _VAGUE
_COLUMNS = frozenset({"csv", "tsv"})
_CERTAIN = (
    frozenset(kind.name for kind in FILE_TYPES if kind.group and kind.leading_bytes)
    | {kind.name for kind in FILE_TYPES if kind.group and kind.zip_part}
    | {OLE, "xls", "doc", "ppt", "tar", *_COLUMNS}
) - {"gz", "zst", "xz", "bz2"}
"""Types that leading bytes show for certain, even where the MIME type is unknown.

Compressed data, JSON and XML are not among them: they may be a program's own format.
"""


def _of_groups(*groups: str) -> frozenset[str]:
    return frozenset(kind.name for kind in FILE_TYPES if kind.group in groups)


_TABLES = _of_groups("csv", "tsv", "excel", "ods", "parquet", "arrow", "px", "dbf", "statistics")
_GEO = _of_groups("geo") | {"geojson"}
_DOCUMENTS = _of_groups("pdf", "word", "slides")
_ARCHIVES = _of_groups("archives", "zip", "gzip")
TARGET_NAMES: dict[str, frozenset[str]] = {
    **{kind.name: frozenset({kind.name}) for kind in FILE_TYPES if kind.group},
    **{group: _of_groups(group) for group in GROUP_LABELS},
    ALL: _of_groups(*GROUP_LABELS),
    "archives": _ARCHIVES,
    "data": _TABLES | _GEO | _of_groups("json", "xml", "yaml", "arrays", "databases"),
    "documents": _DOCUMENTS,
    "geo": _GEO,
    "tables": _TABLES,
}
"""The types that each name means, by their names in the table."""
SHOWN_NAMES = (ALL, "data", "tables", "geo", "documents", "archives", *sorted(
    set(GROUP_LABELS) - {"geo", "archives"}
))  # fmt: skip
"""The names as they are listed for users: wide ones first; formats have their own names, too."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a user looks for: judges answers, and what the names of URLs say."""

    words: frozenset[str]
    """As users write them: names, extensions, MIME types, /regular expressions/."""
    mime_types: frozenset[str]
    extensions: frozenset[str]
    types: frozenset[str] = frozenset()
    """Names of rows of the table of types."""
    patterns: tuple[re.Pattern[str], ...] = ()
    by_name: bool = True
    """Whether names and bytes count; for the paper's targets, MIME types alone do."""

    def judge(
        self, url: str, headers: Mapping[str, str], hint: str = "", beginning: bytes = b""
    ) -> Kind:
        """The kind of a successful answer; `hint` is the file name that its link gives."""
        said = _essence(headers.get("content-type", ""))
        if not self.by_name:
            return kind_of_type(said, self.mime_types)
        found = detect_type(beginning)
        named = find_named_type(url, headers.get("content-disposition", ""), hint)
        if is_blocked_type(said) or said in _NO_DATA_TYPES:
            is_file = bool(found) and self._fits(named, found)
            return Kind.TARGET if is_file else Kind.OTHER
        if "html" in said:
            if said in self.mime_types:
                return Kind.TARGET  # the user asked for HTML by its MIME type
            return Kind.TARGET if self._is_file_as_page(named, found, beginning) else Kind.PAGE
        if named is None and extension_of(url) in _NO_DATA_EXTENSIONS:
            return Kind.OTHER
        if found == "html":
            # Without any type, browsers take it for a page as well.
            return Kind.OTHER if said else Kind.PAGE
        is_asked_for = named is None and self._wants_extension(url)
        if is_asked_for or self._matches(url) or self._is_file(said, named, found):
            return Kind.TARGET
        return Kind.OTHER

    def needs_bytes(self, response: Response, hint: str = "") -> bool:
        """Whether an answer's beginning may decide what it is."""
        if not self.by_name or not 200 <= response.status < 300:
            return False
        said = mime_type_of(response)
        disposition = response.headers.get("content-disposition", "")
        named = find_named_type(response.url, disposition, hint)
        if is_blocked_type(said) or said in _NO_DATA_TYPES:
            return self._wants(named)
        return named is not None or bool(disposition) or "html" not in said

    def is_page_in_place(self, response: Response) -> bool:
        """Whether an answer begins like a page although its type says otherwise."""
        is_other = self.by_name and "html" not in mime_type_of(response)
        beginning = response.body[:LEADING]
        return is_other and response.status < 300 and detect_type(beginning) == "html"

    def names_file(self, url: str, hint: str = "") -> bool:
        """Whether a URL, or its link, says that it is a file of the wanted types."""
        if not self.by_name:
            return extension_of(url) in self.extensions
        named = find_named_type(url, "", hint)
        return self._wants(named) or self._wants_extension(url) or self._matches(url)

    def offers_file(self, url: str) -> bool:
        """Whether the query of a URL asks for a wanted format, as in `?format=csv`, or to save."""
        query = url.partition("?")[2].lower()
        formats = _ASKS_FOR_FORMAT.findall(query)
        is_asked = not self.types.isdisjoint(formats) or _ASKS_TO_SAVE.search(query) is not None
        return self.by_name and is_asked

    def names_unwanted(self, url: str, hint: str = "") -> bool:
        """Whether a URL says that it is a file of a type that the user did not ask for."""
        if not self.by_name or self._matches(url) or self._wants_extension(url):
            return False
        named = find_named_type(url, "", hint)
        if named is None:
            return extension_of(url) in _NO_DATA_EXTENSIONS
        return not self._wants(named) and named.kind.name not in _WITH_LINKS

    def _is_file_as_page(self, named: NamedType | None, found: str, beginning: bytes) -> bool:
        """Whether a body declared as HTML is a file, by its name and bytes or its bytes alone."""
        if not beginning or found == "html":
            return False
        if self._fits(named, found):
            return True
        # Without a name it must be certain: text without any tag, in columns, or a binary format.
        is_certain = found in _CERTAIN and (found not in _COLUMNS or b"<" not in beginning)
        return named is None and is_certain and self._wants_found(found)

    def _is_file(self, said: str, named: NamedType | None, found: str) -> bool:
        """Whether MIME type, name and bytes together say that a body is a wanted file."""
        if said not in _KNOWN_TYPES and named is None:
            return found in _CERTAIN and self._wants_found(found)
        if said in _VAGUE:
            if named is not None and named.agrees(found):
                return self._wants(named)
            if found and (found != "text" or named is not None):
                return self._wants_found(found)
            return said in self.mime_types
        if said in self.mime_types:
            return named is None or self._wants(named) or not found or self._may_be(said, found)
        return bool(found) and self._fits(named, found)

    def _fits(self, named: NamedType | None, found: str) -> bool:
        return named is not None and self._wants(named) and named.agrees(found)

    def _may_be(self, said: str, found: str) -> bool:
        """Whether a body may be of the MIME type that was said, going by its beginning."""
        kind = BY_MIME_TYPE.get(said)
        return self._wants_found(found) or kind is None or agree(kind.name, found)

    def _wants(self, named: NamedType | None) -> bool:
        return named is not None and named.kind.name in self.types

    def _wants_found(self, found: str) -> bool:
        if found == OLE:
            return bool(self.types & _OLE_TYPES)
        return found in self.types or (found == "sqlite" and "gpkg" in self.types)

    def _wants_extension(self, url: str) -> bool:
        return extension_of(url) in self.extensions

    def _matches(self, url: str) -> bool:
        return any(pattern.search(url) for pattern in self.patterns)


@lru_cache(maxsize=100)
def find_wanted(words: frozenset[str] | None) -> Wanted:
    """What the words of a user mean; None for the paper's targets.

    >>> find_wanted(frozenset({"csv"})).names_file("https://a.example/x.csv.gz")
    True
    """
    if words is None or words == {PAPER}:
        return Wanted(
            frozenset({PAPER}), PAPER_TARGETS, extensions_of(PAPER_TARGETS), by_name=False
        )
    types: set[str] = set()
    mime_types = {word for word in words if not word.startswith("/") and "/" in word}
    # A user who asks for a MIME type gets the files whose names say this type, too.
    types |= {kind.name for name in mime_types if (kind := BY_MIME_TYPE.get(name)) and kind.group}
    extensions: set[str] = set()
    for word in words:
        if word in TARGET_NAMES:
            types |= TARGET_NAMES[word]
        elif word.startswith("."):
            extensions.add("." + word.split(".")[1] if word[1:].count(".") else word)
    # `all` is never less than the paper's own list.
    if words & {ALL, PAPER}:
        mime_types |= PAPER_TARGETS
    # A user who asks for .px gets the type, under whatever MIME type it is served.
    types |= {kind.name for e in extensions if (kind := BY_EXTENSION.get(e))}
    mime_types |= {name for kind in types for name in BY_NAME[kind].mime_types}
    extensions |= {e for kind in types for e in BY_NAME[kind].extensions}
    patterns = tuple(re.compile(word[1:-1]) for word in sorted(words) if word.startswith("/"))
    found = (frozenset(mime_types), frozenset(extensions), frozenset(types))
    return Wanted(words, *found, patterns)


def parse_targets(texts: Iterable[str]) -> frozenset[str]:
    """The words of a user, checked: names, extensions, MIME types, or lists of them with commas.

    >>> sorted(parse_targets(["pdf, text/x-special", ".PX"]))
    ['.px', 'pdf', 'text/x-special']
    """
    words = {_check_word(word) for text in texts for word in _split_words(text.strip())}
    if not words:
        raise UserError("no target type is given")
    return frozenset(words)


def _split_words(text: str) -> list[str]:
    if _is_pattern(text):
        return [text]
    return [word.strip() for word in text.split(",") if word.strip()]


def _is_pattern(text: str) -> bool:
    return len(text) > 2 and text[0] == "/" and text[-1] == "/"


def _check_word(word: str) -> str:
    if _is_pattern(word):
        try:
            re.compile(word[1:-1])
        except re.error as error:
            raise UserError(f"{word!r} is not a regular expression: {error}") from None
        return word
    lower = word.lower()
    if lower in TARGET_NAMES or lower == PAPER or re.fullmatch(r"(\.\w[\w-]{0,20}){1,2}", lower):
        return lower
    if (kind := parse_mime_type(lower)) is not None and not word.startswith("/"):
        return kind.essence
    allowed = ", ".join(SHOWN_NAMES)
    raise UserError(
        f"unknown target type {word!r}: give one of {allowed}; an extension such as .px, a MIME "
        "type, or a /regular expression/ for URLs (`datahound targets` explains the names)"
    )


DEFAULT_TARGETS = find_wanted(None)
"""The targets of the paper, which strategies and experiments are compared by."""


def name_of_type(mime_type: str) -> str:
    """A file name with the extension of a MIME type; '' for pages and unknown types.

    >>> name_of_type("text/csv; charset=utf-8"), name_of_type("text/html")
    ('file.csv', '')
    """
    kind = BY_MIME_TYPE.get(_essence(mime_type))
    return f"file{kind.extensions[0]}" if kind and kind.extensions else ""


def mime_type_of(response: Response) -> str:
    """The essence of a response's MIME type, or ''."""
    return _essence(response.headers.get("content-type", ""))


def is_shown(status: int, headers: Mapping[str, str]) -> bool:
    """Whether browsers show the body of an answer: also of a redirect without a `Location`.

    >>> is_shown(200, {}), is_shown(300, {}), is_shown(300, {"location": "/a"}), is_shown(404, {})
    (True, True, False, False)
    """
    leads_nowhere = status == 300 or is_redirect(status)
    return 200 <= status < 300 or (leads_nowhere and not headers.get("location"))


def kind_of(response: Response, wanted: Wanted = DEFAULT_TARGETS, hint: str = "") -> Kind:
    """The kind of a response; a body that browsers would not show is neither page nor target."""
    if not 200 <= response.status < 300 and not (
        wanted.by_name and is_shown(response.status, response.headers)
    ):
        return Kind.OTHER
    kind = wanted.judge(response.url, response.headers, hint, response.body[:LEADING])
    # An answer about a file that is still being made, or about a choice of files, is not a file.
    is_about_files = wanted.by_name and (response.status == ACCEPTED or response.status >= 300)
    return Kind.OTHER if kind is Kind.TARGET and is_about_files else kind


def drop_body(response: Response, wanted: Wanted, hint: str = "") -> Response:
    """A response without its body; its beginning stays where that decides the kind."""
    bare = replace(response, body=b"", truncated=True)
    if kind_of(bare, wanted, hint) is kind_of(response, wanted, hint):
        return bare
    return replace(bare, body=response.body[:LEADING])


def kind_of_type(mime_type: str, targets: frozenset[str] = PAPER_TARGETS) -> Kind:
    """The kind of a MIME type.

    >>> kind_of_type("text/csv"), kind_of_type("application/xhtml+xml"), kind_of_type("image/png")
    (<Kind.TARGET: 'target'>, <Kind.PAGE: 'page'>, <Kind.OTHER: 'other'>)
    """
    if mime_type in targets:
        return Kind.TARGET
    return Kind.PAGE if "html" in mime_type else Kind.OTHER


@lru_cache(maxsize=1000)
def _essence(content_type: str) -> str:
    found = parse_content_type(content_type)
    return found.essence if found else ""


def is_blocked_type(mime_type: str) -> bool:
    """Whether a body of this type is never read."""
    return mime_type.startswith(_BLOCKED_FAMILIES)


def has_blocked_extension(url: str) -> bool:
    """Whether a URL has the extension of an image, audio or video file."""
    return extension_of(url) in BLOCKED_EXTENSIONS

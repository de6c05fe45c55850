"""Bound the markup of a page before it is parsed, in time linear in its length.

For some markup, a parser that follows the HTML standard needs far more time or memory than the page
is long: it looks through all open elements at each new block, compares each attribute of a tag with
all others, and copies the open formatting elements into each new block. As in browsers, markup
beyond a limit is dropped. Ordinary pages are returned unchanged.
"""

import re
from collections import Counter, defaultdict

MAX_DEPTH = 500
MAX_ATTRIBUTES = 256
"""Attributes of one tag."""
MAX_FORMATTING = 100_000
"""Copies of open formatting elements in later blocks; beyond it the page loses all of them."""
MAX_MARKUP = 400_000
"""Tags and attributes of a page; the page is cut behind them."""
MAX_GROWTH = 50_000_000
"""Bytes of text that a parser copies because a tag that makes no element lies between its parts."""
_MANY_TAGS = 5000
_MANY_COPIES = 300_000_000
_MANY_FORMATTING = 100
_EQUAL_FORMATTING = 3
_LONG_TAG = 1024
_SPACE = rb"[\t\n\f\r /]"
_FORMATTING = frozenset(b"b big code em font i nobr s small strike strong tt u".split())
_FORMATTING_TAG = re.compile(
    rb"<(?:" + b"|".join(sorted(_FORMATTING)) + rb")(?=" + _SPACE + rb"|>)", re.IGNORECASE
)
# Elements that never nest in themselves, have no end tag or may go without it; and links, which
# must not be dropped.
_NOT_NESTING = frozenset(
    b"a area base basefont bgsound body br caption col colgroup embed frame frameset head hr "
    b"html iframe image img input keygen link meta optgroup option p param plaintext rb rp rt rtc "
    b"script source style tbody td textarea tfoot th thead title tr track wbr".split()
)
_BLOCKS = frozenset(
    b"address article aside blockquote button center details dialog dir div dl dd dt fieldset "
    b"figcaption figure footer form header hgroup li listing main marquee menu nav object ol pre "
    b"search section span summary table template ul".split()
)
"""Elements that stay open although their start tag ends with a slash."""
_CELLS = frozenset(b"td th caption tr".split())
"""Formatting elements that are open inside of them end with them."""
_MAY_MAKE_NOTHING = frozenset(
    b"body caption col colgroup form frame frameset head html option optgroup tbody td tfoot th "
    b"thead tr".split()
)
"""Tags that a parser ignores in some places; the text around them is then one."""
_FOREIGN = frozenset([b"svg", b"math"])
_RAW_TEXT = frozenset(b"iframe noembed noframes script style textarea title xmp".split())
_NAME = re.compile(rb"</?([a-zA-Z][^\t\n\f\r />]*+)")
_ATTRIBUTE = (
    rb"[\t\n\f\r /]*+[^\t\n\f\r />][^\t\n\f\r />=]*+"
    rb"(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+"
    rb"(?:\"[^\"]*+\"|'[^']*+'|[^\t\n\f\r >\"'][^\t\n\f\r >]*+|(?=>)))?+"
)
_SOME_ATTRIBUTES = re.compile(rb"(?:" + _ATTRIBUTE + rb"){0,%d}+" % MAX_ATTRIBUTES)
_MORE_ATTRIBUTES = re.compile(rb"(?:" + _ATTRIBUTE + rb")*+")
_COMMENT_END = re.compile(rb"--!?>")
_TAG_END = re.compile(rb"[\t\n\f\r /]*+>")
_MANY_WORDS = re.compile(rb"<[a-zA-Z](?:[^\t\n\f\r />]*+[\t\n\f\r /]++){%d}" % MAX_ATTRIBUTES)


def limit_markup(html: bytes) -> bytes:
    """The page without the markup that is beyond the caps."""
    if _is_ordinary(html):
        return html
    limited, copies = _Limiter(html).limit(frozenset())
    # A second pass over such a page is cheap beside what parsing it would take.
    if copies <= MAX_FORMATTING:
        return limited
    return _Limiter(html).limit(_FORMATTING)[0]


def _is_ordinary(html: bytes) -> bool:
    """Whether the caps are certainly kept, by a look that is cheaper than reading the tags."""
    tags = html.count(b"<")
    # Far more ends than beginnings: values of attributes hide them.
    if tags >= _MANY_TAGS or html.count(b">") > tags + MAX_ATTRIBUTES:
        return False
    if tags * len(html) > _MANY_COPIES:
        return False
    if len(_FORMATTING_TAG.findall(html)) >= _MANY_FORMATTING:
        return False
    long = (part for part in html.split(b">") if len(part) >= _LONG_TAG)
    return not any(_has_many_words(part) for part in long)


def _has_many_words(part: bytes) -> bool:
    """Whether the tag that begins in this text may have more attributes than allowed."""
    tag = _NAME.search(part)
    return tag is not None and _MANY_WORDS.match(part, tag.start()) is not None


class _Formatting:
    """The formatting elements that are open; of equal ones a parser keeps three."""

    def __init__(self) -> None:
        self.count = 0
        self._equal: Counter[bytes] = Counter()
        self._by_tag: defaultdict[bytes, list[bytes]] = defaultdict(list)

    def begin(self, tag: bytes, attributes: bytes) -> None:
        key = tag + b" " + attributes
        if self._equal[key] < _EQUAL_FORMATTING:
            self._equal[key] += 1
            self._by_tag[tag].append(key)
            self.count += 1

    def end(self, tag: bytes) -> None:
        if self._by_tag[tag]:
            self._equal[self._by_tag[tag].pop()] -= 1
            self.count -= 1


class _Limiter:
    """Reads the tags of one page, much as a parser does, and drops what is beyond the caps."""

    def __init__(self, html: bytes) -> None:
        self._html = html
        self._parts: list[bytes] = []
        self._kept = 0
        """Everything before it is in `_parts`."""
        self._markup = 0
        self._depth = 0
        self._open: Counter[bytes] = Counter()
        self._dropped: Counter[bytes] = Counter()
        self._formatting = _Formatting()
        self._outer: list[_Formatting] = []
        """Open formatting elements around each table that is open."""
        self._copies = 0
        self._text = 0
        """Bytes of text since the last tag that certainly made an element."""
        self._growth = 0
        self._is_foreign = False
        """Whether there was SVG or MathML, where text of scripts and styles may be markup."""
        self._hidden = 0

    def limit(self, without: frozenset[bytes]) -> tuple[bytes, int]:
        """The limited page without some elements; and how often formatting would be copied."""
        html, at = self._html, 0
        while (start := html.find(b"<", at)) >= 0 and self._markup <= MAX_MARKUP:
            name = _NAME.match(html, start)
            self._read_text(at, start)
            at = self._read_tag(name, without) if name else _skip_other(html, start)
            if at < 0:
                break
        end = start if start >= 0 and self._markup > MAX_MARKUP else len(html)
        self._parts.append(html[self._kept : end])
        return b"".join(self._parts), self._copies

    def _read_tag(self, name: re.Match[bytes], without: frozenset[bytes]) -> int:
        """Where to go on behind a tag; -1 if it is never closed, as all that follows is in it."""
        html, start, tag = self._html, name.start(), name[1].lower()
        some = _SOME_ATTRIBUTES.match(html, name.end())
        more = _MORE_ATTRIBUTES.match(html, some.end()) if some else None
        end = _TAG_END.match(html, more.end()) if more else None
        if some is None or more is None or end is None:
            return -1
        self._markup += 1 + _count_words(some[0])
        # "/"
        is_end = html[start + 1] == 0x2F
        if tag in without or not (self._end(tag) if is_end else self._begin(tag, some[0], end[0])):
            self._drop(start, end.end())
        elif is_end and some[0]:
            self._drop(name.end(), end.start())
        elif more[0]:
            self._drop(some.end(), more.end())
        if is_end or tag not in _RAW_TEXT:
            return end.end()
        return self._read_raw_text(tag, end.end())

    def _read_text(self, start: int, end: int) -> None:
        """Keep text, unless a parser has copied too much of it: parts of one text are joined."""
        if self._growth > MAX_GROWTH and self._text and start < end:
            self._drop(start, end)
        else:
            self._text += end - start

    def _read_raw_text(self, tag: bytes, start: int) -> int:
        """Where the end tag of raw text begins; much that could be markup after all is dropped."""
        end = _skip_text(self._html, tag, start)
        if self._is_foreign:
            text = self._html[start : end if end >= 0 else len(self._html)]
            many = _MANY_TAGS // _MANY_FORMATTING
            self._hidden += text.count(b"<") + many * len(_FORMATTING_TAG.findall(text))
            if self._hidden > _MANY_TAGS:
                self._drop(start, start + len(text))
        return end

    def _begin(self, tag: bytes, attributes: bytes, ending: bytes) -> bool:
        """Open an element; False if its tag is to be dropped."""
        is_cell = tag in _CELLS and tag != b"tr" and self._outer and self._depth < MAX_DEPTH
        is_kept = self._open_element(tag, attributes, ending)
        if is_kept and (is_cell or tag not in _MAY_MAKE_NOTHING):
            self._text = 0
        elif attributes:
            self._growth += self._text
        self._is_foreign |= is_kept and tag in _FOREIGN
        return is_kept

    def _open_element(self, tag: bytes, attributes: bytes, ending: bytes) -> bool:
        if tag in _FORMATTING:
            # Each is compared with all that are open.
            self._copies += self._formatting.count
            self._formatting.begin(tag, attributes)
            return True
        if tag == b"table":
            self._outer.append(self._formatting)
        if tag == b"table" or (tag in _CELLS and self._outer):
            self._formatting = _Formatting()
        self._copies += self._formatting.count
        if tag in _NOT_NESTING or (tag not in _BLOCKS and b"/" in ending):
            return True
        if self._depth >= MAX_DEPTH:
            self._dropped[tag] += 1
            return False
        self._open[tag] += 1
        self._depth += 1
        return True

    def _end(self, tag: bytes) -> bool:
        """Close an element; False if its start tag was dropped."""
        if tag in _FORMATTING:
            self._formatting.end(tag)
            return True
        if tag == b"table" and self._outer:
            self._formatting = self._outer.pop()
        if self._dropped[tag]:
            self._dropped[tag] -= 1
            return False
        if self._open[tag]:
            self._open[tag] -= 1
            self._depth -= 1
        return True

    def _drop(self, start: int, end: int) -> None:
        self._parts.append(self._html[self._kept : start])
        self._kept = end


def _count_words(attributes: bytes) -> int:
    """The approximate number of attributes."""
    return len(attributes.split()) if attributes else 0


def _skip_other(html: bytes, start: int) -> int:
    """Where to go on behind a `<` that begins no tag: a comment, a declaration or text."""
    if html.startswith((b"<!-->", b"<!--->"), start):
        return html.find(b">", start) + 1
    if html.startswith(b"<!--", start):
        comment = _COMMENT_END.search(html, start + 4)
        return comment.end() if comment else -1
    if html[start + 1 : start + 2] in (b"!", b"?", b"/"):
        end = html.find(b">", start)
        return end + 1 if end >= 0 else -1
    return start + 1


def _skip_text(html: bytes, tag: bytes, start: int) -> int:
    """Where the end tag begins of an element whose content is text, whatever it looks like."""
    end = re.compile(rb"</" + tag + rb"(?=[\t\n\f\r />])", re.IGNORECASE).search(html, start)
    return end.start() if end else -1
